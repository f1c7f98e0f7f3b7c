// Package grammar is for tests that try many texts: it writes texts at random by the rules of a file.
//
// A line at the left is the name of a rule; the indented lines below it are what may stand for it, each as likely as
// the others, or N times as likely behind "N× ". In these «rule» is a text of another rule, one level deeper, «rule 2»
// one that has two levels left, and «a¦b» one of several texts, which may hold such parts themselves. Where no level is
// left, a rule called "rule.leaf" stands for one called "rule". A line that begins with "# " is a comment.
package grammar

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Rules are what may stand for each name.
type Rules map[string][]string

// called is a part that names a rule.
var called = regexp.MustCompile(`«([^ «»¦]+)(?: [0-9]+)?»`)

// Parse reads rules. All that they name must be there: other rules, and the slots.
func Parse(rules string, slots ...string) (Rules, error) {
	r, name := Rules{}, ""
	for n, line := range strings.Split(rules, "\n") {
		text, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
			continue
		case !indented:
			name = line
			continue
		}
		times := 1
		if count, rest, ok := strings.Cut(text, "× "); ok {
			var err error
			if times, err = strconv.Atoi(count); err != nil {
				return nil, fmt.Errorf("grammar: line %d: %q is no number of times", n+1, count)
			}
			text = rest
		}
		r[name] = append(r[name], slices.Repeat([]string{text}, times)...)
	}
	for _, m := range called.FindAllStringSubmatch(rules, -1) {
		if r[m[1]] == nil && r[m[1]+".leaf"] == nil && !slices.Contains(slots, m[1]) {
			return nil, fmt.Errorf("grammar: there is no rule %q", m[1])
		}
	}
	return r, nil
}

// Writer writes texts by rules.
type Writer struct {
	Rules
	*rand.Rand
	Slots map[string]func() string // what is written by who knows more than rules do
}

// Text is one of a rule, so many levels deep.
func (w *Writer) Text(rule string, depth int) string {
	if slot := w.Slots[rule]; slot != nil {
		return slot()
	}
	list := w.Rules[rule]
	if leaf := w.Rules[rule+".leaf"]; leaf != nil && (depth <= 0 || list == nil) {
		list = leaf
	}
	return w.fill(list[w.IntN(len(list))], depth)
}

// fill writes the parts of a text.
func (w *Writer) fill(text string, depth int) string {
	var b strings.Builder
	for {
		before, choices, rest := cut(text)
		b.WriteString(before)
		switch len(choices) {
		case 0:
			return b.String()
		case 1:
			name, levels, given := strings.Cut(choices[0], " ")
			deep := depth - 1
			if n, err := strconv.Atoi(levels); given && err == nil {
				deep = n
			}
			b.WriteString(w.Text(name, deep))
		default:
			b.WriteString(w.fill(choices[w.IntN(len(choices))], depth))
		}
		text = rest
	}
}

// cut cuts a text at its first part: what is before it, what it may be, and what is behind it.
func cut(text string) (before string, choices []string, rest string) {
	before, text, _ = strings.Cut(text, "«")
	open, from := 0, 0
	for i, c := range text {
		switch {
		case c == '«':
			open++
		case c == '¦' && open == 0:
			choices, from = append(choices, text[from:i]), i+len("¦")
		case c == '»' && open == 0:
			return before, append(choices, text[from:i]), text[i+len("»"):]
		case c == '»':
			open--
		}
	}
	return before, nil, ""
}

//go:embed composed.grammar
var composed string

var composedRules = sync.OnceValue(func() Rules {
	rules, err := Parse(composed, "table", "known")
	if err != nil {
		panic(err) // a file of ours
	}
	return rules
})

// Composed is a SELECT at random: what a model may write at its worst. It parses; most of them MySQL refuses.
func Composed(random *rand.Rand, s *schema.Schema) string {
	table := func() schema.Table { return s.Tables[random.IntN(len(s.Tables))] }
	w := Writer{Rules: composedRules(), Rand: random, Slots: map[string]func() string{
		"table": func() string { return syntax.QuoteName(table().Name) },
		"known": func() string {
			columns := table().Columns
			return syntax.QuoteName(columns[random.IntN(len(columns))].Name)
		},
	}}
	return w.Text("query", 13)
}
