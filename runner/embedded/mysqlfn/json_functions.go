package mysqlfn

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

// jsonFunctions are those of JSON. Documents, values and results are as they are kept, see jsonMark.
var jsonFunctions = table{
	"json_extract": {Args: "jp", Repeat: 1, Result: ToJSON, Call: jsonExtract},
	"json_array":   {Args: "v", Opt: 1, Repeat: 1, Result: ToJSON, Call: jsonArray},
	"json_object":  {Args: "kv", Opt: 2, Repeat: 2, Result: ToJSON, Call: jsonObject, Nulls: true},
	"json_length": {Args: "jp", Opt: 1, Result: ToInt,
		Call: at(func(v any) any { return int64(lengthJSON(v)) })},
	"json_type":  {Args: "j", Result: ToJSONText, Call: at(func(v any) any { return jsonType(v) })},
	"json_depth": {Args: "j", Result: ToInt, Call: at(func(v any) any { return depthJSON(v) })},
	"json_keys": {Args: "jp", Opt: 1, Result: ToJSON, Call: func(a []driver.Value) (driver.Value, error) {
		if len(a) > 1 && strings.Contains(str(a[1]), "[") { // to which a value that is no array is none of one
			return nil, refused("JSON_KEYS with a cell in its path")
		}
		return at(func(v any) any {
			object, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			list := []any{}
			for _, k := range jsonKeys(object) {
				list = append(list, k)
			}
			return writeJSON(list)
		})(a)
	}},
	"json_contains_path": {Args: "jkp", Repeat: 1, Result: ToInt, Nulls: true, Call: jsonContainsPath},
	"json_contains":      {Args: "jjp", Opt: 1, Result: ToInt, Slow: jsonContains},

	"json_text":   {Call: jsonPlain(func(s string) (driver.Value, error) { return jsonText(s), nil })},
	"json_quote":  {Call: jsonPlain(func(s string) (driver.Value, error) { return quoteJSON(s), nil })},
	"json_double": {Call: func(a []driver.Value) (driver.Value, error) { return jsonDouble(num(a[0])).text, nil }},
	"json_bool":   {Call: jsonPlain(func(s string) (driver.Value, error) { return strconv.FormatBool(s != "0"), nil })},
	"json_moment": {Call: jsonPlain(func(s string) (driver.Value, error) { return jsonMark + quoteJSON(s), nil })},
	"json_clock": {Call: jsonPlain(func(s string) (driver.Value, error) {
		if m, ok := ParseClock(s); !ok || m.hour > 31 { // MySQL keeps five bits of the hour
			return nil, refused("a TIME of more than 31 hours in JSON")
		}
		return jsonMark + quoteJSON(s), nil
	})},
	"json_dated": {Call: jsonPlain(func(s string) (driver.Value, error) {
		v, ok := keptJSON(s).(jsonMoment)
		if !ok {
			return nil, nil
		}
		return string(v), nil
	})},
	"json_number": {Call: jsonPlain(func(s string) (driver.Value, error) { return numberOfJSON(keptJSON(s)), nil })},
	"json_scalar": {Call: jsonPlain(func(s string) (driver.Value, error) {
		if s[0] == '[' || s[0] == '{' {
			return nil, refused("a window in the order of JSON arrays and objects") // MySQL leaves it open
		}
		return s, nil
	})},
	// what sorts as JSON: of arrays and objects MySQL looks at the length alone
	"json_order": {Call: jsonPlain(func(s string) (driver.Value, error) {
		switch s[0] {
		case '[':
			return "[" + strings.TrimSuffix(strings.Repeat("0,", lengthJSON(keptJSON(s))), ",") + "]", nil
		case '{':
			return fmt.Sprintf(`{"": %d}`, lengthJSON(keptJSON(s))), nil
		}
		return s, nil
	})},
	"json_valid": {Call: jsonPlain(func(s string) (driver.Value, error) {
		_, ok, _ := parseJSON(s)
		return boolean(ok && !strings.Contains(s, jsonMark)), nil
	})},
	"json_unquote": {Call: jsonPlain(unquoteText)},
	"json_string": {Call: jsonPlain(func(s string) (driver.Value, error) { // JSON_UNQUOTE of a JSON value
		switch v := keptJSON(s).(type) {
		case string:
			return v, nil
		case jsonMoment:
			return string(v), nil
		}
		return jsonText(s), nil
	})},
	"json_parse": {Call: func(a []driver.Value) (driver.Value, error) { // text, number of the argument, function
		v, ok, deep := parseJSON(str(a[0]))
		switch {
		case deep:
			return nil, errJSONDepth
		case !ok || strings.Contains(str(a[0]), jsonMark):
			return nil, runtimeError{3141, fmt.Sprintf("Invalid JSON text in argument %d to function %s.",
				whole(a[1]), str(a[2]))}
		}
		return writeJSON(v), nil
	}},
	"json_compare": {Call: func(a []driver.Value) (driver.Value, error) {
		return int64(compareJSON(keptJSON(str(a[0])), keptJSON(str(a[1])))), nil
	}},
	"json_arrayagg":  {Aggregate: func() sqlite.AggregateFunction { return &jsonAggregate{} }},
	"json_objectagg": {Aggregate: func() sqlite.AggregateFunction { return &jsonAggregate{object: true} }, Values: 2},
}

