package sqlcheck

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Bounds on texts, in bytes. MySQL looks at a time limit between two calls of a function, not within one.
const (
	maxValue    = 16 << 20    // that one function makes; what is no longer than its argument may be longer
	maxHeld     = 256 << 20   // that all functions of a statement hold at a time
	maxWork     = 600_000_000 // steps of one search: bytes looked through times bytes looked for; MySQL takes 5 ns for one
	maxSearches = 2 * maxWork // of all searches of a statement; one row may run them all
	maxRead     = 1 << 30     // that all functions look at for one row
	dataValue   = 16 << 20    // that REPEAT holds whose count comes from the data; MySQL makes at most max_allowed_packet
	jsonTree    = 16          // what a text takes as JSON document, in its own length
)

// judge refuses a function that makes a text too long or looks through one for too long, and says what it costs.
func (m *measure) judge(n ast.Node) (cost expansion, v Verdict) {
	switch n := n.(type) {
	case *ast.PatternLikeOrIlikeExpr:
		return m.search("LIKE", n.Expr, n.Pattern, n)
	case *ast.PatternRegexpExpr:
		return m.search("REGEXP", n.Expr, n.Pattern, n)
	case *ast.FuncCallExpr:
		name := n.FnName.L
		if pair, ok := searches[name]; ok && pair[1] < len(n.Args) {
			if cost, v = m.search(strings.ToUpper(name), n.Args[pair[0]], n.Args[pair[1]], n); !v.OK {
				return cost, v
			}
		}
		if v := m.checkPaths(n); !v.OK {
			return cost, v
		}
		if v := m.checkGroups(n); !v.OK {
			return cost, v
		}
		made, v := m.made(strings.ToUpper(strings.TrimSuffix(name, "_func")), n, n.Args, m.extra(n))
		made.add(cost)
		if name == "length" || name == "octet_length" { // they look at no byte
			made.read = 0
		}
		return made, v
	case *ast.FuncCastExpr:
		extra := 0.0
		if m.isJSON(n) {
			extra = jsonTree * m.size(n.Expr)
		}
		return m.made("CAST", n, []ast.ExprNode{n.Expr}, extra)
	case *ast.AggregateFuncExpr:
		return expansion{held: m.size(n) + m.sorted(n)}, Pass("policy")
	case *ast.WindowFuncExpr:
		return expansion{held: m.size(n)}, Pass("policy")
	}
	return expansion{}, Pass("policy")
}

func (m *measure) made(name string, n ast.ExprNode, args []ast.ExprNode, extra float64) (expansion, Verdict) {
	size := m.size(n)
	if size > maxValue && size > m.most(args...)+2 {
		return expansion{}, forbid("huge_result", name, n.OriginTextPosition())
	}
	cost := expansion{held: size + extra}
	for _, arg := range args {
		cost.read += m.size(arg)
	}
	return cost, Pass("policy")
}

func (m *measure) search(name string, a, b ast.ExprNode, n ast.ExprNode) (expansion, Verdict) {
	steps := m.size(a) * m.size(b)
	if steps > maxWork {
		return expansion{}, forbid("long_search", name, n.OriginTextPosition())
	}
	return expansion{steps: steps}, Pass("policy")
}

// longValue is what MySQL keeps in a row of its own making; longer values it keeps apart, with no bound.
const longValue = 2 << 10

// sorted is what GROUP_CONCAT with DISTINCT or ORDER BY holds: the values of all rows of a group, each cut to the longest result.
func (m *measure) sorted(n *ast.AggregateFuncExpr) float64 {
	if !strings.EqualFold(n.F, "group_concat") || n.Order == nil && !n.Distinct {
		return 0
	}
	width := 0.0
	for _, arg := range n.Args {
		if m.isColumn(arg) {
			width += min(m.size(arg), averageText)
		} else {
			width += m.size(arg)
		}
	}
	if width <= longValue {
		return 0
	}
	return min(width, concatText) * m.rows.block(m.block)
}

// wideRow is how many bytes of a row that a temporary table holds may be made by the statement before rows are counted.
const wideRow = 16 << 10

// kept is what temporary tables hold of texts that the statement makes: all rows of a derived table, of DISTINCT, GROUP BY and
// windows, and of a table that reads itself. Short texts do not count, nor what stands in the database. Columns that were not
// measured count as columns mostly are.
func (m *measure) kept() float64 {
	held := 0.0
	for _, block := range m.bound.Blocks {
		if block == m.bound.Queries[m.bound.Stmt].Block && !block.Select.Distinct && block.Select.GroupBy == nil && !slices.ContainsFunc(block.Output, func(o bind.Output) bool { return o.Window }) {
			continue // its rows go out one by one
		}
		m.block = block
		recursive := slices.ContainsFunc(block.Sources, func(src *bind.Source) bool { return src.Inner != nil && src.Inner.Recursive() })
		width := 0.0
		for _, out := range block.Output {
			if recursive || out.Column == nil && !out.Aggregate {
				width += m.output(out)
			}
		}
		if width > wideRow {
			held += width * m.rows.query(&bind.Query{Block: block})
		}
	}
	m.block = nil
	return held
}

