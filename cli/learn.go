package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nl2sql/cli/settings"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// PairsFlag is of commands that read or keep verified pairs.
type PairsFlag struct {
	Pairs string `help:"File of verified pairs, questions with the SQL that somebody found right, a JSON object a line: the model is shown those that are most like a question, and one that a question repeats but for values answers it. Default: pairs.jsonl beside the settings, where there is one; none leaves it out." placeholder:"FILE"`
}

// file is where the pairs lie; "" is nowhere.
func (f *PairsFlag) file() string {
	if f.Pairs == "none" {
		return ""
	}
	if f.Pairs != "" {
		return f.Pairs
	}
	path, err := settings.Path()
	if err != nil {
		return "" // neither HOME nor XDG_CONFIG_HOME
	}
	return filepath.Join(filepath.Dir(path), "pairs.jsonl")
}

// made makes the file that is named where it is not there, for commands that keep pairs.
func (f *PairsFlag) made() error {
	if f.Pairs == "" || f.Pairs == "none" {
		return nil
	}
	_, err := files.Regular(f.Pairs, files.Large)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		var file *os.File
		if file, err = os.OpenFile(f.Pairs, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			err = file.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("open the pairs: %w", brief(err))
	}
	return nil
}

// of reads the pairs of a database: those that name it, and those that name none.
func (f *PairsFlag) of(database string) ([]tools.Pair, error) {
	path := f.file()
	if path == "" {
		return nil, nil
	}
	text, err := files.Regular(path, files.Large)
	if _, lost := os.Stat(path); lost != nil && f.Pairs == "" { // or it cannot be reached
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the pairs: %w", brief(err))
	}
	pairs, err := tools.ParsePairs(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("pairs %s: %w", path, err)
	}
	return slices.DeleteFunc(pairs, func(p tools.Pair) bool { return p.Database != "" && p.Database != database }), nil
}

// book is those of an open database, for questions. What its schema does not know any more is told, and left out.
// An agent that takes none has none.
func (f *PairsFlag) book(con *console, agent, database string, s *schema.Schema) (*tools.Book, error) {
	if !answer.Takes(agent, "pairs") {
		return nil, nil
	}
	pairs, err := f.of(database)
	if err != nil {
		return nil, err
	}
	book, left, err := tools.NewBook(pairs, s)
	if len(left) > 0 {
		con.warn(fmt.Sprintf("%s, %s%s", f.file(), left[0], others(len(left)-1)))
	}
	return book, err
}

// keeper keeps verdicts in the file that was named; nil if none was: nobody else's pairs are changed
// unasked.
func (f *PairsFlag) keeper() func(p tools.Pair, right bool) error {
	if f.Pairs == "" || f.Pairs == "none" {
		return nil
	}
	return func(p tools.Pair, right bool) error {
		_, err := desk.Pairs{Path: f.Pairs}.Add(p, right)
		return brief(err)
	}
}

// others says how many more there are.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

type learnCmd struct {
	File string `arg:"" help:"Questions with SQL: items, as eval takes them, or pairs."`
	Yes  bool   `help:"Keep them without asking."`
	PairsFlag
	FormatFlags
	QueryFlags
}

// Run checks and runs each query, shows what it finds, and keeps those that a person says are right.
func (c *learnCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	items, err := item.Load(c.File)
	if err != nil {
		return brief(err)
	}
	path := c.file()
	switch {
	case path == "":
		return failure{exitUsage, errors.New("there is no folder for settings: name a file with --pairs")}
	case !c.Yes && !con.typed:
		return failure{exitUsage, errors.New("nobody is here to say which are right: --yes keeps all that run")}
	}
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	database := answer.Database{DB: db, Schema: s}
	known, err := c.of(db.Backend().Database)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	answers := bufio.NewScanner(con.in)
	kept, had := 0, 0
	for _, it := range items {
		res, err := database.Find(ctx, it.SQL)
		if err != nil {
			return err
		}
		if res == nil {
			con.warn(fmt.Sprintf("%q is left out: its SQL does not run here (nl2sql check says why)", it.Question))
			continue
		}
		p := tools.Pair{Question: it.Question, SQL: strings.TrimSpace(it.SQL), Database: db.Backend().Database,
			Date: time.Now().Format(time.DateOnly)}
		if slices.ContainsFunc(known, func(k tools.Pair) bool { return k.Question == p.Question && k.SQL == p.SQL }) {
			had++
			continue
		}
		if !c.Yes {
			if err := c.rows(con, p.Question+"\n"+p.SQL+"\n\n", *res); err != nil {
				return err
			}
			fmt.Fprint(con.err, "Is this right? y keeps it, n does not, q ends: ")
			if !answers.Scan() || strings.HasPrefix(strings.ToLower(answers.Text()), "q") {
				break
			}
			if !strings.HasPrefix(strings.ToLower(answers.Text()), "y") {
				continue
			}
		}
		if _, err := (desk.Pairs{Path: path}).Add(p, true); err != nil {
			return brief(err)
		}
		kept++
	}
	fmt.Fprintf(con, "kept %d of %d (%d known before) in %s\n", kept, len(items), had, path)
	if kept+had == 0 {
		return failure{exitNo, nil}
	}
	return nil
}

