// Package seed has the original program's rules as the dissertation ran them, text patterns and all, to be measured
// against: they are known to turn right queries wrong. Begin with Rule. It imports schema, and sqlcheck for verdicts.
package seed

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// A Rule is one of the original program's rules as the dissertation ran them: text patterns, which know nothing of
// our parser, kept to be measured against.
type Rule func(sql, question string, s *schema.Schema) (out string)

//go:embed words.txt
var seedWordsFile string

// seedWords are the sections of words.txt, in file order.
var seedWords = func() map[string][][2]string {
	m, section := map[string][][2]string{}, ""
	for line := range strings.Lines(seedWordsFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		default:
			k, v, _ := strings.Cut(line, ": ")
			m[section] = append(m[section], [2]string{k, v})
		}
	}
	return m
}()

var (
	seedFence    = regexp.MustCompile("(?i)```(?:sql|json)?")
	seedSelect   = regexp.MustCompile(`(?is)(?:^|\n)[ \t]*(?:sql:\s*)?(select\b[^;]*)`)
	seedSelectAt = regexp.MustCompile(`(?i)select`)
	seedTarget   = regexp.MustCompile("(?i)\\bfrom\\s+(\\(|[`\"]?[a-z_][\\w$]*)")
	seedEcho     = regexp.MustCompile(`(?i)\b(?:output only|no explanation|no markdown|respond with|show output|` +
		`outputformatting|output formatting|y/n)\b`)
	seedFrom     = regexp.MustCompile(`(?i)\bfrom\b`)
	seedList     = regexp.MustCompile(`(?is)\bselect\s+(.*?)\s+from\b`)
	seedFromWord = regexp.MustCompile(`(?i)\bfrom\s+([a-z_]\w*)(?:\s|$)`)
	seedFromAny  = regexp.MustCompile(`(?i)\bfrom\s*\(`)
	seedToken    = regexp.MustCompile(`[A-Za-z_]\w*`)
	seedOrderBy  = regexp.MustCompile(`(?is)\s*\border\s+by\b[^;]*`)
	seedLimit    = regexp.MustCompile(`(?i)\s*\blimit\s+\d+`)
	seedRanking  = regexp.MustCompile(`(?i)\b(?:top|highest|lowest|most|least|largest|smallest|` +
		`first|last|max|min|order|sort|rank)\b`)
	finalRanking = regexp.MustCompile(`(?i)\b(?:top|highest|lowest|most|least|largest|smallest|max|min|order|sort|rank)\b`)
	seedAsksID   = regexp.MustCompile(`(?i)\b(?:ids?|numbers?|codes?|line item|line number)\b`)
)

var seedKeywords = syntax.WordSet(`select from where and or not in is null as on join inner left right outer full
	cross using group by having order asc desc limit offset distinct union all case when then else end like between
	exists count sum avg min max rows show explain analyze optimize repair checksum procedure call`)

// seedFirstSelect finds a SELECT at the start of a line, or returns "".
func seedFirstSelect(text string) string {
	m := seedSelect.FindStringSubmatch(seedFence.ReplaceAllString(text, ""))
	if m == nil {
		return ""
	}
	sql := strings.TrimSpace(m[1])
	t := seedTarget.FindStringSubmatch(sql)
	if t == nil || slices.Contains(strings.Fields("the a an this that these those"), strings.ToLower(t[1])) {
		return ""
	}
	return sql + ";"
}

// Clean takes the first SELECT out of a model's text (dissertation.md 2.7).
func Clean(raw string) (string, sqlcheck.Verdict) {
	reject := func(r sqlcheck.Reason) (string, sqlcheck.Verdict) { return "", sqlcheck.Reject("clean", r, "") }
	if raw == "" {
		return reject("empty")
	}
	sql := cmp.Or(seedFirstSelect(raw), strings.TrimSpace(raw))
	at := seedSelectAt.FindStringIndex(sql)
	if at == nil {
		return reject("no_select")
	}
	sql = sql[at[0]:]
	if m := seedEcho.FindStringIndex(sql); m != nil {
		sql = sql[:m[0]]
	}
	sql, _, _ = strings.Cut(sql, ";")
	sql = strings.TrimSpace(sql)
	low := strings.ToLower(sql)
	if !seedFrom.MatchString(low) {
		return reject("no_from")
	}
	m := seedList.FindStringSubmatch(low)
	isName := func(w string) bool { return !seedKeywords[w] }
	if m != nil && !strings.ContainsAny(m[1], "*(") && !slices.ContainsFunc(seedToken.FindAllString(m[1], -1), isName) {
		return reject("no_select_fields")
	}
	if !seedFromAny.MatchString(low) {
		m := seedFromWord.FindStringSubmatch(low)
		if m == nil {
			return reject("no_from")
		}
		if seedKeywords[m[1]] {
			return reject("no_from_table")
		}
	}
	names, keywords := 0, 0
	for _, w := range seedToken.FindAllString(low, -1) {
		if seedKeywords[w] {
			keywords++
		} else {
			names++
		}
	}
	switch {
	case names == 0:
		return reject("no_identifiers")
	case names+keywords >= 12 && keywords >= 3*names:
		return reject("keyword_soup")
	case strings.Contains(low, "```") || strings.Contains(low, "answer:") || strings.Contains(low, "explanation"):
		return reject("bad_phrase")
	case strings.Contains(low, "select query") || strings.Contains(low, "select statement"):
		return reject("instruction_echo")
	}
	return sql + ";", sqlcheck.Pass("clean")
}

