package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

// makeQuestions makes questions with gold queries: patterns over databases, in many wordings. What spider-mysql hardly
// asks is what people ask of databases that are in use: dates, amounts, shares, missing things, the top of each group.
// Every query is checked and runs on the embedded database.
func makeQuestions(ctx context.Context, args []string) error {
	var g generator
	f := flag.NewFlagSet("questions", flag.ExitOnError)
	fit := f.String("fit", "", "items whose databases are asked about too")
	databases := f.String("databases", "", "folder of those databases")
	without := f.String("without", "", "files of items, separated by commas, whose questions are left out")
	only := f.String("only", "", "one database only")
	f.StringVar(&g.out, "out", "", "folder to write items.jsonl and databases/ to")
	f.IntVar(&g.ofMade, "made", 270, "questions about a database of ours")
	f.IntVar(&g.ofFit, "each", 28, "questions about a database of -fit")
	f.IntVar(&g.ofLocal, "languages", 6, "questions in each other language about any database")
	f.BoolVar(&g.verbose, "v", false, "print each query that is dropped, and why")
	if err := f.Parse(args); err != nil {
		return err
	}
	return g.run(ctx, *fit, *databases, *without, *only)
}

// generator collects items.
type generator struct {
	out           string
	ofMade, ofFit int
	patterns      []pattern
	local         []pattern       // in other languages
	ofLocal       int             // questions in each of them
	seen          map[string]bool // questions, as normal gives them
	count         map[string]int  // by family, and by what was dropped
	items, wrong  *json.Encoder   // wrong: items with a query to repair
	verbose       bool
}

func (g *generator) run(ctx context.Context, fit, databases, without, only string) error {
	var err error
	if g.patterns, err = readPatterns(patternText); err != nil {
		return err
	}
	if g.local, err = readPatterns(languageText); err != nil {
		return err
	}
	g.seen, g.count = map[string]bool{}, map[string]int{}
	for _, file := range strings.Split(without, ",") {
		if file == "" {
			continue
		}
		items, err := item.Load(file)
		if err != nil {
			return err
		}
		for _, it := range items {
			g.seen[normal(it.Question)] = true
		}
	}
	folder := filepath.Join(g.out, "databases")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	items, err := newLines(filepath.Join(g.out, "items.jsonl"))
	if err != nil {
		return err
	}
	wrong, err := newLines(filepath.Join(g.out, "repairs.jsonl"))
	if err != nil {
		return err
	}
	g.items, g.wrong = items.Encoder, wrong.Encoder
	files, err := making.ReadDir("making")
	if err != nil {
		return err
	}
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".txt")
		if only != "" && name != only {
			continue
		}
		text, err := making.ReadFile("making/" + file.Name())
		if err != nil {
			return err
		}
		d, err := made(name, string(text), folder)
		if err != nil {
			return err
		}
		if err := g.about(ctx, folder, name, d, g.ofMade); err != nil {
			return err
		}
	}
	names, err := databasesOf(fit)
	if err != nil {
		return err
	}
	for _, name := range names {
		if only != "" && name != only {
			continue
		}
		from, err := filepath.Abs(filepath.Join(databases, name))
		if err != nil {
			return err
		}
		if err := os.Symlink(from, filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := g.about(ctx, folder, name, nil, g.ofFit); err != nil {
			return err
		}
	}
	for _, k := range slices.Sorted(mapKeys(g.count)) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", g.count[k], k)
	}
	return errors.Join(items.close(), wrong.close())
}

// lines is a file of JSON lines.
type lines struct {
	*json.Encoder
	close func() error
}

func newLines(name string) (lines, error) {
	f, err := os.Create(name)
	if err != nil {
		return lines{}, err
	}
	b := bufio.NewWriter(f)
	w := json.NewEncoder(b)
	w.SetEscapeHTML(false)
	return lines{w, func() error { return errors.Join(b.Flush(), f.Close()) }}, nil
}

func mapKeys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// databasesOf are those that items name, sorted.
func databasesOf(file string) (names []string, err error) {
	if file == "" {
		return nil, nil
	}
	items, err := item.Load(file)
	for _, it := range items {
		names = append(names, it.Database)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// normal is a question without case, marks and blanks.
func normal(q string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(q),
		func(r rune) bool { return strings.ContainsRune(" .,?!'\"`´’“”()", r) }), " ")
}

