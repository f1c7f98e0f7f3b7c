package explain

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// form is how a call is said. In says, {2} is the second argument and {2+} the second and all behind it; of several,
// the first that needs no more arguments than there are, and has a place for each, is taken.
type form struct {
	kind kind
	says []string
}

func says(k kind, forms ...string) form { return form{k, forms} }

// calls are all functions that a query may call but the aggregate and window functions, by the names that TiDB's parser
// gives them. A test holds them against the list of the checker.
// Source: MySQL 8.0 Reference Manual, "Built-In Function and Operator Reference".
var calls = map[string]form{
	// comparison and control flow
	"coalesce":  says(first, "the first of ({1+}) that has a value"),
	"ifnull":    says(first, "{1}, or {2} where it has no value"),
	"nullif":    says(first, "{1}, or no value where it is {2}"),
	"greatest":  says(first, "the greatest of ({1+})"),
	"least":     says(first, "the least of ({1+})"),
	"interval":  says(number, "how many of ({2+}) are at most {1}"),
	"if":        says(other, "{2} if {1}, else {3}"), // {1} is a condition
	"isnull":    says(truth, "{1} has no value (NULL)"),
	"strcmp":    says(number, "the order (-1, 0 or 1) of {1} and {2}"),
	"any_value": says(first, "any {1}"),
	"grouping":  says(number, "1 where the row is a subtotal over all ({1+}), else 0"),
	// numbers
	"abs": says(number, "the size of {1} without its sign"), "acos": says(number, "the arc cosine of {1}"),
	"asin":      says(number, "the arc sine of {1}"),
	"atan":      says(number, "the arc tangent of {1}", "the arc tangent of {1} by {2}"),
	"atan2":     says(number, "the arc tangent of {1} by {2}"),
	"bit_count": says(number, "the number of set bits of {1}"),
	"ceil":      says(number, "{1} rounded up"), "ceiling": says(number, "{1} rounded up"),
	"conv": says(text, "{1} written in base {3}, read in base {2}"),
	"cos":  says(number, "the cosine of {1}"), "cot": says(number, "the cotangent of {1}"),
	"crc32": says(number, "the CRC-32 of {1}"), "degrees": says(number, "{1} in degrees"),
	"exp": says(number, "e to the power of {1}"), "floor": says(number, "{1} rounded down"),
	"ln":    says(number, "the natural logarithm of {1}"),
	"log":   says(number, "the natural logarithm of {1}", "the logarithm of {2} to base {1}"),
	"log10": says(number, "the logarithm of {1} to base 10"), "log2": says(number, "the logarithm of {1} to base 2"),
	"mod": says(number, "the rest of {1} divided by {2}"), "pi": says(number, "pi"),
	"pow": says(number, "{1} to the power of {2}"), "power": says(number, "{1} to the power of {2}"),
	"radians": says(number, "{1} in radians"),
	"rand":    says(number, "a random number", "a random number from the seed {1}"),
	"round":   says(number, "{1} rounded", "{1} rounded to {2} decimal places"),
	"sign":    says(number, "the sign (-1, 0 or 1) of {1}"), "sin": says(number, "the sine of {1}"),
	"sqrt": says(number, "the square root of {1}"), "tan": says(number, "the tangent of {1}"),
	"truncate": says(number, "{1} cut to {2} decimal places"),
	"format": says(text, "{1} written with {2} decimal places and marks between thousands",
		"{1} written with {2} decimal places and marks between thousands as in {3}"),
	"bin": says(text, "{1} in binary digits"), "oct": says(text, "{1} in octal digits"),
	"hex": says(text, "{1} in hexadecimal digits"), "unhex": says(other, "the bytes of the hexadecimal digits {1}"),
	// strings
	"ascii": says(number, "the code of the first byte of {1}"), "ord": says(number, "the code of the first character of {1}"),
	"bit_length": says(number, "the length of {1} in bits"),
	"char_func":  says(text, "the characters of the codes ({1+})"), "char_length": says(number, "the number of characters of {1}"),
	"character_length": says(number, "the number of characters of {1}"),
	"length":           says(number, "the length of {1} in bytes"), "octet_length": says(number, "the length of {1} in bytes"),
	"concat": says(text, "({1+}) joined"), "concat_ws": says(text, "({2+}) joined with {1} between"),
	"convert": says(text, "{1} in the character set {2}"), "elt": says(text, "number {1} of ({2+})"),
	"export_set": says(text, "the bits of {1} as {2} for set and {3} for unset ones",
		"the bits of {1} as {2} for set and {3} for unset ones, with {4} between",
		"{5} bits of {1} as {2} for set and {3} for unset ones, with {4} between"),
	"field":       says(number, "the place of {1} in ({2+}), 0 if it is not there"),
	"find_in_set": says(number, "the place of {1} in the list {2}, 0 if it is not there"),
	"insert_func": says(text, "{1} with {4} in place of {3} characters from character {2} on"),
	"instr":       says(number, "the place of {2} in {1}, 0 if it is not there"),
	"lcase":       says(text, "{1} in small letters"), "left": says(text, "the first {2} characters of {1}"),
	"locate": says(number, "the place of {1} in {2}, 0 if it is not there",
		"the place of {1} in {2} from character {3} on, 0 if it is not there"),
	"lower":    says(text, "{1} in small letters"),
	"lpad":     says(text, "{1} filled up to {2} characters with {3} before it"),
	"ltrim":    says(text, "{1} without blanks at its beginning"),
	"make_set": says(text, "those of ({2+}) whose bit is set in {1}"),
	"mid":      says(text, "{1} from character {2} on", "{3} characters of {1} from character {2} on"),
	"position": says(number, "the place of {1} in {2}, 0 if it is not there"),
	"quote":    says(text, "{1} in quotes"), "repeat": says(text, "{1} repeated {2} times"),
	"replace": says(text, "{1} with {3} in place of {2}"), "reverse": says(text, "{1} backwards"),
	"right": says(text, "the last {2} characters of {1}"),
	"rpad":  says(text, "{1} filled up to {2} characters with {3} behind it"),
	"rtrim": says(text, "{1} without blanks at its end"), "soundex": says(text, "how {1} sounds (SOUNDEX)"),
	"space": says(text, "{1} blanks"), "substr": says(text, "{1} from character {2} on", "{3} characters of {1} from character {2} on"),
	"substring":       says(text, "{1} from character {2} on", "{3} characters of {1} from character {2} on"),
	"substring_index": says(text, "{1} up to the occurrence number {3} of {2} (from the right if negative)"),
	"trim":            says(text, "{1} without blanks at both ends", "{1} without {2} at both ends", "{1} without {2} at {3}"),
	"ucase":           says(text, "{1} in capitals"), "upper": says(text, "{1} in capitals"),
	"regexp_instr":   says(number, "the place where {1} matches the regular expression {2}, 0 if nowhere", "the place where {1} matches the regular expression {2} ({3+})"),
	"regexp_like":    says(truth, "{1} matches the regular expression {2}", "{1} matches the regular expression {2} ({3})"),
	"regexp_replace": says(text, "{1} with {3} in place of what matches the regular expression {2}", "{1} with {3} in place of what matches the regular expression {2} ({4+})"),
	"regexp_substr":  says(text, "the piece of {1} that matches the regular expression {2}", "the piece of {1} that matches the regular expression {2} ({3+})"),
	"charset":        says(text, "the character set of {1}"), "collation": says(text, "the collation of {1}"),
	"coercibility": says(number, "how far the collation of {1} gives way"), "to_base64": says(text, "{1} in base 64"),
	"from_base64": says(other, "the bytes of the base-64 text {1}"), "md5": says(text, "the MD5 of {1}"),
	"sha": says(text, "the SHA-1 of {1}"), "sha1": says(text, "the SHA-1 of {1}"), "sha2": says(text, "the SHA-{2} of {1}"),
	// dates and times
	"adddate": says(date, "{1} plus {2} {3}"), "date_add": says(date, "{1} plus {2} {3}"),
	"subdate": says(date, "{1} minus {2} {3}"), "date_sub": says(date, "{1} minus {2} {3}"),
	"addtime": says(date, "{1} plus the time {2}"), "subtime": says(date, "{1} minus the time {2}"),
	"convert_tz": says(date, "{1} of the time zone {2} in the time zone {3}"),
	"curdate":    says(date, "today"), "current_date": says(date, "today"), "utc_date": says(date, "today in UTC"),
	"curtime": says(date, "the time of day now"), "current_time": says(date, "the time of day now"),
	"utc_time": says(date, "the time of day now in UTC"), "utc_timestamp": says(date, "now in UTC"),
	"now": says(date, "now"), "current_timestamp": says(date, "now"), "localtime": says(date, "now"),
	"localtimestamp": says(date, "now"), "sysdate": says(date, "now"),
	"date": says(date, "the day of {1}"), "time": says(date, "the time of day of {1}"),
	"date_format": says(text, "{1} written as {2}"), "time_format": says(text, "{1} written as {2}"),
	"datediff": says(number, "the number of days from {2} to {1}"), "timediff": says(date, "the time from {2} to {1}"),
	"timestampdiff": says(number, "the number of whole {1}s from {2} to {3}"),
	"timestampadd":  says(date, "{3} plus {2} {1}"), "day": says(number, "the day of the month of {1}"),
	"dayofmonth": says(number, "the day of the month of {1}"), "dayname": says(text, "the weekday of {1}"),
	"dayofweek":  says(number, "the number of the weekday (1 is Sunday) of {1}"),
	"weekday":    says(number, "the number of the weekday (0 is Monday) of {1}"),
	"dayofyear":  says(number, "the day of the year of {1}"),
	"weekofyear": says(number, "the week of the year of {1}"), "week": says(number, "the week of the year of {1}", "the week of the year (mode {2}) of {1}"),
	"yearweek": says(number, "the year and week of {1}", "the year and week (mode {2}) of {1}"),
	"extract":  says(number, "the {1} of {2}"), "hour": says(number, "the hour of {1}"),
	"minute": says(number, "the minute of {1}"), "second": says(number, "the second of {1}"),
	"microsecond": says(number, "the microsecond of {1}"), "month": says(number, "the month of {1}"),
	"monthname": says(text, "the name of the month of {1}"), "quarter": says(number, "the quarter of {1}"),
	"year": says(number, "the year of {1}"), "last_day": says(date, "the last day of the month of {1}"),
	"from_days": says(date, "the date of day number {1}"), "to_days": says(number, "the day number of {1}"),
	"to_seconds":     says(number, "the seconds from the year 0 to {1}"),
	"from_unixtime":  says(date, "the time {1} seconds after 1970", "the time {1} seconds after 1970 written as {2}"),
	"unix_timestamp": says(number, "the seconds from 1970 to now", "the seconds from 1970 to {1}"),
	"get_format":     says(text, "the usual way to write a {1} in {2}"),
	"makedate":       says(date, "day {2} of the year {1}"), "maketime": says(date, "the time {1}:{2}:{3}"),
	"period_add": says(number, "the month {1} plus {2} months"), "period_diff": says(number, "the months from {2} to {1}"),
	"sec_to_time": says(date, "{1} seconds as a time"), "time_to_sec": says(number, "the seconds of the time {1}"),
	"str_to_date":         says(date, "the date that {1} is, read as {2}"),
	"timestamp":           says(date, "{1} as a date and time", "{1} plus the time {2}"),
	"'tidb`.(dateliteral": says(date, "{1}"), "'tidb`.(timeliteral": says(date, "{1}"), "'tidb`.(timestampliteral": says(date, "{1}"),
	// JSON
	"json_array": says(other, "an empty JSON array", "the JSON array of ({1+})"), "json_object": says(other, "an empty JSON object", "the JSON object of ({1+})"),
	"json_array_append": says(other, "{1} with ({2+}) put behind"), "json_array_insert": says(other, "{1} with ({2+}) put in"),
	"json_contains":      says(truth, "{1} contains {2}", "{1} contains {2} at {3}"),
	"json_contains_path": says(truth, "{1} has {2} of the paths ({3+})"), "json_depth": says(number, "the depth of {1}"),
	"json_extract": says(other, "what {1} has at ({2+})"), "json_insert": says(other, "{1} with the new ({2+})"),
	"json_keys": says(other, "the keys of {1}", "the keys of {1} at {2}"), "json_length": says(number, "the number of elements of {1}", "the number of elements of {1} at {2}"),
	"json_memberof":    says(truth, "{1} is a member of {2}"),
	"json_merge_patch": says(other, "({1+}) merged, the last one wins"), "json_merge_preserve": says(other, "({1+}) merged, all values kept"),
	"json_overlaps": says(truth, "{1} and {2} have something in common"), "json_quote": says(text, "{1} as a JSON text"),
	"json_remove": says(other, "{1} without ({2+})"), "json_replace": says(other, "{1} with ({2+}) in place of what is there"),
	"json_search": says(other, "the path in {1} of {2} texts like {3}", "the path in {1} of {2} texts like {3} ({4+})"),
	"json_set":    says(other, "{1} with ({2+}) set"), "json_type": says(text, "the JSON type of {1}"),
	"json_unquote": says(text, "the text of {1}"), "json_valid": says(truth, "{1} is valid JSON"),
	// addresses and identifiers
	"inet_aton": says(number, "the number of the address {1}"), "inet_ntoa": says(text, "the address of the number {1}"),
	"inet6_aton": says(other, "the bytes of the address {1}"), "inet6_ntoa": says(text, "the address of the bytes {1}"),
	"is_ipv4": says(truth, "{1} is an IPv4 address"), "is_ipv6": says(truth, "{1} is an IPv6 address"),
	"point": says(other, "the point ({1}, {2})"), "st_x": says(number, "the x of {1}"),
	"st_y": says(number, "the y of {1}"), "st_astext": says(text, "{1} as a text"), "st_aswkt": says(text, "{1} as a text"),
	"st_geomfromtext": says(other, "the shape {1}"), "st_pointfromtext": says(other, "the point {1}"),
	"st_distance":        says(number, "the distance of {1} and {2}"),
	"st_distance_sphere": says(number, "the metres over the earth from {1} to {2}"),
	"is_uuid":            says(truth, "{1} is a UUID"), "uuid": says(text, "a new UUID"),
	"bin_to_uuid": says(text, "the UUID of the bytes {1}", "the UUID of the bytes {1} (swapped: {2})"),
	"uuid_to_bin": says(other, "the bytes of the UUID {1}", "the bytes of the UUID {1} (swapped: {2})"),
}

