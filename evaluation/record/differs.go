package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/loop"
	"nl2sql/tools"
)

// Differs says where another answer to the same item parts from the recorded one, or "" if they are the same:
// which model call, and the words about it; or another part of the record.
func (r Record) Differs(now Record) string {
	r, _ = r.timeless()
	now, _ = now.timeless()
	texts := func(t loop.Trace) (out []string) {
		for _, e := range t {
			if e.Cost != nil {
				out = append(out, e.Text)
			}
		}
		return out
	}
	a, b := texts(r.Trace), texts(now.Trace)
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		x, y := strings.Fields(a[i]), strings.Fields(b[i])
		n := 0
		for n < min(len(x), len(y)) && x[n] == y[n] {
			n++
		}
		word := func(w []string) string {
			if n < len(w) {
				return strconv.Quote(tools.Clip(w[n], 60))
			}
			return "its end"
		}
		if n == len(x) && n == len(y) {
			return fmt.Sprintf("model call %d: the same words, other blanks", i+1)
		}
		return fmt.Sprintf("model call %d, word %d: recorded %s, now %s", i+1, n+1, word(x), word(y))
	}
	if len(a) != len(b) {
		return fmt.Sprintf("recorded %d model calls, now %d", len(a), len(b))
	}
	for _, part := range []struct {
		name     string
		was, now any
	}{{"answer", r.SQL, now.SQL}, {"way to the answer", r.How, now.How}, {"steps", r.Steps, now.Steps},
		{"prompt tokens", r.Prompt, now.Prompt}, {"output tokens", r.Output, now.Output}} {
		if part.was != part.now {
			return fmt.Sprintf("%s: recorded %s, now %s", part.name, shown(part.was), shown(part.now))
		}
	}
	return ""
}

// timeless is r without what another run of the same item would have otherwise, and that.
func (r Record) timeless() (Record, timing) {
	t := timing{r.ID, r.Took, r.Cached, r.Drafted, r.Accepted}
	r.Took, r.Cached, r.Drafted, r.Accepted = 0, 0, 0, 0
	r.Trace = slices.Clone(r.Trace)
	for i := range r.Trace {
		e := &r.Trace[i]
		e.Took = time.Duration(0)
		if e.Cost != nil {
			cost := *e.Cost
			cost.Took, cost.CachedTokens, cost.DraftedTokens, cost.AcceptedTokens = 0, 0, 0, 0
			e.Cost = &cost
		}
	}
	return r, t
}
