package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/sqlcheck/syntax"
)

// set is a list of questions and where their databases are. In both {root} is the checkout and {spider} the folder of
// Spider in MySQL's dialect.
type set struct {
	name  string
	items string   // files; "check" is cut out of Spider
	at    []string // flags of eval that name the databases
}

// sets in the order of the table.
var sets = []set{
	{"check", "check", []string{"--databases", "{spider}/databases"}},
	{"judging", "{root}/evaluation/judging/*.jsonl", []string{"--databases", "{root}/evaluation/judging"}},
	{"judging in other words", "{root}/evaluation/otherwords/judging.jsonl",
		[]string{"--databases", "{root}/evaluation/judging"}},
	{"benchmark", "benchmark", []string{"--db", "embedded"}},
}

// measurement is what the table is made of.
type measurement struct {
	program      string // built nl2sql
	root, spider string // folders; no set check without spider
	out          string // of the runs: a folder a set and model
	limit        int    // questions a set, drawn at random; 0 means all
	seed         uint64
	eval         []string // further flags of eval
}

// measureResults runs what is not there yet and writes the rows of the table into the file of results: those of other
// sets and models stay.
func measureResults(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m := measurement{root: "."}
	f := flag.NewFlagSet("results", flag.ContinueOnError)
	f.StringVar(&m.program, "program", "bin/nl2sql", "nl2sql")
	f.StringVar(&m.spider, "spider", "", "folder of Spider in MySQL's dialect: items.csv and databases/")
	f.StringVar(&m.out, "runs", ".build/quality", "folder of the runs: what is there is not run again")
	f.IntVar(&m.limit, "limit", 0, "questions a set, drawn at random; 0 means all")
	f.Uint64Var(&m.seed, "seed", 1, "of the draw")
	models := f.String("models", "", "models, blanks between")
	eval := f.String("eval", "", "further flags of eval, blanks between")
	only := f.String("sets", "", "names of sets, commas between; all of them if absent")
	file := f.String("o", "", "file of the results; stdout if absent")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *models == "" || f.NArg() > 0 || m.limit < 0 {
		return errors.New("usage: quality results -models \"MODEL…\" -spider FOLDER (-h lists the flags)")
	}
	m.eval = strings.Fields(*eval)
	chosen := sets
	if *only != "" {
		chosen = nil
		for name := range strings.SplitSeq(*only, ",") {
			i := slices.IndexFunc(sets, func(s set) bool { return s.name == strings.TrimSpace(name) })
			if i < 0 {
				return fmt.Errorf("there is no set %q", strings.TrimSpace(name))
			}
			chosen = append(chosen, sets[i])
		}
	}
	var rows []string
	for _, s := range chosen { // what is missing is told before anything runs
		if _, err := m.items(s); err != nil {
			return err
		}
	}
	for _, s := range chosen {
		for _, model := range strings.Fields(*models) {
			row, err := m.measure(ctx, s, model)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	var old []byte
	if *file != "" {
		var err error
		if old, err = os.ReadFile(*file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	text := table(string(old), rows)
	if *file == "" {
		_, err := io.WriteString(os.Stdout, text)
		return err
	}
	return os.WriteFile(*file, []byte(text), 0o666)
}

// items are all questions of a set.
func (m *measurement) items(s set) (all []item.Item, err error) {
	if s.name == "check" {
		if m.spider == "" {
			return nil, errors.New("the set check needs Spider's databases in MySQL's dialect: name their folder, " +
				"with items.csv and databases/, by SPIDER=FOLDER")
		}
		return sideOf(m.spider, "check")
	}
	files := []string{s.items}
	if s.items != "benchmark" {
		if files, err = filepath.Glob(m.place(s.items)); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		items, err := item.Load(file)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

func (m *measurement) place(text string) string {
	return strings.NewReplacer("{root}", m.root, "{spider}", m.spider).Replace(text)
}

// measure makes the run of one model on one set, or what is missing of it, and returns its row.
func (m *measurement) measure(ctx context.Context, s set, model string) (string, error) {
	all, err := m.items(s)
	if err != nil {
		return "", err
	}
	items := item.Sample(all, m.limit, m.seed)
	name := strings.TrimSuffix(filepath.Base(model), ".gguf")
	dir := filepath.Join(m.out, fmt.Sprintf("%s-%.8s", strings.ReplaceAll(s.name, " ", "-"), item.Hash(items)))
	file, out := filepath.Join(dir, "items.jsonl"), filepath.Join(dir, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := writeItems(&b, items); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "quality: %s, %s\n", s.name, name)
	args := slices.Concat([]string{"eval", "--model", model, "--items", file, "--out", out, "--format", "ndjson",
		"--notes", "none"}, m.eval)
	for _, flag := range s.at {
		args = append(args, m.place(flag))
	}
	cmd := exec.CommandContext(ctx, m.program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s eval: %w", m.program, err)
	}
	run, err := record.ReadRun(out)
	if err != nil {
		return "", err
	}
	asked := fmt.Sprintf("%d of %d", len(run.Records), len(all))
	if len(run.Records) == len(all) {
		asked = fmt.Sprintf("all %d", len(all))
	}
	share := func(of score.Metric, profile string) string {
		r := of.Rate(run.Scores(profile))
		return fmt.Sprintf("%.3f (%s)", r.Value(), report.Wilson(r.Hits, r.N))
	}
	command := strings.Join(slices.Concat([]string{"eval", "--notes", "none"}, m.eval), " ")
	return fmt.Sprintf("| %s |", strings.Join([]string{s.name, name, share(score.EX, "strict"), share(score.EX, "reader"),
		share(score.VA, "strict"), asked, run.Card.Commit, run.Card.Machine, "`" + command + "`"}, " | ")), nil
}

// head stands above the rows.
const head = `# How right the answers are

What ships, without a glossary, as ` + "`ask`" + ` answers; [the README](README.md#how-right-the-answers-are) says what the sets are,
[STEPS.md](STEPS.md) what was measured before. Beside each share is Wilson's interval (95 %). ` + "`make quality`" + ` measures,
and replaces the rows that it measured.

| questions | model | right (` + "`strict`" + `) | right to a ` + "`reader`" + ` | runs | asked | program | machine | command |
|---|---|---|---|---|---|---|---|---|
`

// table is a file of results with rows in the place of those of the same set and model, and the others as they were.
func table(old string, rows []string) string {
	key := func(row string) string { return strings.Join(strings.SplitN(row, " | ", 3)[:2], " | ") }
	var all []string
	if _, below, is := strings.Cut(old, "|---|\n"); is {
		all = strings.Split(strings.TrimSpace(below), "\n")
	}
	for _, row := range rows {
		*syntax.Entry(&all, func(have string) bool { return key(have) == key(row) }, row) = row
	}
	return head + strings.Join(all, "\n") + "\n"
}

func writeItems(w io.Writer, items []item.Item) error {
	for _, it := range items {
		line, err := syntax.JSONLine(it)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