// Postprocess takes out orders, limits and ids that the question has no word for.
func Postprocess(sql, question string, _ *schema.Schema) string {
	out := seedStrip(sql, question, seedRanking)
	if !seedAsksID.MatchString(question) {
		out = seedRebuild(out, func(items []string) []string {
			kept := slices.DeleteFunc(slices.Clone(items), seedIsID)
			if len(kept) == 0 {
				return items
			}
			return kept
		})
	}
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(question)), "list all") {
		out = seedRebuild(out, func(items []string) []string { return items[:1] })
	}
	return out
}

// seedStrip keeps the first SELECT, and its order and limit only where the question has a cue for them.
func seedStrip(sql, question string, cue *regexp.Regexp) string {
	if first := seedFirstSelect(sql); first != "" {
		sql = first
	}
	if !cue.MatchString(question) {
		sql = seedLimit.ReplaceAllString(seedOrderBy.ReplaceAllString(sql, ""), "")
	}
	return sql
}

// Final is what the original's last loop did to each query (dissertation.md 1.3).
func Final(sql, question string, _ *schema.Schema) string {
	return seedStrip(sql, question, finalRanking)
}

func seedIsID(item string) bool {
	words := strings.Fields(item)
	if len(words) == 0 {
		return false
	}
	for _, w := range seedToken.FindAllString(words[len(words)-1], -1) {
		for _, id := range seedWords["id"] {
			if strings.EqualFold(w, id[0]) {
				return true
			}
		}
	}
	return false
}

// seedRebuild replaces the select list by what pick makes of its items; a list with a star is left alone.
func seedRebuild(sql string, pick func([]string) []string) string {
	m := seedList.FindStringSubmatchIndex(sql)
	if m == nil {
		return sql
	}
	list := sql[m[2]:m[3]]
	if strings.Contains(list, "*") {
		return sql
	}
	items := splitTop(list)
	picked := pick(items)
	if slices.Equal(items, picked) || len(picked) == 0 {
		return sql
	}
	return sql[:m[2]] + strings.Join(picked, ", ") + sql[m[3]:]
}

// splitTop cuts at commas outside brackets.
func splitTop(list string) (items []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				items = append(items, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	return append(items, strings.TrimSpace(list[from:]))
}

// Projection keeps the columns that the question lists, in its order.
func Projection(sql, question string, _ *schema.Schema) string {
	want := seedRequired(question)
	out := sql
	if len(want) > 0 {
		out = seedRebuild(sql, func(items []string) []string {
			var picked []string
			for _, col := range want {
				for _, it := range items {
					if strings.Contains(strings.ToLower(it), strings.ToLower(col)) {
						if !slices.Contains(picked, it) {
							picked = append(picked, it)
						}
						break
					}
				}
			}
			return picked
		})
	}
	return out
}

// seedRequired are the columns that the original takes a question to ask for, in its order.
func seedRequired(question string) []string {
	low := strings.ToLower(question)
	lists := strings.Contains(low, ",") || strings.Contains(low, " and ") || strings.Contains(low, " with ")
	for _, p := range []string{"show", "list", "give", "display"} {
		lists = lists || strings.HasPrefix(low, p)
	}
	type hit struct {
		at  int
		col string
	}
	var hits []hit
	if lists {
		for _, c := range seedWords["column"] {
			if i := strings.Index(low, c[0]); i >= 0 {
				hits = append(hits, hit{i, c[1]})
			} else if plural, ok := strings.CutSuffix(c[0], "y"); ok && strings.Contains(low, plural+"ies") {
				hits = append(hits, hit{strings.Index(low, plural+"ies"), c[1]})
			}
		}
		for _, c := range seedWords["codes"] {
			if i := strings.Index(low, "codes"); i >= 0 && strings.Contains(low, c[0]) {
				hits = append(hits, hit{i, c[1]})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return a.at - b.at })
	var want []string
	for _, h := range hits {
		if !slices.Contains(want, h.col) {
			want = append(want, h.col)
		}
	}
	if len(want) == 0 {
		for _, e := range seedWords["entity"] {
			if strings.Contains(low, e[0]) {
				return []string{e[1]}
			}
		}
	}
	return want
}

// Casing writes every word that is a table's name as the schema does, in literals too.
func Casing(sql, _ string, s *schema.Schema) string {
	out := sql
	if s != nil {
		out = seedToken.ReplaceAllStringFunc(sql, func(w string) string {
			if t, ok := s.Table(w); ok {
				return t.Name
			}
			return w
		})
	}
	return out
}
