package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/sqlcheck/syntax"
)

// Condition is what runs under several seeds have in common.
type Condition struct {
	Name   string // Card.Condition
	Model  string
	Method string
	Shots  int
	Runs   []record.Run
}

// Conditions groups runs by condition, in order of appearance. It fails where runs cannot stand in one table: no
// runs, a run without records, two runs of one condition and seed, or different items.
func Conditions(runs []record.Run) ([]Condition, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("no runs")
	}
	var list []Condition
	for _, run := range runs {
		if len(run.Records) == 0 {
			return nil, fmt.Errorf("run %s has no records", run.Name)
		}
		if err := sameItems(runs[0], run); err != nil {
			return nil, err
		}
		c := conditionOf(run)
		have := syntax.Entry(&list, func(have Condition) bool { return have.Name == c.Name }, c)
		for _, other := range have.Runs {
			if other.Card.Seed == run.Card.Seed {
				return nil, fmt.Errorf("runs %s and %s are both condition %s, seed %s: give one of them", other.Name,
					run.Name, c.Name, run.Card.Seed)
			}
		}
		have.Runs = append(have.Runs, run)
	}
	for _, c := range list {
		slices.SortStableFunc(c.Runs, func(a, b record.Run) int { return bySeed(a.Card.Seed, b.Card.Seed) })
	}
	return list, nil
}

// bySeed orders seeds that are numbers by value, before those that are texts.
func bySeed(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// sameItems fails if two runs answered different questions.
func sameItems(a, b record.Run) error {
	if a.Card.Items != "" && b.Card.Items != "" && a.Card.Items != b.Card.Items {
		return fmt.Errorf("runs %s and %s answered different item files (%.12s and %.12s): report them apart", a.Name,
			b.Name, a.Card.Items, b.Card.Items)
	}
	of := map[string]record.Record{}
	for _, r := range a.Records {
		of[r.ID] = r
	}
	for _, r := range b.Records {
		have, ok := of[r.ID]
		switch {
		case !ok:
			return fmt.Errorf("item %s is in run %s and not in %s: report them apart", r.ID, b.Name, a.Name)
		case have.Question != "" && r.Question != "" && have.Question != r.Question:
			return fmt.Errorf("item %s asks one thing in run %s and another in %s: report them apart",
				r.ID, a.Name, b.Name)
		}
	}
	if len(a.Records) != len(b.Records) {
		return fmt.Errorf("run %s has %d items, run %s has %d: finish the shorter one or report them apart", a.Name,
			len(a.Records), b.Name, len(b.Records))
	}
	return nil
}

// conditionOf names a run's condition and its parts. The original's conditions are called MODEL_METHOD_kN, and its
// files know no better names.
func conditionOf(run record.Run) Condition {
	c := Condition{Name: run.Card.Condition, Model: run.Card.Model, Method: run.Card.Agent, Shots: run.Card.Shots}
	c.Name = cmp.Or(c.Name, run.Name)
	if rest, ok := strings.CutSuffix(c.Name, fmt.Sprintf("_k%d", c.Shots)); ok {
		if i := strings.LastIndexByte(rest, '_'); i > 0 {
			c.Model, c.Method = rest[:i], rest[i+1:]
		}
	}
	return c
}

// Measured is one metric of one condition.
type Measured struct {
	Metric string     `json:"metric"`
	Runs   Spread     `json:"runs"`   // of the runs' rates
	Pooled score.Rate `json:"pooled"` // over all runs
	Wilson *Interval  `json:"wilson"` // of Pooled, as if its items were independent
	Family *Interval  `json:"family"` // bootstrap of Pooled, clustered by family; nil where there is one family
}

// Measure returns one metric of c under a profile.
func (c Condition) Measure(m score.Metric, profile string) Measured {
	out := Measured{Metric: m.Name}
	clusters := newClusters()
	for _, run := range c.Runs {
		rate := m.Rate(run.Scores(profile))
		if rate.N == 0 {
			continue
		}
		out.Pooled.Hits += rate.Hits
		out.Pooled.N += rate.N
		for _, r := range run.Records {
			if right, counts := m.Of(r.Scores[profile]); counts {
				clusters.add(r, indicator(right))
			}
		}
	}
	out.Runs = c.Spread(m, profile)
	out.Wilson = Wilson(out.Pooled.Hits, out.Pooled.N)
	out.Family = Bootstrap(clusters.values, bootstrapSeed)
	return out
}

// Spread is that of the metric of each run that was measured so.
func (c Condition) Spread(m score.Metric, profile string) Spread { return spread(c.rates(m, profile)) }

// rates returns the metric of each run that was measured so.
func (c Condition) rates(m score.Metric, profile string) []float64 {
	var out []float64
	for _, run := range c.Runs {
		if rate := m.Rate(run.Scores(profile)); rate.N > 0 {
			out = append(out, rate.Value())
		}
	}
	return out
}

// bootstrapSeed is fixed: a report comes out the same every time.
const bootstrapSeed = 1

// clusters collects values of items that rise and fall together: those of one family, or an item under all seeds
// where items have no family.
type clusters struct {
	of     map[string]int
	values [][]float64
}

func newClusters() *clusters { return &clusters{of: map[string]int{}} }

func (c *clusters) add(r record.Record, value float64) {
	key := "family " + r.Family
	if r.Family == "" {
		key = "item " + r.ID
	}
	i, ok := c.of[key]
	if !ok {
		i = len(c.values)
		c.of[key] = i
		c.values = append(c.values, nil)
	}
	c.values[i] = append(c.values[i], value)
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// ConditionName is what runs under several seeds have in common.
func ConditionName(run record.Run) string { return conditionOf(run).Name }