// about writes the items of one database. d is nil if its words come from its names.
func (g *generator) about(ctx context.Context, folder, name string, d *database, want int) error {
	db, err := embedded.OpenFolder(ctx, folder, name, runner.Limits{Rows: 1000})
	if err != nil {
		return err
	}
	defer db.Close()
	x, err := score.NewExecutor(ctx, db)
	if err != nil {
		return err
	}
	if d == nil {
		d = derived(name, x.Schema)
		defer func(n int) {
			g.count["| fit databases"] += g.count["| "+name] - n
			delete(g.count,
				"| "+name)
		}(g.count["| "+name])
	}
	if err := d.look(ctx, x); err != nil {
		return err
	}
	if d.tables[0].show == nil {
		d.tidy()
	}
	spoiler := &binder{d: d, rng: rand.New(rand.NewPCG(16, seedOf(name)))}
	if err := g.ask(ctx, name, &binder{d: d, rng: rand.New(rand.NewPCG(15, seedOf(name)))}, spoiler, x, g.patterns,
		want); err != nil {
		return err
	}
	ofLocal := g.ofLocal
	if want == g.ofMade {
		ofLocal *= 4
	}
	for _, lang := range languages {
		b := &binder{d: d, lang: lang, rng: rand.New(rand.NewPCG(17, seedOf(name+lang)))}
		if err := g.ask(ctx, name+"-"+lang, b, spoiler, x, inLanguage(g.local, lang), ofLocal); err != nil {
			return err
		}
	}
	return g.fromAsks(ctx, &binder{d: d, rng: rand.New(rand.NewPCG(18, seedOf(name)))}, spoiler, x)
}

// ask writes so many items of patterns, with ids after name.
func (g *generator) ask(ctx context.Context, name string, b, spoiler *binder, x *score.Executor,
	patterns []pattern, want int) error {
	asked := map[string]bool{} // queries
	used := map[string]int{}   // by pattern
	id := 0
	for round := 0; round < 60 && id < want; round++ {
		for _, i := range b.rng.Perm(len(patterns)) {
			p := patterns[i]
			if id >= want || used[p.name] >= mostOfOne || p.rare && b.rng.IntN(5) > 1 {
				continue
			}
			it, ok, err := g.try(ctx, b, x, p, asked)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			it.ID, it.Database = fmt.Sprintf("broad-%s-%d", name, id), b.d.name
			id++
			used[p.name]++
			g.count[p.family]++
			g.count["| "+b.d.name]++
			if err := errors.Join(g.items.Encode(it), g.spoil(ctx, spoiler, x, it)); err != nil {
				return err
			}
		}
	}
	return nil
}

// spoil writes one item in six with a query that the checker refuses, to learn repairs from.
func (g *generator) spoil(ctx context.Context, b *binder, x *score.Executor, it item.Item) error {
	if b.rng.IntN(6) > 0 {
		return nil
	}
	for range 6 {
		wrong := pick(b.rng, mistakes)(b, it.SQL)
		if wrong == "" {
			continue
		}
		o, err := x.Run(ctx, wrong)
		if err != nil {
			return err
		}
		if o.Verdict.OK {
			continue
		}
		it.ID, it.Wrong = "repair-"+it.ID, wrong
		g.count["repairs: "+string(o.Verdict.Reason)]++
		return g.wrong.Encode(it)
	}
	return nil
}

// mostOfOne bounds the questions of one pattern about one database.
const mostOfOne = 6

// tries is how often a pattern looks for roles that it has not had.
const tries = 12

func (g *generator) try(ctx context.Context, b *binder, x *score.Executor, p pattern,
	asked map[string]bool) (it item.Item, ok bool, err error) {
	for range tries {
		if !b.bind(p.roles) {
			continue
		}
		sql, err := fillIn(p.sql, b.sqlPart)
		if err != nil || asked[sql] {
			continue
		}
		wording := pick(b.rng, p.wordings)
		if rest, ok := strings.CutPrefix(wording, "~"); ok { // of named things only
			if t := b.has["t"].(*table); !t.named() {
				continue
			}
			wording = rest
		}
		q, err := fillIn(wording, b.wordPart)
		if err != nil {
			continue
		}
		q = b.polish(q)
		asked[sql] = true
		if g.seen[normal(q)] {
			g.count["dropped: question known"]++
			continue
		}
		o, err := x.Run(ctx, sql)
		if err != nil {
			return it, false, err
		}
		if why := unfit(o); why != "" {
			g.count["dropped: "+why]++
			if g.verbose {
				fmt.Fprintln(os.Stderr, why, "|", p.name, "|", sql, "|", o.Error)
			}
			continue
		}
		g.seen[normal(q)] = true
		return item.Item{Family: p.name, Difficulty: p.level, Tags: []string{p.family}, Question: q,
			SQL: sql}, true, nil
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
