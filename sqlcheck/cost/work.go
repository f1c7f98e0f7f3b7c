package cost

import (
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// An engine looks at its time limit and at KILL between two rows, not within one. So what all operators and functions
// of a statement do for one row is bounded, in nanoseconds of a MySQL 8.0.15.
const (
	maxWork     = 3e9
	searchStep  = 5        // of a search: for a byte looked through, times the bytes looked for
	trimByte    = 3        // of TRIM's end, for each piece of text that it takes away: for a byte of what is left
	jumpBytes   = 8        // that MariaDB keeps for a byte looked for: how far to go on where it is not
	patternByte = 200      // of a search for a regular expression, which is read anew for each row: for a byte of it
	regexpByte  = 10       // of such a search: for a byte looked through, beside searchStep
	callNanos   = 100      // of a call
	joinBuffer  = 2e4      // rows that a join compares with one of the other table between two looks at a limit
	shapeByte   = .004     // of a shape that is made: for a byte of it, times all of them
	fewArgs     = 8        // of a call
	pathByte    = 30       // of a path: for a byte of a document
	allLevels   = 15       // paths that one with ** takes the time of, beside its own
	jsonByte    = 80       // of a text that is read as a document: for a byte of it
	lookByte    = 4        // of most functions, which may read a number or a date: for a byte of their arguments
	sortKey     = 32 << 10 // bytes of a key that is worked out once
	sortTimes   = 8        // that a longer key is worked out, until the buffer has room for it
	sentByte    = .3       // of a value in a row that is sent, which is copied then: for a byte of the row
	frameRow    = 6000     // of a row that MariaDB finds again for a frame
	compareByte = 12       // of a comparison in a collation not in slowCollations: for a byte of the shorter side
)

// Regular expressions, in nanoseconds: a set of signs that may hold most of Unicode, and another one.
const (
	classNanos    = 7e6
	plainClass    = 2e4
	shortestClass = 3       // bytes of \pL
	shortestText  = 4       // of a text in a document
	wideText      = 4       // regular expressions look at texts in UTF-16, which grow by doubling
	regexpStack   = 8 << 20 // bytes that MySQL gives one to go back
	stackByte     = 16      // of which it takes for a byte looked through
	runByte       = 20      // of a run, for a byte before it
	narrowRun     = 1. / 64 // places of a long text in a column from which a run of some signs goes on
	repeatByte    = 130     // bytes that MariaDB keeps of a group that is repeated, for a byte looked through
	fewRuns       = 4       // repeated signs of a pattern
	runPlain      = 2500    // of plainClass, for each of more: MariaDB takes ten million steps through all of them
	goingBack     = 6e4     // of plainClass: MariaDB takes ten million steps before it gives up
)

// longSum is the time of a SUM(DISTINCT …) in MariaDB, which counts up to the length that a text is declared with.
const longSum = 4e7

// wideClass begins what may hold most of Unicode.
var wideClass = regexp.MustCompile(`\\+[pPNxuUWDSXRHV]|\[\^|\[:|\[[^\]]*[^\x00-\x7f]`)

// goesBack is a group that is repeated behind something that may be, too.
var goesBack = regexp.MustCompile(`[*+}|].*\)[*+{]`)

// longRun is a sign or a group that is repeated without an end, endRun one that ends a pattern, wideRun a sign that may
// be nearly any, behind letters, repeats a group.
var (
	longRun = regexp.MustCompile(`([*+]|\{\d+,\})`)
	endRun  = regexp.MustCompile(`\.[*+]\$?$|([*+]|\{\d+,\})$`)
	wideRun = regexp.MustCompile(`([\w\pL ]*)(?:\.|\[\^[^\]]*\]|\\[SDWw])([*+]|\{\d+,\})`)
	repeats = regexp.MustCompile(`\)[*+{]`)
)

// slowCollations are what the names of slow collations hold, with the time of a comparison for a byte; the first that
// fits counts.
var slowCollations = []struct {
	part  string
	nanos float64
}{
	{"_da_", slowestByte}, {"_ja_", slowestByte}, {"_zh_", slowestByte}, {"_vi_", 35}, {"_as_", 25}, {"_hu_", 17}, {"_bin", 1},
}

const slowestByte = 70

// collects is what an aggregate has of its values: one as it is now, as it was, and in a row. GROUP_CONCAT cuts a text
// when it is there.
func (m *measure) collects(name string, n ast.ExprNode, args []ast.ExprNode) float64 {
	if strings.EqualFold(name, "group_concat") {
		return m.size(n) + 3*float64(len(args))*m.usual().most(args...)
	}
	return 3 * (m.size(n) + m.trees(args...))
}

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
		has := functions[name].has
		if pair := has["search"]; pair != nil && int(pair[1]) < len(n.Args) {
			what := n.Args[int(pair[1])]
			if quoted, ok := what.(*ast.FuncCallExpr); ok && has["paths"] != nil && quoted.FnName.L == "json_quote" {
				what = quoted.Args[0]
			}
			cost = m.search(strings.ToUpper(name), n.Args[int(pair[0])], what, n)
		}
		if arg := has["again"]; arg != nil && int(arg[0]) < len(n.Args) {
			cost.work += (m.times(n) - 1) * m.again(n.Args[int(arg[0])])
		}
		if has["compares"] != nil && len(n.Args) > 2 { // FIELD works the first one out for each; GREATEST counts alike
			cost.work += m.repeated(len(n.Args)-2, n.Args[0])
		}
		if points := has["shape"]; points != nil {
			cost.work += shapeByte * math.Pow(points[0]*min(m.most(n.Args...), 1<<40), 2)
		}
		if nanos := has["moves"]; nanos != nil {
			cost.work += nanos[0] * m.moved(n)
		}
		for i := 0; i < len(n.Args) && len(n.Args) > fewArgs; i++ { // the embedded engine has copies of all
			cost.held += m.usual().size(n.Args[i])
		}
		cost.work += m.paths(n) + m.ends(n) + float64(len(has["merges"])*len(n.Args))*m.size(n) // one by one
		m.checkPaths(n)
		m.checkGroups(n)
		sets := name == "make_set" || name == "export_set"
		if sets && len(n.Args) > 1 && m.stored().most(n.Args[1:]...) > 1<<16 {
			m.refuse("huge_result", strings.ToUpper(name), n) // MySQL 8.0.15 counts beyond 4 GiB: signal 11
		}
		cost.add(m.made(strings.ToUpper(strings.TrimSuffix(name, "_func")), n, n.Args, m.extra(n)))
		return cost
	case *ast.FuncCastExpr:
		extra := m.bytes(n.Expr) // a copy, of which it may give a part
		if m.isJSON(n) {
			extra = m.documents(n.Expr)
		}
		return m.made("CAST", n, []ast.ExprNode{n.Expr}, extra)
	case *ast.BinaryOperationExpr: // numbers are read out of texts, and beside JSON a text is held once more
		if !syntax.Comparison(n.Op) {
			return expansion{held: m.bytes(n), work: lookByte * (m.size(n.L) + m.size(n.R))}
		} else if m.isJSON(n.L) != m.isJSON(n.R) {
			return expansion{held: m.size(n.L) + m.size(n.R)}
		}
	case *ast.IsTruthExpr:
		return expansion{work: lookByte * m.size(n.Expr)}
	case *ast.UnaryOperationExpr:
		return expansion{held: m.bytes(n), work: lookByte * m.size(n.V)}
	case *ast.SubqueryExpr:
		return expansion{held: m.bytes(n)}
	case *ast.CaseExpr:
		for _, when := range n.WhenClauses {
			switch {
			case n.Value == nil:
				cost.work += lookByte * m.size(when.Expr)
			case !m.isColumn(when.Expr): // MariaDB has a text as it is made, and as it compares it
				cost.held += 2 * m.bytes(when.Expr)
			}
		}
		if n.Value != nil {
			again := m.again(n.Value) + m.repeated(len(n.WhenClauses)-1, n.Value)
			cost.add(expansion{held: m.bytes(n.Value), work: again})
		}
		return cost
	case *ast.PatternInExpr: // what is looked for is copied twice, but for a list that is sorted
		m.sought = m.sought || n.Sel != nil && !hasColumn(n.Expr)
		if n.Sel != nil || !sorted(n.List) {
			return expansion{held: 2 * m.bytes(n.Expr), work: m.again(n.Expr) + m.repeated(len(n.List)-1, n.Expr)}
		}
	case *ast.CompareSubqueryExpr:
		m.sought = m.sought || !hasColumn(n.L)
		return expansion{held: 2 * m.bytes(n.L), work: m.again(n.L)}
	case *ast.AggregateFuncExpr: // it is kept once, and twice for each level of WITH ROLLUP
		cost = expansion{held: (m.collects(n.F, n, n.Args) + m.tree(n)) * (2*m.rolled() - 1),
			work: lookByte * float64(len(n.Args)) * m.most(n.Args...) * m.rolled()}
		if n.Distinct && m.stored().most(n.Args...) >= unknownText {
			cost.work += longSum * m.rolled()
		}
		for i := 0; i < len(n.Args) && m.rolled() > 1; i++ { // MariaDB keeps for each level what a part is given of
			level := m.within(n.Args[i])
			cost.add(expansion{held: level.held * (m.rolled() - 1), work: level.nanos() * (m.rolled() - 1)})
		}
		return cost
	case *ast.WindowFuncExpr:
		return expansion{held: m.collects(n.Name, n, n.Args), work: m.frame(n)}
	case *ast.ByItem: // it is worked out for a temporary table and for its key, where MariaDB copies it
		times := 1.0
		if m.usual().size(n.Expr) > sortKey {
			times = sortTimes
		}
		return expansion{held: 4 * m.bytes(n.Expr), work: times * m.within(n.Expr).nanos()}
	}
	return expansion{}
}