// jsonPlain is a function of one text.
func jsonPlain(f func(string) (driver.Value, error)) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) { return f(str(a[0])) }
}

func numberOfJSON(v any) float64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case jsonNumber:
		return LeadingNumber(v.text)
	case string:
		return LeadingNumber(v)
	}
	return 0
}

func unquoteText(s string) (driver.Value, error) {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s, nil
	}
	if v, ok, _ := parseJSON(s); ok {
		if text, ok := v.(string); ok {
			return text, nil
		}
	}
	return nil, runtimeError{3141, "Invalid JSON text in argument 1 to function json_unquote."}
}

// jsonPathOf reads a path argument. Wildcards are an error unless wild.
func jsonPathOf(v driver.Value, wild bool) (jsonPath, error) {
	p, err := parsePath(str(v))
	if err == nil && !wild && p.wild() {
		err = runtimeError{3149,
			"In this situation, path expressions may not contain the * and ** tokens or an array range."}
	}
	return p, err
}

// at is a function of a document, or of what a path finds in it.
func at(f func(v any) any) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		found := documentAt(a[0], a[1:])
		if len(found) == 0 {
			return nil, nil
		}
		return f(found[0]), nil
	}
}

// documentAt is a document, or what the path finds in it if there is one, which may be nothing.
func documentAt(text driver.Value, path []driver.Value) []any {
	doc := keptJSON(str(text))
	if len(path) == 0 {
		return []any{doc}
	}
	return sure(jsonPathOf(path[0], false)).all(doc)
}

func lengthJSON(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 1
}

func jsonExtract(a []driver.Value) (driver.Value, error) {
	doc := keptJSON(str(a[0]))
	many := len(a) > 2
	var found []any
	for _, arg := range a[1:] {
		p := sure(jsonPathOf(arg, true))
		many = many || p.wild()
		found = append(found, p.all(doc)...)
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case many:
		return shallow(found)
	}
	return writeJSON(found[0]), nil
}

func jsonArray(a []driver.Value) (driver.Value, error) {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range a {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(str(v))
	}
	return b.String() + "]", nil
}

func jsonObject(a []driver.Value) (driver.Value, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(a); i += 2 {
		if a[i] == nil {
			return nil, runtimeError{3158, "JSON documents may not contain NULL member names."}
		}
		out[str(a[i])] = writtenJSON(str(a[i+1]))
	}
	return writeJSON(out), nil
}

// jsonContainsPath is JSON_CONTAINS_PATH(document, 'one' or 'all', paths), which ends with the first path that decides.
func jsonContainsPath(a []driver.Value) (driver.Value, error) {
	all := strings.EqualFold(str(a[1]), "all")
	for i, v := range a {
		switch {
		case v == nil:
			return nil, nil
		case i == 1 && !all && !strings.EqualFold(str(v), "one"):
			return nil, runtimeError{3154, "The oneOrAll argument may take these values: 'one' or 'all'."}
		case i < 2:
			continue
		}
		if found := len(sure(jsonPathOf(v, true)).all(keptJSON(str(a[0])))) > 0; found != all {
			return boolean(found), nil
		}
	}
	return boolean(all), nil
}

func jsonContains(w *work, a []driver.Value) (driver.Value, error) {
	found := documentAt(a[0], a[2:])
	if len(found) == 0 {
		return nil, nil
	}
	return boolean(containsJSON(w, found[0], keptJSON(str(a[1])))), nil
}

// shallow writes what was made of JSON, unless it is too deep: MySQL takes some of it and fails with others.
func shallow(doc any) (driver.Value, error) {
	if depthJSON(doc) > jsonDepth {
		return nil, refused("JSON that becomes more than %d levels deep", jsonDepth)
	}
	return writeJSON(doc), nil
}

// storeJSON is a text as a JSON column holds it.
func storeJSON(text string) (string, error) {
	v, ok, deep := anyJSON().parse(text)
	switch {
	case deep:
		return "", errors.New(errJSONDepth.message)
	case !ok || strings.Contains(text, jsonMark):
		return "", fmt.Errorf("%q is not JSON", Clip(text))
	}
	return writeText(v, math.MaxInt), nil
}
