package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/render"
)

// WriteTable writes a report for a terminal. With compare the items follow on which conditions differ.
func (r Report) WriteTable(w io.Writer, screen render.Options, compare bool) error {
	b, width := &bytes.Buffer{}, screen.Width
	screen.Report = true
	for i, s := range r.sections() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(wrapped(s.title, width))
		b.WriteString(wrapped(s.text(), width))
		if len(s.table.Rows) == 0 {
			continue
		}
		var text bytes.Buffer
		if _, err := render.Write(&text, s.cells(false), render.Table, render.Options{Report: true,
			Color: screen.Color}); err != nil {
			return err
		}
		if width > 0 && lineWidth(text.String()) > width { // numbers take the place of names
			text.Reset()
			if _, err := render.Write(&text, s.cells(true), render.Table, screen); err != nil {
				return err
			}
		}
		b.Write(text.Bytes())
	}
	for _, l := range r.lists(compare) {
		fmt.Fprintf(b, "\n%s: %d of %d\n", l.title, len(l.items), len(r.Items))
		for _, it := range l.items {
			fmt.Fprintf(b, "\nitem %s: %s\n", render.Visible(it.ID), render.Visible(it.Question))
			fmt.Fprintf(b, "  gold: %s\n", indented(it.Gold))
			for _, a := range it.Answers {
				fmt.Fprintf(b, "  %s%s: %s\n", render.Visible(l.about(a)), l.sql, indented(a.SQL))
			}
		}
	}
	for _, n := range r.Notes {
		b.WriteString("\n" + wrapped("Note: "+n, width))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// wrapped is a paragraph of lines of at most width columns; 0 is unbounded. Of no text it is nothing.
func wrapped(s string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(render.Visible(s)) {
		n := utf8.RuneCountInString(word)
		switch {
		case column > 0 && width > 0 && column+1+n > width:
			b.WriteByte('\n')
			column = 0
		case column > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	if column > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// lineWidth is the width of the first line of a table, which all lines have.
func lineWidth(table string) int {
	first, _, _ := strings.Cut(table, "\n")
	return utf8.RuneCountInString(first)
}

// list is of items with their answers.
type list struct {
	title string
	items []ItemReport
	about func(Answer) string // stands above an answer
	sql   string              // what stands between that and the SQL on a terminal
}

// lists are the items that a report in words ends with: with compare those on which conditions differ, and of one run
// those that failed.
func (r Report) lists(compare bool) (all []list) {
	if compare {
		all = append(all, list{"Items on which the conditions differ", r.differing(), r.answered, ""})
	}
	if failures := r.failures(); len(failures) > 0 {
		all = append(all, list{"Failures", failures, Answer.failed, "\n  sql"})
	}
	return all
}

// differing are the items on which conditions differ.
func (r Report) differing() []ItemReport {
	var out []ItemReport
	for _, it := range r.Items {
		if it.Differs() {
			out = append(out, it)
		}
	}
	return out
}

// answered names who answered, and how that was judged: "llama_base_k3 (seeds 7, 17), wrong rows: 3 × 2 instead of 4 ×
// 2".
func (r Report) answered(a Answer) string {
	text := r.Conditions[a.Condition].Name
	if len(r.Conditions[a.Condition].Seeds) > 1 {
		text += " (" + seedsText(a.Seeds) + ")"
	}
	text += ", " + label(a.Class)
	if a.Detail != "" {
		text += ": " + firstLine(a.Detail)
	}
	return text
}

func seedsText(seeds []string) string {
	if len(seeds) == 1 {
		return "seed " + seeds[0]
	}
	return "seeds " + strings.Join(seeds, ", ")
}

// firstLine of a server's message is what happened; what follows repeats the query.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// indented is text of several lines under a label, without what a terminal would obey.
func indented(s string) string {
	if s = visibleLines(strings.TrimSpace(s)); s == "" {
		return "(none)"
	}
	return strings.ReplaceAll(s, "\n", "\n    ")
}

// visibleLines is render.Visible that keeps the ends of lines.
func visibleLines(s string) string {
	rows := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, row := range rows {
		rows[i] = render.Visible(strings.ReplaceAll(row, "\t", "  "))
	}
	return strings.Join(rows, "\n")
}

// WriteMarkdown writes a report as GitHub shows it.
func (r Report) WriteMarkdown(w io.Writer, compare bool) error {
	b := &bytes.Buffer{}
	for i, s := range r.sections() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "## %s\n\n", markdown(s.title))
		if s.text() != "" {
			fmt.Fprintf(b, "%s\n\n", markdown(s.text()))
		}
		if len(s.table.Rows) == 0 {
			continue
		}
		if _, err := render.Write(b, s.cells(false), render.Markdown, render.Options{Report: true}); err != nil {
			return err
		}
	}
	for _, l := range r.lists(compare) {
		fmt.Fprintf(b, "\n## %s: %d of %d\n", l.title, len(l.items), len(r.Items))
		for _, it := range l.items {
			fmt.Fprintf(b, "\n**%s** %s\n\n- gold:\n\n%s", markdown(it.ID), markdown(it.Question), fenced(it.Gold))
			for _, a := range it.Answers {
				fmt.Fprintf(b, "- %s:\n\n%s", markdown(l.about(a)), fenced(a.SQL))
			}
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\n> %s\n", markdown(n))
	}
	_, err := w.Write(b.Bytes())
	return err
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<",
	"&lt;", "&", "&amp;", "|", `\|`, "#", `\#`, "!", `\!`, "~", `\~`)

// markdown is one line of text that Markdown takes for nothing else.
func markdown(s string) string { return markdownEscapes.Replace(render.Visible(oneLine(s))) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// fenced is a block of code in a list, behind a fence that is longer than any in it.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	text := strings.ReplaceAll(indented(s), "\n    ", "\n  ")
	return fmt.Sprintf("  %ssql\n  %s\n  %s\n\n", fence, text, fence)
}

// WriteLaTeX writes the tables of a report for \input; they need the package booktabs. With compare the items follow.
func (r Report) WriteLaTeX(w io.Writer, compare bool) error {
	b := &bytes.Buffer{}
	b.WriteString("% needs \\usepackage{booktabs}, \\usepackage[T1]{fontenc} and UTF-8\n")
	for _, s := range r.sections() {
		if len(s.table.Rows) == 0 {
			fmt.Fprintf(b, "\n%% %s: %s\n", latex(s.title), latex(s.why))
			continue
		}
		t := s.cells(false)
		align := make([]byte, len(t.Columns))
		for c := range t.Columns {
			align[c] = 'r'
			for _, row := range t.Rows {
				if _, is := row[c].(string); is {
					align[c] = 'l'
				}
			}
		}
		fmt.Fprintf(b, "\n\\begin{table}\n\\centering\n\\caption{%s}\n\\begin{tabular}{%s}\n\\toprule\n",
			latex(strings.TrimSuffix(s.title+". "+s.text(), ". ")), align)
		line := func(cells []string) {
			for i := range cells {
				cells[i] = latex(cells[i])
			}
			fmt.Fprintf(b, "%s \\\\\n", strings.Join(cells, " & "))
		}
		line(slices.Clone(t.Columns))
		b.WriteString("\\midrule\n")
		for _, row := range t.Rows {
			line(render.CellTexts(row))
		}
		b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	}
	if compare && len(r.differing()) > 0 {
		fmt.Fprintf(b, "\n\\paragraph{Items on which the conditions differ: %d of %d}\n\\begin{description}\n",
			len(r.differing()), len(r.Items))
		for _, it := range r.differing() {
			fmt.Fprintf(b, "\\item[%s] %s\\\\ gold: \\texttt{%s}", latex(it.ID), latex(it.Question), latex(it.Gold))
			for _, a := range it.Answers {
				fmt.Fprintf(b, "\\\\ %s: \\texttt{%s}", latex(r.answered(a)), latex(a.SQL))
			}
			b.WriteByte('\n')
		}
		b.WriteString("\\end{description}\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\n%% %s\n", latex(n))
	}
	_, err := w.Write(b.Bytes())
	return err
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`,
	"^", `\textasciicircum{}`,
	"_", `\_`, "~", `\textasciitilde{}`, "%", `\%`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`,
	`\textquotedbl{}`, "`", `\textasciigrave{}`,
	"'", `\textquotesingle{}`, "[", "{[}", "]", "{]}", "*", "{*}", "–", "--", "→", `$\rightarrow$`, "…",
	`\ldots{}`, "×", `$\times$`)

// latex is one line of text that TeX takes for nothing else.
func latex(s string) string { return latexEscapes.Replace(render.Visible(oneLine(s))) }

// WriteJSON writes a report for machines: one object.
func (r Report) WriteJSON(w io.Writer) error {
	text, err := render.JSONText(r)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
