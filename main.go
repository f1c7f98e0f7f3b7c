// Command nl2sql turns a question into one safe MySQL SELECT, runs it and shows the rows.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
)

// Exit codes are part of the interface and are listed in README.md.
const (
	exitError       = 1   // could not run (also kong's default)
	exitNo          = 2   // it ran, and the answer is no: no answer, SQL rejected
	exitUsage       = 80  // wrong command line (kong's), empty or oversized question
	exitInterrupted = 130 // SIGINT or SIGTERM
	exitPipe        = 141 // the reader of stdout went away
)

type cli struct {
	Model      string `help:"GGUF file, a name that model list shows, openai:URL#NAME for a model on a server, or replay:FILE for scripted replies." env:"NL2SQL_MODEL" placeholder:"MODEL"`
	Adapter    string `help:"LoRA adapter of the model: a GGUF file, or the folder that PEFT saved." env:"NL2SQL_ADAPTER" placeholder:"PATH"`
	DB         string `name:"db" help:"embedded (the demo database), embedded:NAME (an imported one), local (a private server), author:DUMP (what the dissertation's runs saw), or a DSN: user:password@tcp(host:3306)/name." env:"NL2SQL_DB" default:"embedded" placeholder:"DB"`
	MaxRows    int    `help:"Most rows that a query may return (${default})." default:"1000" placeholder:"N"`
	Kernels    string `help:"Kernels of the engine: amx, avx512, avxvnni, avx2, on ARM i8mm, dotprod, neon. All give the same bits; the default is the fastest here." env:"NL2SQL_KERNELS" placeholder:"NAME"`
	TrustViews bool   `help:"Also take in views that call stored functions: they may do whatever their makers may."`
	Threads    int    `help:"CPU threads of the model; 0 means the physical cores that are idle." default:"0" placeholder:"N"`
	Parallel   int    `help:"Prompts that the model works on at once, each with a window of its own (${default})." default:"1" placeholder:"N"`
	Rate       int    `help:"Most requests a minute to a model on a server; 0 sets no limit." default:"0" placeholder:"N"`
	Fast       bool   `help:"Some speed instead of the promise of the same answer beside other prompts (--parallel)."`
	NoDraft    bool   `help:"Never guess the next words of an answer from its prompt or grammar, even where that was measured to be faster."`
	Context    int    `help:"Window of the model in tokens; 0 means 8192, or the model's own if that is less." default:"0" placeholder:"N"`
	GPU        string `name:"gpu-layers" help:"Layers of the model that NVIDIA GPUs take, in builds of make cuda; auto, the default, means all that fit, 0 none." default:"auto" placeholder:"N"`
	KV         string `name:"kv" help:"Type of the model's keys and values: f16, or q8_0 or q4_0, which take less memory and are less exact." enum:"f16,q8_0,q4_0" default:"f16" placeholder:"TYPE"`
	Verbose    bool   `short:"v" help:"Debug messages, llama.cpp's among them, on stderr."`

	Man manFlag `hidden:"" help:"Write the man page."`

	Ask       askCmd       `cmd:"" help:"Answer one question."`
	Schema    schemaCmd    `cmd:"" help:"Print the database's tables, columns, keys and known values."`
	Check     checkCmd     `cmd:"" help:"Check SQL without a database: one read-only SELECT whose names exist."`
	Eval      evalCmd      `cmd:"" help:"Answer a list of questions and score the answers; a run that was stopped goes on."`
	Verify    verifyCmd    `cmd:"" help:"Answer items of a run once more and hold them against the recorded answers."`
	Score     scoreCmd     `cmd:"" help:"Score a file of predictions against gold queries, as this or that benchmark does."`
	Rescore   rescoreCmd   `cmd:"" help:"Run the SQL of recorded runs again, and compare the scores with the recorded ones."`
	Items     itemsCmd     `cmd:"" help:"Look at benchmark questions."`
	Replay    replayCmd    `cmd:"" help:"Put recorded model text through guards, and score it before and after."`
	Reproduce reproduceCmd `cmd:"" help:"Make the dissertation's table again from its recorded runs."`
	Databases dbCmd        `cmd:"" name:"db" help:"Query, import, create and list databases."`
	Suites    suiteCmd     `cmd:"" name:"suite" help:"Make databases that tell right predictions from lucky ones."`
	Models    modelCmd     `cmd:"" name:"model" help:"Look at model files."`
	Report    reportCmd    `cmd:"" help:"Compare runs: rates with intervals, tests, failures, costs, as tables or files."`
	Doctor    doctorCmd    `cmd:"" help:"Tell what was found on this machine, what is missing, and what to do about it."`
	Version   versionCmd   `cmd:"" help:"Print commit, Go and llama.cpp versions, and CPU features."`

	found   *source // what --model and --adapter name, once it was looked for
	closers []func() error
	advice  []finding // of doctor, about the server of --db
}

// AfterApply lets an empty NL2SQL_DB mean the same as none.
func (c *cli) AfterApply() error {
	if c.DB == "" {
		c.DB = "embedded"
	}
	return nil
}

