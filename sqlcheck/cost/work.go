package cost

import (
	"math"
	"math/bits"
	"regexp"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// An engine looks at its time limit and at KILL between two rows, not within one. So what all operators and functions
// of a statement do for one row is bounded, in nanoseconds of a MySQL 8.0.15.
const (
	maxWork     = 3e9
	searchStep  = 5    // of a search: for a byte looked through, times the bytes looked for
	patternByte = 200  // of a search for a regular expression, which is read anew for each row: for a byte of it
	regexpByte  = 10   // of such a search: for a byte looked through, beside searchStep
	shapeByte   = .004 // of a shape that is made: for a byte of it, times all of them
	lookByte    = 4    // of what is not in lookBytes, which may read a number or a date: for a byte of its arguments
	compareByte = 12   // of a comparison in a collation that is not in slowCollations: for a byte of the shorter side
)

// lookBytes are the functions whose time for a byte of their arguments is another one.
var lookBytes = map[string]float64{
	"length": 0, "octet_length": 0, // they look at no byte
	"reverse": 5, "quote": 6, "soundex": 7, "lpad": 7, "rpad": 7, "upper": 6, "ucase": 6, "lower": 6, "lcase": 6,
	"st_astext": 50, "st_aswkt": 50, "st_geomfromtext": 50, "st_pointfromtext": 50,
	"convert_tz": 10, "str_to_date": 10, "convert": 25, "locate": 25, "position": 25, "instr": 25, "replace": 25,
}

// shapes are the functions that copy a shape for each point, and what it has of the bytes of their argument.
var shapes = map[string]float64{"st_geomfromtext": 1, "st_pointfromtext": 1, "st_astext": .125, "st_aswkt": .125}

// Sets of signs in regular expressions, in nanoseconds: one that may hold most of Unicode, and another one.
const (
	classNanos    = 7e6
	plainClass    = 2e4
	shortestClass = 3 // bytes of \pL
	wideText      = 4 // regular expressions look at texts in UTF-16, which grow by doubling
)

// wideClass begins what may hold most of Unicode.
var wideClass = regexp.MustCompile(`\\+[pPNxuUWDSXRHV]|\[\^|\[:|\[[^\]]*[^\x00-\x7f]`)

// pathByte is the time that a path takes for a byte of a document.
const pathByte = 30

// editors are the functions that change a document at a path.
var editors = syntax.WordSet("json_remove json_set json_insert json_replace json_array_append json_array_insert")

// jsonByte is the time for a byte of a text that is read as a JSON document.
const jsonByte = 13

// slowCollations are what the names of slow collations hold, with the time of a comparison for a byte; the first that
// fits counts.
var slowCollations = []struct {
	part  string
	nanos float64
}{
	{"_ja_", slowestByte}, {"_zh_", slowestByte}, {"_vi_", 35}, {"_as_", 25}, {"_hu_", 17}, {"_bin", 1},
}

const slowestByte = 65

// collects is what an aggregate has of its values: one as it is now, as it was, and in a row. GROUP_CONCAT cuts a text
// when it is there.
func (m *measure) collects(name string, n ast.ExprNode, args []ast.ExprNode) float64 {
	if strings.EqualFold(name, "group_concat") {
		return m.size(n) + 3*float64(len(args))*m.usual().most(args...)
	}
	return 3 * (m.size(n) + m.trees(args...))
}

// comparers are the functions that compare each argument with the one before it, and with the first.
var comparers = syntax.WordSet("nullif strcmp field greatest least")

// judge says what one node of a statement costs, and refuses a function that makes a text too long or looks through one
// for too long.
func (m *measure) judge(n ast.Node) expansion {
	cost := m.looks(n)
	if m.fault.Reason == "" {
		cost.compared = m.compares(n)
	}
	return cost
}

// refuse notes the first function that may not be.
func (m *measure) refuse(why, detail string, n ast.Node) {
	if m.fault.Reason == "" {
		m.fault = over(why, detail, n.OriginTextPosition())
	}
}

// looks is judge without comparisons.
func (m *measure) looks(n ast.Node) (cost expansion) {
	switch n := n.(type) {
	case *ast.PatternLikeOrIlikeExpr:
		return m.search("LIKE", n.Expr, n.Pattern, n)
	case *ast.PatternRegexpExpr:
		return m.search("REGEXP", n.Expr, n.Pattern, n)
	case *ast.FuncCallExpr:
		name := n.FnName.L
		if pair, ok := searches[name]; ok && pair[1] < len(n.Args) {
			cost = m.search(strings.ToUpper(name), n.Args[pair[0]], n.Args[pair[1]], n)
		}
		cost.work += m.paths(n) + shapeByte*math.Pow(shapes[name]*min(m.most(n.Args...), 1<<40), 2)
		m.checkPaths(n)
		m.checkGroups(n)
		m.checkSet(n)
		cost.add(m.made(strings.ToUpper(strings.TrimSuffix(name, "_func")), n, n.Args, m.extra(n)))
		return cost
	case *ast.FuncCastExpr:
		extra := m.bytes(n.Expr) // a copy, of which it may give a part
		if m.isJSON(n) {
			extra = m.documents(n.Expr)
		}
		return m.made("CAST", n, []ast.ExprNode{n.Expr}, extra)
	case *ast.BinaryOperationExpr: // numbers are read out of texts
		if !syntax.Comparison(n.Op) {
			return expansion{held: m.bytes(n), work: lookByte * (m.size(n.L) + m.size(n.R))}
		}
	case *ast.IsTruthExpr:
		return expansion{work: lookByte * m.size(n.Expr)}
	case *ast.UnaryOperationExpr:
		return expansion{held: m.bytes(n), work: lookByte * m.size(n.V)}
	case *ast.SubqueryExpr:
		return expansion{held: m.bytes(n)}
	case *ast.CaseExpr:
		return expansion{held: m.bytes(n.Value)}
	case *ast.AggregateFuncExpr:
		return expansion{held: (m.collects(n.F, n, n.Args) + m.tree(n)) * m.levels(),
			work: lookByte * float64(len(n.Args)) * m.most(n.Args...)}
	case *ast.WindowFuncExpr:
		cost := expansion{held: m.collects(n.Name, n, n.Args)}
		if size := m.usual().most(n.Args...); size > recursionText { // nothing looks at a clock within a frame
			cost.work = lookByte * size * m.rows.block(m.block)
		}
		return cost
	case *ast.ByItem: // a temporary table has it, too
		return expansion{held: m.bytes(n.Expr)}
	}
	return expansion{}
}

// made is what a function costs that makes a text.
func (m *measure) made(name string, n ast.ExprNode, args []ast.ExprNode, extra float64) expansion {
	size := m.size(n)
	if size > maxValue && size > m.most(args...)+2 {
		m.refuse("huge_result", name, n)
	}
	nanos := float64(lookByte)
	if call, ok := n.(*ast.FuncCallExpr); ok {
		if other, ok := lookBytes[call.FnName.L]; ok {
			nanos = other
		}
	}
	if m.isJSON(n) {
		nanos = jsonByte
	}
	cost := expansion{held: size + extra}
	for _, arg := range args {
		cost.work += nanos * m.size(arg)
	}
	return cost
}

// search is what it costs to look through a for each place in b.
func (m *measure) search(name string, a, b ast.ExprNode, n ast.ExprNode) expansion {
	work := searchStep * m.size(a) * m.size(b)
	if work > maxWork {
		m.refuse("long_search", name, n)
	}
	if !strings.HasPrefix(name, "REGEXP") {
		return expansion{work: work}
	}
	work += regexpByte*m.size(a) + patternByte*m.size(b) + m.classes(b)
	return expansion{held: wideText * (m.usual().size(a) + m.usual().size(b)), work: work}
}

// classes is the time to compile the sets of signs in a regular expression, which KILL does not end. A pattern that the
// statement makes counts as full of them.
func (m *measure) classes(pattern ast.ExprNode) float64 {
	text, literal := syntax.LiteralText(pattern)
	if !literal {
		for _, sign := range []string{"[", "\\"} {
			if n, told := m.holds(pattern, sign); n > 0 && !told || !told && m.makes(pattern) {
				return classNanos * m.size(pattern) / shortestClass
			} else if n > 0 {
				text += strings.Repeat("[^", n)
			}
		}
	}
	wide := len(wideClass.FindAllString(text, -1)) + 2*strings.Count(text, "[:^")
	return classNanos*float64(wide) + plainClass*float64(strings.Count(text, "[")+strings.Count(text, "\\"))
}

// makes says that a statement puts together what an expression gives, out of more than columns.
func (m *measure) makes(expr ast.ExprNode) bool { return m.size(expr) > shortText && !m.isColumn(expr) }

// bytes is what an operator or a subquery keeps of a text that it gives.
func (m *measure) bytes(n ast.ExprNode) float64 {
	if size := m.usual().size(n); size > numberText {
		return size
	}
	return 0
}

// levels is how often an aggregate is kept: once, and twice for each level of WITH ROLLUP.
func (m *measure) levels() float64 {
	if m.block == nil || m.block.Select.GroupBy == nil || !m.block.Select.GroupBy.Rollup {
		return 1
	}
	return 2 * float64(len(m.block.Select.GroupBy.Items)+1)
}

// paths is the time that a function of JSON takes for all its paths but the first one: each goes through the document,
// and neither a time limit nor KILL ends that.
func (m *measure) paths(n *ast.FuncCallExpr) float64 {
	at, ok := jsonPaths[n.FnName.L]
	if !ok || len(n.Args) <= at[0] {
		return 0
	}
	count := float64((len(n.Args) - at[0] + at[1] - 1) / at[1])
	if editors[n.FnName.L] {
		return pathByte * count * m.size(n.Args[0])
	}
	return pathByte * (count - 1) * m.size(n.Args[0])
}

// compares counts the bytes that a node compares, or orders rows by, for one row.
func (m *measure) compares(n ast.Node) (bytes float64) {
	switch n := n.(type) {
	case *ast.BinaryOperationExpr:
		if syntax.Comparison(n.Op) {
			return m.compare(n.L, n.R)
		}
	case *ast.CompareSubqueryExpr:
		return m.compare(n.L, n.R)
	case *ast.PatternInExpr:
		if n.Sel != nil {
			return m.compare(n.Expr, n.Sel)
		}
		return m.compareList(n)
	case *ast.BetweenExpr:
		return m.compare(n.Expr, n.Left) + m.compare(n.Expr, n.Right)
	case *ast.CaseExpr:
		if n.Value != nil {
			made := 0.0 // MySQL makes a computed value anew for each WHEN
			if _, column := n.Value.(*ast.ColumnNameExpr); !column {
				made = m.size(n.Value)
			}
			for _, when := range n.WhenClauses {
				bytes += m.compare(n.Value, when.Expr) + made
			}
		}
	case *ast.FuncCallExpr:
		if comparers[n.FnName.L] {
			for i := range n.Args[1:] {
				bytes += max(m.compare(n.Args[i+1], n.Args[i]), m.compare(n.Args[i+1], n.Args[0]))
			}
		}
	case *ast.AggregateFuncExpr:
		if name := strings.ToLower(n.F); n.Distinct || name == "max" || name == "min" {
			for _, arg := range n.Args {
				bytes += m.size(arg)
			}
		}
	case *ast.WindowFuncExpr:
		if name := strings.ToLower(n.Name); name == "max" || name == "min" {
			bytes = m.size(n.Args[0])
		}
	case *ast.ByItem: // ORDER BY, GROUP BY and PARTITION BY
		if at, ok := syntax.Position(n.Expr); ok && m.block != nil && at > 0 && at <= len(m.block.Output) {
			return m.output(m.block.Output[at-1])
		}
		return m.size(n.Expr)
	case *ast.SelectStmt:
		if n.Distinct {
			return m.row(m.block)
		}
	case *ast.SetOprStmt:
		if q := m.bound.Queries[n]; q != nil {
			return total(m.query(q))
		}
	case *ast.Join:
		if m.block != nil && (n.NaturalJoin || len(n.Using) > 0) {
			for _, same := range m.bound.Dependence().Equalities(m.block) {
				if same.Left != nil && same.Right != nil {
					left := m.sourceColumn(same.Left.Source, same.Left.Index)
					bytes += min(left, m.sourceColumn(same.Right.Source, same.Right.Index))
				}
			}
		}
	}
	return bytes
}

// compareList is IN with a list. Engines sort one of constants and look it up.
func (m *measure) compareList(n *ast.PatternInExpr) (bytes float64) {
	constants, most := true, 0.0
	for _, item := range n.List {
		size := m.compare(n.Expr, item)
		bytes, most = bytes+size, max(most, size)
		if _, text := syntax.LiteralText(item); !text {
			constants = false
		}
	}
	if constants {
		return min(bytes, most*float64(bits.Len(uint(len(n.List)))))
	}
	return bytes
}

// compare is how many bytes of two values, or of two rows, a comparison may look at: as many as the shorter one has,
// and all of one that the statement made, which may be the other one with spaces behind it. A number or a date that is
// read out of the longer one counts as such bytes.
func (m *measure) compare(l, r ast.ExprNode) (bytes float64) {
	left, right := syntax.Unparen(l), syntax.Unparen(r)
	rowL, isL := left.(*ast.RowExpr)
	rowR, isR := right.(*ast.RowExpr)
	switch {
	case isL && isR:
		for i := range min(len(rowL.Values), len(rowR.Values)) {
			bytes += m.compare(rowL.Values[i], rowR.Values[i])
		}
		return bytes
	case isL: // with a subquery
		return float64(len(rowL.Values)) * max(m.size(left), m.size(right))
	}
	longer, shorter := m.size(left), m.size(right)
	if longer < shorter {
		left, right, longer, shorter = right, left, shorter, longer
	}
	if _, text := syntax.LiteralText(right); shorter <= shortText && !text { // a number or a date is read out of left
		return max(shorter, longer*lookByte/compareByte)
	}
	if m.isColumn(left) {
		return shorter
	}
	return longer
}

// row is the width of a block's rows.
func (m *measure) row(block *bind.Block) (bytes float64) {
	if block == nil {
		return 0
	}
	for _, out := range block.Output {
		bytes += m.output(out)
	}
	return bytes
}

// comparison is the time for a byte in the slowest collation that a statement names.
func comparison(stmt ast.Node) float64 {
	most := float64(compareByte)
	note := func(collation string) {
		for _, slow := range slowCollations {
			if strings.Contains(collation, slow.part) {
				most = max(most, slow.nanos)
				return
			}
		}
	}
	syntax.Visit(stmt, func(n ast.Node) bool {
		if c, ok := n.(*ast.SetCollationExpr); ok {
			note(strings.ToLower(c.Collate))
		}
		return true
	})
	return most
}
