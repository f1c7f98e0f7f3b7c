package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// aggregates reports whether the block shows or compares an aggregate.
func (a columnRepair) aggregates(b *bind.Block) bool {
	if b.Select.GroupBy != nil || b.Select.Having != nil {
		return true
	}
	_, aggs, _ := fieldKinds(b)
	return aggs > 0
}

// joinedAs stands in the reason of a change that joins a table.
const joinedAs = ", joined as "

// joinOwner joins the nearest table that has the column, over foreign keys that all point one way, so that
// no row is counted for an unrelated one; or else the only table that has it, if one way leads there.
func (a columnRepair) joinOwner(i bind.Issue) string {
	r := i.Ref
	if r.Block.Select.From == nil {
		return ""
	}
	var from []*bind.Source
	if s := r.Block.SourceNamed(r.Name.Table.L); r.Name.Table.L != "" && s != nil && s.Table != nil {
		from = append(from, s)
	}
	for _, s := range r.Block.Sources {
		if s.Table != nil && (len(from) == 0 || from[0] != s) {
			from = append(from, s)
		}
	}
	if len(from) == 0 {
		return ""
	}
	var only *schema.Table
	if r.Name.Table.L != "" && r.Block.SourceNamed(r.Name.Table.L) == nil {
		if t, ok := a.Schema.Table(r.Name.Table.O); ok {
			only = t
		} else if only = a.ownerOfAlias(r); only == nil {
			return ""
		}
	}
	way, start := a.nearest(from, r.Name.Name.L, only)
	if way == nil || !way[0].Up && !a.aggregates(r.Block) { // a way down repeats rows: only an aggregate makes sense of that
		if why := a.holderOf(r); why != "" {
			return why
		}
		if way, start = a.onlyWay(i, only); way == nil {
			return ""
		}
	}
	// A column of that name which is known not to hold what it is compared with is not the one that is meant.
	if c, _ := way[len(way)-1].To.Column(r.Name.Name.O); c != nil && c.Complete {
		for _, text := range comparedWith(r) {
			if !slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, text) }) {
				if _, near := question.NearestValue(text, c.Values, false); !near {
					return a.holderOf(r)
				}
			}
		}
	}
	var added []string
	at := start
	for i, st := range way {
		if s := r.Block.Reads(st.To); s != nil && i < len(way)-1 {
			at = s
			continue
		}
		alias := ""
		last := i == len(way)-1
		if last && only != nil && !strings.EqualFold(only.Name, r.Name.Table.O) {
			alias = r.Name.Table.O
		}
		shown := st.To.Name
		if alias != "" {
			shown = alias
		}
		if r.Block.SourceNamed(shown) != nil {
			return ""
		}
		at = joinTable(r.Block, at, st.Join, st.To, alias)
		added = append(added, shown)
	}
	old := r.Name.Table.O
	r.Name.Table = ast.NewCIStr(at.Name)
	if old != "" {
		old += "."
	}
	keepOwners(a.Bound, r.Block, at)
	return old + r.Name.Name.O + " is in " + at.Table.Name + joinedAs + strings.Join(added, ", ")
}

// joinTable adds a table, under its alias if that is not "", to the end of the FROM of block, joined to its source at along j.
func joinTable(block *bind.Block, at *bind.Source, j schema.Join, table *schema.Table, alias string) *bind.Source {
	shown := table.Name
	if alias != "" {
		shown = alias
	}
	node := &ast.TableSource{Source: &ast.TableName{Name: ast.NewCIStr(table.Name)}, AsName: ast.NewCIStr(alias)}
	join := &ast.Join{Left: block.Select.From.TableRefs, Right: node, Tp: ast.CrossJoin, On: &ast.OnCondition{Expr: joinedOn(j, at.Name, shown)}}
	tidyRoot(block.Select.From, join)
	added := bind.NewSource(shown, table, node, block)
	block.Sources = append(block.Sources, added)
	return added
}

// keepOwners names the owner of columns of block that stood alone and that an added source has too.
func keepOwners(b *bind.Bound, block *bind.Block, added *bind.Source) {
	for _, o := range b.Columns {
		if o.Home == block && o.Source != nil && o.Name.Table.L == "" && added.Has(o.Name.Name.L) && o.Clause != bind.InFrom {
			o.Name.Table = ast.NewCIStr(o.Source.Name)
		}
	}
}

// tidyRoot hangs join below the FROM clause. The parser wraps a lone table in a Join without a right side.
func tidyRoot(from *ast.TableRefsClause, join *ast.Join) {
	if left, ok := join.Left.(*ast.Join); ok && left.Right == nil {
		join.Left = left.Left
	}
	from.TableRefs = join
}

// joinedOn is the condition of a join of two sources.
func joinedOn(j schema.Join, left, right string) ast.ExprNode {
	var all []ast.ExprNode
	for i := range j.LeftColumns {
		all = append(all, &ast.BinaryOperationExpr{Op: opcode.EQ, L: syntax.ColumnExpr(left, j.LeftColumns[i]), R: syntax.ColumnExpr(right, j.RightColumns[i])})
	}
	return syntax.AllOf(all)
}

// nearest finds the one shortest way from any of the sources to a table that has column col (to only, if
// given). Ways that change direction are refused, and so are two ways of the same length. Ways that go up,
// from many to one, win over ways down.
func (a columnRepair) nearest(from []*bind.Source, col string, only *schema.Table) ([]schema.Step, *bind.Source) {
	for _, up := range []bool{true, false} {
		for _, starts := range [][]*bind.Source{from[:1], from} {
			type path struct {
				steps []schema.Step
				start *bind.Source
			}
			var level []path
			for _, s := range starts {
				level = append(level, path{nil, s})
			}
			for range maxSteps {
				var next, hits []path
				for _, p := range level {
					t := p.start.Table
					if n := len(p.steps); n > 0 {
						t = p.steps[n-1].To
					}
					for _, st := range a.Schema.Steps(t) {
						if st.Up != up || visits(p.steps, st.To) || isStart(from, st.To) {
							continue
						}
						np := path{append(p.steps[:len(p.steps):len(p.steps)], st), p.start}
						if ownsColumn(st.To, col) && (only == nil || st.To == only) {
							hits = append(hits, np)
						}
						next = append(next, np)
					}
				}
				if len(hits) == 1 {
					return hits[0].steps, hits[0].start
				}
				if len(hits) > 1 {
					// Several sources that are joined to each other may reach the same table.
					for _, h := range hits[1:] {
						if h.steps[len(h.steps)-1].To != hits[0].steps[len(hits[0].steps)-1].To || h.start == hits[0].start {
							return nil, nil
						}
					}
					return hits[0].steps, hits[0].start
				}
				level = next
			}
		}
	}
	return nil, nil
}

func visits(steps []schema.Step, t *schema.Table) bool {
	for _, s := range steps {
		if s.To == t || s.Left == t.Name {
			return true
		}
	}
	return false
}

func isStart(from []*bind.Source, t *schema.Table) bool {
	for _, s := range from {
		if s.Table == t {
			return true
		}
	}
	return false
}
