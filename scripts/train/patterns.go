package main

import (
	_ "embed"
	"fmt"
	"strings"
)

var (
	//go:embed patterns.txt
	patternText string
	//go:embed languages.txt
	languageText string
)

// pattern is a query over roles, and the wordings of its question.
type pattern struct {
	name, family, level string
	rare                bool // fits nearly every schema, and is asked seldom
	roles, sql          string
	wordings            []string
}

// readPatterns reads patterns.txt: blocks of a line "## name family level [rare]", a line of roles, the query, and the
// wordings.
func readPatterns(text string) ([]pattern, error) {
	var list []pattern
	for _, block := range strings.Split(text, "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		head := strings.Fields(lines[0])
		if len(lines) < 4 || len(head) < 3 {
			return nil, fmt.Errorf("pattern %q is too short", lines[0])
		}
		p := pattern{name: head[0], family: head[1], level: head[2], roles: lines[1], sql: lines[2],
			rare: len(head) > 3}
		for _, w := range lines[3:] {
			if w = strings.TrimSpace(w); w != "" {
				p.wordings = append(p.wordings, w)
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// inLanguage keeps the wordings of one language, without its mark.
func inLanguage(list []pattern, lang string) (own []pattern) {
	for _, p := range list {
		words := p.wordings
		p.wordings = nil
		for _, w := range words {
			if w, ok := strings.CutPrefix(w, lang+" "); ok {
				p.wordings = append(p.wordings, w)
			}
		}
		if p.family += " " + lang; len(p.wordings) > 0 {
			own = append(own, p)
		}
	}
	return own
}
