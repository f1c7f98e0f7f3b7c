package embedded

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"modernc.org/sqlite"
)

// jsonFunction is one row of the table of JSON functions.
type jsonFunction struct {
	args   string // a letter for each argument: j a document, v a value, k a key, p a path, s a text
	opt    int    // how many of the last ones may be left out
	repeat int    // how many of the last ones may come again
	result typ
	impl   func(a []driver.Value) (driver.Value, error) // nil if it is in slow; documents, values and results are as they are kept, see jsonMark
}

var (
	tJSON = typ{k: kJSON, coll: collBytes}
	// tJSONText is what JSON is as text: utf8mb4 with its binary collation.
	tJSONText = typ{k: kString, coll: collBin}
)

var jsonFunctions = map[string]jsonFunction{
	"json_extract":        {"jp", 0, 1, tJSON, jsonExtract},
	"json_array":          {"v", 1, 1, tJSON, jsonArray},
	"json_object":         {"kv", 2, 2, tJSON, jsonObject},
	"json_length":         {"jp", 1, 0, tInt, at(func(v any) any { return int64(lengthJSON(v)) })},
	"json_keys":           {"jp", 1, 0, tJSON, at(keysJSON)},
	"json_depth":          {"j", 0, 0, tInt, at(func(v any) any { return depthJSON(v) })},
	"json_type":           {"j", 0, 0, tJSONText, at(func(v any) any { return jsonType(v) })},
	"json_contains":       {"jjp", 1, 0, tInt, nil},
	"json_contains_path":  {"jsp", 0, 1, tInt, jsonContainsPath},
	"json_set":            {"jpv", 0, 2, tJSON, jsonChange(true, true)},
	"json_insert":         {"jpv", 0, 2, tJSON, jsonChange(false, true)},
	"json_replace":        {"jpv", 0, 2, tJSON, jsonChange(true, false)},
	"json_remove":         {"jp", 0, 1, tJSON, jsonRemove},
	"json_array_append":   {"jpv", 0, 2, tJSON, jsonArrayAppend},
	"json_array_insert":   {"jpv", 0, 2, tJSON, jsonArrayInsert},
	"json_merge_patch":    {"jj", 0, 1, tJSON, jsonMergePatch},
	"json_merge_preserve": {"jj", 0, 1, tJSON, jsonMergePreserve},
	"json_search":         {"jssep", 2, 1, tJSON, nil},
}

func init() {
	for name, f := range jsonFunctions {
		if f.impl != nil {
			helpers[name] = f.impl
		}
	}
	slow["json_contains"] = slowFunction{jsonContains, true}
	slow["json_search"] = slowFunction{jsonSearch, true}
	maps.Copy(helpers, map[string]func([]driver.Value) (driver.Value, error){
		"json_text":   jsonPlain(func(s string) (driver.Value, error) { return jsonText(s), nil }),
		"json_quote":  jsonPlain(func(s string) (driver.Value, error) { return quoteJSON(s), nil }),
		"json_double": func(a []driver.Value) (driver.Value, error) { return keepDouble(a[0]) },
		"json_bool":   jsonPlain(func(s string) (driver.Value, error) { return strconv.FormatBool(s != "0"), nil }),
		"json_moment": jsonPlain(func(s string) (driver.Value, error) { return jsonMark + quoteJSON(s), nil }),
		"json_number": jsonPlain(func(s string) (driver.Value, error) { return numberOfJSON(keptJSON(s)), nil }),
		"json_sortable": jsonPlain(func(s string) (driver.Value, error) {
			if s[0] == '[' || s[0] == '{' {
				return nil, refused("ORDER BY JSON arrays and objects") // MySQL leaves it open, with a warning
			}
			return s, nil
		}),
		"json_valid": jsonPlain(func(s string) (driver.Value, error) {
			_, ok, _ := parseJSON(s)
			return boolean(ok && !strings.Contains(s, jsonMark)), nil
		}),
		"json_unquote": jsonPlain(unquoteText),
		"json_string": jsonPlain(func(s string) (driver.Value, error) { // JSON_UNQUOTE of a JSON value
			switch v := keptJSON(s).(type) {
			case string:
				return v, nil
			case jsonMoment:
				return string(v), nil
			}
			return jsonText(s), nil
		}),
		"json_parse": func(a []driver.Value) (driver.Value, error) { // text, number of the argument, function
			if a[0] == nil {
				return nil, nil
			}
			v, ok, deep := parseJSON(str(a[0]))
			switch {
			case deep:
				return nil, errJSONDepth
			case !ok || strings.Contains(str(a[0]), jsonMark):
				return nil, runtimeError{3141, fmt.Sprintf("Invalid JSON text in argument %d to function %s.", whole(a[1]), str(a[2]))}
			}
			return writeJSON(v), nil
		},
		"json_compare": func(a []driver.Value) (driver.Value, error) {
			if a[0] == nil || a[1] == nil {
				return nil, nil
			}
			return int64(compareJSON(keptJSON(str(a[0])), keptJSON(str(a[1])))), nil
		},
	})
}

