package cli

import (
	"fmt"
	"io"
	"math"
	"os/exec"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"nl2sql/cli/complete"
	"nl2sql/loop"
	"nl2sql/scripts/must"
)

// usedGroups are the groups of flags that each command has, in the order of its help. A command that is not here has
// none.
var usedGroups = map[string]string{
	"ask":         "model query",
	"chat":        "model query",
	"serve":       "model query",
	"mcp":         "model query",
	"check":       "database",
	"explain":     "database",
	"schema":      "database",
	"eval":        "model database",
	"grid":        "model database",
	"verify":      "model database",
	"score":       "database",
	"rescore":     "database",
	"lint":        "query",
	"prompts":     "query",
	"reguard":     "database",
	"reproduce":   "db model",
	"db query":    "query",
	"db profile":  "database",
	"learn":       "query",
	"pairs":       "query",
	"notes":       "database",
	"db diff":     "query",
	"db init":     "db",
	"suite build": "db",
	"bundle make": "source db",
	"model list":  "window parallel",
	"model bench": "source window engine",
	"model merge": "adapter",
	"report":      "database",
	"doctor":      "source window parallel kernels database",
	"version":     "kernels",
}

// groups are the flags of each group.
var groups = map[string]string{
	"db":       "db",
	"database": "db trust-views",
	"query":    "db trust-views max-rows",
	"adapter":  "adapter",
	"source":   "model adapter",
	"window":   "context kv",
	"parallel": "parallel",
	"kernels":  "kernels",
	"engine":   "kernels threads fast no-draft gpu-layers",
	"model":    "model adapter context kv parallel kernels threads fast no-draft gpu-layers rate",
}

func parser(t *testing.T) *kong.Kong {
	t.Helper()
	return newParser(&commands{})
}

// leaves are the commands that run.
func leaves(node *kong.Node) (out []*kong.Node) {
	if len(node.Children) == 0 {
		return []*kong.Node{node}
	}
	for _, child := range node.Children {
		out = append(out, leaves(child)...)
	}
	return out
}

// Every command has the flags of its groups, and of the other groups none. Each flag means the same everywhere.
func TestFlagsOfCommands(t *testing.T) {
	shared := map[string]bool{}
	for _, names := range groups {
		for name := range strings.FieldsSeq(names) {
			shared[name] = true
		}
	}
	about := map[string]string{} // what is said of a shared flag
	for _, command := range leaves(parser(t).Model.Node) {
		var want, got []string
		for group := range strings.FieldsSeq(usedGroups[command.Path()]) {
			want = append(want, strings.Fields(groups[group])...)
		}
		for _, f := range command.Flags {
			if !shared[f.Name] {
				continue
			}
			got = append(got, f.Name)
			if help := f.Help + strings.Join(f.Envs, " "); about[f.Name] == "" {
				about[f.Name] = help
			} else if about[f.Name] != help {
				t.Errorf("%s: --%s is %q, and %q elsewhere", command.Path(), f.Name, help, about[f.Name])
			}
		}
		must.Same(t, got, want, command.Path())
	}
}

// The program stays small enough to know, hidden ones included: commands are all that one can name, those that only
// hold others too; a flag is a name with what it means, so that one name of two meanings counts twice.
func TestFewCommandsAndFlags(t *testing.T) {
	app := parser(t).Model
	commands, flags := map[string]bool{}, map[[2]string]bool{}
	for _, command := range app.Leaves(false) {
		for n := command; n != app.Node; n = n.Parent {
			commands[n.Path()] = true
		}
		for _, f := range slices.Concat(command.AllFlags(false)...) {
			flags[[2]string{f.Name, f.Help}] = true
		}
	}
	must.Be(t, len(commands) <= 50, "commands:", len(commands))
	must.Be(t, len(flags) <= 180, "flags:", len(flags))
	must.Be(t, len(loop.Switches()) <= 30, "switches of --without:", len(loop.Switches()))
}

