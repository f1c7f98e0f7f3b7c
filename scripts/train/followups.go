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

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/evaluation/score"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
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
	of, names := map[string][]item.Item{}, []string{}
	for _, it := range items {
		listed := func(list string) bool { return slices.Contains(strings.Split(list, ","), it.Database) }
		if listed(*without) || *only != "" && !listed(*only) {
			continue
		}
		if of[it.Database] == nil {
			names = append(names, it.Database)
		}
		of[it.Database] = append(of[it.Database], it)
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer file.Close()
	w := json.NewEncoder(file)
	w.SetEscapeHTML(false)
	m := maker{wordings: readWordings(followupText), verbose: *verbose}
	m.count, m.made = map[string]int{}, map[string]int{}
	for _, name := range names {
		m.rng = rand.New(rand.NewPCG(*seed, seedOf(name)))
		if err := m.about(ctx, *databases, name, of[name], *each, w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m.count)) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", m.count[k], k)
	}
	return file.Close()
}

func seedOf(s string) (n uint64) {
	for _, b := range []byte(s) {
		n = n*31 + uint64(b)
	}
	return n
}

// readWordings are the wordings of followups.txt by their kind.
func readWordings(text string) map[string][]string {
	all, kind := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#' && kind == "" && !strings.HasPrefix(line, "## "):
		case strings.HasPrefix(line, "## "):
			kind = line[3:]
		default:
			all[kind] = append(all[kind], line)
		}
	}
	return all
}

// maker makes the follow-ups of one database after the other.
type maker struct {
	rng      *rand.Rand
	wordings map[string][]string
	count    map[string]int // by kind, and by what was dropped
	made     map[string]int // by change, of which those are tried first that have been made seldom
	verbose  bool

	ctx   context.Context
	x     *score.Executor
	d     *database
	items []item.Item
}

// about writes the follow-ups of a database: each change of each query once.
func (m *maker) about(ctx context.Context, folder, name string, items []item.Item, want int, w *json.Encoder) error {
	db, err := embedded.OpenFolder(ctx, folder, name, runner.Limits{Rows: 1000})
	if err != nil {
		return err
	}
	defer db.Close()
	if m.x, err = score.NewExecutor(ctx, db); err != nil {
		return err
	}
	m.ctx, m.d, m.items = ctx, derived(m.x.Schema), items
	if err := m.d.look(ctx, m.x); err != nil {
		return err
	}
	m.d.tidy()
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
		if err := w.Encode(it); err != nil {
			return err
		}
	}
	return nil
}

// item is a follow-up of a first question, of a follow-up of one, or a question that only stands behind another.
func (m *maker) item(done map[string]bool) (item.Item, bool, error) {
	first := pick(m.rng, m.items)
	stmt, ok := syntax.OneSelect(first.SQL)
	if !ok {
		return first, false, nil
	}
	sql, err := written(stmt)
	if err != nil {
		return first, false, err
	}
	behind := item.Turn{Question: first.Question, SQL: sql}
	if m.rng.IntN(6) == 0 {
		return m.whole(behind, done)
	}
	it, ok, err := m.follow(behind, done)
	if err != nil || !ok || m.rng.IntN(5) > 0 {
		return it, ok, err
	}
	// a third turn: back to the first query, or a change more
	second := item.Turn{Question: answer.Turn(behind).With(it.Question), SQL: it.SQL}
	if m.rng.IntN(5) == 0 {
		said, err := m.say("back", nil)
		m.count["back"]++
		return item.Item{Family: "back", Question: said, SQL: sql, Behind: second}, true, err
	}
	if third, ok, err := m.follow(second, done); err != nil || ok && third.SQL != sql {
		third.Tags = append(third.Tags, "third")
		return third, true, err
	}
	return it, true, nil
}

// whole is a question that has all behind a turn about something else, or about something near.
func (m *maker) whole(behind item.Turn, done map[string]bool) (it item.Item, ok bool, err error) {
	it = pick(m.rng, m.items)
	if near := slices.IndexFunc(m.items, func(o item.Item) bool { return o.Question == behind.Question }); near >= 0 &&
		m.rng.IntN(2) == 0 {
		it = m.items[min(max(near+m.rng.IntN(9)-4, 0), len(m.items)-1)]
	}
	if it.SQL, ok, err = m.different(behind.SQL, it.SQL, done); !ok || err != nil {
		return it, false, err
	}
	said, err := m.say("whole", map[string]string{"q": it.Question})
	m.count["whole"]++
	if answer.Turn(behind).GoesOn(said, m.x.Schema) {
		m.count["taken to go on: whole"]++
	}
	return item.Item{Family: "whole", Question: said, SQL: it.SQL, Behind: behind}, true, err
}

// written prints a query as the golds of other questions are: without brackets around joins, with <> and blanks.
func written(stmt ast.Node) (string, error) {
	sql, err := syntax.Print(stmt)
	var b strings.Builder
	var open []bool // brackets, of which those that only hold a join are left out
	from, last := 0, ""
	for t, next := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(sql, next) {
		by := t.Text
		switch {
		case by == "(":
			join := last == "FROM" && !strings.HasPrefix(sql[next:], "SELECT")
			if open = append(open, join); join {
				by = ""
			}
		case by == ")" && len(open) > 0:
			if open[len(open)-1] {
				by = ""
			}
			open = open[:len(open)-1]
		case by == "," && !strings.HasPrefix(sql[next:], " "):
			by = ", "
		}
		b.WriteString(sql[from:t.Pos] + by)
		if from = next; by != "" {
			last = t.Text
		} else if t.Text == "(" {
			last = "FROM"
		}
	}
	sql = strings.ReplaceAll(b.String()+sql[from:], " != ", " <> ")
	return offset.ReplaceAllString(sql, "LIMIT $2 OFFSET $1"), err
}

