package grid

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Setting is a flag as a cell has it.
type Setting struct {
	Key, Value string
	Line       int // of the file; 0 where the command gave it
}

// Cell is one run of a grid.
type Cell struct {
	Model, Method string // what they are called
	Set           string // of items; "" where the grid names none
	Shots, Seed   string

	Settings []Setting // those that a cell leaves to their default are not among them
	Open     []Setting // keys that the file left to the command, which did not give them: Value is ""
	Line     int       // where its method stands, or else the file begins
}

// Condition is what cells that differ in their seed alone share.
func (c Cell) Condition() string { return fmt.Sprintf("%s_%s_k%s", c.Model, c.Method, c.Shots) }

// Folder is that of the run, below the grid's. Cells of one set share a folder.
func (c Cell) Folder() string { return filepath.Join(c.Set, c.Condition()+"_seed"+c.Seed) }

// Get is the value of a key, and the line where it stands.
func (c Cell) Get(key string) (Setting, bool) {
	i := slices.IndexFunc(c.Settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{Key: key, Line: c.Line}, false
	}
	return c.Settings[i], true
}

// Keys are what a file may set: the flags of a command.
type Keys struct {
	Defaults map[string]string // of every flag that there is
	Given    map[string]string // what the command was given, for cells that leave it open or do not name it
}

// maxCells is more than anyone waits for: a list too many is told as such.
const maxCells = 10_000

// Read reads a file and returns its cells in the order in which they are to be made: those that share a model, then
// databases, then prompts stand together.
func Read(file string, text []byte, k Keys) ([]Cell, error) {
	l := &layout{file: file, known: slices.Sorted(maps.Keys(k.Defaults))}
	if err := l.read(text); err != nil {
		return nil, err
	}
	if err := l.used(k.Given); err != nil {
		return nil, err
	}
	var cells []Cell
	for _, model := range orNone(l.models) {
		for _, set := range orNone(l.sets) {
			for _, method := range orNone(l.methods) {
				more, err := l.product(part{model, set, method}, k)
				if err != nil {
					return nil, err
				}
				if cells = append(cells, more...); len(cells) > maxCells {
					return nil, fmt.Errorf("%s: these are more than %d cells", file, maxCells)
				}
			}
		}
	}
	cells, err := l.without(cells, k)
	if err != nil {
		return nil, err
	}
	seen := map[string]Cell{}
	for _, c := range cells {
		if twin, twice := seen[c.Folder()]; twice {
			return nil, l.errorf(c.Line,
				"two cells are called %s, this one and one of line %d: give their entries names", c.Folder(), twin.Line)
		}
		seen[c.Folder()] = c
	}
	order(cells)
	return cells, nil
}

func orNone(list []*entry) []*entry {
	if len(list) == 0 {
		return []*entry{{}}
	}
	return list
}

// used refuses what the command was given and no cell would have.
func (l *layout) used(given map[string]string) error {
	for _, key := range l.known {
		if _, is := given[key]; !is {
			continue
		}
		sets := func(e *entry) bool { return len(e.values[key]) > 0 }
		every := func(list []*entry) bool {
			return len(list) > 0 && !slices.ContainsFunc(list, func(e *entry) bool { return !sets(e) })
		}
		if sets(l.all) || every(l.models) || every(l.sets) || every(l.methods) {
			return fmt.Errorf("--%s: %s says %[1]s itself, in every cell", key, l.file)
		}
	}
	return nil
}

// part is the entries of which a cell is made: a model, a set and a method.
type part [3]*entry

// bases are the keys that name the parts of a cell, and owns are those of the whole grid that belong to the first two.
var (
	bases = [3]string{"model", "items", "agent"}
	owns  = [2][]string{{"model", "adapter"}, {"items", "databases", "db", "suite", "limit", "first", "draw"}}
)

// product makes the cells of three entries and of what holds for all.
func (l *layout) product(p part, k Keys) ([]Cell, error) {
	var keys []string
	values := map[string][]value{}
	add := func(e *entry) {
		for _, key := range e.keys {
			if _, is := values[key]; !is {
				keys = append(keys, key)
			}
			values[key] = e.values[key]
		}
	}
	add(l.all)
	for i, e := range p {
		for _, other := range p[i+1:] {
			for _, key := range other.keys {
				if _, twice := e.values[key]; twice {
					return nil, l.errorf(other.line, "%s is in the entry of line %d too", key, e.line)
				}
			}
		}
		add(e)
	}
	for _, key := range l.known {
		if text, is := k.Given[key]; is && len(values[key]) == 0 {
			if _, open := values[key]; !open {
				keys = append(keys, key)
			}
			values[key] = []value{{text, 0}}
		}
	}
	cells := []Cell{{Line: max(1, p[2].line)}}
	for _, key := range keys {
		var next []Cell
		for _, c := range cells {
			if len(values[key]) == 0 {
				c.Open = append(slices.Clone(c.Open), Setting{Key: key, Line: l.openAt(p, key)})
				next = append(next, c)
			}
			for _, v := range values[key] {
				with := c
				if with.Settings = slices.Clone(c.Settings); v.text != "" {
					with.Settings = append(with.Settings, Setting{key, v.text, v.line})
				}
				next = append(next, with)
			}
		}
		if cells = next; len(cells) > maxCells {
			return nil, l.errorf(max(1, p[2].line), "these are more than %d cells", maxCells)
		}
	}
	for i := range cells {
		l.call(&cells[i], p, k)
	}
	return cells, nil
}