// positional are the window functions that take one row of a frame.
var positional = syntax.WordSet("lag lead first_value last_value nth_value")

// rereads are those that nothing can be taken out of again: MariaDB goes through the whole frame for each row.
var rereads = syntax.WordSet("min max std stddev stddev_pop stddev_samp variance var_pop var_samp")

// framed is how many rows a window function looks at for one row, before the next look at a clock: none anew where its
// frame begins with the first row. Those of a RANGE MySQL alone reads, which is faster.
func (m *measure) framed(n *ast.WindowFuncExpr) (rows float64) {
	frame := n.Spec.Frame
	if m.block != nil { // behind a set operation there are no named windows
		for _, named := range m.block.Select.WindowSpecs {
			if named.Name.L == n.Spec.Name.L {
				frame = named.Frame
			}
		}
	}
	if frame == nil || frame.Extent.Start.UnBounded {
		return 0
	}
	for _, bound := range []ast.FrameBound{frame.Extent.Start, frame.Extent.End} {
		count, told := syntax.LiteralCount(bound.Expr)
		switch rows += float64(count); {
		case bound.Expr != nil && frame.Type == ast.Ranges:
			return m.rows.block(m.block) / 24
		case bound.UnBounded, bound.Expr != nil && !told:
			return math.Inf(1)
		}
	}
	return rows
}

