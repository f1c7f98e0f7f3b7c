package cost

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Bounds on texts, in bytes.
const (
	maxValue = 16 << 20 // that one function makes; what is no longer than its argument may be longer
	// that all functions of a statement hold at a time, and that its temporary tables and trees keep
	maxHeld   = 208 << 20
	dataValue = 16 << 20 // that REPEAT holds whose count comes from the data; MySQL makes at most max_allowed_packet
	jsonTree  = 56       // what a text takes as JSON document, in its own length
	jsonQuote = 32       // what MariaDB takes to put a text into one
)

// What engines keep of rows, in bytes. They put what is more than keptTable on disk: the settings of runner's sessions
// say so.
const (
	keptTable   = 8 << 20  // of a temporary table, or of a tree of values that are distinct or in order
	windowTable = 13 << 20 // of a window: its table, and that of its frame
	windowValue = 4 << 10  // of a value of one as it is declared, of up to 1,024 letters, if there is another
	keptNode    = 40       // of a row in either, beside its columns
	longValue   = 2 << 10  // of a value in a tree; a longer one is kept apart, with no bound
	largeGroup  = 1e6      // rows of a join, which may be those of one value of a column
	largeText   = 1 << 20  // of which a few hundred rows are too many
	wideRow     = 16 << 10 // of what the statement makes in a row; a wider row counts as often as there are rows
)

// tree is what an aggregate with DISTINCT or ORDER BY keeps: the values of all rows of a group, each cut to the
// longest result; of GROUP_CONCAT MariaDB keeps them whole, which counts where the groups are not those of columns.
func (m *measure) tree(n *ast.AggregateFuncExpr) float64 {
	if n.Order == nil && !n.Distinct {
		return 0
	}
	width, usual, declared, rows := 0.0, 0.0, 0.0, m.rows.block(m.block)
	args, concat := slices.Clone(n.Args), strings.EqualFold(n.F, "group_concat")
	for i := 0; n.Order != nil && i < len(n.Order.Items); i++ {
		args = append(args, n.Order.Items[i].Expr)
	}
	whole := concat && m.block != nil
	if whole && m.block.Select.GroupBy != nil {
		made := func(item *ast.ByItem) bool { return m.rolled() > 1 || !m.isColumn(item.Expr) }
		whole = len(m.block.Sources) > 1 && (rows > largeGroup || m.usual().most(args...) > largeText) ||
			slices.ContainsFunc(m.block.Select.GroupBy.Items, made)
	}
	for _, arg := range args {
		usual += m.usual().average(arg)
		declared += field(m.stored().size(arg), m.size(arg))
		size := m.average(arg)
		if whole {
			size = max(size, m.usual().size(arg)/2)
		}
		width += size
	}
	switch {
	case concat && width > longValue:
		return width * rows
	case whole && slices.ContainsFunc(args, m.isLong): // each is kept, those that are there already, too
		return 3 * (width + keptNode) * rows
	case whole && !n.Distinct && (m.block.Select.GroupBy == nil || m.rolled() > 1 || len(m.block.Sources) > 1):
		return (declared + keptNode) * rows // MySQL keeps them in memory, as long as they are declared
	case usual > wideRow:
		return usual * rows
	}
	return min(keptTable, (max(width, declared)+keptNode)*rows) + m.bytes(n.Args[0]) // and a value in its row
}

// average is what the values of an expression mostly have: of a column much less than its longest value has, and so of
// its parts.
func (m *measure) average(expr ast.ExprNode) float64 {
	size := m.size(expr)
	if name, ok := syntax.Unparen(expr).(*ast.ColumnNameExpr); ok &&
		(m.isColumn(expr) || m.bound.Ref(name.Name) == nil || m.bound.Ref(name.Name).Home == nil) {
		return min(size, averageText)
	}
	var parts []ast.ExprNode
	switch n := syntax.Unparen(expr).(type) {
	case *ast.FuncCallExpr:
		if functions[n.FnName.L].has["part"] != nil {
			parts = n.Args
		}
	case *ast.CaseExpr:
		parts = results(n)
	case *ast.WindowFuncExpr:
		parts = n.Args
	}
	if len(parts) == 0 {
		return size
	}
	return min(size, total(syntax.Map(parts, m.average)))
}

