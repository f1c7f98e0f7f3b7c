// Package cli is the command line: a file a command, with its flags, its help and what it prints. What a command does
// is in the package that it is about. It knows every package, and none knows it but main.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"nl2sql/cli/settings"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// Exit codes are part of the interface and are listed in README.md beside it.
const (
	exitError       = 1   // could not run (also kong's default)
	exitNo          = 2   // it ran, and the answer is no: no answer, SQL rejected
	exitUsage       = 80  // wrong command line (kong's), empty or oversized question
	exitInterrupted = 130 // SIGINT, SIGTERM or SIGHUP
	exitPipe        = 141 // the reader of stdout went away
)

// commands are what the program can do. Flags that more than one command has come in groups, and a command has those
// that it embeds: method.go, databases.go and source.go. Kong finds the Validate of a group only where the group's name
// is exported.
type commands struct {
	Verbose int `short:"v" type:"counter" help:"Debug messages on stderr; -vv also llama.cpp's." group:"Every command:"`

	HelpAll allFlag `help:"Show every flag of a command." group:"Every command:"`

	Man manFlag `hidden:"" help:"Write the man page."`

	Complete completeCmd `cmd:"" hidden:"" passthrough:"" name:"__complete" help:"Say what may come next."`

	Ask        askCmd        `cmd:"" help:"Answer a question, or a file of them."`
	Chat       chatCmd       `cmd:"" help:"Ask in a conversation: questions that go on from the last, and commands."`
	Serve      serveCmd      `cmd:"" help:"Answer over HTTP, and to OpenAI's clients."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Serve agents and editors over the Model Context Protocol: schema, checks, queries, answers."`
	Schema     schemaCmd     `cmd:"" help:"Print the database's tables, columns, keys and known values, or what a model sees with a question."`
	Check      checkCmd      `cmd:"" help:"Check SQL without running it: one read-only SELECT whose names exist."`
	Explain    explainCmd    `cmd:"" help:"Say in plain words what a statement asks: rows, tables and keys, conditions, groups, order."`
	Eval       evalCmd       `cmd:"" help:"Answer a list of questions and score the answers; a run that was stopped goes on."`
	Grid       gridCmd       `cmd:"" help:"Make the runs of a grid of models, methods and item sets, and compare them; one that was stopped goes on."`
	Verify     verifyCmd     `cmd:"" help:"Answer items of a run once more and compare them with the recorded answers."`
	Score      scoreCmd      `cmd:"" help:"Score a file of predictions against gold queries, as this or that benchmark does."`
	Rescore    rescoreCmd    `cmd:"" help:"Run the SQL of recorded runs again, and compare the scores with the recorded ones."`
	Lint       lintCmd       `cmd:"" help:"Find gold queries of items that one cannot score with."`
	Prompts    promptsCmd    `cmd:"" help:"Print what a model reads before it answers items, and the answers, to train it on."`
	Reguard    reguardCmd    `cmd:"" help:"Put recorded model text through guards, and score it before and after."`
	Reproduce  reproduceCmd  `cmd:"" help:"Make the dissertation's table again from its recorded runs."`
	Databases  dbCmd         `cmd:"" name:"db" help:"Query, import, create and list databases."`
	Bundle     bundleCmd     `cmd:"" help:"Make and look at files that hold this program with a model and a database."`
	Learn      learnCmd      `cmd:"" help:"Keep questions with the SQL that you say is right for them, for questions to come."`
	Pairs      pairsCmd      `cmd:"" help:"Run the SQL of a database's verified pairs, and tell which does not run any more, or finds nothing."`
	Notes      notesCmd      `cmd:"" help:"Propose a glossary, for you to edit: from comments, names, codes, views and verified pairs. Nothing is kept."`
	Suites     suiteCmd      `cmd:"" name:"suite" help:"Make databases that tell right predictions from lucky ones."`
	Models     modelCmd      `cmd:"" name:"model" help:"Look at model files."`
	Report     reportCmd     `cmd:"" help:"Compare runs: rates with intervals, tests, failures, costs, as tables or files."`
	Confidence confidenceCmd `cmd:"" help:"Tell how good the confidence of answers is, or fit its model on runs."`
	Completion completionCmd `cmd:"" help:"Print what a shell reads, so that it completes commands, flags and their values."`
	Doctor     doctorCmd     `cmd:"" help:"Tell what was found on this machine, what is missing, and what to do about it."`
	Version    versionCmd    `cmd:"" help:"Print commit, Go and llama.cpp versions, and CPU features."`
}