// frame is the time to read the values of a window function in a frame, within which nothing looks at a clock. Of a
// column few are long; what reads no column is worked out anew for each row of each frame. MIN and MAX compare.
func (m *measure) frame(n *ast.WindowFuncExpr) (nanos float64) {
	look, anew := float64(lookByte), m.rows.block(m.block)
	switch name := strings.ToLower(n.Name); {
	case positional[name]:
		look = 0
	case strings.HasPrefix(name, "json_"): // it is written out for each row
		nanos = look * m.usual().size(n) * m.rows.block(m.block)
	case rereads[name]:
		look += compareByte
		anew *= anew
		nanos = frameRow * min(m.rows.block(m.block), m.framed(n))
	}
	for _, arg := range n.Args {
		if !hasColumn(arg) && !syntax.HasAggregate(arg) {
			nanos += m.within(arg).nanos() * anew
		}
		size := m.usual().size(arg)
		if size <= recursionText {
			size = m.usual().average(arg)
		}
		if size > longValue {
			nanos += look * size * m.rows.block(m.block)
		}
	}
	return nanos
}

// within is what it takes to work an expression out once, with those that columns of derived tables in it stand for.
func (m *measure) within(expr ast.ExprNode) expansion {
	if ref := m.bound.RefOf(expr); ref != nil {
		return m.behind(ref.Source, ref.Index)
	}
	cost := expansion{}
	syntax.Visit(expr, func(n ast.Node) bool {
		cost.add(m.judge(n))
		if name, ok := n.(*ast.ColumnName); ok {
			if ref := m.bound.Ref(name); ref != nil {
				cost.add(m.behind(ref.Source, ref.Index))
			}
		}
		return true
	})
	return cost
}

// repeated is the time to work an operand out again for each of those values that the embedded engine compares it with.
func (m *measure) repeated(times int, operand ast.ExprNode) float64 {
	if m.repeating || times < 1 { // what repeats in it grows with how deep it nests, see again
		return 0
	}
	m.repeating = true
	defer func() { m.repeating = false }()
	return float64(times) * m.within(operand).nanos()
}

