package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"nl2sql/cli/complete"
	"nl2sql/cli/settings"
	"nl2sql/evaluation/runs"
	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/openai"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

type doctorCmd struct {
	Format string `help:"table, plain (tab-separated) or json; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,json" default:"auto" placeholder:"FORMAT"`
	ProfileFlag
	SourceFlags
	WindowFlags
	ParallelFlag
	KernelsFlag
	DatabaseFlags
}

// examination is one look at a machine.
type examination struct {
	*doctorCmd
	con    *console
	open   *opened
	given  *kong.Context
	set    *set
	file   llm.GGUF  // the model, where it is a file
	advice []finding // about the server of --db
}

// finding is what was looked for on this machine and what was found.
type finding struct {
	What   string `json:"what"`
	Status status `json:"status"`
	Found  string `json:"found"`
	Do     string `json:"do,omitempty"` // what helps
}

type status string

const (
	good     status = "ok"
	optional status = "optional" // missing, and not needed
	missing  status = "missing"  // questions cannot be answered without it
)

// Run looks at all that an answer needs and what else is of use. The answer is no if something needed is missing.
func (c *doctorCmd) Run(ctx context.Context, con *console, open *opened, given *kong.Context, set *set) error {
	x, list := &examination{doctorCmd: c, con: con, open: open, given: given, set: set}, []finding(nil)
	for _, look := range []func(context.Context, *examination) finding{
		lookSettings, lookEngine, lookProcessor, lookMemory, lookModel, lookDatabase,
		func(ctx context.Context, _ *examination) finding { return lookServer(ctx, "mysql") },
		func(ctx context.Context, _ *examination) finding { return lookServer(ctx, "mariadb") },
		lookGPU, lookCache,
	} {
		list = append(list, look(ctx, x))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	list = append(list, x.advice...)
	var err error
	if format := con.format(c.Format); format == render.JSON {
		err = writeObject(con, list)
	} else {
		err = con.table(listed([]string{"what", "status", "found", "what to do"}, list, func(f finding) []any {
			return []any{f.What, string(f.Status), f.Found, f.Do}
		}), format)
	}
	if err == nil && slices.ContainsFunc(list, func(f finding) bool { return f.Status == missing }) {
		return failure{code: exitNo}
	}
	return err
}

func lookEngine(context.Context, *examination) finding {
	f := finding{What: "engine", Status: good, Found: "llama.cpp " + llamacpp.Version() + " in this program, kernels " +
		kernelSets()}
	if llamacpp.Version() == "" {
		f.Status, f.Found, f.Do = missing, "this build has none",
			"build with make, or use a model on a server with --model openai:URL#NAME"
	}
	return f
}

func lookProcessor(context.Context, *examination) finding {
	f := finding{What: "processor", Status: good}
	flags := strings.Fields(files.Field(runs.Processors, "flags"))
	fast := syntax.Filter([]string{"avx", "avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512_vnni", "amx_int8"},
		func(flag string) bool { return slices.Contains(flags, flag) })
	f.Found = fmt.Sprintf("%s, %d processors", runs.Processor(), runtime.NumCPU())
	if len(fast) > 0 {
		f.Found += ", " + strings.Join(fast, " ")
	}
	if runtime.GOARCH == "amd64" && flags != nil && !slices.Contains(fast, "avx2") {
		f.Status, f.Do = optional,
			"without avx2 prompts are read many times slower: take another machine or a model on a server"
	}
	var minute float64
	_, err := fmt.Sscan(files.Field("/proc/loadavg", ""), &minute)
	if err == nil && minute > float64(runtime.NumCPU())/2 {
		f.Found += fmt.Sprintf("; busy: %.1f threads wanted to run in the last minute", minute)
		f.Do = cmp.Or(f.Do, "answers take longer while other programs run")
	}
	return f
}

func lookMemory(context.Context, *examination) finding {
	f := finding{What: "memory", Status: good}
	free, known := catalog.FreeMemory()
	switch {
	case !known:
		f.Found = "the system does not tell"
	case free < 1<<30:
		f.Status, f.Found, f.Do = optional, gigabytes(free)+" free",
			"even the smallest useful model takes about 1 GB: end other programs"
	default:
		f.Found = gigabytes(free) + " free"
	}
	return f
}

// lookModel looks at what --model names, or else at the one that is taken without it.
func lookModel(ctx context.Context, x *examination) finding {
	f := finding{What: "model", Status: good}
	from := x.set.origin(x.given, "model")
	if x.Model == "" {
		model, why, err := guessed(ctx)
		if err != nil {
			f.Status, f.Found, f.Do = missing, err.Error(), "nl2sql model fetch gets one"
			return f
		}
		x.Model, from = model.Path, why
	}
	s, err := x.source(ctx, x.con, x.open, openai.Options{Parallel: x.Parallel})
	if err != nil {
		f.Status, f.Found, f.Do = missing, fmt.Sprintf("%s (%s)", err, from),
			"nl2sql model fetch gets one; nl2sql model list shows what is here"
		return f
	}
	f.Found = x.Model
	if x.file = s.file; s.file.Path != "" {
		f = lookFile(f, s.file, use(x.WindowFlags, x.ParallelFlag))
	}
	f.Found += fmt.Sprintf(" (%s)", from)
	return f
}

// lookSettings tells what the settings file sets, and where each value that matters here comes from.
func lookSettings(_ context.Context, x *examination) finding {
	f := finding{What: "settings", Status: good, Found: x.set.Path, Do: "nl2sql model use and nl2sql db use write it"}
	switch _, err := os.Stat(x.set.Path); {
	case x.set.Path == "":
		f.Status, f.Found, f.Do = optional, "no folder for them", "set HOME or XDG_CONFIG_HOME"
		return f
	case err != nil:
		f.Status, f.Found = optional, x.set.Path+": not there"
	case x.set.Profile != "":
		f.Found += ", profile " + x.set.Profile
	}
	for _, name := range x.set.Flags() {
		if v, _ := x.set.Get(name); x.set.taken[name] == (settings.Value{}) { // of other commands, or outranked
			f.Found += fmt.Sprintf("; %s: %s (line %d)", name, shownValue(name, v.Text), v.Line)
		}
	}
	for _, flag := range x.given.Flags() {
		if from := x.set.origin(x.given, flag.Name); from != "default" && flag.Name != "format" {
			f.Found += fmt.Sprintf("; %s: %s (%s)", flag.Name, shownValue(flag.Name, fmt.Sprint(flag.Target)), from)
		}
	}
	return f
}

// lookFile adds whether a model's file can be run here.
func lookFile(f finding, g llm.GGUF, use llm.Use) finding {
	need := g.Memory(use)
	f.Found = fmt.Sprintf("%s, %s, takes about %s", filepath.Base(g.Path), g.Quantization, gigabytes(need))
	if a, err := builtIn(g); err == nil && a.Name != "" {
		f.Found += ", with a built-in adapter"
	}
	if free, known := catalog.FreeMemory(); known && need > free {
		f.Status, f.Do = missing,
			fmt.Sprintf("only %s are free: a smaller --context, --kv q8_0, a smaller model, or fewer programs beside it",
				gigabytes(free))
	}
	if _, err := llm.FindTemplate(g.ChatTemplate); err != nil {
		f.Status, f.Found, f.Do = missing, f.Found+"; "+err.Error(), "take the instruct version of the model"
	}
	return f
}

// lookDatabase opens what --db names, except for a server that would have to be started.
func lookDatabase(ctx context.Context, x *examination) finding {
	f := finding{What: "database", Status: good}
	from := fmt.Sprintf(" (%s)", x.set.origin(x.given, "db"))
	if x.DB == "local" {
		f.Found = "local: a private server, see mysql and mariadb" + from
		return f
	}
	db, err := x.openAs(ctx, x.DB, runner.Limits{TrustViews: x.TrustViews})
	if err != nil {
		f.Status, f.Found = missing, strings.ReplaceAll(err.Error(), x.DB, runner.Redact(x.DB))+from
		f.Do = "embedded needs nothing; for a DSN look at host, user, password and name"
		if x.Role != "" {
			f.Do = "mend the role, or what --as gives it; without --role look at the database alone"
		}
		return f
	}
	schema, err := db.Schema(ctx)
	if adviser, ok := db.(runner.Adviser); ok && err == nil {
		var list []runner.Advice
		list, err = adviser.Advise(ctx)
		for _, a := range list {
			advice := finding{What: a.What, Status: good, Found: a.Found, Do: a.Do}
			if !a.OK {
				advice.Status = optional
			}
			x.advice = append(x.advice, advice)
		}
	}
	if err = errors.Join(err, db.Close()); err != nil {
		f.Status, f.Found, f.Do = missing, err.Error(), "the user must be allowed to read the tables"
		return f
	}
	b := db.Backend()
	f.Found = fmt.Sprintf("%s: %s %s, %d tables", runner.Redact(x.DB), b.Engine, b.Version, len(schema.Tables)) +
		from
	if names, err := embedded.List(); err == nil && len(names) > 0 {
		f.Found += "; imported: " + strings.Join(names, ", ")
	}
	return f
}

// lookServer looks for a server that --db local would start.
func lookServer(ctx context.Context, kind string) finding {
	version, err := local.Find(ctx, kind)
	if err != nil {
		return finding{What: kind, Status: optional, Found: err.Error(),
			Do: "only for --db local and to compare engines: make " + kind}
	}
	return finding{What: kind, Status: good, Found: version}
}

// lookCache tries to write to the cache folder.
func lookCache(context.Context, *examination) finding {
	f := finding{What: "cache folder", Status: good}
	dir, err := runner.CacheFolder()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		var try *os.File
		if try, err = os.CreateTemp(dir, "doctor-*"); err == nil {
			err = errors.Join(try.Close(), os.Remove(try.Name()))
		}
	}
	if err != nil {
		f.Status, f.Found, f.Do = missing, err.Error(), "name a folder that can be written in NL2SQL_CACHE"
		return f
	}
	f.Found = dir
	if free, known := catalog.FreeSpace(dir); known {
		f.Found += ", " + gigabytes(free) + " free"
		if free < 2<<30 {
			f.Do = "a model takes 0.5 to 5 GB: make room, or name another folder in NL2SQL_CACHE"
		}
	}
	return f
}

