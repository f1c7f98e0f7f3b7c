package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"nl2sql/assets"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/runner/render"
)

// page is what the template shows. All its texts are such that a browser obeys none: html/template escapes markup,
// render.Visible what is left.
type page struct {
	Title, Lead string
	Notes       []string
	Parts       []pagePart
	Items       []pageItem
	Differing   int
}

// pagePart is a section with plots, and tables that hold their figures.
type pagePart struct {
	ID, Title, Note string
	Plots           []plot
	Tables          []pageTable
}

type pageTable struct {
	Title, Note string
	Folded      bool
	Head        []pageHead
	Rows        [][]pageCell
}

type pageHead struct {
	Text   string
	Number bool
}

type pageCell struct{ Text, Class, Title string }

type pageItem struct {
	ID, Question, Gold, Family string
	Differs, Wrong             bool
	Cells                      []pageCell
	Answers                    []pageAnswer
}

type pageAnswer struct {
	Condition, Seeds, Class, SQL, Detail string
	Right                                bool
}

// WriteHTML writes a report as one page with plots, which needs no network and can be read without scripts.
func (r Report) WriteHTML(w io.Writer) error {
	t, err := assets.ReportPage()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, r.page()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err = w.Write(bytes.Map(printable, b.Bytes()))
	return err
}

// printable leaves lines and tabs of all that a terminal would obey: a page is also read with cat.
func printable(r rune) rune {
	if c := string(r); r != '\n' && r != '\t' && (r < ' ' || r > '~') && render.Visible(c) != c {
		return '\uFFFD'
	}
	return r
}

func (r Report) page() page {
	runs := 0
	var names []string
	for _, c := range r.Conditions {
		runs += len(c.Seeds)
		names = append(names, c.Name)
	}
	title := "nl2sql report"
	if len(names) <= 3 {
		title += ": " + strings.Join(names, ", ")
	}
	p := page{
		Title: render.Visible(title), Differing: len(r.differing()),
		Lead: fmt.Sprintf("%s, %s of %s; scores of profile %s.", counted(len(r.Conditions), "condition"),
			counted(runs, "run"), counted(len(r.Items), "item"), r.Profile),
	}
	for _, n := range r.Notes {
		p.Notes = append(p.Notes, render.Visible(n))
	}
	overview := pagePart{ID: "overview", Title: "Overview", Tables: tables(false, r.overview()...)}
	rates := pagePart{ID: "rates", Title: "Rates"}
	for i, m := range score.Metrics {
		rates.Plots = append(rates.Plots, r.forest(i))
		rates.Tables = append(rates.Tables, tables(true, named(r.metric(i), "Figures of "+m.Name))...)
	}
	tests := r.runTests()
	against := pagePart{ID: "compare", Title: "Comparisons", Plots: []plot{r.differences()},
		Tables: append(tables(false, r.paired()), tables(false, tests)...)}
	classes := pagePart{ID: "classes", Title: "What is right and wrong", Plots: []plot{r.classBars()}}
	for _, s := range r.classes() {
		classes.Tables = append(classes.Tables, tables(true, named(s, "Figures"))...)
	}
	falls := pagePart{ID: "rules", Title: "Guards and repairs",
		Note: "From the query that the model wrote first to the answer: what each rule made right, and what it spoilt. Dashed: never scored (--execute scores it)."}
	for _, c := range r.Conditions {
		if c.Waterfall != nil {
			falls.Plots = append(falls.Plots, c.fallPlot())
			falls.Tables = append(falls.Tables, tables(true, named(c.waterfall(), "Figures of "+c.Name))...)
		}
	}
	sure := pagePart{ID: "confidence", Title: "Confidence", Tables: tables(true, named(r.confidence(), "Figures"))}
	for _, c := range r.Conditions {
		if c.Confidence != nil {
			sure.Plots = append(sure.Plots, c.reliabilityPlot(), c.coveragePlot())
		}
	}
	costs := pagePart{ID: "cost", Title: "Tokens and time", Plots: r.boxes(),
		Tables: tables(false, named(r.costs(), "Means of a question"), r.retrieval())}
	groups := pagePart{ID: "groups", Title: "Parts of the items", Note: "EX, per cent."}
	for _, kind := range groupKinds {
		groups.Tables = append(groups.Tables, r.heat(kind)...)
	}
	ran := pagePart{ID: "ran", Title: "What ran", Tables: tables(false, r.cards())}
	for _, part := range []pagePart{overview, rates, against, classes, falls, sure, groups, costs, ran} {
		part.Plots = slices.DeleteFunc(part.Plots, func(p plot) bool { return len(p.Marks) == 0 })
		if len(part.Plots)+len(part.Tables) > 0 {
			p.Parts = append(p.Parts, part)
		}
	}
	for _, it := range r.Items {
		p.Items = append(p.Items, r.pageItem(it))
	}
	return p
}

// counted is "1 run", "2 runs".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func named(s section, title string) section {
	s.title = title
	return s
}

