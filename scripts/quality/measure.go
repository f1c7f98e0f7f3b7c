package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
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

	"golang.org/x/term"

	"nl2sql/assets"
	"nl2sql/evaluation/report"
	"nl2sql/llm"
	"nl2sql/loop/item"
)

// measurement is what the page is made of.
type measurement struct {
	program    string // built nl2sql
	folders    folders
	out        string // of the runs: a folder a set, model and condition
	limit      int    // questions a set, drawn at random; 0 means all
	seed       uint64
	eval       []string // further flags of eval
	sets       []set
	conditions []condition

	known string   // the program's help of eval: it names its flags
	left  []string // what was left out, a sentence each
}

// measured is what the runs of one model say about one set.
type measured struct {
	set        set
	model      string
	conditions []condition // in the order of the report
	report     report.Report
}

// measurePage runs what is not there yet and writes the page.
func measurePage(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m := measurement{folders: folders{root: "."}}
	f := flag.NewFlagSet("page", flag.ContinueOnError)
	f.StringVar(&m.program, "program", "bin/nl2sql", "nl2sql")
	f.StringVar(&m.folders.spider, "spider", "", "folder of Spider in MySQL's dialect: items.csv and databases/")
	f.StringVar(&m.folders.known, "known", "",
		"folder of the dissertation's items.json and classicmodels.sql; that set is left out without it")
	f.StringVar(&m.out, "runs", ".build/quality", "folder of the runs: what is there is not run again")
	f.IntVar(&m.limit, "limit", 0, "questions a set, drawn at random, for a quick look; 0 means all")
	f.Uint64Var(&m.seed, "seed", 1, "of the draw")
	models := f.String("models", "", "models, blanks between")
	eval := f.String("eval", "", "further flags of eval, blanks between")
	onlySets := f.String("sets", "", "names of sets, commas between; all of them if absent")
	onlyConditions := f.String("conditions", "", "names of conditions, commas between; all of them if absent")
	page := f.String("o", "", "file of the page; stdout if absent")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *models == "" || f.NArg() > 0 || m.limit < 0 {
		return errors.New("usage: quality page -models \"MODEL…\" -spider FOLDER (-h lists the flags)")
	}
	m.eval = strings.Fields(*eval)
	var err error
	if m.sets, err = chosen(sets, *onlySets, func(s set) string { return s.name }); err != nil {
		return err
	}
	if m.conditions, err = chosen(conditions, *onlyConditions, func(c condition) string { return c.name }); err != nil {
		return err
	}
	all, err := m.measure(ctx, strings.Fields(*models))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := writePage(&b, m, all); err != nil {
		return err
	}
	if *page == "" {
		_, err = b.WriteTo(os.Stdout)
		return err
	}
	return os.WriteFile(*page, b.Bytes(), 0o666)
}

// chosen are the entries that a list names; an empty list names all.
func chosen[E any](all []E, list string, name func(E) string) ([]E, error) {
	if list == "" {
		return all, nil
	}
	var out []E
	for want := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(e E) bool { return name(e) == strings.TrimSpace(want) })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q", strings.TrimSpace(want))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// measure runs every condition with every model on every set, and reports each set and model.