// behind is within of what engines put in the place of a column of a derived table, if they do not make the table.
func (m *measure) behind(src *bind.Source, column int) expansion {
	if src == nil || src.Inner == nil || src.Inner.Block == nil || column >= len(src.Inner.Output) {
		return expansion{}
	}
	block, out := src.Inner.Block, src.Inner.Output[column]
	if block.Grouped || block.Select.Distinct || out.Window {
		return expansion{}
	}
	if out.Expr == nil {
		return m.behind(out.Source, out.Index)
	}
	defer func(b *bind.Block) { m.block = b }(m.block)
	m.block = block
	return m.within(out.Expr)
}

// joined is the time for the conditions between two tables of a block, between two looks at a limit.
func (m *measure) joined(block *bind.Block) float64 {
	cost := expansion{}
	if len(block.Sources) < 2 {
		return 0
	}
	for _, cond := range block.Conditions() {
		if op, ok := cond.(*ast.BinaryOperationExpr); ok && m.isColumn(op.L) {
			if _, value := op.R.(ast.ValueExpr); value || m.isColumn(op.R) {
				continue
			}
		}
		tables := map[*bind.Source]bool{}
		for _, name := range syntax.ColumnNames(cond) {
			if ref := m.bound.Ref(name); ref != nil && ref.Home == block {
				tables[ref.Source] = true
			}
		}
		if len(tables) > 1 {
			cost.add(m.also(&m.averaged).within(cond))
		}
	}
	for _, same := range m.bound.Dependence().Equalities(block) { // of USING and NATURAL, too
		for _, side := range []*bind.ColumnID{same.Left, same.Right} {
			if side != nil && side.Source.Inner != nil {
				cost.add(m.also(&m.averaged).behind(side.Source, side.Index))
			}
		}
	}
	return joinBuffer * cost.nanos()
}

// again is the time to work an argument out once more, which doubles with each call inside it that does so, too. CASE
// and IN work it out for each of four types that they compare it as; what is looked for in a query is prepared twice.
func (m *measure) again(arg ast.ExprNode) float64 {
	doublings, long := 0.0, 0.0
	syntax.Visit(arg, func(n ast.Node) bool {
		if expr, ok := n.(ast.ExprNode); ok {
			long = max(long, m.usual().size(expr))
		}
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			doublings += math.Log2(m.times(n))
		case *ast.CaseExpr:
			if n.Value != nil && len(n.WhenClauses) > 1 {
				doublings += 2
			}
		case *ast.PatternInExpr:
			if n.Sel != nil {
				doublings++
			} else if len(n.List) > 1 && !sorted(n.List) {
				doublings += 2
			}
		case *ast.CompareSubqueryExpr:
			doublings++
		}
		return true
	})
	return math.Exp2(doublings) * (callNanos + lookByte*long)
}

// times is how often a function works an argument out: JSON_SEARCH for each text and path of a document.
func (m *measure) times(n *ast.FuncCallExpr) float64 {
	has := functions[n.FnName.L].has
	if at := has["paths"]; at != nil && has["again"] != nil {
		return 2 + m.usual().size(n.Args[0])/shortestText*float64(len(n.Args))
	}
	return 1 + float64(len(has["again"]))
}

// ends is the time of a TRIM that takes more than a byte from the end again and again: MySQL looks for the end anew.
func (m *measure) ends(n *ast.FuncCallExpr) float64 {
	if n.FnName.L != "trim" || len(n.Args) < 2 {
		return 0
	}
	way, _ := n.Args[len(n.Args)-1].(*ast.TrimDirectionExpr)
	text, told := syntax.LiteralText(n.Args[1])
	if way != nil && way.Direction == ast.TrimLeading || told && len(text) < 2 {
		return 0
	}
	size := m.usual().size(n.Args[0])
	return trimByte / 2 * size * size / max(2, float64(len(text)))
}

// moved counts the bytes that MariaDB goes through for all pieces of a text that a function replaces: from its start,
// or to its end, which REPLACE moves. That is quick to where it was before.
func (m *measure) moved(n *ast.FuncCallExpr) float64 {
	size := m.usual().size(n.Args[0])
	pieces := size
	if m.isColumn(n.Args[0]) { // few texts are nothing but what is looked for
		pieces /= 8
	}
	from, fixed := syntax.LiteralText(n.Args[1])
	to, plain := syntax.LiteralText(n.Args[2])
	switch known := fixed && plain && n.FnName.L == "replace"; {
	case known && len(from) == len(to):
		return 0
	case known && len(from) > len(to):
		return pieces * size / 20 / float64(len(from))
	}
	return pieces * size
}