// fractions are the functions of the clock whose one argument is how many digits a second has.
var fractions = syntax.WordSet(`now current_timestamp localtime localtimestamp sysdate curtime current_time utc_time utc_timestamp`)

// call says a function of its arguments.
func (w writer) call(e *ast.FuncCallExpr) phrase {
	name := e.FnName.L
	f, args := calls[name], e.Args
	switch {
	case len(f.says) == 0:
		return phrase{printed(e), closed}
	case fractions[name]:
		return phrase{f.says[0], closed}
	case len(args) == 0:
		return phrase{f.says[0], closed}
	}
	if name == "json_array" || name == "json_object" {
		f.says = f.says[1:]
	}
	parts := make([]string, len(args))
	for i := range args {
		parts[i] = w.argument(name, f.says[0], args, i)
	}
	said := ones.Replace(strings.TrimSpace(filled(f.says, parts)))
	return phrase{said, bindingOf(said, len(parts))}
}

// argument says one of a function's arguments, once: what is said twice at each level of calls within calls never ends.
func (w writer) argument(name, form string, args []ast.ExprNode, i int) string {
	switch {
	case name == "if" && i == 0:
		return w.condition(args[0])
	case moves[name] && i == 2, name == "timestampadd" && i == 0:
		return "" // the unit: it stands in the amount
	case moves[name] && i == 1:
		return w.amount(args[1], args[2].(*ast.TimeUnitExpr).Unit)
	case name == "timestampadd" && i == 1:
		return w.amount(args[1], args[0].(*ast.TimeUnitExpr).Unit)
	case name == "trim" && i == 1 && len(args) == 3 && isLiteral(args[1], "NULL"):
		return "blanks"
	case i == 0 && strings.HasPrefix(form, "{1} "):
		return w.side(args[0])
	}
	return w.part(args[i])
}

