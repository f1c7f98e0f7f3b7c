package translate

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
)

var (
	tJSON = types.Type{Kind: types.JSON, Coll: types.CollBytes}
	// tJSONText is what JSON is as text: utf8mb4 with its binary collation.
	tJSONText = types.Type{Kind: types.String, Coll: types.CollText}
)

// json is a value as an argument that becomes part of a JSON value: NULL becomes null.
func (d *draft) json(v val) string {
	if v.typ.Kind == types.Null {
		return "'null'"
	}
	return "coalesce(" + d.jsonScalar(v) + ", 'null')"
}

// jsonScalar is a value as JSON; NULL stays NULL.
func (d *draft) jsonScalar(v val) string {
	switch {
	case v.row != nil:
		fail(1241, "Operand should contain 1 column(s)")
	case v.truth:
		return "my_json_bool(" + v.sql + ")"
	}
	switch v.typ.Kind {
	case types.Null:
		return "NULL"
	case types.JSON:
		return v.sql
	case types.Int: // without the zeros that YEAR and ZEROFILL have as texts
		v.typ.Year, v.typ.Zeros = false, 0
		return d.text(v).sql
	case types.Decimal:
		refuseIf(v.mixed && v.loose == "" || v.places > 0 && (v.loose != "" || strings.HasPrefix(v.sql, "coalesce(")),
			"a number in JSON whose decimal places depend on the row")
		v.typ.Scale = v.frac()
		text := d.text(val{sql: v.sql, typ: v.typ, loose: v.loose}).sql
		if v.places > 0 || v.zero {
			text = fmt.Sprintf("IIF(NOT %s, '0', %s)", d.cond(v), text)
		}
		return "(char(2) || " + text + ")"
	case types.Double, types.Float:
		return "my_json_double(" + v.sql + ")"
	case types.String:
		refuseIf(v.typ.Coll == types.CollBytes, "bytes in JSON")
		return "my_json_quote(" + v.sql + ")"
	case types.Date:
		return "my_json_moment(" + v.sql + ")"
	case types.Datetime:
		return fmt.Sprintf("my_json_moment(my_datetime(%s, 6))", v.sql)
	case types.Time:
		return fmt.Sprintf("my_json_clock(my_to_time(%s, 6))", v.sql)
	}
	refuse("a %s in JSON", v.typ)
	return ""
}

// jsonDocument is an argument that must be JSON, or text that holds it.
func (d *draft) jsonDocument(v val, n int, name string) string {
	switch {
	case v.typ.Kind == types.Null, v.typ.Kind == types.JSON:
		return v.sql
	case v.typ.Kind == types.String && v.typ.Coll == types.CollBytes:
		fail(3144, "Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
	case v.typ.Kind == types.String:
		return fmt.Sprintf("my_json_parse(%s, %d, '%s')", v.sql, n, name)
	}
	fail(3146, "Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.",
		n, name)
	return ""
}

// jsonForms are the functions of JSON that take more than one kind of argument, and what MySQL has since 8.0.17: the
// version that the engine follows, 8.0.15, gives these errors.
var jsonForms = map[string]form{
	"json_valid": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		kind := map[bool]types.Kind{true: types.Blob, false: v.typ.Kind}[v.typ.Listed() && v.table]
		form, ok := map[types.Kind]string{types.JSON: "(%s IS NOT NULL OR NULL)", types.String: "my_json_valid(%s)",
			types.Null: "%s", types.Blob: "(0 * length(%s))"}[kind]
		if !ok {
			return val{sql: "0", typ: types.IntType}
		}
		return val{sql: fmt.Sprintf(form, v.sql), typ: types.IntType}
	},
	"json_quote": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		failIf(v.typ.Kind != types.String && v.typ.Kind != types.Null,
			3064, "Incorrect type for argument 1 in function json_quote.")
		return val{sql: "my_json_quote(" + v.sql + ")", typ: tJSONText}
	},
	"json_unquote": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		switch v.typ.Kind {
		case types.JSON:
			return val{sql: "my_json_string(" + v.sql + ")", typ: tJSONText}
		case types.String, types.Null:
			return val{sql: "my_json_unquote(" + v.sql + ")", typ: tJSONText}
		}
		fail(3064, "Incorrect type for argument 1 in function json_unquote.")
		return val{}
	},
	"json_memberof": func(*draft, *ast.FuncCallExpr, *scope) val {
		fail(1064, "You have an error in your SQL syntax: MEMBER OF is known from MySQL 8.0.17 on; use JSON_CONTAINS")
		return val{}
	},
	"json_overlaps": func(d *draft, _ *ast.FuncCallExpr, _ *scope) val {
		fail(1305, "FUNCTION %s.JSON_OVERLAPS does not exist", d.Database)
		return val{}
	},
}
