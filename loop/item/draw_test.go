package item

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// testItems are the original's 200 items as far as they are here: 122. Draws are places among 200, so the others are
// blanks that stand for themselves; a draw that reads the question cannot be made for them.
func testItems(t *testing.T) (items []Item, known map[int]bool) {
	t.Helper()
	data, err := os.ReadFile(sharedData + "dissertation/items.json")
	if err != nil {
		t.Skip("needs ../shared/data/dissertation/items.json beside the checkout")
	}
	var list []struct {
		I        int
		NLQ, SQL string
	}
	must.Do(t, json.Unmarshal(data, &list))
	items, known = make([]Item, 200), map[int]bool{}
	for i := range items {
		items[i] = Item{Question: fmt.Sprintf("unknown question %d", i), SQL: "unknown"}
	}
	for _, it := range list {
		items[it.I], known[it.I] = Item{Question: it.NLQ, SQL: it.SQL}, true
	}
	return items, known
}

// All recorded draws come again: the 2,000 of the few-shot runs, and of the ReAct runs' 1,000 the 610 whose questions
// are here.
func TestRecordedDraws(t *testing.T) {
	items, known := testItems(t)
	data := must.Get(os.ReadFile(sharedData + "dissertation/exemplar_indices.json"))(t)
	var recorded struct {
		Base  map[string]map[string][]int `json:"base_qlora"`
		React map[string]map[string][]int
	}
	must.Do(t, json.Unmarshal(data, &recorded))
	pool := Pool{"test", items}
	base, react := 0, 0
	for seed, want := range recorded.Base {
		draws := must.Get(pool.DrawRun(items, seed, 3))(t)
		for i, got := range draws {
			if diff := cmp.Diff(want[strconv.Itoa(i)], got); diff != "" {
				t.Fatalf("few-shot, seed %s, item %d: %s", seed, i, diff)
			}
			base++
		}
	}
	for seed, want := range recorded.React {
		for i, order := range pool.DrawEach(items, seed) {
			if !known[i] {
				continue
			}
			if diff := cmp.Diff(want[strconv.Itoa(i)], order[:3]); diff != "" {
				t.Fatalf("ReAct, seed %s, item %d: %s", seed, i, diff)
			}
			react++
		}
	}
	t.Logf("%d few-shot draws, %d ReAct draws", base, react)
	must.Be(t, base == 2000 && react == 5*len(known), base, react, "draws are recorded here")
}

// A pool that is not the test set shows neither the question nor its answer nor another database.
func TestPoolLeaksNothing(t *testing.T) {
	it := Item{Question: "How many orders are there?", SQL: "SELECT COUNT(*) FROM orders"}
	pool := []Item{
		{Question: "how many  ORDERS are there?", SQL: "SELECT 1"},
		{Question: "Count the orders.", SQL: "select count(*)  from orders;"},
		{Question: "How many pets?", SQL: "SELECT COUNT(*) FROM pets", Database: "pets"},
		{Question: "How many customers?", SQL: "SELECT COUNT(*) FROM customers"},
		it,
	}
	for name, want := range map[string][]int{"train": {3}, "test": {0, 1, 2, 3}} {
		draws := must.Get(Pool{name, pool}.DrawRun([]Item{it}, "7", len(want)))(t)
		got := map[int]bool{}
		for _, i := range draws[0] {
			got[i] = true
		}
		for _, i := range want {
			if !got[i] || len(got) != len(want) {
				t.Errorf("%s: drew %v of %v", name, draws[0], want)
			}
		}
	}
	if _, err := (Pool{"train", pool}).DrawRun([]Item{it}, "7", 2); err == nil {
		t.Error("two exemplars of one")
	}
	// the same question, written otherwise, is out
	must.Equal(t, len((Pool{"test", pool}).DrawEach([]Item{it}, "7")[0]), 3, "drew")
}

func TestSample(t *testing.T) {
	var items []Item
	for i := range 100 {
		items = append(items, Item{ID: fmt.Sprintf("%03d", i)})
	}
	got := Sample(items, 10, 1)
	must.Be(t, slices.IsSortedFunc(got, func(a, b Item) int { return strings.Compare(a.ID, b.ID) }) && len(got) == 10,
		got)
	must.Be(t, got[9].ID >= "050", "not spread", got)
	must.Same(t, Sample(items, 10, 1), got)
	must.Be(t, !cmp.Equal(got, Sample(items, 10, 2)), "two seeds draw the same")
	for _, n := range []int{0, 100, 1000} {
		must.Same(t, Sample(items, n, 1), items, n)
	}
}