// made is what a function costs that makes a text.
func (m *measure) made(name string, n ast.ExprNode, args []ast.ExprNode, extra float64) expansion {
	size := m.size(n)
	if size > maxValue && size > m.most(args...)+2 {
		m.refuse("huge_result", name, n)
	}
	nanos := float64(lookByte)
	if call, ok := n.(*ast.FuncCallExpr); ok {
		if own := functions[call.FnName.L].has["nanos"]; own != nil {
			nanos = own[0]
		}
	}
	if m.isJSON(n) {
		nanos = max(nanos, jsonByte)
	}
	cost := expansion{held: size + extra}
	if size > recursionText && !hasColumn(n) { // a copy is kept for all rows
		cost.held += size
	}
	for _, arg := range args {
		cost.work += nanos * (m.size(arg) + 2)
		size -= m.size(arg)
	}
	if !m.isJSON(n) { // letters are put in one by one
		cost.work += nanos * max(size, 0)
	}
	return cost
}

// collated are the searches letter by letter, which take as long as their collation does.
var collated = syntax.WordSet("LIKE LOCATE INSTR POSITION")

// search is what it costs to look through a for each place in b.
func (m *measure) search(name string, a, b ast.ExprNode, n ast.ExprNode) expansion {
	work := searchStep * m.size(a) * m.size(b)
	if collated[name] && work > maxWork/9 && len(syntax.All[*ast.SetCollationExpr](m.bound.Stmt)) > 0 {
		work *= 9
	} else if collated[name] && name != "LIKE" {
		work *= 3
	}
	if work > maxWork {
		m.refuse("long_search", name, n)
	}
	if !strings.HasPrefix(name, "REGEXP") {
		return expansion{work: work, held: jumpBytes * m.usual().size(b)}
	}
	pattern := m.words(b)
	work += regexpByte*m.size(a) + patternByte*m.size(b) + pattern.classes(m.size(b)) + m.runs(a, pattern)
	held := m.usual().size(a) + m.usual().size(b)
	if pattern.groups(repeats) {
		held += repeatByte / wideText * m.usual().size(a)
	}
	if name == "REGEXP_REPLACE" {
		held += m.usual().size(n)
	}
	return expansion{held: wideText*held + min(stackByte*held, regexpStack), work: work}
}

// runs is the time that MariaDB takes for a sign that is repeated from each place of a text to its end. Words and
// numbers of a column are short, so that there only what may be any sign goes so far, from each place that the letters
// before it fit, and others seldom. The first run of all begins once, and one at the end of a pattern always fits.
func (m *measure) runs(a ast.ExprNode, pattern wording) float64 {
	run, starts, text := longRun, 0.0, endRun.ReplaceAllString(pattern.text, "")
	once := strings.HasPrefix(pattern.text, ".*") ||
		strings.HasPrefix(pattern.text, "^") && !strings.Contains(pattern.text, "|")
	if m.isColumn(a) {
		run = wideRun
		if n := len(longRun.FindAllString(text, 2)); n > 1 || n > 0 && !once {
			starts = narrowRun
		}
	}
	for i, found := range run.FindAllStringSubmatch(text, -1) {
		if i > 0 || !once {
			starts = max(starts, math.Pow(16, -float64(len(found[1]))))
		}
	}
	if starts > 0 && !m.isColumn(a) || pattern.repeats("*+{") {
		starts = 1
	}
	size := m.usual().size(a)
	return runByte * starts * size * size
}