// openAt is the line of the entry that leaves a key open.
func (l *layout) openAt(p part, key string) int {
	for _, e := range p {
		if _, is := e.values[key]; is {
			return e.line
		}
	}
	return l.all.line
}

// call names a cell: each part by its entry's name, or by the model, the items or the agent, and by what lists of it
// say. A method without a name is called by all that it sets.
func (l *layout) call(c *Cell, p part, k Keys) {
	get := func(key string) string {
		if s, is := c.Get(key); is {
			return s.Value
		}
		return k.Defaults[key]
	}
	c.Shots, c.Seed = short(get("shots")), short(get("seed"))
	var names [3]string
	named := len(l.sets) > 0
	for i, e := range p {
		text := cmp.Or(e.name, short(get(bases[i])))
		tell := func(key string, is bool) {
			s, set := c.Get(key)
			if is && set && key != "shots" && key != "seed" && !(key == bases[i] && e.name == "") {
				text += "+" + key + "=" + short(s.Value)
			}
		}
		for _, key := range l.all.keys {
			list := len(l.all.values[key]) > 1 && belongs(key) == i && !p.sets(key)
			named = named || list && i == 1
			tell(key, list)
		}
		for _, key := range e.keys {
			tell(key, len(e.values[key]) > 1 || i == 2 && e.name == "")
		}
		names[i] = text
	}
	c.Model, c.Method = names[0], names[2]
	if named {
		c.Set = names[1]
	}
}

// belongs says to which part a key of the whole grid belongs.
func belongs(key string) int {
	for i, keys := range owns {
		if slices.Contains(keys, key) {
			return i
		}
	}
	return 2
}

func (p part) sets(key string) bool {
	return slices.ContainsFunc(p[:], func(e *entry) bool { _, is := e.values[key]; return is })
}

var unnamed = regexp.MustCompile(`[^A-Za-z0-9.=-]+`)

// short is a value in the name of a folder: of a path or a server the last word.
func short(text string) string {
	text = strings.TrimPrefix(text, "replay:")
	if strings.HasPrefix(text, "openai:") {
		text = text[strings.LastIndexByte(text, '#')+1:]
	}
	text = filepath.Base(filepath.Clean(text))
	for _, ext := range []string{".gguf", ".jsonl", ".json", ".csv", ".txt", ".notes"} {
		text = strings.TrimSuffix(text, ext)
	}
	if text = strings.Trim(unnamed.ReplaceAllString(text, "-"), "."); text == "" {
		return "-"
	}
	return text
}

// without leaves out the cells that the file does not want.
func (l *layout) without(cells []Cell, k Keys) ([]Cell, error) {
	for _, e := range l.leaveOut {
		n := len(cells)
		cells = slices.DeleteFunc(cells, func(c Cell) bool {
			for _, key := range e.keys {
				s, is := c.Get(key)
				if !is {
					s.Value = k.Defaults[key]
				}
				if !slices.ContainsFunc(e.values[key], func(v value) bool { return v.text == s.Value }) {
					return false
				}
			}
			return len(e.keys) > 0
		})
		if len(cells) == n {
			return nil, l.errorf(e.line, "this leaves out no cell")
		}
	}
	if len(cells) == 0 {
		return nil, errors.New(l.file + ": no cell is left")
	}
	return cells, nil
}

// rank is what cells next to each other had better share, the most costly to change first; keys that are not here come
// before the last two.
var rank = []string{
	"model", "adapter", "context", "kv", "fast", "threads", "parallel", "gpu-layers", "no-draft", "rate",
	"db", "databases", "trust-views", "items", "suite", "limit", "first", "draw",
	"agent", "prompts", "plan", "notes", "shots", "pool", "seed",
}

// order puts cells that share much next to each other, and those that share the same much in the order of the file.
func order(cells []Cell) {
	first := map[string]map[string]int{} // by key, where a value comes first
	place := func(c Cell, key string) int {
		s, _ := c.Get(key)
		return first[key][s.Value]
	}
	for _, key := range rank {
		first[key] = map[string]int{}
		for i, c := range cells {
			s, _ := c.Get(key)
			if _, is := first[key][s.Value]; !is {
				first[key][s.Value] = i
			}
		}
	}
	slices.SortStableFunc(cells, func(a, b Cell) int {
		for _, key := range rank {
			if d := cmp.Compare(place(a, key), place(b, key)); d != 0 {
				return d
			}
		}
		return 0
	})
}

// Pairs are the conditions of cells of one set that are tested against each other: each method against the first of
// its model, and each model against the first one with the same method.
func Pairs(cells []Cell) (pairs [][2]string) {
	method := func(c Cell) string { return c.Method + "_k" + c.Shots }
	ofModel, ofMethod := map[string]string{}, map[string]string{}
	seen := map[string]bool{}
	for _, c := range cells {
		name := c.Condition()
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, control := range []struct {
			by  map[string]string
			key string
		}{{ofModel, c.Model}, {ofMethod, method(c)}} {
			if first, is := control.by[control.key]; is {
				pairs = append(pairs, [2]string{first, name})
			} else {
				control.by[control.key] = name
			}
		}
	}
	return pairs
}