// extra is what a function holds beside its result.
func (m *measure) extra(n *ast.FuncCallExpr) float64 {
	switch name := n.FnName.L; {
	case name == "repeat" || name == "space" || name == "lpad" || name == "rpad":
		at := 1
		if name == "space" {
			at = 0
		}
		if _, data := m.number(n.Args[at]); data {
			return dataValue
		}
	case strings.HasPrefix(name, "json_") && len(n.Args) > 0 && name != "json_quote" && !m.isJSON(n.Args[0]) && !m.isColumn(n.Args[0]):
		return jsonTree * m.size(n.Args[0])
	}
	return 0
}

// checkPaths refuses JSON paths with more than one **, each of which goes through all that the one before found, and those
// that are put together so that nobody can tell.
func (m *measure) checkPaths(n *ast.FuncCallExpr) Verdict {
	at, ok := jsonPaths[n.FnName.L]
	if !ok {
		return Pass("policy")
	}
	for i := at[0]; i < len(n.Args); i += at[1] {
		stars, ok := m.holds(n.Args[i], "*")
		if text, is := syntax.LiteralText(n.Args[i]); is {
			stars, ok = 2*strings.Count(text, "**"), true
		}
		if !ok || stars > 2 {
			return forbid("json_path", "", n.OriginTextPosition())
		}
	}
	return Pass("policy")
}

// checkGroups refuses a regular expression that may find nothing at all in a text, and a replacement that names a group which
// it may not have: REGEXP_REPLACE(”, 'x*', 'y') ends a MySQL 8.0.15 with signal 6.
func (m *measure) checkGroups(n *ast.FuncCallExpr) Verdict {
	if n.FnName.L != "regexp_replace" || len(n.Args) < 3 {
		return Pass("policy")
	}
	if text, ok := syntax.LiteralText(n.Args[1]); !ok || findsNothing(text) {
		return forbid("regexp_empty", "", n.OriginTextPosition())
	}
	if named, ok := m.holds(n.Args[2], "$"); ok && named == 0 {
		return Pass("policy")
	}
	pattern, known := syntax.LiteralText(n.Args[1])
	with, plain := syntax.LiteralText(n.Args[2])
	if !known || !plain || !namesGroups(with, groupsOf(pattern)) {
		return forbid("regexp_group", "", n.OriginTextPosition())
	}
	return Pass("policy")
}

// findsNothing says that a regular expression may match an empty text, as far as can be told.
func findsNothing(pattern string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString("")
}

// groupsOf counts the groups of a regular expression that have a number.
func groupsOf(pattern string) (n int) {
	class := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(' && !strings.HasPrefix(pattern[i:], "(?"):
			n++
		}
	}
	return n
}

// namesGroups says that a replacement names groups by one digit, and none that there is not.
func namesGroups(with string, groups int) bool {
	for i := 0; i < len(with); i++ {
		switch with[i] {
		case '\\':
			i++
		case '$':
			digit := func(at int) bool { return at < len(with) && with[at] >= '0' && with[at] <= '9' }
			if !digit(i+1) || digit(i+2) || int(with[i+1]-'0') > groups {
				return false
			}
		}
	}
	return true
}

// holds counts signs that the statement puts into a text. What a column holds nobody wrote for this statement. ok is false
// if it cannot be told.
func (m *measure) holds(expr ast.ExprNode, sign string) (n int, ok bool) {
	add := func(exprs ...ast.ExprNode) (int, bool) {
		for _, e := range exprs {
			k, known := m.holds(e, sign)
			if !known {
				return 0, false
			}
			n += k
		}
		return n, true
	}
	switch e := syntax.Unparen(expr).(type) {
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return strings.Count(e.GetString(), sign), true
		case test_driver.KindBinaryLiteral, test_driver.KindBytes:
			return 0, false
		}
		return 0, true
	case *ast.ColumnNameExpr:
		return 0, m.isColumn(e)
	case *ast.CaseExpr:
		for _, when := range e.WhenClauses {
			if _, ok := add(when.Result); !ok {
				return 0, false
			}
		}
		if e.ElseClause == nil {
			return n, true
		}
		return add(e.ElseClause)
	case *ast.FuncCastExpr:
		return add(e.Expr)
	case *ast.BinaryOperationExpr, *ast.UnaryOperationExpr: // a number
		return 0, m.size(e) <= numberText
	case *ast.FuncCallExpr:
		switch name := e.FnName.L; name {
		case "concat", "coalesce", "ifnull", "lower", "upper", "json_quote":
			return add(e.Args...)
		case "if":
			return add(e.Args[1:]...)
		case "char_func", "unhex", "from_base64", "convert":
			return 0, false
		default:
			if _, text := growths[name]; !text {
				return 0, true // a number, a date or a name
			}
			n, ok = add(e.Args...)
			return n, ok && n == 0
		}
	case *ast.AggregateFuncExpr:
		switch strings.ToLower(e.F) {
		case "count", "sum", "avg":
			return 0, true
		case "max", "min":
			return add(e.Args[0])
		}
	case *ast.WindowFuncExpr:
		return 0, windowCounts[strings.ToLower(e.Name)]
	}
	return 0, false
}

var windowCounts = syntax.WordSet("row_number rank dense_rank ntile count sum avg")
