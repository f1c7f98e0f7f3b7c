package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed patterns.txt
var patternText string

// pattern is a query over roles, and the wordings of its question.
type pattern struct {
	name, family, level string
	lang                string // "" is English, asked of every database
	rare                bool   // fits nearly every schema, and is asked seldom
	roles, sql          string
	wordings            []string
}

// readPatterns reads patterns.txt: blocks of a line "## name family level [lang or rare]", a line of roles, the query, and the wordings.
func readPatterns(text string) ([]pattern, error) {
	var list []pattern
	for _, block := range strings.Split(text, "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		head := strings.Fields(lines[0])
		if len(lines) < 4 || len(head) < 3 {
			return nil, fmt.Errorf("pattern %q is too short", lines[0])
		}
		p := pattern{name: head[0], family: head[1], level: head[2], roles: lines[1], sql: lines[2]}
		if p.rare = len(head) > 3 && head[3] == "rare"; len(head) > 3 && !p.rare {
			p.lang = head[3]
		}
		for _, w := range lines[3:] {
			if w = strings.TrimSpace(w); w != "" {
				p.wordings = append(p.wordings, w)
			}
		}
		list = append(list, p)
	}
	return list, nil
}