var offset = regexp.MustCompile(`LIMIT (\d+), (\d+)$`)

// follow asks for one change of a query.
func (m *maker) follow(behind item.Turn, done map[string]bool) (it item.Item, ok bool, err error) {
	order := m.rng.Perm(len(changes))
	slices.SortStableFunc(order, func(a, b int) int { // seldom made ones first, as often as they are to be
		return m.made[changes[a].name]/changes[a].weight - m.made[changes[b].name]/changes[b].weight
	})
	for _, i := range order {
		t := m.turn(behind.SQL)
		if t == nil {
			return it, false, nil
		}
		kind := changes[i].make(t)
		if kind == "" {
			continue
		}
		if t.sql == "" {
			if t.sql, err = written(t.sel); err != nil {
				return it, false, err
			}
		}
		sql, fits, err := m.different(behind.SQL, t.sql, done)
		if err != nil {
			return it, false, err
		}
		if !fits {
			continue
		}
		said, err := m.say(kind, t.words)
		if err != nil {
			return it, false, fmt.Errorf("%s: %w", kind, err)
		}
		m.made[changes[i].name]++
		m.count[kind]++
		it = item.Item{Family: kind, Question: said, SQL: sql, Behind: behind}
		m.alone(it)
		return it, true, nil
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
			if s := fmt.Sprint(v); v != nil && s != "0" && s != "0.0000" {
				return ""
			}
		}
	}
	return "nothing but NULL and 0"
}

// different prints a query that runs, finds what people would ask for, and finds other rows than the one before.
func (m *maker) different(before, sql string, done map[string]bool) (string, bool, error) {
	stmt, ok := syntax.OneSelect(sql)
	if !ok {
		m.count["dropped: not one SELECT"]++
		return "", false, nil
	}
	sql, err := written(stmt)
	key := before + "\n" + sql
	if err != nil || done[key] {
		return "", false, err
	}
	done[key] = true
	was, err := m.x.Run(m.ctx, before)
	if err != nil {
		return "", false, err
	}
	is, err := m.x.Run(m.ctx, sql)
	if err != nil {
		return "", false, err
	}
	why := unfit(is)
	if why == "" && unfit(was) != "" {
		why = "the first one"
	}
	if why == "" && fmt.Sprint(was.Result.Rows) == fmt.Sprint(is.Result.Rows) {
		why = "the same rows"
	}
	if why == "refused" && m.verbose {
		fmt.Fprintln(os.Stderr, "refused:", sql, is.Error)
	}
	if why != "" {
		m.count["dropped: "+why]++
	}
	return sql, why == "", nil
}

// alone counts a follow-up that is taken to stand alone.
func (m *maker) alone(it item.Item) {
	if answer.Turn(it.Behind).GoesOn(it.Question, m.x.Schema) {
		return
	}
	m.count["taken alone: "+it.Family]++
	if m.verbose {
		fmt.Fprintf(os.Stderr, "alone %s: %s | %s\n", it.Family, it.Behind.Question, it.Question)
	}
}

// say words a change as one of many hands would.
func (m *maker) say(kind string, words map[string]string) (string, error) {
	wording := pick(m.rng, m.wordings[kind])
	lang := ""
	if len(wording) > 4 && wording[2:4] == ": " && strings.Contains("de es fr", wording[:2]) {
		lang, wording = wording[:2], wording[4:]
	}
	said, err := fillIn(wording, func(part string) (string, error) {
		if strings.Contains(part, "/") {
			return pick(m.rng, strings.Split(part, "/")), nil
		}
		if w, ok := words[part]; ok {
			return w, nil
		}
		return "", fmt.Errorf("{%s} means nothing", part)
	})
	if err != nil || kind == "whole" {
		return said, err
	}
	r, n := utf8.DecodeRuneInString(said)
	lower := string(unicode.ToLower(r)) + said[n:]
	bare := strings.TrimRight(lower, ".?! ")
	switch dice := m.rng.IntN(20); {
	case dice < 4:
		said = bare
	case dice < 6:
		said = string(unicode.ToUpper(r)) + said[n:]
	case dice == 6 && strings.HasSuffix(said, "?"):
		said = bare + "??"
	case dice == 7:
		said = bare + "..."
	case dice == 8 && lang == "" && !strings.Contains(said, "lease"):
		said = bare + pick(m.rng, []string{" please", ", please", " pls", ", thanks"})
	case dice == 9 && lang == "":
		said = pick(m.rng, []string{"ok, ", "OK, ", "Thanks! ", "good, ", "hm, ", "Great. ", "well, ", "no, "}) + lower
	case dice == 10:
		said = strings.ToLower(bare)
	}
	return said, nil
}

// turn is a query that is changed into the next one. nil where the query is not one plain SELECT.
func (m *maker) turn(sql string) *turn {
	stmt, ok := syntax.OneSelect(sql)
	if !ok {
		return nil
	}
	sel, is := stmt.(*ast.SelectStmt)
	if !is || sel.From == nil || sel.With != nil {
		return nil
	}
	b, issues := bind.Bind(stmt, m.x.Schema)
	if len(issues) > 0 {
		return nil
	}
	derived := func(s *bind.Source) bool { return s.Table == nil }
	star := func(o bind.Output) bool { return o.Expr == nil }
	if slices.ContainsFunc(b.Blocks[0].Sources, derived) || slices.ContainsFunc(b.Blocks[0].Output, star) {
		return nil
	}
	return &turn{maker: m, sel: sel, b: b, block: b.Blocks[0], words: map[string]string{}}
}