// kept is what temporary tables take: all rows of a derived table, of a set operation, of DISTINCT, GROUP BY and
// windows, and of a table that reads itself. Long texts that stand in the database do not count for each row: nobody
// knows how many are long; long is what one such row of derived tables takes.
func (m *measure) kept() (bytes, long float64) {
	var narrow []*bind.Block // each for a table
	for _, block := range m.bound.Blocks {
		m.block = block
		count, several := m.windows(block)
		if several {
			return math.Inf(1), 0
		}
		streams := !block.Select.Distinct && block.Select.GroupBy == nil && count == 0
		first := block == m.bound.Queries[m.bound.Stmt].Block
		made, whole := 0.0, 0.0 // of a row: what the statement makes, and the longest
		for _, out := range block.Output {
			size := m.output(out)
			whole += size
			if recursive(block) || out.Column == nil && !out.Aggregate && out.Expr == nil {
				made += size
			} else if out.Column == nil && !out.Aggregate {
				made += m.average(out.Expr)
			}
		}
		bytes += windowTable * count
		if count > 0 {
			long += 2 * count * (whole + m.read(block)) // which each table of its windows has
		} else if len(block.Sources) > 1 || !first {
			long += m.read(block) // where a join keeps it
		}
		sent := first && streams && !block.Grouped
		if !sent && (first || !streams) {
			bytes += 2 * whole // where it is put together, and where it goes
		}
		if sent {
			long += 2*whole + made
		} else if !first {
			long += 2 * whole // where it is read, and where a join keeps it
		}
		switch {
		case first && streams: // its rows go out one by one
		case made > wideRow:
			bytes += made * m.given(block)
		case count > 0:
			bytes += keptTable
		default:
			narrow = append(narrow, block)
		}
	}
	defer func() { m.block = nil }()
	if most := bytes + keptTable*float64(len(narrow)); most <= maxHeld {
		return most, long // and how many rows there are need not be known
	}
	return bytes + m.tables(narrow), long
}

// read is what the columns have that a block reads, once each.
func (m *measure) read(block *bind.Block) (bytes float64) {
	var seen []bind.ColumnID
	for _, ref := range m.bound.Columns {
		id := bind.ColumnID{Source: ref.Source, Index: ref.Index}
		if ref.Block == block && !slices.Contains(seen, id) {
			seen = append(seen, id)
			bytes += m.column(ref)
		}
	}
	return bytes
}

// windows counts the tables of window functions, and says whether several values of theirs are long, or that of LAG in
// an order that is worked out: MariaDB 10.11.19 writes beyond its memory, which ends it, where such are put into a row
// that is there.
func (m *measure) windows(block *bind.Block) (tables float64, several bool) {
	if !slices.ContainsFunc(block.Output, func(o bind.Output) bool { return o.Window }) {
		return 0, false
	}
	named, long, lag := map[string]bool{}, 0, false
	for _, call := range syntax.All[*ast.WindowFuncExpr](block.Select) {
		if name := call.Spec.Name.L; name == "" || !named[name] {
			tables++
			named[name] = true
		}
		if m.size(call) > windowValue/4 && m.stored().size(call) > windowValue {
			long++
			lag = lag || lags[strings.ToLower(call.Name)]
		}
	}
	keys, made := 0.0, false
	for _, item := range syntax.All[*ast.ByItem](block.Select) {
		keys += m.stored().size(item.Expr)
		last := block.Select.OrderBy != nil && slices.Contains(block.Select.OrderBy.Items, item)
		made = made || !last && !m.isColumn(item.Expr)
	}
	if keys > wideRow { // each table has those of all
		tables *= 1.5
	}
	return tables, long > 1 || lag && made
}

// width is what a row of a block has in a temporary table.
func (m *measure) width(block *bind.Block) float64 {
	bytes := float64(keptNode)
	for _, out := range block.Output {
		if out.Expr != nil && out.Column == nil && !out.Aggregate {
			bytes += m.average(out.Expr)
		} else {
			bytes += field(m.stored().output(out), m.output(out))
		}
	}
	return bytes
}

// field is what a value takes in a row of a temporary table, by its declared length; a longer one is kept elsewhere.
func field(declared, size float64) float64 {
	if declared > longValue {
		return min(size, averageText)
	}
	return declared
}

