package grid

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/scripts/must"
)

// flags are some of eval's.
func flags(given ...string) Keys {
	k := Keys{
		Defaults: map[string]string{
			"model": "", "adapter": "auto", "agent": "loop", "shots": "0", "seed": "7", "items": "benchmark",
			"databases": "", "db": "embedded", "limit": "0", "pool": "", "guards": "", "votes": "1", "parallel": "1",
		},
		Given: map[string]string{},
	}
	for i := 0; i < len(given); i += 2 {
		k.Given[given[i]] = given[i+1]
	}
	return k
}

// What is wrong in a file is told with its line and its key.
func TestReadErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "g.yaml: not valid YAML: "},
		{"a text", "loop", "g.yaml:1: here stand keys and values, such as agent: loop"},
		{"no YAML", "agent: loop\nshots: [3\n", "g.yaml:3: not valid YAML: "},
		{"two documents", "agent: loop\n---\nagent: loop\n", "g.yaml: not valid YAML: "},
		{"unknown key", "model: m\nagents: loop\n", "g.yaml:2: there is no key agents: did you mean agent?"},
		{"unknown key in an entry", "methods:\n  - agent: loop\n    vote: 5\n",
			"g.yaml:3: there is no key vote: did you mean votes?"},
		{"unknown part", "method:\n  - agent: loop\n", "g.yaml:1: there is no key method: did you mean methods?"},
		{"a flag", "--agent: loop\n", "g.yaml:1: there is no key --agent: did you mean agent?"},
		{"nothing like it", "xyzzy: 1\n",
			"g.yaml:1: there is no key xyzzy: keys are the flags of nl2sql eval, without --"},
		{"twice", "agent: loop\nmodel: m\nagent: react\n", "g.yaml:3: agent is here twice"},
		{"a value twice", "shots: [0,\n  3,\n  0]\n", "g.yaml:3: shots: 0 is here twice"},
		{"an empty list", "shots: []\n", "g.yaml:1: shots: give a value, or a list of them as in [a, b]"},
		{"a list of lists", "shots: [0, [1, 2]]\n", "g.yaml:1: shots: give a value, or a list of them as in [a, b]"},
		{"nothing in a list", "shots: [0, ]\nvotes: [1, ~]\n",
			"g.yaml:2: votes: give a value, or a list of them as in [a, b]"},
		{"a mapping", "shots:\n  k: 3\n", "g.yaml:2: shots: give a value, or a list of them as in [a, b]"},
		{"an alias", "shots: &a 3\nvotes: *a\n", "g.yaml:1: shots: give a value, or a list of them as in [a, b]"},
		{"no list of methods", "methods:\n  agent: loop\n",
			"g.yaml:1: methods: give a list of entries, each with a - in front"},
		{"no entry", "methods:\n  - loop\n", "g.yaml:2: here stand keys and values, such as agent: loop"},
		{"a name of the whole", "name: all\n", "g.yaml:1: name is of entries of models, sets and methods"},
		{"a name with a folder", "methods:\n  - name: a/b\n",
			"g.yaml:2: name: give letters and digits, with . = + - between them"},
		{"a key of two parts", "model: m\nsets:\n  - items: a\n    votes: 3\nmethods:\n  - votes: 5\n",
			"g.yaml:6: votes is in the entry of line 3 too"},
		{"one name", "methods:\n  - {name: a, guards: none}\n  - {name: a, votes: 3}\n",
			"g.yaml:3: two cells are called -_a_k0_seed7, this one and one of line 2: give their entries names"},
		{"leaves out nothing", "shots: [0, 3]\nagent: react\nleave-out:\n  - shots: 5\n",
			"g.yaml:4: this leaves out no cell"},
		{"leaves out all", "agent: react\nleave-out:\n  - agent: react\n", "g.yaml: no cell is left"},
		{"too many", "seed: [" + numbers(200) + "]\nlimit: [" + numbers(200) + "]\n",
			"g.yaml:1: these are more than 10000 cells"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells, err := Read("g.yaml", []byte(tt.text), flags())
			must.Be(t, err != nil && strings.HasPrefix(err.Error(), tt.want) && !strings.Contains(err.Error(), "\n"),
				cells, err, tt.want)
		})
	}
}

