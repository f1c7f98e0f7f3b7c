package main

import (
	"regexp"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

func ident(s string) string {
	for i, r := range s {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return syntax.QuoteName(s)
		}
	}
	if syntax.Reserved(s) || strings.EqualFold(s, "dec") {
		return syntax.QuoteName(s)
	}
	return s
}

// qualified is a column, behind its table's alias if it is not "".
func qualified(alias, name string) string {
	if alias == "" {
		return ident(name)
	}
	return alias + "." + ident(name)
}

func exprs(cols []*column, alias, sep string) string {
	var list []string
	for _, c := range cols {
		list = append(list, inSQL(c.expr, alias))
	}
	return strings.Join(list, sep)
}

// inSQL writes an expression with its columns qualified by alias, if it is not "".
func inSQL(expr, alias string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(expr, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		col, after, _ := strings.Cut(rest, "}")
		if alias != "" {
			b.WriteString(alias + ".")
		}
		b.WriteString(ident(col))
		expr = after
	}
}

func article(noun string) string {
	head, _, _ := strings.Cut(noun, " of ")
	switch {
	case strings.HasSuffix(head, "s") && !strings.HasSuffix(head, "ss") && !strings.HasSuffix(head, "us"):
		return noun
	case strings.HasPrefix(noun, "hour"), strings.ContainsRune("aeiou", rune(noun[0])) &&
		!strings.HasPrefix(noun, "uni") && !strings.HasPrefix(noun, "use"):
		return "an " + noun
	}
	return "a " + noun
}

// is fits a noun: "whose price is", "whose hours are".
func is(noun string) string {
	if article(noun) == noun {
		return " are "
	}
	return " is "
}

var oddPlurals = map[string]string{"person": "people", "child": "children", "staff": "staff", "series": "series",
	"aircraft": "aircraft", "man": "men", "woman": "women", "half": "halves", "lens": "lenses",
	"faculty": "faculty members", "species": "species"}

// plural of a phrase: of the word before "of", "in" or "per", else of its last word.
func plural(noun string) string {
	for _, cut := range []string{" of ", " in ", " per ", " between ", " for ", " from "} {
		if head, rest, ok := strings.Cut(noun, cut); ok {
			return plural(head) + cut + rest
		}
	}
	if before, last, ok := cutLast(noun, " and "); ok {
		return before + " and " + plural(last)
	}
	head, last, ok := cutLast(noun, " ")
	if ok {
		return head + " " + plural(last)
	}
	last = noun
	if p, ok := oddPlurals[last]; ok {
		return p
	}
	switch n := len(last); {
	case n > 1 && last[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(last[n-2])):
		return last[:n-1] + "ies"
	case strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && !strings.HasSuffix(last, "us") &&
		!strings.HasSuffix(last, "is"):
		return last // points, hours
	case strings.HasSuffix(last, "s") || strings.HasSuffix(last, "x") || strings.HasSuffix(last, "ch") ||
		strings.HasSuffix(last, "sh"):
		return last + "es"
	}
	return last + "s"
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// singular of a word as tables are named.
func singular(w string) string {
	for one, many := range oddPlurals {
		if w == many || w == one {
			return one
		}
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// single puts a plural's predicate into the singular: "were placed" becomes "was placed".
func single(do string) string {
	first, rest, _ := strings.Cut(do, " ")
	if s, ok := map[string]string{"were": "was", "are": "is", "have": "has", "do": "does", "belong": "belongs",
		"live": "lives", "work": "works", "run": "runs", "look": "looks", "expire": "expires"}[first]; ok {
		first = s
	}
	rest = strings.NewReplacer(" and were ", " and was ", " and are ", " and is ", " and have ", " and has ",
		" or were ", " or was ", " or are ", " or is ", " or have ", " or has ", " their ", " its ").Replace(" " + rest)
	return strings.TrimSpace(first + rest)
}

var slot = regexp.MustCompile(`\{([^{}]+)\}`)

// fillIn replaces the slots of a template.
func fillIn(template string, part func(string) (string, error)) (string, error) {
	var failed error
	out := slot.ReplaceAllStringFunc(template, func(s string) string {
		v, err := part(s[1 : len(s)-1])
		if err != nil {
			failed = err
		}
		return v
	})
	return out, failed
}