// jsonPlain is a function of one text that is NULL for NULL.
func jsonPlain(f func(string) (driver.Value, error)) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		return f(str(a[0]))
	}
}

func keepDouble(v driver.Value) (driver.Value, error) {
	if v == nil {
		return nil, nil
	}
	return jsonDouble(num(v)).text, nil
}

func numberOfJSON(v any) float64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case jsonNumber:
		return leadingNumber(v.text)
	case string:
		return leadingNumber(v)
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

// json is a value as an argument that becomes part of a JSON value: NULL becomes null.
func (d *dialect) json(v val) string {
	if v.typ.k == kNull {
		return "'null'"
	}
	return "coalesce(" + d.jsonScalar(v) + ", 'null')"
}

// jsonScalar is a value as JSON; NULL stays NULL.
func (d *dialect) jsonScalar(v val) string {
	switch {
	case v.row != nil:
		fail(1241, "Operand should contain 1 column(s)")
	case v.truth:
		return "my_json_bool(" + v.sql + ")"
	}
	switch v.typ.k {
	case kNull:
		return "NULL"
	case kJSON:
		return v.sql
	case kInt:
		return d.text(v).sql
	case kDecimal:
		return "(char(2) || " + d.text(val{sql: settleNumber(v), typ: v.typ, loose: v.loose}).sql + ")"
	case kDouble:
		return "my_json_double(" + v.sql + ")"
	case kString:
		if v.typ.coll == collBytes {
			refuse("bytes in JSON")
		}
		return "my_json_quote(" + v.sql + ")"
	case kDate:
		return "my_json_moment(" + v.sql + ")"
	case kDatetime:
		return fmt.Sprintf("my_json_moment(my_datetime(%s, 6))", v.sql)
	case kTime:
		return fmt.Sprintf("my_json_moment(my_to_time(%s, 6))", v.sql)
	}
	refuse("a %s in JSON", v.typ)
	return ""
}