func numbers(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

// shown is a cell in one line.
func shown(c Cell) string {
	out := c.Folder() + ":"
	for _, s := range c.Settings {
		out += fmt.Sprintf(" %s=%s", s.Key, s.Value)
	}
	for _, s := range c.Open {
		out += fmt.Sprintf(" %s open in line %d", s.Key, s.Line)
	}
	return out
}

// Cells are all combinations, called by what sets them apart, in an order that changes the model least often, then the
// database, then the prompts.
func TestCells(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		given      []string
		want       []string
	}{
		{"one", "model: a/m.gguf\n", nil, []string{"m_loop_k0_seed7: model=a/m.gguf"}},
		{"given", "agent: react\n", []string{"model", "openai:http://x:1/v1#big-8b", "limit", "5"},
			[]string{"big-8b_react_k0_seed7: agent=react limit=5 model=openai:http://x:1/v1#big-8b"}},
		{"left open", "model: m\nmethods:\n  - {agent: react, adapter: }\n  - agent: loop\n", nil, []string{
			"m_react_k0_seed7: model=m agent=react adapter open in line 3", "m_loop_k0_seed7: model=m agent=loop",
		}},
		{"left open and given", "model: m\nmethods:\n  - {name: with, adapter: }\n  - {name: without, adapter: none}\n",
			[]string{"adapter", "a.gguf"}, []string{
				"m_with_k0_seed7: model=m adapter=a.gguf", "m_without_k0_seed7: model=m adapter=none",
			}},
		{"the model changes least", "seed: [1, 2]\nagent: [react, loop]\nmodel: [x, y]\nadapter: [auto, none]\n", nil,
			[]string{
				"x+adapter=auto_react_k0_seed1: seed=1 agent=react model=x adapter=auto",
				"x+adapter=auto_react_k0_seed2: seed=2 agent=react model=x adapter=auto",
				"x+adapter=auto_loop_k0_seed1: seed=1 agent=loop model=x adapter=auto",
				"x+adapter=auto_loop_k0_seed2: seed=2 agent=loop model=x adapter=auto",
				"x+adapter=none_react_k0_seed1: seed=1 agent=react model=x adapter=none",
				"x+adapter=none_react_k0_seed2: seed=2 agent=react model=x adapter=none",
				"x+adapter=none_loop_k0_seed1: seed=1 agent=loop model=x adapter=none",
				"x+adapter=none_loop_k0_seed2: seed=2 agent=loop model=x adapter=none",
				"y+adapter=auto_react_k0_seed1: seed=1 agent=react model=y adapter=auto",
				"y+adapter=auto_react_k0_seed2: seed=2 agent=react model=y adapter=auto",
				"y+adapter=auto_loop_k0_seed1: seed=1 agent=loop model=y adapter=auto",
				"y+adapter=auto_loop_k0_seed2: seed=2 agent=loop model=y adapter=auto",
				"y+adapter=none_react_k0_seed1: seed=1 agent=react model=y adapter=none",
				"y+adapter=none_react_k0_seed2: seed=2 agent=react model=y adapter=none",
				"y+adapter=none_loop_k0_seed1: seed=1 agent=loop model=y adapter=none",
				"y+adapter=none_loop_k0_seed2: seed=2 agent=loop model=y adapter=none",
			}},
		{"sets, an exception and a default",
			"model: m\nsets:\n  - {items: a/check.jsonl, databases: spider/}\n  - {name: ours, limit: 100}\nmethods:\n  - {agent: loop, guards: [\"\", -columns]}\n  - {agent: react, shots: 3, pool: train}\nleave-out:\n  - {items: benchmark, guards: -columns}\n", nil, []string{
				"check/m_loop_k0_seed7: model=m items=a/check.jsonl databases=spider/ agent=loop",
				"check/m_loop+guards=-columns_k0_seed7: model=m items=a/check.jsonl databases=spider/ agent=loop guards=-columns",
				"check/m_react+pool=train_k3_seed7: model=m items=a/check.jsonl databases=spider/ agent=react shots=3 pool=train",
				"ours/m_loop_k0_seed7: model=m limit=100 agent=loop",
				"ours/m_react+pool=train_k3_seed7: model=m limit=100 agent=react shots=3 pool=train",
			}},
		{"an entry before the whole",
			"model: m\nseed: [1, 2]\nmethods:\n  - {agent: loop, seed: 7}\n  - agent: react\n", nil, []string{
				"m_loop_k0_seed7: model=m seed=7 agent=loop", "m_react_k0_seed1: model=m seed=1 agent=react",
				"m_react_k0_seed2: model=m seed=2 agent=react",
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells := must.Get(Read("g.yaml", []byte(tt.text), flags(tt.given...)))(t)
			var got []string
			for _, c := range cells {
				got = append(got, shown(c))
			}
			must.Same(t, got, tt.want)
		})
	}
}