type pairsCmd struct {
	Format string `help:"table, plain, markdown, json or ndjson; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,json,ndjson" default:"auto" placeholder:"FORMAT"`
	PairsFlag
	QueryFlags
}

// Help tells how models are measured on pairs.
func (pairsCmd) Help() string {
	return "eval --items PAIRS --pairs-from PAIRS asks a model the questions, each without its own pair."
}

// Run prints a line for each pair, and says no where one does not run.
func (c *pairsCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	pairs, err := c.of(db.Backend().Database)
	if err != nil {
		return err
	}
	res, bad := runner.Result{Columns: []string{"line", "question", "finds"}}, 0
	database := answer.Database{DB: db, Schema: s}
	for _, p := range pairs {
		found, v, err := database.Query(ctx, p.SQL)
		if err != nil {
			return err
		}
		finds := found.RowCount()
		if !v.OK {
			finds = "rejected: " + v.String()
			bad++
		}
		res.Rows = append(res.Rows, []any{int64(p.Line), p.Question, finds})
	}
	if len(pairs) == 0 {
		con.note("there is no verified pair of " + db.Backend().Database + ": nl2sql learn FILE keeps some")
		return nil
	}
	if err := con.table(res, con.format(c.Format)); err != nil || bad == 0 {
		return err
	}
	return failure{exitNo, nil}
}

type notesCmd struct {
	Out   string `help:"File to write it into, which must not be there yet; else it is printed." placeholder:"FILE"`
	Notes string `help:"Glossary that there is, whose terms are not proposed again; that which is kept with the database if absent, none is none." placeholder:"FILE"`
	PairsFlag
	DatabaseFlags
}

// Help tells what to do with it.
func (notesCmd) Help() string {
	return "Above each line stands where it comes from. Take out what is wrong, name synonyms (term, synonym = meaning), " +
		"and say --notes FILE, or nl2sql db notes NAME FILE once. nl2sql schema --notes FILE shows what each line catches."
}

// Run prints a proposal a line, with its source as a comment above.
func (c *notesCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	there, err := readNotes(c.Notes, c.DB, "")
	if err == nil {
		there, err = c.notes(c.Notes, there, s)
	}
	if err != nil {
		return err
	}
	pairs, err := c.of(db.Backend().Database)
	if err != nil {
		return err
	}
	var views map[string]string
	if reader, ok := db.(runner.Reader); ok { // behind a role nobody sees how a view is made
		if views, err = reader.Views(ctx); err != nil {
			return fmt.Errorf("read the views: %w", err)
		}
	}
	proposed := tools.DraftNotes(s, views, pairs, there)
	if len(proposed) == 0 {
		con.note("nothing is proposed: comments, names, views and verified pairs say no more than names and notes do")
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Proposed for %s. Take out what is wrong, and keep the rest: --notes FILE, or nl2sql db notes NAME FILE.\n",
		oneLine(errors.New(db.Backend().Database), nil))
	for _, p := range proposed {
		fmt.Fprintf(&b, "\n# %s\n%s\n", p.Source, p)
	}
	if c.Out != "" {
		return con.writeNew(c.Out, b.Bytes())
	}
	_, err = con.Write(b.Bytes())
	return err
}
