package sqlcheck

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// orderWords and limitWords ask for an order or a part of the rows; superlatives ("oldest") do as well.
var orderWords = map[string]bool{
	"top": true, "highest": true, "lowest": true, "most": true, "least": true, "fewest": true, "first": true, "last": true, "max": true,
	"maximum": true, "min": true, "minimum": true, "best": true, "worst": true, "bottom": true, "leading": true,
	"order": true, "ordered": true, "ordering": true, "orderd": true, "sort": true, "sorted": true, "sorting": true, "rank": true, "ranked": true, "ranking": true, "arrange": true, "arranged": true,
	"alphabetical": true, "alphabetic": true, "alphabetically": true, "chronological": true, "chronologically": true, "ascending": true, "descending": true, "asc": true, "desc": true, "lexicographical": true, "lexicographic": true, "lexicographically": true,
	"recent": true, "recently": true, "latest": true, "newest": true, "earliest": true, "oldest": true,
	"decreasing": true, "increasing": true, "reverse": true, "reversed": true, "popular": true, "common": true, "commonly": true, "frequent": true, "frequently": true, "primary": true, "major": true, "majority": true, "limit": true, "sequence": true,
	"any": true, "one": true, "sample": true, "example": true, "examples": true, "random": true, "next": true, "previous": true, "second": true, "third": true, "half": true,
}

// asksOrder reports whether the question asks for an order or for some of the rows only.
func (q *question) asksOrder() bool {
	for _, w := range q.words {
		if w.masked {
			continue
		}
		if orderWords[w.low] || len(w.low) > 4 && strings.HasSuffix(w.low, "est") && !notSuperlative[w.low] {
			// "orders" is a thing, "order" may be: only "in order", "order by", "ordered" ask for one
			if w.low == "order" && !q.orderVerb() {
				continue
			}
			return true
		}
	}
	return false
}

var notSuperlative = map[string]bool{"request": true, "requests": true, "interest": true, "contest": true, "guest": true, "forest": true, "invest": true, "harvest": true, "arrest": true, "protest": true, "suggest": true, "digest": true, "midwest": true, "northwest": true, "southwest": true}

// orderVerb reports whether "order" is used for sorting and not as a thing.
func (q *question) orderVerb() bool {
	for i := range q.words {
		if q.is(i, "order") && (q.is(i-1, "in", "the", "descending", "ascending", "alphabetical", "and", "then", "decreasing", "increasing", "reverse") && !q.is(i+1, "number", "numbers", "id", "ids", "date", "dates", "code", "codes") ||
			q.is(i+1, "by", "them", "the", "results", "in", "of") || i == 0) {
			return true
		}
	}
	return false
}

// postprocess takes out what cannot matter: the order of a subquery that keeps all its rows, the order and limit of
// a single row; and a limit without an order that the question does not ask for, which cuts rows at random.
func postprocess(sql string, in Input) (string, string, Verdict) {
	ok := Pass("clean")
	if in.Schema == nil || !orderOrLimit.MatchString(sql) {
		return sql, "", ok
	}
	b, _, parsed := in.bind(sql)
	if !parsed {
		return sql, "", ok
	}
	var whys []string
	for _, block := range b.Blocks {
		sel := block.Select
		oneRow := sel.GroupBy == nil && sel.Having == nil && block.aggregate && !sel.Distinct &&
			!slices.ContainsFunc(block.Output, func(o Output) bool { return !o.aggregate }) // else a GROUP BY is missing
		if oneRow && (sel.OrderBy != nil || limitCount(sel.Limit) > 0) {
			sel.OrderBy = nil
			if limitCount(sel.Limit) > 0 {
				sel.Limit = nil
			}
			whys = append(whys, "one row needs no order or limit")
		}
		if block.Outer != nil && sel.OrderBy != nil && sel.Limit == nil && !b.isTop(sel) {
			sel.OrderBy = nil
			whys = append(whys, "the order of a subquery does not matter")
		}
	}
	if sel, is := b.Stmt.(*ast.SelectStmt); is && in.Question != "" && sel.Limit != nil && sel.OrderBy != nil && limitCount(sel.Limit) > 0 {
		if q := in.asked(); q.sortsAll() && !q.hasNumber(limitCount(sel.Limit)) {
			sel.Limit = nil
			whys = append(whys, "the question asks for an order and no limit")
		}
	}
	if sel, is := b.Stmt.(*ast.SelectStmt); is && in.Question != "" && sel.Limit != nil && sel.OrderBy == nil && limitCount(sel.Limit) > 0 {
		q := in.asked()
		if !q.asksOrder() && !q.hasNumber(limitCount(sel.Limit)) {
			sel.Limit = nil
			whys = append(whys, "the question sets no limit")
		}
	}
	return rewritten(sql, b.Stmt, strings.Join(whys, "; "), in)
}

var orderOrLimit = regexp.MustCompile(`(?i)\b(?:order\s+by|limit)\b`)

// isTop reports whether sel is the statement itself or one of the SELECTs of an outermost set operation.
func (b *Bound) isTop(sel *ast.SelectStmt) bool {
	switch n := b.Stmt.(type) {
	case *ast.SelectStmt:
		return n == sel
	case *ast.SetOprStmt:
		for _, s := range n.SelectList.Selects {
			if s == ast.Node(sel) {
				return true
			}
		}
	}
	return false
}

// sortsAll reports whether the question says what comes first, which orders all rows: "highest first".
func (q *question) sortsAll() bool {
	for i := range q.words {
		if q.is(i, "first") && (q.superlative(i-1) || q.is(i-1, "highest", "lowest", "latest", "recent")) && (i+1 == len(q.words) || q.words[i].stop) {
			return true
		}
	}
	return false
}

// limitCount is the row count of a LIMIT clause, or 0 if it is not a number or has an offset.
func limitCount(l *ast.Limit) int {
	if l == nil || l.Offset != nil {
		return 0
	}
	n, _ := literalCount(l.Count)
	return n
}

// literalCount is the number that a part of LIMIT is; ok is false if it is none that fits.
func literalCount(expr ast.ExprNode) (n int, ok bool) {
	v, is := expr.(ast.ValueExpr)
	if !is {
		return 0, false
	}
	switch n := v.GetValue().(type) {
	case int64:
		return int(n), n >= 0
	case uint64:
		return int(n), n <= math.MaxInt
	}
	return 0, false
}

var numberWords = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12, "twenty": 20, "a": 1, "an": 1}

// hasNumber reports whether the question says n, in digits or in words. n=1 needs no word in the singular.
func (q *question) hasNumber(n int) bool {
	for _, w := range q.words {
		if k, err := strconv.Atoi(w.low); err == nil && k == n {
			return true
		}
		if numberWords[w.low] == n && n > 1 {
			return true
		}
	}
	return false
}