// gpuShare says how much of a model is estimated to fit into GPUs.
func gpuShare(g llm.GGUF, use llm.Use, gpus []llamacpp.GPU) string {
	free := llamacpp.FreeMemory(gpus)
	share := fmt.Sprintf("%d of %d layers", g.Offload(use, free), g.Layers+1)
	if n := g.Sequences(use, free, maxParallel); n > 1 {
		share += fmt.Sprintf(" and %d windows", n)
	}
	return share
}

// lookGPU tells of NVIDIA's driver, of GPUs, and of what the program lacks to use them.
func lookGPU(_ context.Context, x *examination) finding {
	f := finding{What: "GPU", Status: optional}
	driver := "no NVIDIA driver"
	version, err := os.ReadFile("/proc/driver/nvidia/version")
	if err == nil {
		driver, _, _ = strings.Cut(string(version), "\n")
		driver = strings.TrimPrefix(driver, "NVRM version: ")
	}
	library, gpus, why := llamacpp.FindGPUs(cudaPlaces())
	found := []string{driver}
	for _, d := range gpus {
		found = append(found, fmt.Sprintf("%s, %s of %s free", d.Description, gigabytes(d.Free), gigabytes(d.Total)))
	}
	switch {
	case why == nil:
		f.Status = good
		if x.file.Path != "" {
			found = append(found, gpuShare(x.file, use(x.WindowFlags, x.ParallelFlag), gpus)+
				" of the model fit, by estimate")
		}
	case library != "":
		found = append(found, why.Error())
		f.Do = "nothing: the CPU does; for a GPU, install NVIDIA's driver and CUDA's cuBLAS"
	default:
		found = append(found, why.Error())
		if f.Do = "nothing: the CPU does"; err == nil {
			f.Do = "make cuda builds the program for this GPU; a server with a GPU is used with --model openai:URL#NAME"
		}
	}
	f.Found = strings.Join(found, "; ")
	return f
}