// A name that went is refused with the one to use, which there is.
func TestGoneNames(t *testing.T) {
	for name, use := range gone {
		name = strings.ReplaceAll(name, "_", " ")
		args := strings.Fields(name)
		if strings.HasPrefix(name, "--") {
			args = []string{"suite", "build", "--out", "x", name}
		}
		call, err := Parse(args)
		call.parser.Stderr = io.Discard
		must.Be(t, err != nil && err.Error() == "there is no "+name+": "+use, name, err)
		must.Equal(t, call.Exit(err), exitUsage, name)
	}
}

// A flag takes a value wherever it is, or nowhere: inOrder need not know the command.
func TestFlagsTakeValuesEverywhere(t *testing.T) {
	takes := map[string]bool{}
	for _, command := range leaves(parser(t).Model.Node) {
		for _, f := range command.Flags {
			value := !f.IsBool() && !f.IsCounter()
			if before, seen := takes[f.Name]; seen && before != value {
				t.Errorf("%s: --%s takes a value in one command and none in another", command.Path(), f.Name)
			}
			takes[f.Name] = value
		}
	}
}

// Kong finds the Validate of a group only where its name is exported.
func TestGroupsAreExported(t *testing.T) {
	for _, command := range leaves(parser(t).Model.Node) {
		for i := range command.Target.NumField() {
			if f := command.Target.Type().Field(i); f.Anonymous && !f.IsExported() {
				t.Errorf("%s embeds %s", command.Path(), f.Name)
			}
		}
		if _, wrong := command.Target.Addr().Interface().(interface{ AfterApply() error }); wrong {
			t.Errorf("%s has a hook besides Validate", command.Path())
		}
		must.Equal(t, command.Target.Kind(), reflect.Struct, command.Path())
	}
}

