package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"

	"nl2sql/llm/llamacpp"
)

type versionCmd struct{ KernelsFlag }

// commit is set by the Makefile with -X nl2sql/cli.commit=…; builds inside a checkout know it by themselves.
var commit string

// Run says what was built from what.
func (*versionCmd) Run(con *console) error {
	fmt.Fprintf(con, "nl2sql %s %s %s/%s\n", revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if v := llamacpp.Version(); v != "" {
		fmt.Fprintf(con, "llama.cpp %s (github.com/ollama/ollama/llama %s)\n%s\nkernels: %s\n", v, llamacpp.ModuleVersion(), llamacpp.Bits(), kernelSets())
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

// manFlag writes the man page to stdout, for make install and make dist. Its date is SOURCE_DATE_EPOCH, in seconds
// since 1970, or today.
type manFlag bool

func (manFlag) BeforeApply(app *kong.Kong) error {
	date := time.Now()
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH=%s: it must be seconds since 1970", text)
		}
		date = time.Unix(seconds, 0).UTC()
	}
	fmt.Fprint(app.Stdout, mangokong.NewManPage(1, app.Model).Build(dated{roff.NewDocument(), date}))
	app.Exit(0)
	return nil
}

// dated writes a man page of a given day.
type dated struct {
	*roff.Document
	date time.Time
}

func (d dated) Heading(section uint, title, _ string, _ time.Time) {
	d.Document.Heading(section, title, "nl2sql", d.date) // the description is too long for a head
}
