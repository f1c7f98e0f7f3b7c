package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/evaluation/score"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

//go:embed followups.txt
var followupText string

// makeFollowups makes second turns: from a question with its gold query another query by one change, and what people
// say who ask for it. Both are checked and run on the embedded database, and find different rows.
func makeFollowups(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("followups", flag.ExitOnError)
	fit := f.String("fit", "", "items that are asked first")
	databases := f.String("databases", "", "folder of their databases")
	out := f.String("out", "", "file to write")
	only := f.String("only", "", "databases, separated by commas; none means all")
	without := f.String("without", "", "databases that are left out, separated by commas")
	each := f.Int("each", 45, "follow-ups about a database")
	seed := f.Uint64("seed", 19, "of all that is drawn")
	verbose := f.Bool("v", false, "print what is taken to stand alone")
	if err := f.Parse(args); err != nil {
		return err
	}
	items, err := item.Load(*fit)
	if err != nil {
		return err
	}
	of := map[string][]item.Item{}
	for _, it := range items {
		listed := func(list string) bool { return slices.Contains(strings.Split(list, ","), it.Database) }
		if !listed(*without) && (*only == "" || listed(*only)) {
			of[it.Database] = append(of[it.Database], it)
		}
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer file.Close()
	w := json.NewEncoder(file)
	w.SetEscapeHTML(false)
	m := maker{ctx: ctx, wordings: readWordings(followupText), verbose: *verbose, count: map[string]int{},
		made: map[string]int{}}
	for i, name := range slices.Sorted(maps.Keys(of)) {
		m.rng, m.items = rand.New(rand.NewPCG(*seed, uint64(i))), of[name]
		if err := m.about(*databases, name, *each, w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m.count)) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", m.count[k], k)
	}
	return file.Close()
}

// readWordings are the wordings of followups.txt by their kind.
func readWordings(text string) map[string][]string {
	all, kind := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "## "); is {
			kind = name
		} else if line != "" && kind != "" {
			all[kind] = append(all[kind], line)
		}
	}
	return all
}

// maker makes the follow-ups of one database after the other.
type maker struct {
	ctx      context.Context
	rng      *rand.Rand
	wordings map[string][]string
	count    map[string]int // by kind, and by what was dropped
	made     map[string]int // by kind of change, of which those are tried first that have been made seldom
	verbose  bool

	x     *score.Executor
	items []item.Item
	known map[string][]string // values of columns, by TABLE.COLUMN
}

// about writes the follow-ups of a database: each change of each query once.
func (m *maker) about(folder, name string, want int, w *json.Encoder) error {
	db, err := embedded.OpenFolder(m.ctx, folder, name, runner.Limits{Rows: 1000})
	if err != nil {
		return err
	}
	defer db.Close()
	if m.x, err = score.NewExecutor(m.ctx, db); err != nil {
		return err
	}
	m.known = map[string][]string{}
	done := map[string]bool{}
	for try, id := 0, 0; id < want && try < 60*want; try++ {
		it, ok, err := m.item(done)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		it.ID, it.Database = fmt.Sprintf("follow-%s-%d", name, id), name
		id++
		m.count[it.Family]++
		if goesOn := answer.Behind(it.Behind).GoesOn(it.Question, m.x.Schema); goesOn == (it.Family == "whole") {
			m.count[fmt.Sprintf("taken to go on %v: %s", goesOn, it.Family)]++
			if m.verbose {
				fmt.Fprintf(os.Stderr, "go on %v, %s: %s | %s\n", goesOn, it.Family, it.Behind.Question, it.Question)
			}
		}
		if err := w.Encode(it); err != nil {
			return err
		}
	}
	return nil
}

// item is a follow-up of a first question, of a follow-up of one, or a question that only stands behind another.
func (m *maker) item(done map[string]bool) (item.Item, bool, error) {
	first := pick(m.rng, m.items)
	behind := item.Turn{Question: first.Question, SQL: first.SQL}
	if m.rng.IntN(6) == 0 {
		it := pick(m.rng, m.items)
		fits, err := m.different(behind.SQL, it.SQL, done)
		said := m.say("whole", "q", it.Question)
		return item.Item{Family: "whole", Question: said, SQL: it.SQL, Behind: behind}, fits, err
	}
	it, ok, err := m.follow(behind, done)
	if err != nil || !ok || m.rng.IntN(5) > 0 {
		return it, ok, err
	}
	// a third turn: back to the first query, or a change more
	second := item.Turn{Question: answer.Behind(behind).With(it.Question), SQL: it.SQL}
	if m.rng.IntN(5) == 0 {
		return item.Item{Family: "back", Question: m.say("back"), SQL: first.SQL, Behind: second}, true, nil
	}
	third, ok, err := m.follow(second, done)
	if third.Tags = []string{"third"}; ok && third.SQL != first.SQL {
		return third, true, err
	}
	return it, true, err
}

