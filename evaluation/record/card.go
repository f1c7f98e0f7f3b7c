package evaluation

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

// Differs says in what a card is not that of the run that is there, or "" if only the date and the machine differ: the same
// program gives the same bits on each.
func (c Card) Differs(there Card) string {
	now, old := c.fields(), there.fields()
	var diffs []string
	for _, name := range cardFields {
		for _, key := range slices.Sorted(keysOf(now[name], old[name])) {
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

// cardFields are the JSON names of Card in order, without those of the date and the machine.
var cardFields = func() []string {
	var names []string
	t := reflect.TypeFor[Card]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); !slices.Contains([]string{"started", "machine", "kernels"}, name) {
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

// keysOf yields the keys of two objects, or "" for values of another kind.
func keysOf(a, b any) func(func(string) bool) {
	return func(yield func(string) bool) {
		x, isX := a.(map[string]any)
		y, isY := b.(map[string]any)
		if !isX && !isY {
			yield("")
			return
		}
		for k := range x {
			if !yield(k) {
				return
			}
		}
		for k := range y {
			if _, twice := x[k]; !twice && !yield(k) {
				return
			}
		}
	}
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
		return tools.Clip(v, 60)
	}
	return tools.Clip(fmt.Sprint(v), 60)
}

// ItemsHash is the SHA-256 of what items ask and expect.
func ItemsHash(items []Item) string {
	h := sha256.New()
	for _, it := range items {
		line, err := jsonLine(it)
		if err != nil { // an Item is text
			panic(err)
		}
		h.Write(line)
	}
	return sum(h)
}

// FileHash is the SHA-256 of a file, such as a model; progress is called with the share that is done, and may be nil.
func FileHash(ctx context.Context, name string, progress func(done float64)) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	h, done := sha256.New(), int64(0)
	for {
		n, err := io.CopyN(h, f, 64<<20)
		if done += n; progress != nil && st.Size() > 0 {
			progress(float64(done) / float64(st.Size()))
		}
		if err == io.EOF {
			return sum(h), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// DataHash is the SHA-256 of a database's tables, columns and rows. It is the same on each engine that holds the same:
// neither the order of rows counts nor how an engine writes a schema.
func DataHash(ctx context.Context, x *Executor) (string, error) {
	h := sha256.New()
	for _, t := range x.Schema.Tables {
		fmt.Fprintf(h, "table %q\n", t.Name)
		var cols []string
		for _, c := range t.Columns {
			fmt.Fprintf(h, "column %q\n", c.Name)
			cols = append(cols, runner.QuoteName(c.Name))
		}
		key := cols
		if len(t.PrimaryKey) > 0 {
			key = nil
			for _, c := range t.PrimaryKey {
				key = append(key, runner.QuoteName(c))
			}
		}
		var rows []string // their hashes
		for offset := 0; ; {
			sql := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT 1000 OFFSET %d", strings.Join(cols, ", "), runner.QuoteName(t.Name), strings.Join(key, ", "), offset)
			q, v, err := sqlcheck.Check(sql, x.Schema)
			if err == nil && !v.OK {
				err = errors.New(v.String())
			}
			var res runner.Result
			if err == nil {
				res, err = x.DB.Query(ctx, q)
			}
			if err == nil && res.Truncated && len(res.Rows) == 0 {
				err = errors.New("a row is too long")
			}
			if err != nil {
				return "", fmt.Errorf("hash table %s: %w", t.Name, err)
			}
			for _, row := range res.Rows {
				one := sha256.Sum256([]byte(rowKey(row)))
				rows = append(rows, string(one[:]))
			}
			if offset += len(res.Rows); len(res.Rows) < 1000 && !res.Truncated {
				break
			}
		}
		slices.Sort(rows)
		for _, one := range rows {
			io.WriteString(h, one) // a hash takes all
		}
	}
	return sum(h), nil
}

// Machine says what kind of machine this is, and not which: its processor and the number of its cores.
func Machine() string {
	cpu := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores", cpu, runtime.NumCPU())
}