// jsonDocument is an argument that must be JSON, or text that holds it.
func (d *dialect) jsonDocument(v val, n int, name string) string {
	switch {
	case v.typ.k == kNull, v.typ.k == kJSON:
		return v.sql
	case v.typ.k == kString && v.typ.coll == collBytes:
		fail(3144, "Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
	case v.typ.k == kString:
		return fmt.Sprintf("my_json_parse(%s, %d, '%s')", v.sql, n, name)
	}
	fail(3146, "Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.", n, name)
	return ""
}

// jsonCall translates a call of a function of the table.
func (d *dialect) jsonCall(name string, f jsonFunction, args []val) val {
	sqls := make([]string, len(args))
	for i, a := range args {
		letter := i
		if i >= len(f.args) {
			letter = len(f.args) - f.repeat + (i-len(f.args))%f.repeat
		}
		switch f.args[letter] {
		case 'j':
			sqls[i] = d.jsonDocument(a, i+1, name)
		case 'v':
			sqls[i] = d.json(a)
		case 'e': // NULL is the same as none
			sqls[i] = d.text(a).sql
		default:
			sqls[i] = d.text(val{sql: settleNumber(a), typ: a.typ, loose: a.loose}).sql
		}
	}
	return val{sql: d.callOf(name, sqls...), typ: f.result}
}

// laterJSON are what MySQL has since 8.0.17. The version that the engine follows, 8.0.15, gives these errors.
var laterJSON = map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val{
	"json_memberof": func(*dialect, *ast.FuncCallExpr, *scope) val {
		fail(1064, "You have an error in your SQL syntax: MEMBER OF is known from MySQL 8.0.17 on; use JSON_CONTAINS")
		return val{}
	},
	"json_overlaps": func(d *dialect, _ *ast.FuncCallExpr, _ *scope) val {
		fail(1305, "FUNCTION %s.JSON_OVERLAPS does not exist", d.database)
		return val{}
	},
}

// jsonForms are the calls of JSON functions.
func jsonForms() map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	forms := map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val{
		"json_valid": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			v := d.args(n, sc, 1, 1)[0]
			switch v.typ.k {
			case kJSON:
				return val{sql: "(CASE WHEN " + v.sql + " IS NOT NULL THEN 1 END)", typ: tInt}
			case kString, kNull:
				return val{sql: "my_json_valid(" + v.sql + ")", typ: tInt}
			}
			return val{sql: "(CASE WHEN " + v.sql + " IS NOT NULL THEN 0 END)", typ: tInt}
		},
		"json_quote": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			v := d.args(n, sc, 1, 1)[0]
			if v.typ.k != kString && v.typ.k != kNull {
				fail(3064, "Incorrect type for argument 1 in function json_quote.")
			}
			return val{sql: "my_json_quote(" + v.sql + ")", typ: tJSONText}
		},
		"json_unquote": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			v := d.args(n, sc, 1, 1)[0]
			switch v.typ.k {
			case kJSON:
				return val{sql: "my_json_string(" + v.sql + ")", typ: tJSONText}
			case kString, kNull:
				return val{sql: "my_json_unquote(" + v.sql + ")", typ: tJSONText}
			}
			fail(3064, "Incorrect type for argument 1 in function json_unquote.")
			return val{}
		},
	}
	maps.Copy(forms, laterJSON)
	for name, f := range jsonFunctions {
		forms[name] = func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			return d.jsonCall(name, f, d.args(n, sc, len(f.args)-f.opt, -1))
		}
	}
	return forms
}

// jsonPathOf reads a path argument. Wildcards are an error unless wild.
func jsonPathOf(v driver.Value, wild bool) (jsonPath, error) {
	p, err := parsePath(str(v))
	if err == nil && !wild && p.wild() {
		err = runtimeError{3149, "In this situation, path expressions may not contain the * and ** tokens or an array range."}
	}
	return p, err
}

func anyNull(a []driver.Value) bool {
	for _, v := range a {
		if v == nil {
			return true
		}
	}
	return false
}

// at is a function of a document, or of what a path finds in it.
func at(f func(v any) any) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		if anyNull(a) {
			return nil, nil
		}
		v := keptJSON(str(a[0]))
		if len(a) > 1 {
			p, err := jsonPathOf(a[1], false)
			if err != nil {
				return nil, err
			}
			found := p.all(v)
			if len(found) == 0 {
				return nil, nil
			}
			v = found[0]
		}
		return f(v), nil
	}
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

func keysJSON(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	keys := []any{}
	for _, k := range jsonKeys(object) {
		keys = append(keys, k)
	}
	return writeJSON(keys)
}

func jsonExtract(a []driver.Value) (driver.Value, error) {
	if anyNull(a) {
		return nil, nil
	}
	doc := keptJSON(str(a[0]))
	many := len(a) > 2
	var found []any
	for _, arg := range a[1:] {
		p, err := jsonPathOf(arg, true)
		if err != nil {
			return nil, err
		}
		many = many || p.wild()
		found = append(found, p.all(doc)...)
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case many:
		return writeJSON(found), nil
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
		out[str(a[i])] = keptJSON(str(a[i+1]))
	}
	return writeJSON(out), nil
}

