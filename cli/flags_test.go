package cli

import (
	"io"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// usedGroups are the groups of flags that each command has, in the order of its help. A command that is not here has none.
var usedGroups = map[string]string{
	"ask":              "model query",
	"schema":           "database",
	"eval":             "model database",
	"verify":           "model database",
	"score":            "database",
	"rescore":          "database",
	"items lint":       "query",
	"items prompts":    "query",
	"reguard (replay)": "database",
	"reproduce":        "db model",
	"db query":         "query",
	"db diff":          "query",
	"db init":          "db",
	"suite build":      "db",
	"model list":       "window parallel",
	"model bench":      "source window engine",
	"model merge":      "adapter",
	"report":           "database",
	"doctor":           "source window parallel kernels database",
	"version":          "kernels",
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
	p, err := kong.New(&commands{}, kong.Name("nl2sql"))
	if err != nil {
		t.Fatal(err)
	}
	return p
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
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command.Path(), diff)
		}
	}
}

// A flag takes a value wherever it is, or nowhere: inOrder need not know the command.
func TestFlagsTakeValuesEverywhere(t *testing.T) {
	takes := map[string]bool{}
	for _, command := range leaves(parser(t).Model.Node) {
		for _, f := range command.Flags {
			if before, seen := takes[f.Name]; seen && before == f.IsBool() {
				t.Errorf("%s: --%s takes a value in one command and none in another", command.Path(), f.Name)
			}
			takes[f.Name] = !f.IsBool()
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
		if command.Target.Kind() != reflect.Struct {
			t.Errorf("%s is a %s", command.Path(), command.Target.Kind())
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
		{"--model db", "--model db"},
		{"--nonsense ask hi", "ask --nonsense hi"},
		{"--help", "--help"},
		{"-- ask", "-- ask"},
		{"- ask", "- ask"},
		{"nonsense ask --fast", "nonsense ask --fast"},
		{"", ""},
	} {
		if got := strings.Join(inOrder(root, flagsOf(root), strings.Fields(tt.in)), " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

// What a command does not use is not in its help, and is refused in one line; in the environment it is nothing to it.
func TestFlagsOfOtherCommands(t *testing.T) {
	known := flagsOf(parser(t).Model.Node)
	for _, command := range leaves(parser(t).Model.Node) {
		path := command.Path()
		out, err := exec.Command("nl2sql", append(strings.Fields(path), "--help")...).Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for name := range strings.FieldsSeq(groups["model"] + " " + groups["query"]) {
			has := slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == name })
			if shown := strings.Contains(string(out), "\n      --"+name+"=") || strings.Contains(string(out), "\n      --"+name+" "); shown != has {
				t.Errorf("%s --help shows --%s: %v", path, name, shown)
			}
			if has {
				continue
			}
			arg := "--" + name
			if known[arg] {
				arg += "=1"
			}
			call, err := Parse(append([]string{arg}, strings.Fields(path)...))
			call.parser.Stderr = io.Discard
			if want := path + " takes no --" + name + ": see nl2sql " + path + " --help"; err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", path, err, want)
			} else if code := call.Exit(err); code != exitUsage {
				t.Errorf("%s: exit code %d", path, code)
			}
		}
	}
}
