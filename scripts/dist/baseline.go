package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// Packages whose code needs more than the baseline, or less, have -march in their own flags. Nobody else may.
const kernels = "nl2sql/llm/llamacpp/kernels/"

var ownMarch = []string{"nl2sql/llm/llamacpp/cpucheck"}

// aboveBaseline finds an instruction that x86-64-v3 lacks: registers of AVX-512 and AMX, and what came to AVX2 later.
var aboveBaseline = regexp.MustCompile(`%zmm|%tmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])|\{(vex|evex)\}|\tvp?dp(b|w)|\tv?gf2p8|\tvpclmulqdq +\$[^,]*,%ymm|\tvaes\w+ +%ymm|\tsha\d|\ttile`)

var (
	function = regexp.MustCompile(`^[0-9a-f]+ <(.+)>:$`)
	weak     = regexp.MustCompile(`^[0-9a-f]* +([WwVvu]) (.+)$`)
)

// baseline looks at what the compiler made of each package that holds C: code for the baseline alone, except in
// kernels; and no function of a kernel that the linker could give to others, as it does with weak ones.
func baseline(args []string) error {
	f := flag.NewFlagSet("baseline", flag.ContinueOnError)
	tags := f.String("tags", "", "of the build")
	if err := f.Parse(args); err != nil {
		return err
	}
	for _, name := range []string{"CGO_CFLAGS", "CGO_CXXFLAGS"} {
		if flags := os.Getenv(name); !strings.Contains(flags, "-march=") || strings.Contains(flags, "native") {
			return fmt.Errorf("%s=%q: it must name a baseline; run make", name, flags)
		}
	}
	list, err := output("go", "list", "-trimpath", "-tags", *tags, "-deps", "-export", "-f",
		`{{if .CgoFiles}}{{.ImportPath}} {{.Export}} {{join .CgoCPPFLAGS " "}} {{join .CgoCFLAGS " "}} {{join .CgoCXXFLAGS " "}}{{end}}`, ".")
	if err != nil {
		return err
	}
	var bad []string
	seen, functions := 0, 0
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		pkg, export, flags := words[0], words[1], strings.Join(words[2:], " ")
		if strings.Contains(flags, "native") || strings.Contains(flags, "-march") && !strings.HasPrefix(pkg, kernels) &&
			!slices.Contains(ownMarch, pkg) {
			bad = append(bad, fmt.Sprintf("%s has flags of its own for a processor: %s", pkg, flags))
		}
		seen++
		var found []string
		if strings.HasPrefix(pkg, kernels) {
			found, err = weakSymbols(export)
		} else {
			var n int
			n, found, err = newerFunctions(export)
			functions += n
		}
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		for _, s := range found {
			bad = append(bad, pkg+": "+s)
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n"))
	}
	if seen == 0 || functions == 0 {
		return errors.New("nothing compiled by a C compiler was found")
	}
	fmt.Printf("%d packages hold C; none of their %d functions needs more than the baseline\n", seen, functions)
	return nil
}

// newerFunctions counts the functions of an archive and lists those that need more than the baseline.
func newerFunctions(archive string) (n int, newer []string, err error) {
	var in string
	err = lines(func(line string) {
		if m := function.FindStringSubmatch(line); m != nil {
			in = m[1]
			n++
		} else if aboveBaseline.MatchString(line) {
			why := "function " + in + ":" + line[strings.Index(line, ":")+1:]
			if len(newer) == 0 || !strings.HasPrefix(newer[len(newer)-1], "function "+in+":") {
				newer = append(newer, why)
			}
		}
	}, "objdump", "-d", "--no-show-raw-insn", archive)
	return n, newer, err
}

// weakSymbols lists an archive's symbols of which the linker keeps one of all objects.
func weakSymbols(archive string) (found []string, err error) {
	seen := 0
	err = lines(func(line string) {
		seen++
		if m := weak.FindStringSubmatch(line); m != nil && m[1] != "w" { // w is wanted elsewhere, not defined here
			found = append(found, "weak symbol "+m[2])
		}
	}, "nm", archive)
	if err == nil && seen == 0 {
		err = errors.New("nm shows no symbols")
	}
	return found, err
}

// lines gives each line that a tool of binutils writes to see. The tools pass over Go's own members of an archive, and
// then say that they failed.
func lines(see func(string), name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stderr = io.Discard
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		see(s.Text())
	}
	err = cmd.Wait()
	if ee, ok := errors.AsType[*exec.ExitError](err); ok && ee.Exited() {
		err = nil
	}
	return errors.Join(err, s.Err())
}