type completionCmd struct {
	Shell string `arg:"" help:"bash, zsh or fish; make install puts them where the shells look." enum:"bash,zsh,fish"`
}

// Run prints the script.
func (c *completionCmd) Run(con *console) error {
	text, err := complete.Script(c.Shell)
	fmt.Fprint(con, text)
	return err
}

// asksWhatNext is the name of the command that the scripts call.
const asksWhatNext = "__complete"

// completeCmd is that command.
type completeCmd struct {
	Words []string `arg:"" optional:"" help:"The command line behind the name of the program, up to the word to complete."`
}

// Run prints what the last word may become.
func (c *completeCmd) Run(ctx context.Context, con *console, app *kong.Kong) error {
	wholeHelp(app.Model)
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	return complete.Write(con, complete.Next(app.Model, words, complete.Here(ctx)))
}

type versionCmd struct{ KernelsFlag }

// commit is set by the Makefile with -X nl2sql/cli.commit=…; builds inside a checkout know it by themselves.
var commit string

// Run says what was built from what.
func (*versionCmd) Run(con *console) error {
	fmt.Fprintf(con, "nl2sql %s %s %s/%s\n", revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if v := llamacpp.Version(); v != "" {
		fmt.Fprintf(con, "llama.cpp %s (github.com/ollama/ollama/llama %s)\n%s\nkernels: %s\n",
			v, llamacpp.ModuleVersion(), llamacpp.Bits(), kernelSets())
	} else {
		fmt.Fprintln(con, llamacpp.ErrNotBuilt)
	}
	return nil
}

// kernelSets names the set of kernels that is used, and the others that this machine can run.
func kernelSets() string {
	text := llamacpp.Kernels()
	var more []string
	for _, s := range llamacpp.KernelSets() {
		if s.Runs && s.Name != text {
			more = append(more, s.Name)
		}
	}
	if len(more) > 0 {
		text += " (--kernels takes " + strings.Join(more, ", ") + " too)"
	}
	return text
}

// revision is the commit, with "+changes" if the checkout had any.
func revision() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