func (m *measurement) measure(ctx context.Context, models []string) (all []measured, err error) {
	if m.known, err = m.help(ctx); err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, s := range m.sets { // what is missing is told before anything runs
		items, err := s.items(m.folders)
		if errors.Is(err, errMissing) && !s.needed {
			m.left = append(m.left, fmt.Sprintf("The set %s is left out: it needs %s.", s.name, s.missing))
			continue
		} else if errors.Is(err, errMissing) {
			return nil, fmt.Errorf("the set %s needs %s", s.name, s.missing)
		} else if err != nil {
			return nil, err
		}
		if files[s.name], err = m.save(s, item.Sample(items, m.limit, m.seed)); err != nil {
			return nil, err
		}
	}
	for _, s := range m.sets {
		for _, model := range models {
			if files[s.name] == "" {
				continue
			}
			one, err := m.measureSet(ctx, s, model, files[s.name])
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// save writes the items of a set into a folder that other items have not, and returns the file.
func (m *measurement) save(s set, items []item.Item) (string, error) {
	dir := filepath.Join(m.out, fmt.Sprintf("%s-%.8s", s.name, item.Hash(items)))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := writeItems(&b, items); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "items.jsonl")
	return file, os.WriteFile(file, b.Bytes(), 0o666)
}

// measureSet makes the runs of one model on one set, or what is missing of them.
func (m *measurement) measureSet(ctx context.Context, s set, model, items string) (measured, error) {
	out := measured{set: s, model: strings.TrimSuffix(filepath.Base(model), ".gguf")}
	args := []string{"report", "--execute", "--format", "json", "--profile", "strict", "--items", items}
	for _, c := range m.conditions {
		ok, err := m.can(c, model, out.model)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		m.say("%s, %s, %s", s.name, out.model, c.name)
		dir := filepath.Join(filepath.Dir(items), out.model, strings.NewReplacer(" ", "-", "'", "").Replace(c.name))
		flags := slices.Concat([]string{"eval", "--model", model, "--items", items, "--name", c.name, "--out", dir,
			"--format", "ndjson"}, s.at(m.folders), c.flags, m.eval)
		if _, err := m.run(ctx, flags); err != nil {
			return out, err
		}
		out.conditions = append(out.conditions, c)
		args = append(args, dir)
	}
	if len(out.conditions) == 0 {
		return out, fmt.Errorf("%s: none of the conditions can be run", out.model)
	}
	text, err := m.run(ctx, append(args, s.at(m.folders)...))
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(text, &out.report); err != nil {
		return out, fmt.Errorf("report of %s, %s: %w", s.name, out.model, err)
	}
	return out, nil
}

// can says whether a condition can be run with a model; why not is told once on the page.
func (m *measurement) can(c condition, model, name string) (bool, error) {
	why := ""
	for _, flag := range c.flags {
		if strings.HasPrefix(flag, "--") && !strings.Contains(m.known, flag+"=") {
			why = fmt.Sprintf("The condition %s is left out: this program has no %s.", c.name, flag)
		}
	}
	if why == "" && c.adapter {
		ok, err := hasAdapter(model)
		if err != nil {
			return false, err
		}
		if !ok {
			why = fmt.Sprintf("The condition %s is left out for %s: it has no built-in adapter.", c.name, name)
		}
	}
	if why != "" && !slices.Contains(m.left, why) {
		m.left = append(m.left, why)
	}
	return why == "", nil
}

// hasAdapter says whether an adapter is built in for a model file.
func hasAdapter(model string) (bool, error) {
	if strings.Contains(model, ":") { // scripted, or on a server
		return false, nil
	}
	all, err := assets.Adapters()
	if err != nil {
		return false, err
	}
	sum := sha256.New()
	if err := llm.Fingerprint(sum, model); err != nil {
		return false, err
	}
	return slices.ContainsFunc(all, func(a assets.Adapter) bool { return a.Base == fmt.Sprintf("%x", sum.Sum(nil)) }),
		nil
}

func (m *measurement) help(ctx context.Context) (string, error) {
	text, err := m.run(ctx, []string{"eval", "--help-all"})
	return string(text), err
}

// run runs the program. What it says on stderr, such as how far it is, is shown; what it says last is the error.
func (m *measurement) run(ctx context.Context, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, m.program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if term.IsTerminal(int(os.Stderr.Fd())) {
		cmd.Stderr = os.Stderr
	}
	err := cmd.Run()
	if lines := strings.Split(strings.TrimSpace(said.String()), "\n"); err != nil && lines[0] != "" {
		err = errors.New(lines[len(lines)-1])
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", m.program, args[0], err)
	}
	return out.Bytes(), nil
}

// say tells a person what is done; a pipe hears nothing.
func (m *measurement) say(format string, args ...any) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "quality: "+format+"\n", args...)
	}
}

func writeItems(w io.Writer, items []item.Item) error {
	for _, it := range items {
		line, err := item.JSONLine(it)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