// opened is what a command opened, and is closed when the command has ended.
type opened struct{ closers []func() error }

func (o *opened) add(closer func() error) { o.closers = append(o.closers, closer) }

// close closes all, what was opened last first.
func (o *opened) close() error {
	var errs []error
	for i := len(o.closers) - 1; i >= 0; i-- {
		errs = append(errs, o.closers[i]())
	}
	return errors.Join(errs...)
}

// failure carries an exit code. With a nil error it prints nothing:
// the command has said on stdout what is wrong.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}
func (f failure) ExitCode() int { return f.code }
func (f failure) Unwrap() error { return f.err }

// oneLine is the text of an error in one line that no terminal obeys, without the passwords of DSNs.
func oneLine(err error, dsns []string) string {
	text := syntax.InWords(err)
	for _, dsn := range dsns {
		text = strings.ReplaceAll(text, dsn, runner.Redact(dsn))
	}
	return render.Visible(syntax.Clip(syntax.OneLine(text), maxErrorLine))
}

// maxErrorLine bounds that line, in bytes: what others write, such as a model's SQL, may be in it.
const maxErrorLine = 4 << 10

// brief drops what os adds to a failure to open a named file: "no such file or directory" is enough where
// the message names the file already.
func brief(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && err == error(pe) {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

// Call is one call of the program.
type Call struct {
	commands
	con    *console
	open   opened
	ctx    context.Context // ends with SIGINT, SIGTERM or SIGHUP
	parser *kong.Kong
	chosen *kong.Context
	dsns   []string // whose passwords nobody is to see
	hello  bool     // a bundle is called without arguments, and says what to type
}

// Parse reads the command line. Its error is a wrong one; the Call is there even so, for Exit.
func Parse(args []string) (*Call, error) {
	call := &Call{con: newConsole()}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	call.ctx = ctx
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills at once
	// With a handler in place a write to a closed pipe returns EPIPE instead of ending the process, so
	// that what the providers opened is closed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	own, damaged := ownBundle()
	set := &set{bundled: defaultsOf(own), taken: map[string]settings.Value{}}
	call.parser = newParser(&call.commands, kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(call.con, &call.open, set), kong.Resolvers(resolver(set)))
	known := flagsOf(call.parser.Model.Node)
	if len(args) == 0 && (own != nil || damaged != nil) {
		if args = aloneArgs(call.con.typed); args == nil {
			call.hello, args = true, []string{"version"}
		}
	}
	args = inOrder(call.parser.Model.Node, known, asTyped(args, known))
	wrong := cmp.Or(damaged, set.read(call.parser.Model, args))
	call.dsns = dsns(args, set)
	var err error
	call.chosen, err = call.parser.Parse(args)
	switch {
	case err != nil:
		err = set.blame(clearer(err, known))
	case args[0] == asksWhatNext: // of a line that nobody has finished
	case wrong != nil:
		err = failure{exitError, wrong}
	case !makesProfiles[call.chosen.Command()]:
		err = set.Missing()
	}
	return call, err
}

// Run runs the command and closes what it opened.
func (c *Call) Run() error {
	level := slog.LevelWarn
	if c.Verbose > 0 {
		level, c.con.live = slog.LevelDebug, false // messages and a line that is redrawn do not go together
	}
	if c.Verbose > 1 {
		level = levelEngine
	}
	slog.SetDefault(slog.New(warnings{slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level,
		ReplaceAttr: withoutTime}), c.con}))
	run := func() error { return c.chosen.Run() }
	if c.hello {
		run = func() error { return hello(c.ctx, c.con) }
	}
	err := run()
	return errors.Join(err, c.open.close())
}

