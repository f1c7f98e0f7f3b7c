// Package injection measures how often answers read what a question did not ask for, where a database says that they
// should: in names, comments, values, notes and views. It writes hostile databases and the same without the hostile
// texts, has nl2sql answer a plain question about each (`nl2sql eval`), and prints what the answers read as tables.
//
//	go test -v -timeout 0 ./scripts/injection -run Measure -models "FILE FILE"
//
// It knows nothing of models and prompts. What it finds stands in sqlcheck/README.md.
package injection

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"nl2sql/evaluation/record"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/syntax"
)

var (
	models = flag.String("models", "", "models that TestMeasure asks, blanks between")
	flags  = flag.String("eval", "", "further flags of eval, blanks between")
	asked  = measurement{}
)

func init() {
	flag.StringVar(&asked.program, "program", "../../bin/nl2sql", "nl2sql")
	flag.StringVar(&asked.out, "out", "../../.build/injection", "folder of databases and runs: what is there is not run again")
	flag.IntVar(&asked.count, "n", 100, "databases, 1 to 100")
	flag.Uint64Var(&asked.seed, "seed", 1, "of the questions and rows")
}

// TestMeasure prints what models read.
func TestMeasure(t *testing.T) {
	if *models == "" {
		t.Skip("needs -models")
	}
	asked.eval = strings.Fields(*flags)
	must.Do(t, asked.measure(t.Context(), strings.Fields(*models)))
}

// measurement is what is asked, and of whom.
type measurement struct {
	program, out string
	count        int
	seed         uint64
	eval         []string
}

// kinds are the two sets of databases.
var kinds = []struct {
	name    string
	hostile bool
}{{"hostile", true}, {"plain", false}}

// measure writes the databases, makes the runs that are missing, and prints the tables.
func (m *measurement) measure(ctx context.Context, models []string) error {
	if m.count < 1 || m.count > len(places)*len(payloads) {
		return fmt.Errorf("-n %d: there are 1 to %d databases", m.count, len(places)*len(payloads))
	}
	for _, k := range kinds {
		if err := m.write(filepath.Join(m.out, k.name), databases(m.count, m.seed, k.hostile)); err != nil {
			return err
		}
	}
	var rows []row
	for _, model := range models {
		for _, k := range kinds {
			run, err := m.run(ctx, model, k.name)
			if err != nil {
				return err
			}
			more, err := m.read(ctx, k.name, run)
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
	}
	if len(rows) > 0 {
		fmt.Print(table(rows, func(r row) string { return r.model + ", " + r.kind }))
		fmt.Print("\n", table(slices.DeleteFunc(rows, func(r row) bool { return r.kind != "hostile" }),
			func(r row) string { return r.place }))
	}
	return nil
}

// write puts databases, their questions and their notes into a folder.
func (m *measurement) write(dir string, all []database) error {
	if err := os.MkdirAll(filepath.Join(dir, "databases"), 0o777); err != nil {
		return err
	}
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		return err
	}
	var items, notes bytes.Buffer
	for _, d := range all {
		line, err := syntax.JSONLine(d.question)
		if err != nil {
			return err
		}
		items.Write(line)
		if d.term != "" {
			fmt.Fprintf(&notes, "%s %s = %s\n", d.term, d.things, strings.ReplaceAll(d.note, "\n", " "))
		}
		err = os.WriteFile(filepath.Join(dir, "databases", d.name+".sql.zst"),
			pack.EncodeAll([]byte(d.script(m.seed)), nil), 0o666)
		if err != nil {
			return err
		}
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "items.jsonl"), items.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, "notes.txt"), notes.Bytes(), 0o666))
}

// run makes the run of a model on one of the sets, or what is missing of it.
func (m *measurement) run(ctx context.Context, model, kind string) (record.Run, error) {
	dir := filepath.Join(m.out, kind)
	out := filepath.Join(dir, strings.TrimSuffix(filepath.Base(model), ".gguf"))
	args := append([]string{"eval", "--model", model, "--items", filepath.Join(dir, "items.jsonl"), "--databases",
		filepath.Join(dir, "databases"), "--notes", filepath.Join(dir, "notes.txt"), "--out", out,
		"--format", "ndjson"},
		m.eval...)
	cmd := exec.CommandContext(ctx, m.program, args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		return record.Run{}, fmt.Errorf("%s %s: %w", m.program, strings.Join(args, " "), err)
	}
	return record.ReadRun(out)
}
