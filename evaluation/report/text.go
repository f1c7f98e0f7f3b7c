package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// format is a way to write a report as text: how a table comes out with what stands above it, items with their answers,
// and a note.
type format struct {
	head  string
	table func(b *bytes.Buffer, s section) error
	items func(b *bytes.Buffer, l list, of int)
	note  func(b *bytes.Buffer, text string)
}

// write writes a report in a format. Behind the first table stand the items that failed, of one run; with compare the
// items follow on which conditions differ.
func (r Report) write(w io.Writer, f format, compare bool) error {
	b := bytes.NewBufferString(f.head)
	for i, s := range r.sections() {
		if i > 0 || f.head != "" {
			b.WriteByte('\n')
		}
		if err := f.table(b, s); err != nil {
			return err
		}
		if failed := r.failures(); i == 0 && len(failed) > 0 {
			f.items(b, list{"Failures", failed, Answer.failed, "\n  sql"}, len(r.Items))
		}
	}
	if compare {
		f.items(b, list{"Items on which the conditions differ", r.differing(), r.answered, ""}, len(r.Items))
	}
	for _, n := range r.Notes {
		b.WriteByte('\n')
		f.note(b, n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// list is of items with their answers.
type list struct {
	title string
	items []ItemReport
	about func(Answer) string // stands above an answer
	sql   string              // what stands between that and the SQL on a terminal
}

// failures are the items that failed, of a report of one run.
func (r Report) failures() []ItemReport {
	if len(r.Conditions) != 1 || len(r.Conditions[0].Seeds) != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Items), ItemReport.AllRight)
}

// differing are the items on which conditions are right unequally often.
func (r Report) differing() []ItemReport { return syntax.Filter(r.Items, ItemReport.Differs) }

// answered names who answered, and how that was judged: "llama_base_k3 (seeds 7, 17), wrong rows: 3 × 2 instead of 4 ×
// 2".
func (r Report) answered(a Answer) string {
	text := r.Conditions[a.Condition].Name
	if len(r.Conditions[a.Condition].Seeds) > 1 {
		text += " (" + a.SeedsText() + ")"
	}
	return text + ", " + a.judged()
}

// failed says how an answer failed, what spoke against it, and how sure it was: "wrong rows: 3 × 2 instead of 4 × 2;
// confidence 0.41; no doubt".
func (a Answer) failed() string {
	text := a.judged()
	if a.Refused != "" {
		text += "; refused: " + firstLine(a.Refused)
	}
	if a.Confidence > 0 {
		text += fmt.Sprintf("; confidence %.2f", a.Confidence)
	}
	if len(a.Doubts) == 0 {
		return text + "; no doubt"
	}
	return text + "; doubts: " + strings.Join(a.Doubts, " | ")
}

// judged is the class of an answer with its detail.
func (a Answer) judged() string {
	if a.Detail == "" {
		return a.Class.Words()
	}
	return a.Class.Words() + ": " + firstLine(a.Detail)
}

// SeedsText names the seeds of an answer.
func (a Answer) SeedsText() string {
	if len(a.Seeds) == 1 {
		return "seed " + a.Seeds[0]
	}
	return "seeds " + strings.Join(a.Seeds, ", ")
}

// counted is "1 run", "2 runs".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
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

// visibleLines is [render.VisibleLines] of text whose tabs are blanks.
func visibleLines(s string) string {
	return render.VisibleLines(strings.NewReplacer("\r\n", "\n", "\t", "  ").Replace(s))
}

// WriteTable writes a report for a terminal. With compare the items follow on which conditions differ.
func (r Report) WriteTable(w io.Writer, screen render.Options, compare bool) error {
	screen.Report = true
	return r.write(w, format{
		table: func(b *bytes.Buffer, s section) error {
			b.WriteString(wrapped(s.Title, screen.Width) + wrapped(s.Text(), screen.Width))
			if len(s.rows) == 0 {
				return nil
			}
			var text bytes.Buffer
			free := render.Options{Report: true, Color: screen.Color}
			_, err := render.Write(&text, s.Cells(false), render.Table, free)
			first, _, _ := strings.Cut(text.String(), "\n")
			if err == nil && screen.Width > 0 && utf8.RuneCountInString(first) > screen.Width {
				text.Reset() // numbers take the place of names
				_, err = render.Write(&text, s.Cells(true), render.Table, screen)
			}
			b.Write(text.Bytes())
			return err
		},
		items: func(b *bytes.Buffer, l list, of int) {
			fmt.Fprintf(b, "\n%s: %d of %d\n", l.title, len(l.items), of)
			for _, it := range l.items {
				fmt.Fprintf(b, "\nitem %s: %s\n  gold: %s\n", render.Visible(it.ID), render.Visible(it.Question),
					indented(it.Gold))
				for _, a := range it.Answers {
					fmt.Fprintf(b, "  %s%s: %s\n", render.Visible(l.about(a)), l.sql, indented(a.SQL))
				}
			}
		},
		note: func(b *bytes.Buffer, text string) { b.WriteString(wrapped("Note: "+text, screen.Width)) },
	}, compare)
}

// wrapped is a paragraph of lines of at most width columns; 0 is unbounded. Of no text it is nothing.
func wrapped(s string, width int) string {
	if s = syntax.OneLine(render.Visible(s)); s == "" {
		return ""
	}
	return render.Wrapped(s, width, "") + "\n"
}

// WriteMarkdown writes a report as GitHub shows it.
func (r Report) WriteMarkdown(w io.Writer, compare bool) error {
	return r.write(w, format{
		table: func(b *bytes.Buffer, s section) error {
			fmt.Fprintf(b, "## %s\n\n", markdown(s.Title))
			if s.Text() != "" {
				fmt.Fprintf(b, "%s\n\n", markdown(s.Text()))
			}
			if len(s.rows) == 0 {
				return nil
			}
			_, err := render.Write(b, s.Cells(false), render.Markdown, render.Options{Report: true})
			return err
		},
		items: func(b *bytes.Buffer, l list, of int) {
			fmt.Fprintf(b, "\n## %s: %d of %d\n", l.title, len(l.items), of)
			for _, it := range l.items {
				fmt.Fprintf(b, "\n**%s** %s\n\n- gold:\n\n%s", markdown(it.ID), markdown(it.Question), fenced(it.Gold))
				for _, a := range it.Answers {
					fmt.Fprintf(b, "- %s:\n\n%s", markdown(l.about(a)), fenced(a.SQL))
				}
			}
		},
		note: func(b *bytes.Buffer, text string) { fmt.Fprintf(b, "> %s\n", markdown(text)) },
	}, compare)
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<",
	"&lt;", "&", "&amp;", "|", `\|`, "#", `\#`, "!", `\!`, "~", `\~`)

// markdown is one line of text that Markdown takes for nothing else.
func markdown(s string) string { return markdownEscapes.Replace(render.Visible(syntax.OneLine(s))) }

// fenced is a block of code in a list, behind a fence that is longer than any in it.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fmt.Sprintf("  %ssql\n  %s\n  %s\n\n", fence, strings.ReplaceAll(indented(s), "\n    ", "\n  "), fence)
}