// What the command says and every cell says too is a mistake.
func TestGivenInVain(t *testing.T) {
	for _, text := range []string{"model: m\n", "models:\n  - model: m\n  - {name: n, model: [n, o]}\n",
		"methods:\n  - model: m\n"} {
		if _, err := Read("g.yaml", []byte(text), flags("model", "other")); err == nil ||
			err.Error() != "--model: g.yaml says model itself, in every cell" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Each method is compared with the first, each model against the first with the same method.
func TestPairs(t *testing.T) {
	cells, err := Read("g.yaml",
		[]byte("model: [a, b]\nmethods:\n  - agent: loop\n  - {agent: react, shots: [0, 3], seed: [1, 2]}\n"), flags())
	must.Do(t, err)
	var got []string
	for _, p := range Pairs(cells) {
		got = append(got, p[0]+" "+p[1])
	}
	want := []string{
		"a_loop_k0 a_react_k0", "a_loop_k0 a_react_k3", "a_loop_k0 b_loop_k0",
		"b_loop_k0 b_react_k0", "a_react_k0 b_react_k0", "b_loop_k0 b_react_k3", "a_react_k3 b_react_k3",
	}
	must.Same(t, got, want)
}

// The dissertation ran these (dissertation.md §5.11).
func TestDissertation(t *testing.T) {
	text := must.Get(assets.Grid("dissertation"))(t)
	cells := must.Get(Read("dissertation.yaml", text, flags("model", "llama", "items", "items.json", "db", "author",
		"adapter", "q.gguf")))(t)
	var got []string
	for _, c := range cells {
		adapter, _ := c.Get("adapter")
		got = append(got, c.Folder()+" "+adapter.Value)
	}
	var want []string
	row := func(name, agent, adapter string, seeds ...int) {
		want = append(want, fmt.Sprintf("llama_%s_k0_seed7 %s", name, adapter))
		for n := range seeds[0] {
			want = append(want, fmt.Sprintf("llama_%s_k3_seed%d %s", name, 7+10*n, adapter))
		}
		if agent == "react" { // with exemplars only
			want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, "llama_react_k0") })
		}
	}
	row("base", "baseline", "none", 10)
	row("react", "react", "none", 5)
	row("qlora", "baseline", "q.gguf", 10)
	must.Same(t, got, want)
}

// What people or programs write into a file is refused, or gives cells with folders of their own, below the grid's.
func FuzzRead(f *testing.F) {
	for _, name := range assets.Grids() {
		text := must.Get(assets.Grid(name))(f)
		f.Add(text)
	}
	f.Add([]byte("sets:\n  - {items: \"../x\", name: ..}\nmethods:\n  - {agent: loop, guards: [\"\", a]}\nleave-out:\n  - guards: a\n"))
	f.Add([]byte("a: &a [1]\n<<: *a\n? [x]\n: y\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cells, err := Read("g.yaml", text, flags())
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, c := range cells {
			dir := c.Folder()
			if seen[dir] || strings.Contains(dir, "..") && strings.Contains("/"+dir+"/", "/../") ||
				strings.HasPrefix(dir, string(os.PathSeparator)) || strings.Count(dir, "/") > 1 {
				t.Errorf("%q of %q", dir, text)
			}
			seen[dir] = true
			for _, s := range c.Settings {
				if _, known := flags().Defaults[s.Key]; !known || s.Value == "" {
					t.Errorf("%v of %q", s, text)
				}
			}
		}
	})
}