// Every number is checked by its bounds, and what is outside of them is refused in a line that says what is possible.
func TestBounds(t *testing.T) {
	for _, command := range leaves(parser(t).Model.Node) {
		for _, f := range command.Flags {
			if kind := f.Target.Kind(); kind == reflect.Bool || kind == reflect.String || kind == reflect.Struct ||
				f.Name == "help" || f.IsCounter() || f.IsSlice() && f.Target.Type().Elem().Kind() == reflect.String {
				continue
			}
			if _, least, most := boundsOf(f.Tag.Get("range")); !(least < most) || f.Target.Kind() != reflect.Uint64 &&
				math.IsInf(least, -1) {
				t.Errorf("%s: --%s has no range: %q", command.Path(), f.Name, f.Tag.Get("range"))
			}
		}
	}
	for args, want := range map[string]string{
		"ask hi --votes 33":            "--votes: 33 is not possible: give a whole number from 0 to 32",
		"ask hi --votes -1":            "--votes: -1 is not possible: give a whole number from 0 to 32",
		"ask hi --votes two":           "--votes: two is not possible: give a whole number from 0 to 32",
		"ask hi --votes 1e9":           "--votes: 1e9 is not possible: give a whole number from 0 to 32",
		"ask hi --votes":               "--votes: give a whole number from 0 to 32",
		"ask hi --votes --fast":        "--votes: give a whole number from 0 to 32",
		"ask hi --temperature 9":       "--temperature: 9 is not possible: give a number from 0 to 2",
		"ask hi --temperature NaN":     "--temperature: NaN is not possible: give a number from 0 to 2",
		"ask hi --temperature=":        "--temperature:  is not possible: give a number from 0 to 2",
		"ask hi --min-answerable 2":    "--min-answerable: 2 is not possible: give a number from 0 to 1",
		"ask hi --min-confidence -0.5": "--min-confidence: -0.5 is not possible: give a number from 0 to 1",
		"ask hi --top-p 0":             "--top-p: 0 is not possible: give a number above 0 and up to 1",
		"ask hi --seed -1":             "--seed: -1 is not possible: give a whole number from 0 to 4294967295",
		"ask hi --timeout 5":           "--timeout: 5 has no unit: 5s are seconds, 5m minutes",
		"ask hi --timeout -5s": "--timeout: -5s is not possible: give a time with its unit, " +
			"such as 90s or 5m, 0 or more",
		"ask hi --timeout soon": "--timeout: soon is not possible: give a time with its unit, " +
			"such as 90s or 5m, 0 or more",
		"ask hi --parallel 99999999999999999999": "--parallel: 99999999999999999999 is not possible: give a " +
			"whole number from 0 to 64",
		"ask hi --max-rows 0":            "--max-rows: 0 is not possible: give a whole number from 1 to 10000000",
		"ask hi --max-steps 101":         "--max-steps: 101 is not possible: give a whole number from 0 to 100",
		"ask hi --agent react --votes 2": "ask: --votes needs --agent loop: react does without",
		"ask hi --agent baseline --dry-run": "ask: --dry-run needs --agent loop or retrieval: " +
			"baseline does without",
		"ask hi --shots 2":       "ask takes no --shots: see nl2sql ask --help",
		"eval --out x --shots 2": "eval: --shots needs --agent baseline or react: loop does without",
		"eval --out x --constrain sql": "there is no --constrain: the model's text is checked as any other, and " +
			"nothing holds it to a grammar",
		"ask hi --threads 9999": fmt.Sprintf("ask: --threads: 9999 is not possible: this "+
			"machine has %d processors", runtime.NumCPU()),
		"ask hi --context -1": "--context: -1 is not possible: give a whole number, 0 or more",
		"ask hi --db":         "--db needs a value behind it: see nl2sql ask --help",
		"ask hi --nonsense":   "unknown flag --nonsense: see nl2sql ask --help",
		"db profile laden":    "db profile: unexpected argument laden: say --db laden",
		"lint golds.jsonl":    "lint: unexpected argument golds.jsonl: say --items golds.jsonl",
		"lint flags_test.go":  "lint: unexpected argument flags_test.go: say --items flags_test.go",
		"ask hi --max_rows 3": "unknown flag --max_rows, did you mean \"--max-rows\"?: see " +
			"nl2sql ask --help",
		"db":                            "db does not stand alone: nl2sql db query|import|use|notes|profile|list|remove|diff|init",
		"db query":                      "db query needs <sql>: see nl2sql db query --help",
		"eval":                          "eval needs --out=DIR: see nl2sql eval --help",
		"-v":                            "give a command: nl2sql help lists them",
		"ask hi --gpu-layers=-3":        "ask: --gpu-layers must be a number of layers, or auto",
		"ask hi --gpu-layers 99999":     "ask: --gpu-layers must be a number of layers, or auto",
		"ask hi --rate -1":              "--rate: -1 is not possible: give a whole number, 0 or more",
		"eval --out x --limit -1":       "--limit: -1 is not possible: give a whole number, 0 or more",
		"eval --out x --first":          "eval: --first needs --limit: how many?",
		"eval --out x --shots 101":      "--shots: 101 is not possible: give a whole number from 0 to 100",
		"verify run --items -1":         "--items: -1 is not possible: give a whole number, 0 or more",
		"suite build --out x -n 0":      "--n: 0 is not possible: give a whole number from 1 to 1000",
		"model bench --sequences 1,65":  "--sequences: 65 is not possible: give a whole number from 1 to 64",
		"model bench --prompt-tokens 1": "--prompt-tokens: 1 is not possible: give a whole number, 100 or more",
	} {
		call, err := Parse(strings.Fields(args))
		if call.parser.Stderr = io.Discard; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		} else if code := call.Exit(err); code != exitUsage {
			t.Errorf("%s: exit code %d", args, code)
		}
	}
	for _, args := range []string{
		"ask hi --votes 32 --temperature 2 --top-p 0.00001 --min-confidence 1 --min-answerable 1 --timeout 0 --seed " +
			"4294967295", "ask hi --timeout=1h30m -vv",
		"ask hi --timeout 5s --max-steps 100 --parallel 64", "eval --out x --limit 3 --first",
		"suite build --out x --seed 18446744073709551615",
	} {
		if _, err := Parse(strings.Fields(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestInOrder(t *testing.T) {
	root := parser(t).Model.Node
	for _, tt := range []struct{ in, want string }{
		{"ask --model m hi", "ask --model m hi"},
		{"--model m ask hi", "ask --model m hi"},
		{"--model=m --fast ask hi", "ask --model=m --fast hi"},
		{"--db d db --max-rows 3 query -", "db query --db d --max-rows 3 -"},
		{"-v db list", "db list -v"},
		{"-vv db list", "db list -vv"},
		{"--model db", "--model db"},
		{"--nonsense ask hi", "ask --nonsense hi"},
		{"--help", "--help"},
		{"-- ask", "-- ask"},
		{"- ask", "- ask"},
		{"nonsense ask --fast", "nonsense ask --fast"},
		{"", ""},
	} {
		must.Equal(t, strings.Join(inOrder(root, flagsOf(root), strings.Fields(tt.in)), " "), tt.want, tt.in)
	}
}

// What a command does not use is not in its help, and is refused in one line; in the environment it is nothing to it.
func TestFlagsOfOtherCommands(t *testing.T) {
	known := flagsOf(parser(t).Model.Node)
	nth := 0
	for _, command := range leaves(parser(t).Model.Node) {
		path := command.Path()
		if command.Hidden && command.Passthrough { // it takes any command line
			continue
		}
		out := must.Get(exec.Command("nl2sql", append(strings.Fields(path), "--help-all")...).Output())(t, path)
		mangled := regexp.MustCompile(`Of \S+: [a-z][A-Z].*`).Find(out)
		must.Be(t, mangled == nil, path, "help-all has a name in capitals that begins small:", string(mangled))
		for name := range strings.FieldsSeq(groups["model"] + " " + groups["query"]) {
			has := slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == name })
			must.Equal(t, regexp.MustCompile(`\n +--`+name+`[ =]`).Match(out), has, path, "help-all shows", name)
			if nth++; has || nth%must.Long(7, 1) != 0 {
				continue
			}
			arg := "--" + name
			if known[arg] {
				arg += "=1"
			}
			call, err := Parse(append([]string{arg}, strings.Fields(path)...))
			call.parser.Stderr = io.Discard
			if want := path + " takes no --" + name + ": see nl2sql " + path + " --help"; err == nil ||
				err.Error() != want {
				t.Errorf("%s: %v, want %s", path, err, want)
			} else if code := call.Exit(err); code != exitUsage {
				t.Errorf("%s: exit code %d", path, code)
			}
		}
	}
}

// Help shows ten flags at most of a command that has many, and each that it names is one.
func TestFlagsThatAreUsedOften(t *testing.T) {
	for _, command := range leaves(parser(t).Model.Node) {
		names := strings.Fields(often[command.Path()])
		for _, name := range names {
			if !slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == name && !f.Hidden }) {
				t.Errorf("%s: --%s is not in its help", command.Path(), name)
			}
		}
		if len(names) > 10 {
			t.Errorf("%s: help shows %d flags", command.Path(), len(names))
		}
	}
}

// The man page has every command, and what the shells are told of it is the same.
func TestEveryCommandIsDescribed(t *testing.T) {
	text := must.Get(exec.Command("nl2sql", "--man").Output())(t)
	man := string(text)
	app := newParser(&commands{}).Model
	for _, node := range app.Leaves(true) {
		path := strings.TrimSpace(strings.TrimPrefix(node.FullPath(), app.Name))
		must.Has(t, man, `\fB`+strings.ReplaceAll(path, "-", `\-`), "the man page lacks", path)
		words := strings.Fields(regexp.MustCompile(` \(.*\)`).ReplaceAllString(path, ""))
		said := complete.Next(app, words, complete.Here(t.Context())).Words
		is := func(w complete.Word) bool { return w.Text == words[len(words)-1] && w.Help != "" }
		must.Be(t, slices.ContainsFunc(said, is), "nothing completes", path, said)
	}
}
