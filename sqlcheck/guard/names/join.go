package names

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// aggregates reports whether the block shows or compares an aggregate.
func (a repair) aggregates(b *bind.Block) bool {
	if b.Select.GroupBy != nil || b.Select.Having != nil {
		return true
	}
	_, aggs, _ := edit.Fields(b.Select)
	return aggs > 0
}

// joinOwner joins the nearest table that has the column, over foreign keys that all point one way, so that
// no row is counted for an unrelated one; or else the only table that has it, if one way leads there.
func (a repair) joinOwner(i bind.Issue) string {
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
	// A way down repeats rows: only an aggregate makes sense of that.
	if way == nil || !way[0].Up && !a.aggregates(r.Block) {
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
		if r.Block.SourceNamed(cmp.Or(alias, st.To.Name)) != nil {
			return ""
		}
		at = edit.AddJoin(r.Block, at, st.Join, st.To, alias)
		added = append(added, st.To.Name)
	}
	r.Name.Table = ast.NewCIStr(at.Name)
	edit.KeepOwners(a.Bound, r.Block, at)
	if len(added) > 1 {
		return fmt.Sprintf("%s is in %s, which was joined over %s", r.Name.Name.O, at.Table.Name,
			strings.Join(added[:len(added)-1], " and "))
	}
	return fmt.Sprintf("%s is in %s, which was joined", r.Name.Name.O, at.Table.Name)
}

// nearest finds the one shortest way from any of the sources to a table that has column col (to only, if
// given). Ways that change direction are refused, and so are two ways of the same length. Ways that go up,
// from many to one, win over ways down.
func (a repair) nearest(from []*bind.Source, col string, only *schema.Table) ([]schema.Step, *bind.Source) {
	for _, up := range []bool{true, false} {
		for _, starts := range [][]*bind.Source{from[:1], from} {
			type path struct {
				steps []schema.Step
				start *bind.Source
			}
			level := syntax.Map(starts, func(s *bind.Source) path { return path{nil, s} })
			for range edit.MaxSteps {
				var next, hits []path
				for _, p := range level {
					t := p.start.Table
					if n := len(p.steps); n > 0 {
						t = p.steps[n-1].To
					}
					for _, st := range a.Schema.Steps(t) {
						starts := func(s *bind.Source) bool { return s.Table == st.To }
						was := func(s schema.Step) bool { return s.To == st.To || s.Left == st.To.Name }
						if st.Up != up || slices.ContainsFunc(p.steps, was) || slices.ContainsFunc(from, starts) {
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
						if h.steps[len(h.steps)-1].To != hits[0].steps[len(hits[0].steps)-1].To ||
							h.start == hits[0].start {
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
