package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"nl2sql/assets"
	"nl2sql/evaluation/grid"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

type gridCmd struct {
	File  string `arg:"" help:"File of the grid, whose keys are the flags of eval (evaluation/README.md has an example), or one that is built in: {grids}."`
	Out   string `help:"Folder for the runs, a folder each, and report.html and report.json. The same command goes on with what is missing there." required:"" placeholder:"DIR"`
	Items string `help:"Questions with gold queries, as eval takes them, for cells whose file leaves them open." placeholder:"FILE"`
	Limit int    `help:"Only N items, drawn from all of them; 0 means all." default:"0" placeholder:"N" range:"0.."`
	ProfileFlag
	ModelFlags
	DatabaseFlags
}

// Run makes the runs of a grid, or what is missing of them, and reports on them.
func (c *gridCmd) Run(ctx context.Context, con *console, given *kong.Context, set *set) error {
	text, err := c.text()
	if err != nil {
		return err
	}
	keys, said := evalKeys(ctx, given, set)
	cells, err := grid.Read(c.File, text, keys)
	if err != nil {
		return failure{exitUsage, err}
	}
	for _, cell := range cells {
		for _, key := range cell.Open {
			if said[key.Key] {
				continue
			}
			return failure{exitUsage, fmt.Errorf("%s:%d: %s is left open: give --%[3]s", c.File, key.Line, key.Key)}
		}
	}
	if err := noStrangers(c.Out, cells); err != nil {
		return err
	}
	made, err := makeGrid(ctx, con, c.File, cells, c.Out, c.KernelsFlag, set)
	if err != nil {
		return err
	}
	return c.report(ctx, con, cells, made)
}

// text is the file, or a grid that is built in.
func (c *gridCmd) text() ([]byte, error) {
	text, err := files.Read(c.File, files.Small)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(assets.Grids(), c.File) {
		return assets.Grid(c.File)
	}
	return text, brief(err)
}

// notInGrids are flags of eval that a grid sets itself, or that are one for all cells.
var notInGrids = []string{"out", "name", "format", "kernels"}

// evalKeys are the flags of eval as a file may set them, and those of them that the command was given. Said are those
// that the environment or the settings have, or that are guessed: cells that leave them open have them too.
func evalKeys(ctx context.Context, given *kong.Context, set *set) (keys grid.Keys, said map[string]bool) {
	said = map[string]bool{}
	keys = grid.Keys{Defaults: map[string]string{}, Given: map[string]string{}}
	for _, node := range newParser(&commands{}).Model.Children {
		for _, f := range node.Flags {
			if node.Name != "eval" || slices.Contains(notInGrids, f.Name) {
				continue
			}
			keys.Defaults[f.Name] = f.Default
			if v, is := set.Get(f.Name); is && takes(f, v) {
				keys.Defaults[f.Name], said[f.Name] = v.Text, true
			}
			if env := inEnvironment(f); env != "" {
				keys.Defaults[f.Name], said[f.Name] = os.Getenv(env), true
			}
		}
	}
	for _, p := range given.Path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		if _, is := keys.Defaults[p.Flag.Name]; is {
			keys.Given[p.Flag.Name] = fmt.Sprint(p.Flag.Target.Interface())
			if list, is := p.Flag.Target.Interface().([]string); is {
				keys.Given[p.Flag.Name] = strings.Join(list, "\n")
			}
		}
	}
	if !said["model"] {
		if model, _, err := guessed(ctx); err == nil { // else a cell that names none says why
			keys.Defaults["model"], said["model"] = model.Name, true
		}
	}
	return keys, said
}

// noStrangers refuses a folder with runs that are none of the grid's: its file is another one, or was changed.
func noStrangers(out string, cells []grid.Cell) error {
	ours := syntax.Set(syntax.Map(cells, func(c grid.Cell) string { return filepath.Join(out, c.Folder()) }))
	for _, depth := range []string{"*", "*/*"} {
		files, err := filepath.Glob(filepath.Join(out, depth, record.RunFile))
		if err != nil {
			return err
		}
		for _, file := range files {
			if dir := filepath.Dir(file); !ours[dir] {
				return fmt.Errorf("%s is no cell of this grid: move it away, or name another folder", dir)
			}
		}
	}
	return nil
}

// commandOf is what eval would be called with for a cell.
func commandOf(file string, cell grid.Cell, out string, set *set) (*evalCmd, error) {
	args := []string{"eval", "--name=" + cell.Condition(), "--out=" + filepath.Join(out, cell.Folder())}
	for _, s := range cell.Settings {
		args = append(args, "--"+s.Key+"="+s.Value)
	}
	var all commands
	if _, err := newParser(&all, kong.Resolvers(resolver(set))).Parse(args); err != nil {
		line := cell.Line
		for _, flag := range flagNamed.FindAllStringSubmatch(err.Error(), -1) {
			if s, is := cell.Get(flag[1]); is && s.Line > 0 {
				line = s.Line
				break
			}
		}
		return nil, failure{exitUsage, fmt.Errorf("%s:%d: %s", file, line, strings.TrimPrefix(err.Error(), "eval: "))}
	}
	return &all.Eval, nil
}

var flagNamed = regexp.MustCompile(`--([a-z][a-z-]*)`)

