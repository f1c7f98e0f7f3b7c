package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"nl2sql/cli/chat"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

type chatCmd struct {
	PairsFlag
	Explain bool          `help:"Say below each answer in plain words what its SQL asks."`
	Chart   bool          `help:"Draw each result above its table, where it is one to draw."`
	Timeout time.Duration `help:"Longest time for an answer (${default}); 0 is unbounded." default:"10m" placeholder:"TIME" range:"0.."`
	InputFlag
	ProfileFlag
	FormatFlags
	MethodFlags
	ModelFlags
	QueryFlags
}

// Help tells what the flags do not.
func (chatCmd) Help() string {
	return `\help lists the commands. A line that comes in a pipe is a turn too: the exit code is then 2 if one had no answer.`
}

// Validate makes wrong values usage errors.
func (c *chatCmd) Validate(given *kong.Context) error {
	if err := c.MethodFlags.Validate(given); err != nil { // kong would ask it after this
		return err
	}
	if c.Chart && slices.Contains([]string{"csv", "ndjson", "json"}, c.Format) {
		return fmt.Errorf("--chart is for people: --format %s takes none", c.Format)
	}
	return nil
}

// session is a chat that is held: what answers, what is asked about, and the last turn.
type session struct {
	ask      askCmd // how questions are answered and answers are printed
	con      *console
	in       askInput
	asker    *answer.Asker
	backend  runner.Backend
	database opened // what the database needs
	pairs    desk.Pairs
	lines    chat.Lines
	commands []chat.Command
	last     *answer.Answer   // the last that has SQL; nil before
	before   *answer.Answer   // that before it, to go back to; nil where there is none
	offered  []answer.Reading // other ones of its question, until the next line
	worst    int              // exit code of the worst turn
	dsns     []string         // whose passwords nobody is to see
}

// Run holds a chat.
func (c *chatCmd) Run(ctx context.Context, con *console, open *opened) error {
	s := &session{con: con, pairs: desk.Pairs{Path: c.file()}, dsns: []string{c.DB}, ask: askCmd{
		InputFlag: c.InputFlag, Explain: c.Explain, Chart: c.Chart, Timeout: c.Timeout, FormatFlags: c.FormatFlags,
		MethodFlags: c.MethodFlags,
		PairsFlag:   c.PairsFlag, ModelFlags: c.ModelFlags, QueryFlags: c.QueryFlags,
		Log: true, TopP: 1,
	}}
	open.add(func() error { return s.database.close() })
	if err := c.made(); err != nil {
		return err
	}
	s.ask.Parallel = max(1, c.Parallel)
	s.commands = s.table()
	src, err := s.ask.source(ctx, con, open, s.ask.remote())
	if err == nil {
		err = s.open(ctx, s.ask.Notes)
	}
	prompts := ""
	if err == nil {
		src, prompts, err = s.ask.withPrompts(ctx, src, s.ask.Prompts, s.ask.method.Taught())
	}
	if err == nil {
		s.asker, err = s.ask.asker(ctx, con, open, src, s.ask.method.On(prompts, src.inProcess()))
	}
	if err != nil {
		return err
	}
	talk := &chat.Chat{Commands: s.commands, Ask: s.question, Tell: s.tell, Between: s.space}
	if con.typed {
		interrupts := make(chan os.Signal, 1)
		signal.Reset(os.Interrupt) // it stops a turn, and not the program
		signal.Notify(interrupts, os.Interrupt)
		talk.Interrupts = interrupts
		con.note(fmt.Sprintf(`chat about %s: ask, or \help; \quit or Ctrl-D ends it`, s.backend.Database))
	}
	s.lines = s.reader(talk)
	talk.Lines = s.lines
	if err := talk.Run(ctx); err != nil {
		return err
	}
	if !con.typed && s.worst > 0 {
		return failure{s.worst, nil}
	}
	return con.outErr
}

// reader is what lines come from: an editor where the terminal can do what one needs.
func (s *session) reader(talk *chat.Chat) chat.Lines {
	prompt := func(text string) { fmt.Fprint(s.con.err, text) }
	switch {
	case !s.con.typed:
		return chat.NewPlain(s.con.in, nil, nil)
	case s.con.screen.Width == 0 || os.Getenv("TERM") == "dumb":
		return chat.NewPlain(s.con.in, prompt, talk.Interrupts)
	}
	history := ""
	if cache, err := runner.CacheFolder(); err == nil {
		history = filepath.Join(cache, "chat.history")
		if err := os.MkdirAll(cache, 0o700); err != nil {
			history = ""
		}
	}
	words := func(before string) []chat.Word { return talk.Complete(before, s.in.db.Schema) }
	editor, err := chat.NewEditor(history, words)
	if err != nil {
		s.con.warn("the chat keeps no history: " + err.Error())
	}
	return editor
}