// WriteLaTeX writes the tables of a report for \input; they need the package booktabs. With compare the items follow.
func (r Report) WriteLaTeX(w io.Writer, compare bool) error {
	return r.write(w, format{
		head:  "% needs \\usepackage{booktabs}, \\usepackage[T1]{fontenc} and UTF-8\n",
		table: latexTable,
		items: func(b *bytes.Buffer, l list, of int) {
			if len(l.items) == 0 {
				return
			}
			fmt.Fprintf(b, "\n\\paragraph{%s: %d of %d}\n\\begin{description}\n", l.title, len(l.items), of)
			for _, it := range l.items {
				fmt.Fprintf(b, "\\item[%s] %s\\\\ gold: \\texttt{%s}", latex(it.ID), latex(it.Question), latex(it.Gold))
				for _, a := range it.Answers {
					fmt.Fprintf(b, "\\\\ %s: \\texttt{%s}", latex(l.about(a)), latex(a.SQL))
				}
				b.WriteByte('\n')
			}
			b.WriteString("\\end{description}\n")
		},
		note: func(b *bytes.Buffer, text string) { fmt.Fprintf(b, "%% %s\n", latex(text)) },
	}, compare)
}

func latexTable(b *bytes.Buffer, s section) error {
	if len(s.rows) == 0 {
		fmt.Fprintf(b, "%% %s: %s\n", latex(s.Title), latex(s.why))
		return nil
	}
	t := s.Cells(false)
	align := make([]byte, len(t.Columns))
	for c := range t.Columns {
		align[c] = 'r'
		if slices.ContainsFunc(t.Rows, func(row []any) bool { _, is := row[c].(string); return is }) {
			align[c] = 'l'
		}
	}
	line := func(cells []string) string {
		cells = slices.Clone(cells)
		for i := range cells {
			cells[i] = latex(cells[i])
		}
		return strings.Join(cells, " & ") + " \\\\\n"
	}
	fmt.Fprintf(b, "\\begin{table}\n\\centering\n\\caption{%s}\n\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n",
		latex(strings.TrimSuffix(s.Title+". "+s.Text(), ". ")), align, line(t.Columns))
	for _, row := range t.Rows {
		b.WriteString(line(render.CellTexts(row)))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	return nil
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`,
	"^", `\textasciicircum{}`,
	"_", `\_`, "~", `\textasciitilde{}`, "%", `\%`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`,
	`\textquotedbl{}`, "`", `\textasciigrave{}`,
	"'", `\textquotesingle{}`, "[", "{[}", "]", "{]}", "*", "{*}", "–", "--", "→", `$\rightarrow$`, "…",
	`\ldots{}`, "×", `$\times$`)

// latex is one line of text that TeX takes for nothing else.
func latex(s string) string { return latexEscapes.Replace(render.Visible(syntax.OneLine(s))) }

// WriteJSON writes a report for machines: one object.
func (r Report) WriteJSON(w io.Writer) error { return render.WriteJSON(w, r) }