func jsonContains(w *work, a []driver.Value) (driver.Value, error) {
	if anyNull(a) {
		return nil, nil
	}
	doc := keptJSON(str(a[0]))
	if len(a) > 2 {
		p, err := jsonPathOf(a[2], false)
		if err != nil {
			return nil, err
		}
		found := p.all(doc)
		if len(found) == 0 {
			return nil, nil
		}
		doc = found[0]
	}
	return boolean(containsJSON(w, doc, keptJSON(str(a[1])))), nil
}

// oneOrAll reads that argument.
func oneOrAll(v driver.Value) (one bool, err error) {
	switch strings.ToLower(str(v)) {
	case "one":
		return true, nil
	case "all":
		return false, nil
	}
	return false, runtimeError{3154, "The oneOrAll argument may take these values: 'one' or 'all'."}
}

func jsonContainsPath(a []driver.Value) (driver.Value, error) {
	if anyNull(a) {
		return nil, nil
	}
	one, err := oneOrAll(a[1])
	if err != nil {
		return nil, err
	}
	doc := keptJSON(str(a[0]))
	for _, arg := range a[2:] {
		p, err := jsonPathOf(arg, true)
		if err != nil {
			return nil, err
		}
		if found := len(p.all(doc)) > 0; found == one {
			return boolean(one), nil
		}
	}
	return boolean(!one), nil
}

// eachPath changes a document with each pair of a path and a value.
func eachPath(a []driver.Value, change func(doc any, p jsonPath, v any) (any, error)) (driver.Value, error) {
	for i := 1; i < len(a); i += 2 {
		if a[i] == nil {
			return nil, nil
		}
	}
	if a[0] == nil {
		return nil, nil
	}
	doc := keptJSON(str(a[0]))
	for i := 1; i+1 < len(a); i += 2 {
		p, err := jsonPathOf(a[i], false)
		if err == nil {
			doc, err = change(doc, p, keptJSON(str(a[i+1])))
		}
		if err != nil {
			return nil, err
		}
	}
	if depthJSON(doc) > jsonDepth {
		return nil, errJSONDepth
	}
	return writeJSON(doc), nil
}

func jsonChange(replace, insert bool) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		return eachPath(a, func(doc any, p jsonPath, v any) (any, error) { return p.change(doc, v, replace, insert), nil })
	}
}

func jsonArrayAppend(a []driver.Value) (driver.Value, error) {
	return eachPath(a, func(doc any, p jsonPath, v any) (any, error) {
		found := p.all(doc)
		if len(found) == 0 {
			return doc, nil
		}
		return p.change(doc, append(append([]any{}, asArray(found[0])...), v), true, false), nil
	})
}

func jsonArrayInsert(a []driver.Value) (driver.Value, error) {
	return eachPath(a, func(doc any, p jsonPath, v any) (any, error) {
		if len(p) == 0 || p[len(p)-1].kind != 'i' {
			return nil, runtimeError{3165, "A path expression is not a path to a cell in an array."}
		}
		parent, i := p[:len(p)-1], p[len(p)-1].from
		found := parent.all(doc)
		if len(found) == 0 {
			return doc, nil
		}
		list, ok := found[0].([]any)
		if !ok {
			return doc, nil
		}
		if i < 0 {
			i = max(i+len(list), 0)
		}
		i = min(i, len(list))
		with := append(append(append([]any{}, list[:i]...), v), list[i:]...)
		return parent.change(doc, with, true, false), nil
	})
}

func jsonRemove(a []driver.Value) (driver.Value, error) {
	if anyNull(a) {
		return nil, nil
	}
	doc := keptJSON(str(a[0]))
	for _, arg := range a[1:] {
		p, err := jsonPathOf(arg, false)
		if err == nil && len(p) == 0 {
			err = runtimeError{3153, "The path expression '$' is not allowed in this context."}
		}
		if err != nil {
			return nil, err
		}
		doc = p.remove(doc)
	}
	return writeJSON(doc), nil
}

func jsonMergePatch(a []driver.Value) (driver.Value, error) {
	var doc any
	null := true
	for i, arg := range a {
		if arg == nil {
			null = true
			continue
		}
		v := keptJSON(str(arg))
		_, object := v.(map[string]any)
		switch {
		case i == 0 || !object:
			doc, null = v, false
		case !null:
			doc = mergePatch(doc, v)
		}
	}
	if null {
		return nil, nil
	}
	return writeJSON(doc), nil
}