// open opens the database of s.ask, with the notes that a flag names.
func (s *session) open(ctx context.Context, named string) error {
	notes, err := readNotes(named, s.ask.DB, "")
	if err != nil {
		return err
	}
	var next opened
	d, is, err := s.ask.database(ctx, &next, named, notes)
	if err == nil {
		d.Pairs, err = s.ask.book(s.con, s.ask.Agent, is.Database, d.Schema)
	}
	if err != nil {
		return errors.Join(err, next.close())
	}
	for _, doubt := range embedded.FreshDoubts(is.Source) {
		s.con.note(fmt.Sprintf("of the import: %s", render.Visible(doubt)))
	}
	before := s.database
	s.database, s.in.db, s.backend, s.ask.Notes, s.last, s.before = next, d, is, named, nil, nil
	return before.close()
}

// tell says what is wrong with a turn, in a line.
func (s *session) tell(err error) {
	code := exitError
	if no := (failure{}); errors.As(err, &no) {
		code = no.code
	}
	if s.worst != exitError {
		s.worst = code
	}
	fmt.Fprintln(s.con.err, s.con.wrapped("nl2sql: error: "+oneLine(err, s.dsns)))
}

// space stands behind a turn that showed something, where people read.
func (s *session) space() {
	if !s.con.wrote && !s.con.typed {
		return
	}
	if s.ask.beside(s.con) == s.con {
		fmt.Fprintln(s.con)
	}
	s.con.wrote = false
}

// question answers a question, and prints the answer as ask does.
func (s *session) question(ctx context.Context, text string) error {
	text = answer.JoinLines(text)
	if len(text) > loop.MaxQuestion {
		return fmt.Errorf("the question is longer than %d bytes", loop.MaxQuestion)
	}
	s.con.measure()
	offered := s.offered
	if s.offered = nil; s.last != nil {
		if sql := chosen(offered, text); sql != "" {
			ans, err := s.ask.choose(ctx, s.con, s.in.db, *s.last, sql)
			if ans.SQL != "" {
				s.last = &ans
			}
			return err
		}
	}
	s.in.tries = 0
	bar := s.con.progress()
	defer bar.clear()
	bar.show("reading the question")
	if s.in.behind = (answer.Turn{}); s.last != nil && s.last.Result != nil {
		s.in.behind = answer.Turn{Question: s.last.Question, SQL: s.last.SQL, Confidence: s.last.Confidence}
	}
	ans, err := s.ask.answer(ctx, s.con, bar, &s.in, s.asker, text)
	bar.clear()
	return s.answered(ans, err)
}

// answered prints an answer, and remembers it.
func (s *session) answered(ans answer.Answer, err error) error {
	if ans.SQL != "" {
		s.before, s.last = s.last, &ans
	}
	if settled, late := s.ask.settled(ans, err); late && s.ask.on(s.con) == render.JSON {
		return errors.Join(answer.AsJSON("", settled).Write(s.con), err)
	}
	if err != nil {
		return err
	}
	if ans.Reply != "" {
		if s.ask.on(s.con) == render.JSON {
			return answer.AsJSON("", ans).Write(s.con)
		}
		for line := range strings.SplitSeq(ans.Reply, "\n") {
			s.con.note(line)
		}
		return nil
	}
	if ans.TakenAs != "" && s.ask.on(s.con) != render.JSON {
		s.con.note("taken as: " + ans.TakenAs)
	}
	if err = s.ask.printAnswer(s.con, ans); err == nil && s.ask.asksBack(s.con) && len(ans.Readings) > 0 {
		s.offered = ans.Readings
		s.con.offer(ans, "any other line is the next question")
	}
	return err
}

// undo goes back to the answer before the last.
func (s *session) undo() error {
	if s.before == nil {
		return errors.New("there is no answer to go back to: ask in whole for what you want to see")
	}
	s.last, s.before, s.offered = s.before, nil, nil
	s.con.note("back to: " + s.last.Question)
	return s.ask.printAnswer(s.con, *s.last)
}