// tables are sections as the page shows them; empty ones are left out.
func tables(folded bool, list ...section) []pageTable {
	var out []pageTable
	for _, s := range list {
		if s.empty() {
			continue
		}
		t := pageTable{Title: render.Visible(s.title), Note: render.Visible(s.text()), Folded: folded}
		cells := s.cells(false)
		for i, name := range cells.Columns {
			if len(cells.Rows) == 0 {
				break
			}
			_, isText := cells.Rows[0][i].(string)
			t.Head = append(t.Head, pageHead{render.Visible(name), !isText})
		}
		for _, row := range cells.Rows {
			var line []pageCell
			for _, v := range row {
				cell := pageCell{Text: render.Visible(render.CellText(v))}
				if _, isText := v.(string); !isText {
					cell.Class = "number"
				}
				line = append(line, cell)
			}
			t.Rows = append(t.Rows, line)
		}
		out = append(out, t)
	}
	return out
}

// heat is a table of all conditions whose cells are coloured by share.
func (r Report) heat(kind string) []pageTable {
	t := pageTable{Title: "By " + kind, Head: []pageHead{{kind, false}, {"items", true}}}
	for i := range r.Conditions {
		t.Head = append(t.Head, pageHead{render.Visible(r.label(i, 24)), true})
	}
	for _, g := range r.Groups {
		if g.Kind != kind {
			continue
		}
		row := []pageCell{{Text: render.Visible(g.Name)}, {Text: fmt.Sprint(g.Items), Class: "number"}}
		for _, rate := range g.Rates {
			row = append(row, pageCell{Text: fmt.Sprintf("%.1f", 100*rate.Value()), Class: "number " + shade(rate)})
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Rows == nil {
		return nil
	}
	return []pageTable{t}
}

// shade is the style of a share: h0 for none, h10 for all.
func shade(r score.Rate) string {
	level := int(r.Value() * 10)
	if r.Hits > 0 && level == 0 {
		level = 1
	}
	return fmt.Sprintf("h%d", level)
}

// cards say what ran, a column for each condition's first run.
func (r Report) cards() section {
	s := newSection("Of each condition's first run", "", "")
	for _, c := range r.Conditions {
		s.table.Columns = append(s.table.Columns, c.Name)
	}
	for _, line := range []struct {
		name string
		of   func(record.Card) any
	}{
		{"model", func(c record.Card) any { return c.Model }},
		{"model SHA-256", func(c record.Card) any { return short(c.ModelHash) }},
		{"adapter SHA-256", func(c record.Card) any { return short(c.Adapter) }},
		{"agent", func(c record.Card) any { return c.Agent }},
		{"exemplars", func(c record.Card) any {
			if c.Shots == 0 {
				return "none"
			}
			return fmt.Sprintf("%d from %s", c.Shots, c.Pool)
		}},
		{"guards", func(c record.Card) any { return c.Guards }},
		{"items SHA-256", func(c record.Card) any { return short(c.Items) }},
		{"database", func(c record.Card) any { return strings.TrimSpace(c.Backend.Engine + " " + c.Backend.Version) }},
		{"data SHA-256", func(c record.Card) any { return short(c.Data) }},
		{"commit", func(c record.Card) any { return c.Commit }},
		{"machine", func(c record.Card) any { return c.Machine }},
		{"started", func(c record.Card) any {
			if c.Started.IsZero() {
				return ""
			}
			return c.Started.Format("2006-01-02 15:04 MST")
		}},
	} {
		cells, any := []any{line.name}, false
		for _, c := range r.Conditions {
			cell := line.of(c.Card)
			any = any || cell != ""
			cells = append(cells, cell)
		}
		if any {
			s.row(cells...)
		}
	}
	seeds := []any{"seeds"}
	for _, c := range r.Conditions {
		seeds = append(seeds, strings.Join(c.Seeds, ", "))
	}
	s.row(seeds...)
	return s
}

func short(hash string) string { return hash[:min(12, len(hash))] }

func (r Report) pageItem(it ItemReport) pageItem {
	out := pageItem{ID: render.Visible(it.ID), Question: render.Visible(oneLine(it.Question)),
		Gold: visibleLines(it.Gold), Family: render.Visible(it.Family), Differs: it.Differs()}
	for i, rate := range it.Rates {
		text := fmt.Sprintf("%d/%d", rate.Hits, rate.N)
		switch {
		case rate.N == 1 && rate.Hits == 1:
			text = "✓"
		case rate.N == 1:
			text = "✗"
		}
		out.Wrong = out.Wrong || rate.Hits < rate.N
		out.Cells = append(out.Cells, pageCell{Text: text, Class: shade(rate), Title: fmt.Sprintf("%s: %d of %d",
			render.Visible(r.Conditions[i].Name), rate.Hits, rate.N)})
	}
	for _, a := range it.Answers {
		c := r.Conditions[a.Condition]
		answer := pageAnswer{Condition: render.Visible(c.Name), Class: label(a.Class), SQL: visibleLines(a.SQL),
			Detail: render.Visible(firstLine(a.Detail)), Right: a.Right}
		if len(c.Seeds) > 1 {
			answer.Seeds = render.Visible(seedsText(a.Seeds))
		}
		out.Answers = append(out.Answers, answer)
	}
	return out
}