// Validate makes wrong values usage errors.
func (c *cli) Validate() error {
	switch {
	case c.MaxRows < 1:
		return errors.New("--max-rows must be at least 1")
	case c.Threads < 0 || c.Context < 0:
		return errors.New("--threads and --context must not be negative")
	case c.Rate < 0:
		return errors.New("--rate must not be negative")
	case c.gpuLayers() < llamacpp.AllThatFit:
		return errors.New("--gpu-layers must be a number of layers, or auto")
	case c.Parallel < 1 || c.Parallel > 64:
		return errors.New("--parallel must be between 1 and 64")
	}
	return llamacpp.ChooseKernels(c.Kernels)
}

// ProvideDB opens the database, and only for commands whose Run asks for one.
func (c *cli) ProvideDB(ctx context.Context) (runner.DB, error) {
	db, err := openDB(ctx, c.DB, runner.Limits{Rows: c.MaxRows, TrustViews: c.TrustViews})
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, db.Close)
	return db, nil
}

// openDB opens what a --db value names.
func openDB(ctx context.Context, spec string, limits runner.Limits) (runner.DB, error) {
	var db runner.DB
	var err error
	engine, name, _ := strings.Cut(spec, ":")
	switch {
	case engine == "embedded":
		db, err = embedded.Open(ctx, name, limits)
	case engine == "author":
		db, err = openAuthor(ctx, strings.TrimPrefix(spec, engine), limits)
	case spec == "local":
		db, err = local.Open(ctx, limits)
	case strings.Contains(spec, "/"):
		db, err = runner.Open(ctx, spec, limits)
	default:
		return nil, fmt.Errorf("no database %q: use embedded, embedded:NAME, local, author:DUMP or a DSN such as user:password@tcp(host:3306)/name", runner.Redact(spec))
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	b := db.Backend()
	slog.Debug("database open", "engine", b.Engine, "version", b.Version, "database", b.Database, "source", b.Source)
	return db, nil
}

// close shuts down what the providers opened, last first.
func (c *cli) close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	return errors.Join(errs...)
}

// failure carries an exit code that kong.FatalIfErrorf finds. With a nil error it prints nothing:
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

// oneLine is an error whose text is one line that no terminal obeys, without the password of the --db DSN.
type oneLine struct {
	error
	db string
}

func (e oneLine) Unwrap() error { return e.error }
func (e oneLine) Error() string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(e.error.Error(), e.db, runner.Redact(e.db))), " ")
	if len(text) > maxErrorLine {
		text = strings.ToValidUTF8(text[:maxErrorLine], "") + "…"
	}
	return render.Visible(text)
}

// maxErrorLine bounds that line, in bytes: what others write, such as a model's SQL, may be in it.
const maxErrorLine = 4 << 10

// brief drops what os adds to a failure to open a named file: "no such file or directory" is enough where
// the message names the file already.
func brief(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && err == error(pe) {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

func main() {
	var c cli
	con := newConsole()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills at once
	// With a handler in place a write to a closed pipe returns EPIPE instead of ending the process, so
	// that what the providers opened is closed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	parser := kong.Must(&c, kong.Name("nl2sql"), kong.Description("Turns a question into one safe MySQL SELECT, runs it and shows the rows. Everything runs on this machine, unless --model or --db names another."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(con))
	k, err := parser.Parse(os.Args[1:])
	if err != nil {
		parser.FatalIfErrorf(oneLine{err, c.DB})
	}
	level := slog.LevelWarn
	if c.Verbose {
		level, con.live = slog.LevelDebug, false // messages and a line that is redrawn do not go together
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: withoutTime})))

	err = k.Run()
	err = errors.Join(err, c.close())
	if err == nil && con.outErr != nil {
		err = fmt.Errorf("write the answer: %w", con.outErr)
	}
	var silent failure
	if wrong := (*runner.UsageError)(nil); errors.As(err, &wrong) {
		err = failure{exitUsage, err}
	}
	switch {
	case err == nil:
		return
	case errors.Is(con.outErr, syscall.EPIPE):
		os.Exit(exitPipe)
	case ctx.Err() != nil:
		err = failure{exitInterrupted, withStatement(errors.New("interrupted"), err)}
	case errors.As(err, &silent) && silent.err == nil:
		os.Exit(silent.code)
	}
	parser.FatalIfErrorf(oneLine{err, c.DB})
}

// withStatement adds to why a command ended what err says of a statement that could not be stopped.
func withStatement(why, err error) error {
	if still := (*runner.StillRunning)(nil); errors.As(err, &still) {
		return fmt.Errorf("%w; %w", why, still)
	}
	return why
}

// withoutTime drops the time of a message: one call is over in seconds or minutes.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
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
	case text == "":
		return "", failure{exitUsage, fmt.Errorf("the %s is empty", what)}
	case len(text) > limit:
		return "", failure{exitUsage, fmt.Errorf("the %s is longer than %d bytes", what, limit)}
	}
	return text, nil
}
