package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/assets"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// go test -tags stub -run '^$' -bench . ./runner/embedded prints how long the engine takes: to load the demo database,
// to make 100 clones that are asked one question each, to answer the golds, and to stop.

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		db := must.Get(Open(b.Context(), "", runner.Limits{}))(b)
		must.Do(b, db.Close())
	}
}

func BenchmarkClones(b *testing.B) {
	db := openDemo(b)
	for name, change := range map[string]Change{
		"same":    nil,
		"changed": changePayments,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				clones := make([]runner.DB, 100)
				for i := range clones {
					c := must.Get(db.Clone(b.Context(), change))(b)
					must.Get(ask(b.Context(), c, "SELECT SUM(amount) FROM payments"))(b)
					clones[i] = c
				}
				for _, c := range clones { // all were open at once
					must.Do(b, c.Close())
				}
			}
		})
	}
}

// BenchmarkGolds answers the examples of our own and, where they are, the 122 questions of the benchmark; it reports
// the median and the slowest.
func BenchmarkGolds(b *testing.B) {
	own := must.Get(item.Read(strings.NewReader(assets.Examples)))(b)
	lists := map[string][]item.Item{"own": own}
	if items, err := item.Load("../../../shared/data/dissertation/items.json"); err == nil {
		lists["122"] = items
	}
	for name, items := range lists {
		b.Run(name, func(b *testing.B) {
			db := openDemo(b)
			var took []time.Duration
			for b.Loop() {
				for _, it := range items {
					start := time.Now()
					if _, err := ask(b.Context(), db, it.SQL); err != nil {
						b.Fatalf("%v\n%s", err, it.SQL)
					}
					took = append(took, time.Since(start))
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "slowest-ms")
		})
	}
}

// BenchmarkRegexp looks through the products' names and texts, 110 times all of them.
func BenchmarkRegexp(b *testing.B) {
	db := openDemo(b)
	for name, of := range map[string]string{
		"letters":    "SUM(REGEXP_LIKE(p.productName, '^[A-Z][a-z]+'))",
		"digits":     "SUM(REGEXP_LIKE(p.productName, '[0-9]{4}'))",
		"words":      "SUM(p.productDescription REGEXP 'turnable|removable')",
		"run":        "SUM(p.productDescription REGEXP 'front.*doors')",
		"substr":     "COUNT(DISTINCT REGEXP_SUBSTR(p.productName, '[A-Za-z]+$'))",
		"replace":    "SUM(LENGTH(REGEXP_REPLACE(p.productName, '[aeiou]', '')))",
		"by the row": "SUM(p.productDescription REGEXP LEFT(q.productName, 4))",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must.Get(ask(b.Context(), db, "SELECT "+of+" FROM products p CROSS JOIN products q"))(b)
			}
		})
	}
}

// BenchmarkCancel reports how long after its cancellation a statement ends that would never end by itself.
func BenchmarkCancel(b *testing.B) {
	db := openDemo(b)
	for i, sql := range heavy {
		b.Run(fmt.Sprint(i+1), func(b *testing.B) {
			var slowest time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				var at time.Time
				time.AfterFunc(50*time.Millisecond, func() {
					at = time.Now()
					cancel()
				})
				if _, err := unbound(ctx, db, sql); !errors.Is(err, context.Canceled) {
					b.Fatal(err)
				}
				slowest = max(slowest, time.Since(at))
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
		})
	}
}

// BenchmarkLoadOriginal loads the benchmark's own dump, if it is here.
func BenchmarkLoadOriginal(b *testing.B) {
	script := golds.File(b, golds.ClassicModels)
	for b.Loop() {
		db := must.Get(OpenDump(b.Context(), assets.DemoName, bytes.NewReader(script), runner.Limits{}))(b)
		must.Do(b, db.Close())
	}
}