// table are the commands.
func (s *session) table() []chat.Command {
	none := func(f func() error) func(context.Context, string) error {
		return func(context.Context, string) error { return f() }
	}
	said := func(f func(ans answer.Answer) error) func(context.Context, string) error {
		return func(context.Context, string) error {
			if s.last == nil {
				return errors.New("there is no answer yet: ask first")
			}
			return f(*s.last)
		}
	}
	judged := func(right bool) func(context.Context, string) error {
		return func(ctx context.Context, _ string) error {
			return said(func(ans answer.Answer) error { return s.verdict(ctx, ans, right) })(ctx, "")
		}
	}
	return []chat.Command{
		{Name: "schema", Takes: "[TABLE]", Help: "Show the tables, or one of them.", Words: s.tables,
			Run: func(_ context.Context, table string) error { return s.schema(table) }},
		{Name: "sql", Takes: "[SQL]", Help: "Change the last query in place and run it; or run another.",
			Run: s.sql},
		{Name: "explain", Help: "Say in words what the last query asks.", Run: said(s.explain)},
		{Name: "trace", Help: "Show what was done for the last answer, step by step.", Run: said(func(
			ans answer.Answer) error {
			return s.con.page([]byte(render.VisibleLines(ans.Trace.DecisionLog())))
		})},
		{Name: "why", Help: "Say how sure the last answer is, what its candidates found, and what speaks against it.",
			Run: said(s.why)},
		{Name: "chart", Help: "Draw the last result.", Run: said(s.chart)},
		{Name: "export", Takes: "FILE", Help: "Write the last result: .csv, .json, .ndjson, .md, .tsv; .sql has the query.",
			Run: func(ctx context.Context, file string) error {
				return said(func(ans answer.Answer) error { return s.export(file, ans) })(ctx, "")
			}},
		{Name: "db", Takes: "[DB]", Help: "Ask another database, or say which is asked.", Run: s.db,
			Words: func() []string {
				names, _ := embedded.List() // none after an error, which completion does not tell
				return append(names, "embedded")
			}},
		{Name: "good", Help: "Keep the last question with its SQL: it is right.",
			Run: judged(true)},
		{Name: "bad", Help: "Note that the last answer is wrong.",
			Run: judged(false)},
		{Name: "undo", Help: "Go back to the answer before the last.", Run: none(s.undo)},
		{Name: "new", Help: "Forget what was said: the next question stands alone.", Run: none(func() error {
			s.before, s.last = s.last, nil
			return nil
		})},
		{Name: "help", Help: "Show this.",
			Run: none(func() error { return s.con.page([]byte(chat.Help(s.commands))) })},
		{Name: "quit", Help: "End.", Run: none(func() error { return chat.ErrQuit })},
	}
}

// tables are the names of the database's tables.
func (s *session) tables() []string { return s.in.db.Schema.TableNames() }

// schema shows the tables, or one.
func (s *session) schema(table string) error {
	var b bytes.Buffer
	sch := s.in.db.Schema
	if table == "" {
		res := runner.Result{Columns: []string{"table", "rows", "columns"}}
		for _, t := range sch.Tables {
			var rows any
			if t.Rows > 0 {
				rows = t.Rows
			}
			res.Rows = append(res.Rows, []any{t.Name, rows, strings.Join(t.ColumnNames(), ", ")})
		}
		return s.con.table(res, s.con.format("auto"))
	}
	t, ok := sch.Table(table)
	if !ok {
		return fmt.Errorf("there is no table %s: %s", table,
			syntax.DidYouMean(table, sch.TableNames(), `\schema lists them`))
	}
	if err := describe(s.con, &b, t); err != nil {
		return err
	}
	return s.con.page(b.Bytes())
}

// sql runs a query that a person wrote, or makes of the last.
func (s *session) sql(ctx context.Context, sql string) error {
	asked := ""
	if s.last != nil {
		asked = s.last.Question
	}
	if sql == "" {
		if s.last == nil {
			return errors.New(`there is no query yet: ask first, or write one behind \sql`)
		}
		edited, err := s.edit(ctx, s.last.SQL)
		if err != nil {
			return err
		}
		if sql = strings.TrimSpace(edited); sql == "" {
			return errors.New("nothing was left of the query: it stays")
		}
	}
	d := s.in.db
	if s.last != nil && s.last.Schema != nil {
		d.Schema = s.last.Schema
	}
	ans, err := d.Given(ctx, asked, loop.ByHand, sql, nil)
	if s.ask.Explain {
		ans.Explanation = ans.Explain()
	}
	if err == nil && ans.Result == nil {
		return failure{exitNo, errors.New(ans.Why())}
	}
	return s.answered(ans, err)
}

