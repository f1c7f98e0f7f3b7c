package mysqlfn

import (
	"context"
	"database/sql/driver"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"

	"nl2sql/runner/embedded/types"
	"nl2sql/scripts/must"
)

// mostMade bounds what one call may allocate of texts of half a megabyte, those that it only passes on included.
const mostMade = 128 << 20

// No function makes much more of long texts than they are, whatever they hold.
func TestCallsAreBounded(t *testing.T) {
	const size = 512 << 10
	texts := map[string]string{}
	for name, unit := range map[string]string{
		"letters": "a", "accents": "é", "list": "a,", "blanks": " a", "lines": "\n", "quotes": "'\"", "formats": "%W",
		"hex": "0F", "entities": "a.b:",
	} {
		texts[name] = strings.Repeat(unit, size/len(unit))
	}
	for name, unit := range map[string]string{"numbers": "1,", "objects": "{},", "members": `{"a":1},`, "arrays": "[],",
		"strings": `"",`} {
		texts[name] = "[" + strings.Repeat(unit, size/len(unit)) + "1]"
	}
	most, which := uint64(0), ""
	for name, f := range Functions {
		if f.Call == nil && f.Slow == nil || f.Alias != "" || f.Args == "" || f.Random {
			continue
		}
		for kind, text := range texts {
			for _, number := range []driver.Value{int64(2), int64(size)}[:1+min(strings.Count(f.Args, "i")+
				strings.Count(f.Args, "n"), 1)] {
				made, v := allocated(&f, text, number)
				if made > most {
					most, which = made, name+" of "+kind
				}
				if s, ok := v.(string); made > mostMade || ok && len(s) > maxText {
					t.Errorf("%s of %s and %v: %d MiB", name, kind, number, made>>20)
				}
			}
		}
	}
	t.Logf("%s: %d MiB", which, most>>20)
}

// allocated calls a function with a text wherever it takes one, and says how many bytes that took.
func allocated(f *Function, text string, number driver.Value) (uint64, driver.Value) {
	var args []driver.Value
	for i := range len(f.Args) + f.Repeat {
		switch f.Letter(i) {
		case 'n', 'i':
			args = append(args, number)
		case 'p':
			args = append(args, "$**.a")
		case 'k':
			args = append(args, "all")
		default:
			args = append(args, text)
		}
	}
	if f.Collated {
		args = append(args, string(types.CollAI))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := f.bounded(slices.Clone(args), func(a []driver.Value) (driver.Value, error) {
		if f.Slow != nil {
			return f.Slow(&work{ctx: ctx}, a)
		}
		return f.Call(a)
	})
	runtime.ReadMemStats(&after)
	if err != nil {
		v = nil
	}
	return after.TotalAlloc - before.TotalAlloc, v
}

// A search finds no more matches than fit into memory, and no pattern is compiled that does not.
func TestSearchesAreBounded(t *testing.T) {
	many := strings.Repeat("a", maxMatches+1)
	for name, args := range map[string][]driver.Value{
		"matches":  {many, "a", "b", string(types.CollAI)},
		"pattern":  {"a", many, "b", string(types.CollAI)},
		"branches": {many, "((((a))))", "$1", string(types.CollAI)},
	} {
		f := Functions["regexp_replace"]
		if _, err := f.bounded(args, func(a []driver.Value) (driver.Value,
			error) {
			return f.Slow(&work{ctx: t.Context()}, a)
		}); err == nil {
			t.Errorf("%s: went through", name)
		}
	}
}

// Aggregates share what they may keep, and give it back.
func TestAccounts(t *testing.T) {
	before := accounts.Load()
	var all []sqlite.AggregateFunction
	row := []driver.Value{strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20)}
	refused := false
	for i := 0; i < 1000 && !refused; i++ {
		a := &jsonAggregate{object: true}
		refused = a.Step(nil, row) != nil
		all = append(all, a)
	}
	must.Be(t, refused, len(all), "aggregates of 2 MiB went through")
	for _, a := range all {
		a.Final(nil)
	}
	must.Equal(t, accounts.Load(), before, "bytes are kept", "before")
}

// An object that grows too long is an error, and SQLite still asks for what is there by then.
func TestLongObject(t *testing.T) {
	j := &jsonAggregate{object: true}
	must.Do(t, j.Step(nil, []driver.Value{"a", "1"}))
	must.Says(t, j.Step(nil, []driver.Value{"b", strings.Repeat("1", maxText)}), "a text of more than 16 MiB")
	must.Equal(t, must.Get(j.WindowValue(nil))(t), driver.Value(`{"a": 1}`))
}
