package complete

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"nl2sql/scripts/must"
)

// app has what our commands have: groups of them, flags with and without values, arguments of several kinds.
type app struct {
	Loud bool   `short:"l" help:"Say more: everything that there is."`
	Kind string `enum:"small,large" default:"small" placeholder:"KIND"`
	Get  struct {
		From string   `short:"f" placeholder:"PLACE"`
		Into string   `placeholder:"FILE"`
		What []string `arg:""`
	} `cmd:"" aliases:"fetch" help:"Get it."`
	Set struct {
		Old struct {
			File string `arg:""`
		} `cmd:""`
		New    struct{} `cmd:""`
		Hidden struct{} `cmd:"" hidden:""`
	} `cmd:""`
}

func TestNext(t *testing.T) {
	model := must.Get(kong.New(&app{}))(t).Model
	of := func(command *kong.Node, v *kong.Value, placeholder string) (Values, bool) {
		if placeholder == "PLACE" {
			return Values{Words: []Word{{"here", ""}, {"there", ""}}, List: true, Files: true}, true
		}
		return Values{}, false
	}
	for line, want := range map[string]string{
		"":                        "get set help",
		"g":                       "get",
		"x":                       "",
		"set ":                    "old new",
		"help se":                 "set",
		"--k":                     "--kind",
		"--kind ":                 "small large",
		"--kind=l":                "--kind=large",
		"--kind large ge":         "get",
		"--loud ge":               "get",
		"get --fr":                "--from",
		"get -f ":                 "here there :files",
		"fetch --from t":          "there :files",
		"--from t":                "there :files",
		"get --from=here,t":       "--from=here,there :files",
		"get --from here -- --fr": "",
		"get --into ":             ":files",
		"get a b ":                "",
		"set old ":                ":files",
		"set old x ":              "",
		"get --none ":             "",
		"get --none=":             "",
		"set new ":                "",
	} {
		v := Next(model, strings.Split(line, " "), of)
		var got []string
		for _, w := range v.Words {
			got = append(got, w.Text)
		}
		if v.Files {
			got = append(got, ":files")
		}
		must.Same(t, strings.Join(got, " "), want, line)
	}
	if v := Next(model, nil, of); v.Words != nil {
		t.Errorf("no word: %v", v)
	}
}

func TestScripts(t *testing.T) {
	for _, shell := range Shells {
		if text := must.Get(Script(shell))(t); !strings.Contains(text, "nl2sql __complete") &&
			!strings.Contains(text, "__complete -- ") {
			t.Errorf("%s does not ask the program", shell)
		}
	}
	if _, err := Script("tcsh"); err == nil {
		t.Error("there is a script for tcsh")
	}
}