// tables is what the temporary tables of blocks take. The parts of a set operation share one.
func (m *measure) tables(blocks []*bind.Block) (bytes float64) {
	set := map[*bind.Block]any{}
	for _, q := range m.bound.Queries {
		for _, part := range q.Parts {
			set[part.Block] = q
		}
	}
	tables := map[any]float64{}
	for _, block := range blocks {
		m.block = block
		tables[cmp.Or[any](set[block], block)] += m.width(block) * m.given(block)
	}
	for _, table := range tables {
		bytes += min(keptTable, table)
	}
	return bytes
}

// given is how many rows a block gives at most.
func (m *measure) given(block *bind.Block) float64 { return m.rows.query(&bind.Query{Block: block}) }

func recursive(block *bind.Block) bool {
	self := func(src *bind.Source) bool { return src.Inner != nil && src.Inner.Recursive() }
	return slices.ContainsFunc(block.Sources, self)
}

// extra is what a function holds beside its result.
func (m *measure) extra(n *ast.FuncCallExpr) float64 {
	switch name, has := n.FnName.L, functions[n.FnName.L].has; {
	case name == "repeat" || name == "space" || name == "lpad" || name == "rpad":
		held, count := 0.0, n.Args[len(n.Args)-1]
		if strings.HasSuffix(name, "pad") { // which have copies of both texts
			held, count = m.usual().size(n.Args[0])+m.usual().size(n.Args[2]), n.Args[1]
		}
		if _, data := m.number(count); data {
			held += dataValue
		}
		return held
	case strings.HasPrefix(name, "concat") && (len(n.Args) > 2 || !m.isColumn(n.Args[0])):
		return m.usual().size(n) // a text that grows has twice the room
	case has["nodes"] != nil, name == "json_quote":
		held := 0.0
		for _, arg := range n.Args {
			if m.isJSON(arg) {
				held += m.documents(arg)
			} else {
				held += jsonQuote * m.usual().size(arg)
			}
		}
		return held
	case has["merges"] != nil, has["edits"] != nil:
		return m.documents(n.Args...) + m.documents(n.Args[0])
	case name == "json_extract" && (!m.isColumn(n.Args[0]) || len(n.Args) > 2 || m.size(n) > m.size(n.Args[0])+4):
		return m.documents(n.Args[0]) + 2*jsonTree*m.usual().size(n) // what it finds, and a copy
	case strings.HasPrefix(name, "json_") && name != "json_unquote" && len(n.Args) > 0:
		held, paths := 0.0, has["paths"]
		for i, arg := range n.Args[:min(2, len(n.Args))] {
			if copies := 1.0; !m.isColumn(arg) {
				if i == 0 && paths != nil && len(n.Args) > int(paths[0]) {
					copies = 2 // of what a path finds
				}
				held += copies * m.documents(arg)
			}
		}
		return held
	}
	return 0
}

// documents is what texts take as trees. What an aggregate collects is counted there.
func (m *measure) documents(exprs ...ast.ExprNode) (held float64) {
	for _, expr := range exprs {
		if _, collected := syntax.Unparen(expr).(*ast.AggregateFuncExpr); !collected {
			held += jsonTree * m.usual().size(expr)
		}
	}
	return held
}

// trees is what documents take that the statement makes and an aggregate keeps.
func (m *measure) trees(exprs ...ast.ExprNode) (held float64) {
	for _, expr := range exprs {
		switch call, ok := syntax.Unparen(expr).(*ast.FuncCallExpr); {
		case ok && functions[call.FnName.L].has["nodes"] != nil:
			held += jsonNode*float64(len(call.Args)) + m.trees(call.Args...)
		case m.isJSON(expr) && !m.ofColumn(expr):
			held += m.documents(expr)
		}
	}
	return held
}

// checkPaths refuses JSON paths with more than one **, each of which goes through all that the one before found,
// those of too many steps, and those that are put together so that nobody can tell.
func (m *measure) checkPaths(n *ast.FuncCallExpr) {
	at := functions[n.FnName.L].has["paths"]
	if at == nil {
		return
	}
	for i := int(at[0]); i < len(n.Args); i += int(at[1]) {
		path := m.words(n.Args[i])
		legs := float64(strings.Count(path.text, ".") + strings.Count(path.text, "["))
		if path.repeats(".[") {
			legs = m.size(n.Args[i]) / 2 // nobody can tell
		}
		if path.repeats("*") || strings.Count(path.text, "**") > 1 || legs > maxLegs {
			m.refuse("json_path", "", n)
			return
		}
	}
}