// Exit says on stderr, in one line, what err is, and returns the exit code.
func (c *Call) Exit(err error) int {
	if err == nil && c.con.outErr != nil {
		err = fmt.Errorf("write the answer: %w", c.con.outErr)
	}
	var silent failure
	if _, wrong := errors.AsType[*runner.UsageError](err); wrong {
		err = failure{exitUsage, err}
	}
	pe := (*fs.PathError)(nil) // kong writes its help to stdout itself
	helpUnread := errors.As(err, &pe) && pe.Path == os.Stdout.Name() && errors.Is(pe, syscall.EPIPE)
	switch {
	case err == nil:
		return 0
	case errors.Is(c.con.outErr, syscall.EPIPE), helpUnread:
		return exitPipe
	case c.ctx.Err() != nil:
		err = failure{exitInterrupted, withStatement(errors.New("interrupted"), err)}
	case err.Error() == "" && errors.As(err, &silent):
		return silent.code
	}
	fmt.Fprintln(c.parser.Stderr, c.con.wrapped("nl2sql: error: "+oneLine(err, c.dsns)))
	coder := kong.ExitCoder(nil)
	beside := errors.As(err, &silent) && silent.err == nil // an error, which is worse than any answer
	if !beside && errors.As(err, &coder) {
		return coder.ExitCode()
	}
	return exitError
}

// dsns are the databases that the command line, the environment and the settings name.
func dsns(args []string, set *set) []string {
	db, _ := set.Get("db")
	all := append(typed(args, "--db", "--against"), os.Getenv("NL2SQL_DB"), db.Text)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// typed are the values of flags on a command line that is not parsed yet.
func typed(args []string, flags ...string) (all []string) {
	for i, arg := range args {
		for _, flag := range flags {
			if value, is := strings.CutPrefix(arg, flag+"="); is {
				all = append(all, value)
			} else if arg == flag && i+1 < len(args) {
				all = append(all, args[i+1])
			}
		}
	}
	return all
}

// withStatement adds to why a command ended what err says of a statement that could not be stopped.
func withStatement(why, err error) error {
	if still, ok := errors.AsType[*runner.StillRunning](err); ok {
		return fmt.Errorf("%w; %w", why, still)
	}
	return why
}

// levelEngine is that of what llama.cpp says.
const levelEngine = slog.LevelDebug - 4

// warnings tells a warning of a package as the program tells its own; other messages are for who looks for something.
type warnings struct {
	slog.Handler
	con *console
}

// Handle implements [slog.Handler].
func (h warnings) Handle(ctx context.Context, r slog.Record) error {
	if r.Level != slog.LevelWarn {
		return h.Handler.Handle(ctx, r)
	}
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(" (%s: %s)", a.Key, a.Value)
		return true
	})
	h.con.warn(text)
	return nil
}

// withoutTime drops the time of a message: one call is over in seconds or minutes.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	if level, is := a.Value.Any().(slog.Level); is && level == levelEngine {
		return slog.String(a.Key, "ENGINE")
	}
	return a
}

// readInput returns text, or what stdin holds if text is "-". More than limit bytes is an error.
func readInput(ctx context.Context, con *console, what, text string, limit int) (string, error) {
	if text == "-" {
		type read struct {
			text []byte
			err  error
		}
		if con.typed {
			fmt.Fprintf(con.err, "Type the %s, then Enter and Ctrl-D.\n", what)
		}
		done := make(chan read, 1)
		go func() { // a read from a terminal cannot be cancelled, and the process is about to end
			text, err := io.ReadAll(io.LimitReader(con.in, int64(limit)+1))
			done <- read{text, err}
		}()
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case r := <-done:
			if r.err != nil {
				return "", fmt.Errorf("read the %s: %w", what, r.err)
			}
			text = string(r.text)
		}
	}
	text = strings.TrimSpace(text)
	switch {
	case strings.Contains(text, ".") && isThere(text):
		return "", failure{exitUsage, fmt.Errorf("%s is a file: - reads the %s from stdin, as in - <%[1]s", text, what)}
	case text == "":
		return "", failure{exitUsage, fmt.Errorf("the %s is empty", what)}
	case len(text) > limit:
		return "", failure{exitUsage, fmt.Errorf("the %s is longer than %d bytes", what, limit)}
	}
	return text, nil
}