// makeGrid makes the runs of cells, or what is missing of them. Each cell is looked at before the first model is
// loaded, and one that is not the run in its folder is refused.
func makeGrid(
	ctx context.Context, con *console, file string, cells []grid.Cell, out string, kernels KernelsFlag,
	set *set,
) (made []record.Run, err error) {
	b := newBench()
	defer func() { err = errors.Join(err, b.close()) }()
	commands := make([]*evalCmd, len(cells))
	for i, cell := range cells {
		if commands[i], err = commandOf(file, cell, out, set); err != nil {
			return nil, err
		}
	}
	if err := kernels.Validate(); err != nil { // each command chose its own
		return nil, err
	}
	jobs := make([]*job, len(cells))
	s := &board{con: con, start: time.Now()}
	for i, c := range commands {
		if jobs[i], err = c.prepare(ctx, con, b); err != nil {
			return nil, fmt.Errorf("cell %s: %w", cells[i].Folder(), redacted(err, c.DB))
		}
		s.add(cells[i].Folder(), jobs[i])
	}
	s.print(s.row("cell", "questions", "EX", "s each"))
	for i, j := range jobs {
		run, err := j.run(ctx, con, b, func(live runs.Live) (record.Run, error) {
			s.begin(i, j)
			defer s.bar.clear()
			live.Progress = s.answered
			return live.Run(ctx, j.Out)
		})
		if err != nil {
			return nil, stopped(ctx, con, s.done, s.items, out,
				fmt.Errorf("cell %s: %w", cells[i].Folder(), redacted(err, j.DB)))
		}
		s.print(s.current())
		made = append(made, run)
	}
	return made, nil
}

// redacted is an error without the password of a DSN that a file names.
func redacted(err error, dsn string) error {
	if clean := runner.Redact(dsn); dsn != "" && clean != dsn && strings.Contains(err.Error(), dsn) {
		return errors.New(strings.ReplaceAll(err.Error(), dsn, clean))
	}
	return err
}

// board shows a grid that is being made, on stderr: a row a cell that is done and, on a terminal, below them the cell
// in work and the whole.
type board struct {
	con   *console
	bar   *progress // of the cell in work
	names []string
	start time.Time

	items, done, made int // of all cells; made are those since start
	cell              int // in work
	n, total          int // its items
	ex                score.Rate
	took              time.Duration
}

// add counts a cell.
func (s *board) add(name string, j *job) {
	s.names = append(s.names, name)
	s.items += len(j.live.Items)
	s.done += len(j.held.Records)
}

func (s *board) print(line string) {
	fmt.Fprintln(s.con.err, render.Visible(strings.TrimRight(line, " ")))
}

func (s *board) row(name, questions, ex, each string) string {
	width := 0
	for _, n := range s.names {
		width = max(width, len(n))
	}
	return fmt.Sprintf("%-*s  %12s  %5s  %6s", width, name, questions, ex, each)
}

// begin begins a cell, with the answers that are there.
func (s *board) begin(i int, j *job) {
	s.bar = s.con.progress()
	s.cell, s.n, s.total, s.ex, s.took = i, len(j.held.Records), len(j.live.Items), score.Rate{}, 0
	for _, r := range j.held.Records {
		s.count(r)
	}
}

func (s *board) count(r record.Record) {
	s.took += r.Took
	if right, counts := score.EX.Of(r.Scores["strict"]); counts {
		s.ex.N++
		if right {
			s.ex.Hits++
		}
	}
}

// answered is what a run calls after each item.
func (s *board) answered(n, _ int, last *record.Record) {
	if s.n = n; last != nil {
		s.done, s.made = s.done+1, s.made+1
		s.count(*last)
	}
	whole := fmt.Sprintf("cell %d of %d  %s", s.cell+1, len(s.names),
		progressText(s.done, s.items, s.made, time.Since(s.start)))
	width := cmp.Or(s.con.screen.Width, 80) - 8 // seconds may follow
	cut := func(line string) string {
		r := []rune(line)
		return string(r[:min(len(r), width)])
	}
	s.bar.show("%s\n%s", cut(s.current()), cut(whole))
}

// current is the row of the cell in work.
func (s *board) current() string {
	ex, each := "–", "–"
	if s.ex.N > 0 {
		ex, each = fmt.Sprintf("%.3f", s.ex.Value()), fmt.Sprintf("%.2f", s.took.Seconds()/float64(s.n))
	}
	return s.row(s.names[s.cell], fmt.Sprintf("%d of %d", s.n, s.total), ex, each)
}

// report prints what nl2sql report would, and writes it into files, for each set of items.
func (c *gridCmd) report(ctx context.Context, con *console, cells []grid.Cell, made []record.Run) error {
	var text bytes.Buffer
	var sets []string
	its, of := map[string][]grid.Cell{}, map[string][]record.Run{}
	for i, cell := range cells {
		if its[cell.Set] == nil {
			sets = append(sets, cell.Set)
		}
		its[cell.Set], of[cell.Set] = append(its[cell.Set], cell), append(of[cell.Set], made[i])
	}
	for i, set := range sets {
		if i > 0 {
			fmt.Fprintln(&text)
		}
		if err := reportSet(ctx, con, &text, filepath.Join(c.Out, set), its[set], of[set]); err != nil {
			return err
		}
	}
	return con.page(text.Bytes())
}

// reportSet reports on the runs about one set of items, whose folders are in dir.
func reportSet(
	ctx context.Context, con *console, text io.Writer, dir string, cells []grid.Cell, made []record.Run,
) error {
	r, err := report.New(ctx, made, report.Options{Pairs: grid.Pairs(cells)})
	if err != nil {
		return err
	}
	if set := cells[0].Set; set != "" {
		fmt.Fprintf(text, "%s\n\n", render.Visible(set))
	}
	if err := r.WriteTable(text, con.screen, false); err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer) error{"report.html": r.WriteHTML,
		record.ReportFile: r.WriteJSON} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			return fmt.Errorf("write the report: %w", brief(err))
		}
	}
	fmt.Fprintf(text, "\n%s\n", render.Visible(filepath.Join(dir, "report.html")))
	return nil
}
