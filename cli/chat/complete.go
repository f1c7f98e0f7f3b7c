package chat

import (
	"slices"
	"strings"

	"github.com/reeflective/readline"

	"nl2sql/sqlcheck/schema"
)

// Word is what may be written next.
type Word struct {
	Text string
	Is   string // what it is: "table", "column of …", "value of …", or what a command does
}

// completions are what may stand where the cursor is.
func completions(words func(before string) []Word, line []rune, cursor int) readline.Completions {
	var pairs []string
	for _, w := range words(string(line[:min(cursor, len(line))])) {
		pairs = append(pairs, w.Text, w.Is)
	}
	return readline.CompleteValuesDescribed(pairs...)
}

// mostWords are shown at once.
const mostWords = 60

// Complete are the words that go on from what stands before the cursor: names of commands, what a command takes, and in
// a question tables, columns and values.
func (c *Chat) Complete(before string, s *schema.Schema) (out []Word) {
	name, behind, spaced := strings.Cut(before, " ")
	last := before[strings.LastIndexAny(before, " \t\n")+1:]
	add := func(w Word) {
		begins := len(w.Text) >= len(last) && strings.EqualFold(w.Text[:len(last)], last)
		if len(out) < mostWords && begins && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if strings.HasPrefix(before, `\`) {
		for _, cmd := range c.Commands {
			switch {
			case !spaced:
				add(Word{`\` + cmd.Name, cmd.Help})
			case `\`+cmd.Name == name && cmd.Words != nil:
				for _, w := range cmd.Words() {
					if !strings.Contains(behind, " ") {
						add(Word{Text: w})
					}
				}
			}
		}
		return out
	}
	if last == "" || s == nil {
		return nil
	}
	for _, t := range s.Tables {
		add(Word{t.Name, "table"})
	}
	for _, t := range s.Tables {
		for _, col := range t.Columns {
			add(Word{col.Name, "column of " + t.Name})
		}
	}
	for _, t := range s.Tables {
		for _, col := range t.Columns {
			for _, v := range slices.Concat(col.Values, col.Texts) {
				add(Word{v, "value of " + t.Name + "." + col.Name})
			}
		}
	}
	return out
}
