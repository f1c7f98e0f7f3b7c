package record

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// Differs says in what a card is not that of the run that is there, or "" if only the date and the machine differ: the
// same program gives the same bits on each.
func (c Card) Differs(there Card) string {
	now, old := c.fields(), there.fields()
	var diffs []string
	for _, name := range cardFields {
		for _, key := range keysOf(now[name], old[name]) {
			a, b := part(old[name], key), part(now[name], key)
			if reflect.DeepEqual(a, b) {
				continue
			}
			label := name
			if key != "" {
				label += " " + key
			}
			diffs = append(diffs, fmt.Sprintf("%s was %s, now is %s", label, shown(a), shown(b)))
		}
	}
	if len(diffs) > 3 {
		diffs = append(diffs[:3], fmt.Sprintf("and %d more", len(diffs)-3))
	}
	return strings.Join(diffs, "; ")
}

// cardFields are the JSON names of Card in order, without those of the date and the machine, and what follows from
// others.
var cardFields = func() []string {
	var names []string
	t := reflect.TypeFor[Card]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); !slices.Contains([]string{"started", "machine",
			"kernels"}, name) {
			names = append(names, name)
		}
	}
	return names
}()

// fields are the card as JSON has it: equal cards have equal fields, also after they were read.
func (c Card) fields() map[string]any {
	data, err := json.Marshal(c)
	var out map[string]any
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil { // Params hold what is no JSON: a mistake of ours
		panic(err)
	}
	return out
}

// keysOf are the keys of two objects, sorted, or "" for values of another kind.
func keysOf(a, b any) []string {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if !isX && !isY {
		return []string{""}
	}
	all := map[string]any{}
	maps.Copy(all, x)
	maps.Copy(all, y)
	return slices.Sorted(maps.Keys(all))
}

func part(v any, key string) any {
	if m, ok := v.(map[string]any); ok && key != "" {
		return m[key]
	}
	return v
}

// shown is a value short enough for one line with others.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		if v == "" {
			return "none"
		}
		if _, err := hex.DecodeString(v); err == nil && len(v) > 12 {
			return v[:12] + "…"
		}
		return syntax.Clip(v, 60)
	}
	return syntax.Clip(fmt.Sprint(v), 60)
}

// shaping are the parameters of an engine that may change an answer, and those that only older programs had.
var shaping = []string{"constrain", "context", "fast", "kv"}

// Unlike says in what a run that answers items of another one again, as there describes it, differs so that answers
// may; "" is in nothing. Program, machine and date may differ: that the answers are the same even so is what is shown.
func (c Card) Unlike(there Card) string {
	now := there
	now.ModelHash, now.Adapter, now.Prompts, now.Data, now.Params = c.ModelHash, c.Adapter, c.Prompts,
		c.Data, map[string]any{}
	maps.Copy(now.Params, there.Params)
	for _, name := range shaping {
		delete(now.Params, name)
		if v, set := c.Params[name]; set {
			now.Params[name] = v
		}
	}
	return now.Differs(there)
}
