package guard

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
)

// TestTouches holds every guard to what it may touch, by rows: each gold query of *fit* and of our own items goes
// through every guard alone and through the default set, and no rule but one of Meaning may change the rows of a
// query that passes Check and finds some.
func TestTouches(t *testing.T) {
	proof := &touchProof{changed: map[string]int{}, rows: map[string]int{}}
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: maxProofRows}))(t)
	var own []item.Item
	for _, text := range []string{"benchmark", "train"} {
		for _, it := range must.Get(item.Load(text))(t) {
			own = append(own, it)
			for _, it.SQL = range it.Accept {
				own = append(own, it)
			}
		}
	}
	proof.hold(t, db, own)
	t.Run("fit", func(t *testing.T) {
		of := golds.ByDatabase(golds.Fit(t))
		known := func(database string) bool { return of[database] != nil }
		for name, written := range golds.ByDatabase(golds.Written(t, known)) {
			of[name] = append(of[name], written...)
		}
		folder, limits := golds.Path(t, golds.Spider), runner.Limits{Rows: maxProofRows}
		for i, name := range slices.Sorted(maps.Keys(of)) {
			items := of[name]
			if i%must.Long(3, 1) != 0 {
				continue
			}
			proof.hold(t, must.Get(embedded.OpenFolder(t.Context(), folder, name, limits))(t), items)
		}
	})
	t.Logf("%d golds, of which %d find something; %s", proof.golds, proof.found, proof)
}

// maxProofRows is more than any gold query finds.
const maxProofRows = 10_000

// A touchProof counts, by guard and by "default", which golds are changed, and of which rows are.
type touchProof struct {
	golds, found  int
	changed, rows map[string]int
}

func (p *touchProof) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p.changed)) {
		texts, rows := p.changed[name], p.rows[name]
		parts = append(parts, fmt.Sprintf("%s changed %d texts and the rows of %d", name, texts, rows))
	}
	return strings.Join(parts, "; ")
}

// hold puts golds of one database through the guards, and closes it.
func (p *touchProof) hold(t *testing.T, db *embedded.DB, items []item.Item) {
	t.Helper()
	defer db.Close()
	s := must.Get(db.Schema(t.Context()))(t)
	rows := func(sql string) (lines []string, found bool) {
		q, v, err := sqlcheck.Check(sql, s)
		must.Do(t, err)
		if !v.OK {
			return nil, false
		}
		res, err := db.Query(t.Context(), q)
		if err != nil {
			return nil, false
		}
		for _, row := range res.Rows {
			lines = append(lines, fmt.Sprintf("%q", row))
			found = found || slices.ContainsFunc(row, func(cell any) bool {
				return cell != nil &&
					fmt.Sprint(cell) != "0"
			})
		}
		if order, err := sqlcheck.OrderOf(q, s); err != nil || !order.Sorted {
			slices.Sort(lines)
		}
		return lines, found
	}
	for _, it := range items {
		p.golds++
		before, found := rows(it.SQL)
		if found {
			p.found++
		}
		text := &draft.Text{SQL: it.SQL, Question: question.Read(it.Question, s), Schema: s}
		compare := func(name string, touches Touches, out string) {
			if out == it.SQL {
				return
			}
			p.changed[name]++
			after, _ := rows(out)
			if !found || slices.Equal(before, after) {
				return
			}
			p.rows[name]++
			must.Equal(t, touches, Meaning, name, "may touch", "and changes the rows of", it.Question, it.SQL, out)
		}
		for _, row := range table {
			if out, _, v := row.apply(text); v.OK && row.Name != "" && !strings.HasPrefix(row.Name, "seed") {
				compare(row.Name, row.Touches, out)
				if out != it.SQL {
					text.Forget()
				}
			}
		}
		in := Input{Question: question.Read(it.Question, s), Schema: s}
		out, changes, v := setNamed("default").Apply(it.SQL, in)
		if !v.OK {
			t.Errorf("%s is rejected: %s", it.SQL, v)
			continue
		}
		touches := Refused
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Touches == Meaning }) {
			touches = Meaning
		}
		compare("default", touches, out)
	}
}