// classes is the time to compile the sets of signs in a regular expression of a size, and to go through its runs, which
// KILL does not end. What nobody can tell of it counts as full of them.
func (w wording) classes(size float64) float64 {
	if w.repeats(`[\`) {
		return classNanos * size / shortestClass
	}
	text := w.text
	wide := len(wideClass.FindAllString(text, -1)) + 2*strings.Count(text, "[:^")
	plain := float64(strings.Count(text, "[") + strings.Count(text, "\\") + 4*strings.Count(text, "("))
	runs := float64(len(longRun.FindAllString(text, -1)))
	if w.repeats("(*+{") {
		plain, runs = plain+size, size/2
	}
	if runs > fewRuns {
		plain += runs * runPlain
	}
	if w.groups(goesBack) {
		plain += goingBack
	}
	return classNanos*float64(wide) + plainClass*plain
}

// groups says that a pattern is like form, or may be, with groups that are loose or so that nobody can tell.
func (w wording) groups(form *regexp.Regexp) bool { return w.repeats("(") || form.MatchString(w.text) }

// bytes is what an operator or a subquery keeps of a text that it gives, or of those of a row.
func (m *measure) bytes(n ast.ExprNode) (kept float64) {
	if row, ok := syntax.Unparen(n).(*ast.RowExpr); ok {
		for _, value := range row.Values {
			kept += m.bytes(value)
		}
		return kept
	}
	if size := m.usual().size(n); size > numberText {
		return size
	}
	return 0
}

// rolled is how often an aggregate has its arguments: once, and for each level of WITH ROLLUP.
func (m *measure) rolled() float64 {
	if m.block == nil || m.block.Select.GroupBy == nil || !m.block.Select.GroupBy.Rollup {
		return 1
	}
	return float64(len(m.block.Select.GroupBy.Items) + 1)
}

// paths is the time that a function of JSON takes for its paths, in a column for all but the first one: each goes
// through the document, and neither a time limit nor KILL ends that.
func (m *measure) paths(n *ast.FuncCallExpr) float64 {
	has := functions[n.FnName.L].has
	at := has["paths"]
	if at == nil || len(n.Args) <= int(at[0]) {
		return 0
	}
	count := 0.0
	for i := int(at[0]); i < len(n.Args); i += int(at[1]) { // of all levels each is copied with those below
		count += 1 + allLevels*float64(strings.Count(m.words(n.Args[i]).text, "**"))
	}
	if has["edits"] != nil {
		return pathByte * count * m.size(n.Args[0])
	}
	if !m.isColumn(n.Args[0]) { // what the first one finds is copied
		count += jsonByte / pathByte
	}
	return (count-1)*pathByte*m.size(n.Args[0]) + count*m.most(n.Args...) // and what it looks for is copied
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
		return max(m.compare(n.Expr, n.Left)+m.compare(n.Expr, n.Right), m.numbers(n.Expr, n.Left, n.Right))
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
		if functions[n.FnName.L].has["compares"] != nil { // each with that of those before it which is kept
			bytes = float64(len(n.Args)-1) * m.most(n.Args...)
			if len(n.Args) == 2 {
				bytes = m.compare(n.Args[1], n.Args[0])
			}
			bytes = max(bytes, m.numbers(n.Args...))
		}
	case *ast.AggregateFuncExpr:
		if name := strings.ToLower(n.F); n.Distinct || name == "max" || name == "min" {
			for _, arg := range n.Args {
				bytes += m.size(arg) * m.rolled()
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
			return total(m.query(q)) * float64(len(q.Parts)) // none without a table ends on KILL
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

// numbers is what it takes to read numbers out of values that are compared together, if one may be a number: then all
// are compared as numbers.
func (m *measure) numbers(exprs ...ast.ExprNode) (bytes float64) {
	if !slices.ContainsFunc(exprs, m.isNumber) {
		return 0
	}
	for _, e := range exprs {
		bytes += m.size(e) * lookByte / compareByte
	}
	return bytes
}

// isNumber says that a value may be a number or a date, by its length.
func (m *measure) isNumber(expr ast.ExprNode) bool { return m.size(expr) <= shortText && !isText(expr) }

func isText(expr ast.ExprNode) bool {
	_, text := syntax.LiteralText(expr)
	return text
}

// compareList is IN with a list. Engines sort one of constants and look it up.
func (m *measure) compareList(n *ast.PatternInExpr) (bytes float64) {
	most := 0.0
	for _, item := range n.List {
		size := m.compare(n.Expr, item)
		bytes, most = bytes+size, max(most, size)
	}
	if sorted(n.List) {
		return min(bytes, most*float64(bits.Len(uint(len(n.List)))))
	}
	return bytes
}

// sorted says that a list is of constant texts.
func sorted(list []ast.ExprNode) bool {
	return !slices.ContainsFunc(list, func(item ast.ExprNode) bool { return !isText(item) })
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
	if m.isNumber(right) { // which is read out of left
		return max(shorter, longer*lookByte/compareByte)
	}
	switch {
	case m.isColumn(left) && m.isColumn(right) && m.mean: // few that are long are in a buffer at a time
		return 0
	case m.isColumn(left):
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
	for _, c := range syntax.All[*ast.SetCollationExpr](stmt) {
		for _, slow := range slowCollations {
			if strings.Contains(strings.ToLower(c.Collate), slow.part) {
				most = max(most, slow.nanos)
				break
			}
		}
	}
	return most
}