// follow asks for one change of a query.
func (m *maker) follow(behind item.Turn, done map[string]bool) (it item.Item, ok bool, err error) {
	order := m.rng.Perm(len(changes))
	slices.SortStableFunc(order, func(a, b int) int { // seldom made ones first, as often as they are to be
		return m.made[changes[a].name]/changes[a].weight - m.made[changes[b].name]/changes[b].weight
	})
	for _, i := range order {
		q, fits := split(behind.SQL, m.x.Schema)
		if !fits {
			return it, false, nil
		}
		t := &turn{maker: m, query: q}
		kind, words := changes[i].make(t)
		if kind == "" {
			continue
		}
		if fits, err = m.different(behind.SQL, t.String(), done); err != nil || !fits {
			if err != nil {
				return it, false, err
			}
			continue
		}
		m.made[changes[i].name]++
		return item.Item{Family: kind, Question: m.say(kind, words...), SQL: t.String(), Behind: behind}, true, nil
	}
	return it, false, nil
}

// unfit says why nobody would ask for such a result; "" if they would.
func unfit(o score.Outcome) string {
	switch {
	case !o.OK():
		return "refused"
	case len(o.Result.Rows) == 0:
		return "empty"
	case len(o.Result.Rows) > 400:
		return "long"
	}
	for _, row := range o.Result.Rows {
		for _, v := range row {
			if s := fmt.Sprint(v); v != nil && strings.Trim(s, "0.") != "" {
				return ""
			}
		}
	}
	return "nothing but NULL and 0"
}

// different says whether a query was not had yet, finds what people would ask for, and other rows than the one before.
func (m *maker) different(before, sql string, done map[string]bool) (bool, error) {
	key := before + "\n" + sql
	if done[key] {
		return false, nil
	}
	done[key] = true
	was, err := m.x.Run(m.ctx, before)
	if err != nil {
		return false, err
	}
	is, err := m.x.Run(m.ctx, sql)
	if err != nil {
		return false, err
	}
	why := unfit(is)
	switch {
	case why != "":
	case unfit(was) != "":
		why = "the first one"
	case fmt.Sprint(was.Result.Rows) == fmt.Sprint(is.Result.Rows):
		why = "the same rows"
	default:
		return true, nil
	}
	if m.verbose && why == "refused" {
		fmt.Fprintln(os.Stderr, "refused:", sql, is.Error)
	}
	m.count["dropped: "+why]++
	return false, nil
}

var slot = regexp.MustCompile(`\{([^{}]+)\}`)

// say words a change as one of many hands would. words are the wording's slots and what fills them: name, words, name,
// words.
func (m *maker) say(kind string, words ...string) string {
	said := pick(m.rng, m.wordings[kind])
	lang := ""
	if len(said) > 4 && said[2:4] == ": " && strings.Contains("de es fr", said[:2]) {
		lang, said = said[:2], said[4:]
	}
	said = slot.ReplaceAllStringFunc(said, func(s string) string {
		name := s[1 : len(s)-1]
		for i := 0; i < len(words); i += 2 {
			if words[i] == name {
				return words[i+1]
			}
		}
		if !strings.Contains(name, "/") {
			panic(kind + ": nothing fills " + s)
		}
		return pick(m.rng, strings.Split(name, "/"))
	})
	if kind == "whole" {
		return said
	}
	r, n := utf8.DecodeRuneInString(said)
	bare := strings.TrimRight(said, ".?! ")
	switch dice := m.rng.IntN(20); {
	case dice < 4:
		return bare
	case dice < 6:
		return string(unicode.ToUpper(r)) + said[n:]
	case dice == 6:
		return bare + "..."
	case dice == 7:
		return strings.ToLower(bare)
	case dice == 8 && lang == "" && !strings.Contains(said, "lease"):
		return bare + pick(m.rng, []string{" please", ", please", " pls", ", thanks"})
	case dice == 9 && lang == "":
		before := pick(m.rng, []string{"ok, ", "Thanks! ", "hm, ", "Great. ", "well, ", "no, "})
		return before + string(unicode.ToLower(r)) + said[n:]
	}
	return said
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }
