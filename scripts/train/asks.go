package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
)

//go:embed asks/*.txt
var asks embed.FS

// asked is a query about one database with its questions: what no pattern over roles says as people do.
type asked struct {
	family, level, sql string
	wordings           []string // a language before each
}

// choice is what a slot stands for: a piece of SQL, and the words for it by language.
type choice struct {
	sql   string
	words map[string]string
}

// readAsks reads asks/NAME.txt: lines "$ slot | SQL | en | de | es | fr", of which the last words hold for all
// languages that have none, and blocks "## family level", a query, its wordings.
func readAsks(text string) (list []asked, slots map[string][]choice, err error) {
	slots = map[string][]choice{}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch head := strings.Fields(line); {
		case line == "" || head[0] == "#":
		case head[0] == "$":
			f := strings.Split(line[1:], "|")
			c := choice{sql: strings.TrimSpace(f[min(1, len(f)-1)]), words: map[string]string{}}
			for i, lang := range append([]string{"en"}, languages...) {
				c.words[lang] = strings.TrimSpace(f[min(i+2, len(f)-1)])
			}
			name := strings.TrimSpace(f[0])
			slots[name] = append(slots[name], c)
		case head[0] == "##" && len(head) == 3:
			list = append(list, asked{family: head[1], level: head[2]})
		case len(list) == 0:
			return nil, nil, fmt.Errorf("line %d stands before the first block", n+1)
		default:
			a := &list[len(list)-1]
			if a.sql == "" {
				a.sql = line
				continue
			}
			a.wordings = append(a.wordings, line)
		}
	}
	return list, slots, nil
}

// fromAsks writes the items of asks/NAME.txt, if there are any: each wording once, with slots twice.
func (g *generator) fromAsks(ctx context.Context, b, spoiler *binder, x *score.Executor) error {
	text, err := asks.ReadFile("asks/" + b.d.name + ".txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	list, slots, err := readAsks(string(text))
	if err != nil {
		return fmt.Errorf("asks/%s.txt: %w", b.d.name, err)
	}
	id := 0
	for _, a := range list {
		for _, w := range a.wordings {
			lang, w, _ := strings.Cut(w, " ")
			done := map[string]bool{}
			for try := 0; try < 6 && len(done) < 1+min(1, strings.Count(a.sql, "{")); try++ {
				sql, q, err := fillAsk(ctx, b, x, slots, a.sql, w, lang)
				if err != nil {
					return fmt.Errorf("asks/%s.txt: %s: %w", b.d.name, w, err)
				}
				if done[sql] || g.seen[normal(q)] {
					continue
				}
				o, err := x.Run(ctx, sql)
				if err != nil {
					return err
				}
				if why := unfit(o); why != "" {
					g.count["dropped of asks: "+why]++
					if why == "refused" {
						return fmt.Errorf("asks/%s.txt: %s: %s", b.d.name, sql, o.Error)
					}
					continue
				}
				done[sql], g.seen[normal(q)] = true, true
				it := item.Item{ID: fmt.Sprintf("asked-%s-%d", b.d.name, id), Database: b.d.name, Family: a.family,
					Difficulty: a.level, Tags: []string{"asked " + lang}, Question: q, SQL: sql}
				id++
				g.count["asked "+lang]++
				if err := errors.Join(g.items.Encode(it), g.spoil(ctx, spoiler, x, it)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fillAsk fills the slots of a query and of its question alike: {name} of a $ line (a digit behind it asks for another
// one), {2..9}, {table.column} for a value, and {a/b} in words.
func fillAsk(ctx context.Context, b *binder, x *score.Executor, slots map[string][]choice, sql, words,
	lang string) (string, string, error) {
	chosen := map[string]choice{}
	sql, err := fillIn(sql, func(part string) (string, error) {
		if c, ok := chosen[part]; ok {
			return c.sql, nil
		}
		c, err := choose1(ctx, b, x, slots, part, chosen)
		chosen[part] = c
		return c.sql, err
	})
	if err != nil {
		return "", "", err
	}
	words, err = fillIn(words, func(part string) (string, error) {
		if strings.Contains(part, "/") {
			return pick(b.rng, strings.Split(part, "/")), nil
		}
		c, ok := chosen[part]
		if !ok {
			return "", fmt.Errorf("{%s} is not in the query", part)
		}
		if w := c.words[lang]; w != "" {
			return w, nil
		}
		return c.words[""], nil
	})
	return sql, words, err
}

func choose1(ctx context.Context, b *binder, x *score.Executor, slots map[string][]choice, part string,
	chosen map[string]choice) (choice, error) {
	if lo, hi, ok := strings.Cut(part, ".."); ok {
		n := strconv.Itoa(atoi(lo) + b.rng.IntN(atoi(hi)-atoi(lo)+1))
		return choice{n, map[string]string{"": n}}, nil
	}
	base := strings.TrimRight(part, "23")
	list := slots[base]
	if tableName, col, ok := strings.Cut(base, "."); ok && list == nil {
		values, err := cells(ctx, x,
			fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %[1]s IS NOT NULL ORDER BY %[1]s LIMIT 200", ident(col),
				ident(tableName)))
		if err != nil {
			return choice{}, err
		}
		for _, v := range values {
			list = append(list, choice{literal(v), map[string]string{"": v}})
		}
		if b.rng.IntN(6) == 0 { // written as people do
			for i := range list {
				list[i].words[""] = strings.ToLower(list[i].words[""])
			}
		}
	}
	if list = slices.DeleteFunc(slices.Clone(list),
		func(c choice) bool { return chosen[base].sql == c.sql }); len(list) == 0 {
		return choice{}, fmt.Errorf("{%s} has no values", part)
	}
	return pick(b.rng, list), nil
}