// edit lets a person change a text in place.
func (s *session) edit(ctx context.Context, text string) (string, error) {
	edited, err := s.lines.Edit(ctx, text)
	if errors.Is(err, errors.ErrUnsupported) {
		err = errors.New(`nothing can be edited here: write the whole query behind \sql`)
	} else if errors.Is(err, chat.ErrInterrupted) {
		err = errors.New("the query stays as it is")
	}
	return edited, err
}

func (s *session) explain(ans answer.Answer) error {
	words := ans.Explain()
	if words == nil {
		return errors.New("the last query may not run, so nothing is said of it")
	}
	return s.con.page([]byte(render.VisibleLines(strings.Join(words.Lines(), "\n")) + "\n"))
}

// why says what is known beside an answer.
func (s *session) why(ans answer.Answer) error {
	var b bytes.Buffer
	j := answer.AsJSON("", ans)
	switch {
	case ans.Result == nil:
		fmt.Fprintf(&b, "no answer: %s\n", cmp.Or(ans.Refused, ans.Why()))
	case ans.Confidence > 0:
		fmt.Fprintf(&b, "confidence %.2f (%s)\n", ans.Confidence, j.ConfidenceWord)
	default:
		fmt.Fprintf(&b, "how sure it is is not known: %s\n", ans.How)
	}
	for _, t := range ans.Tallies() {
		fmt.Fprintf(&b, "%d of %d tries: %s\n    %s\n", t.Agree, t.Of, t.Found, t.SQL)
	}
	for _, m := range ans.Mended() {
		fmt.Fprintf(&b, "mended: %s\n", m)
	}
	for _, d := range ans.Doubts {
		fmt.Fprintf(&b, "doubt: %s\n", d.Text)
	}
	return s.con.page([]byte(render.VisibleLines(b.String())))
}

func (s *session) chart(ans answer.Answer) error {
	if ans.Result == nil {
		return errors.New("the last query found nothing to draw")
	}
	s.con.measure()
	text, none := render.ChartText(*ans.Result, s.con.screen)
	if text == "" {
		return errors.New(none)
	}
	return s.con.page([]byte(text))
}

// exports are formats by the ends of files; .sql has none.
var exports = map[string]render.Format{
	".csv": render.CSV, ".json": render.JSON, ".ndjson": render.NDJSON, ".md": render.Markdown, ".tsv": render.Plain,
	".sql": "",
}

// export writes the last result to a new file.
func (s *session) export(path string, ans answer.Answer) error {
	format, known := exports[filepath.Ext(path)]
	switch {
	case !known:
		return fmt.Errorf("%s: the end of its name says the format: .csv, .json, .ndjson, .md, .tsv or .sql", path)
	case ans.Result == nil && format != "":
		return errors.New("the last query found nothing to write")
	}
	var b bytes.Buffer
	if format == "" {
		b.WriteString(ans.SQL + ";\n")
	} else {
		res := *ans.Result
		if s.ask.NoFormulas && format == render.CSV {
			res = render.NoFormulas(res)
		}
		if _, err := render.Write(&b, res, format, render.Options{Raw: s.ask.Raw}); err != nil {
			return err
		}
	}
	if err := s.con.writeNew(path, b.Bytes()); err != nil {
		return err
	}
	if format != "" {
		s.con.truncated(*ans.Result)
	}
	return nil
}

// db opens another database, and keeps the one that it has where that fails.
func (s *session) db(ctx context.Context, name string) error {
	if name != "" {
		before := s.ask.DB
		s.dsns = append(s.dsns, name)
		s.ask.DB = databaseOf(name)
		if err := s.open(ctx, ""); err != nil {
			s.ask.DB = before
			return err
		}
	}
	s.con.note(fmt.Sprintf("database %s (%s), %d tables", s.backend.Database, s.backend.Engine, len(s.tables())))
	return nil
}

// verdict keeps what a person says of the last answer.
func (s *session) verdict(ctx context.Context, ans answer.Answer, right bool) error {
	switch {
	case ans.Question == "":
		return errors.New("the last query answers no question")
	case right && ans.Result == nil:
		return errors.New("the last query found nothing: it cannot be right")
	case s.pairs.Path == "":
		return errors.New("no folder for settings: name a file with --pairs")
	}
	path := ""
	d := desk.Desk{
		Databases: []desk.Database{{Database: s.in.db, Backend: s.backend}},
		Keep: func(p tools.Pair, right bool) (err error) {
			path, err = s.pairs.Add(p, right)
			return brief(err)
		},
	}
	_, err := d.Judge(ctx, desk.Judged{Question: ans.Question, SQL: ans.SQL, Right: right})
	if err == nil {
		s.con.note("kept in " + path)
	}
	return err
}