// moves are the functions whose third argument is the unit of the second.
var moves = syntax.WordSet(`adddate date_add subdate date_sub`)

// ones are plurals that one thing has none of.
var ones = strings.NewReplacer(" 1 decimal places", " 1 decimal place", "the first 1 characters", "the first character",
	"the last 1 characters", "the last character", "1 characters of", "1 character of")

// bindingOf says where a call needs brackets: one that begins with its argument is loose.
func bindingOf(said string, args int) binding {
	switch {
	case strings.HasPrefix(said, "the ") || strings.HasPrefix(said, "any "):
		return led
	case strings.Contains(said, " ") && args > 0:
		return loose
	}
	return closed
}

// filled puts arguments into the form that has a place for each.
func filled(forms []string, args []string) string {
	said := forms[len(forms)-1]
	for _, f := range forms {
		if strings.Contains(f, "+}") || strings.Contains(f, "{"+strconv.Itoa(len(args))+"}") {
			said = f
			break
		}
	}
	var pairs []string
	for i, a := range args {
		n := strconv.Itoa(i + 1)
		pairs = append(pairs, "{"+n+"}", a, "{"+n+"+}", strings.Join(args[i:], ", "))
	}
	return strings.NewReplacer(pairs...).Replace(said)
}

// callKind is the kind of what a function returns.
func (w writer) callKind(e *ast.FuncCallExpr, depth int) kind {
	switch f := calls[e.FnName.L]; {
	case f.kind == truth:
		return number
	case f.kind == first && len(e.Args) > 0:
		return w.kindAt(e.Args[0], depth)
	case e.FnName.L == "if" && len(e.Args) == 3:
		return w.kindAt(e.Args[1], depth)
	default:
		return f.kind
	}
}

// amount is a length of time: "1 day", "3 months".
func (w writer) amount(n ast.ExprNode, u ast.TimeUnitType) string {
	one := unit(u)
	v, literal := syntax.Unparen(n).(*test_driver.ValueExpr)
	switch {
	case strings.Contains(one, "-"):
		return w.part(n) + " (" + one + ")"
	case literal && strings.Trim(printed(v), "'") == "1":
		return "1 " + one
	case literal:
		return strings.Trim(printed(v), "'") + " " + one + "s"
	}
	return w.part(n) + " " + one + "s"
}

// unit is a unit of time: "day"; "day-hour" is one of two.
func unit(u ast.TimeUnitType) string {
	return strings.ToLower(strings.ReplaceAll(u.String(), "_", "-"))
}

// ends are the ends of a text that TRIM looks at.
var ends = map[ast.TrimDirectionType]string{
	ast.TrimBothDefault: "both ends", ast.TrimBoth: "both ends", ast.TrimLeading: "its beginning", ast.TrimTrailing: "its end",
}