// maxLegs bounds the steps of a JSON path. Documents have no more than a hundred levels, but $[0][0]… finds 1 in 1, and
// 3,000 of these end MySQL 8.0.15.
const maxLegs = 300

// checkGroups refuses a regular expression that may find nothing at all in a text, and a replacement that names a
// group which it may not have: REGEXP_REPLACE(”, 'x*', 'y') ends a MySQL 8.0.15 with signal 6.
func (m *measure) checkGroups(n *ast.FuncCallExpr) {
	if n.FnName.L != "regexp_replace" || len(n.Args) < 3 {
		return
	}
	text, literal := syntax.LiteralText(n.Args[1])
	pattern, err := regexp.Compile(text)
	if !literal || err != nil || pattern.MatchString("") {
		m.refuse("regexp_empty", "", n)
		return
	}
	if !m.words(n.Args[2]).holds("$") {
		return
	}
	with, plain := syntax.LiteralText(n.Args[2])
	// A replacement names groups by one digit, and none that there is not.
	if !plain || slices.ContainsFunc(groupName.FindAllStringSubmatch(with, -1), func(name []string) bool {
		return name[0][0] == '$' && (len(name[1]) != 1 || int(name[1][0]-'0') > pattern.NumSubexp())
	}) {
		m.refuse("regexp_group", "", n)
		return
	}
}

var groupName = regexp.MustCompile(`(?s)\\.|\$([0-9]*)`)

// wording is what a statement writes into a text: as it stands there, with a hole for what a column holds, which nobody
// wrote for this statement, and loose what functions may give in pieces or over and over. Of more nobody can tell if it
// is unknown.
type wording struct {
	text, loose string
	unknown     bool
}

const hole = "\uFFFC"

// holds says that there may be one of some signs.
func (w wording) holds(signs string) bool {
	return w.repeats(signs) || strings.ContainsAny(w.text, signs)
}

// repeats says that nobody can tell how many of some signs there are.
func (w wording) repeats(signs string) bool { return w.unknown || strings.ContainsAny(w.loose, signs) }

// words is what the statement writes into texts, one behind the other.
func (m *measure) words(exprs ...ast.ExprNode) (all wording) {
	for _, expr := range exprs {
		one := m.wordsOf(expr)
		all = wording{all.text + one.text, all.loose + one.loose, all.unknown || one.unknown}
	}
	return all
}

func (m *measure) wordsOf(expr ast.ExprNode) wording {
	switch e := syntax.Unparen(expr).(type) {
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return wording{text: e.GetString()}
		case test_driver.KindBinaryLiteral, test_driver.KindBytes:
			return wording{unknown: true}
		}
		return wording{}
	case *ast.SetCollationExpr:
		return m.words(e.Expr)
	case *ast.ColumnNameExpr:
		return wording{text: hole, unknown: !m.isColumn(e)}
	case *ast.CaseExpr:
		return m.words(results(e)...)
	case *ast.FuncCastExpr:
		return m.words(e.Expr)
	case *ast.BinaryOperationExpr, *ast.UnaryOperationExpr: // a number
		return wording{unknown: m.size(e) > numberText}
	case *ast.FuncCallExpr:
		switch name := e.FnName.L; name {
		case "concat", "coalesce", "ifnull", "json_quote", "convert":
			return m.words(e.Args...)
		case "if":
			return m.words(e.Args[1:]...)
		case "char_func", "unhex", "from_base64":
			return wording{unknown: true}
		default:
			if functions[name].gives == nil {
				return wording{} // a number, a date or a name
			}
			all := m.words(e.Args...)
			return wording{"", all.text + all.loose, all.unknown}
		}
	case *ast.AggregateFuncExpr:
		switch strings.ToLower(e.F) {
		case "count", "sum", "avg":
			return wording{}
		case "max", "min":
			return m.words(e.Args...)
		}
	case *ast.WindowFuncExpr:
		return wording{unknown: !windowCounts[strings.ToLower(e.Name)]}
	}
	return wording{unknown: true}
}

var windowCounts = syntax.WordSet("row_number rank dense_rank ntile count sum avg")
var lags = syntax.WordSet("lag lead")