func jsonMergePreserve(a []driver.Value) (driver.Value, error) {
	if anyNull(a) {
		return nil, nil
	}
	doc := keptJSON(str(a[0]))
	for _, arg := range a[1:] {
		doc = mergePreserve(doc, keptJSON(str(arg)))
	}
	return writeJSON(doc), nil
}

// jsonSearch is my_json_search(document, one or all, pattern, escape, paths).
func jsonSearch(w *work, a []driver.Value) (driver.Value, error) {
	if anyNull(a[:3]) || len(a) > 4 && anyNull(a[4:]) {
		return nil, nil
	}
	one, err := oneOrAll(a[1])
	if err != nil {
		return nil, err
	}
	escape := '\\'
	if len(a) > 3 && a[3] != nil {
		r := []rune(str(a[3]))
		if len(r) > 1 {
			return nil, runtimeError{1210, "Incorrect arguments to ESCAPE"}
		}
		if len(r) == 1 {
			escape = r[0]
		}
	}
	paths := a[min(4, len(a)):]
	if len(paths) == 0 {
		paths = []driver.Value{"$"}
	}
	var found []any
	seen := map[string]bool{}
	for _, arg := range paths {
		p, err := jsonPathOf(arg, true)
		if err != nil {
			return nil, err
		}
		below := append(append(jsonPath{}, p...), jsonLeg{kind: 'D'})
		below.find(keptJSON(str(a[0])), "$", func(v any, at string) {
			if text, ok := v.(string); ok && !seen[at] && like(w, text, str(a[2]), escape, collBin) {
				seen[at] = true
				found = append(found, at)
			}
		})
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case one || len(found) == 1:
		return writeJSON(found[0]), nil
	}
	return writeJSON(found), nil
}

// jsonAggregate is JSON_ARRAYAGG or JSON_OBJECTAGG: my_json_arrayagg(value), my_json_objectagg(key, value). It keeps its
// members, so that a window can move over them.
type jsonAggregate struct {
	object bool
	keys   []string // of an object
	list   []string // the values
	bytes  int
}

func registerJSONAggregates() {
	for name, args := range map[string]int32{"json_arrayagg": 1, "json_objectagg": 2} {
		sqlite.MustRegisterFunction("my_"+name, &sqlite.FunctionImpl{NArgs: args, Deterministic: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &jsonAggregate{object: args == 2}, nil
			}})
	}
}

func (j *jsonAggregate) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if j.object {
		if a[0] == nil {
			return runtimeError{3158, "JSON documents may not contain NULL member names."}
		}
		j.keys = append(j.keys, str(a[0]))
		j.bytes += len(str(a[0]))
	}
	text := str(a[len(a)-1])
	if j.bytes += len(text); j.bytes > maxText {
		return tooLong()
	}
	j.list = append(j.list, text)
	return nil
}

func (j *jsonAggregate) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	if len(j.list) == 0 {
		return nil
	}
	j.bytes -= len(j.list[0])
	j.list = j.list[1:]
	if j.object {
		j.bytes -= len(j.keys[0])
		j.keys = j.keys[1:]
	}
	return nil
}

func (j *jsonAggregate) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if len(j.list) == 0 {
		return nil, nil
	}
	if !j.object {
		return "[" + strings.Join(j.list, ", ") + "]", nil
	}
	object := map[string]any{}
	for i, key := range j.keys {
		object[key] = keptJSON(j.list[i])
	}
	return writeJSON(object), nil
}

func (*jsonAggregate) Final(*sqlite.FunctionContext) {}

// storeJSON is a text as a JSON column holds it.
func storeJSON(text string) (string, error) {
	v, ok, deep := parseJSON(text)
	switch {
	case deep:
		return "", errors.New(errJSONDepth.message)
	case !ok || strings.Contains(text, jsonMark):
		return "", fmt.Errorf("%q is not JSON", clip(text))
	}
	return writeJSON(v), nil
}
