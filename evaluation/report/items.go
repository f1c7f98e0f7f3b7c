package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/syntax"
)

// Group is a part of the items: a family, a difficulty or a tag.
type Group struct {
	Kind  string       `json:"kind"` // "family", "difficulty", "tag"
	Name  string       `json:"name"`
	Items int          `json:"items"`
	Rates []score.Rate `json:"rates"` // EX, in the order of Report.Conditions
}

// ItemReport is one item and what was answered.
type ItemReport struct {
	ID       string       `json:"id"`
	Question string       `json:"nlq,omitempty"`
	Gold     string       `json:"gold_sql,omitempty"`
	Family   string       `json:"family,omitempty"`
	Rates    []score.Rate `json:"rates"` // EX, in the order of Report.Conditions
	Answers  []Answer     `json:"answers"`
}

// Differs reports whether conditions are right unequally often.
func (it ItemReport) Differs() bool {
	return slices.ContainsFunc(it.Rates, func(r score.Rate) bool { return r.Value() != it.Rates[0].Value() })
}

// AllRight reports whether every answer is right.
func (it ItemReport) AllRight() bool {
	return !slices.ContainsFunc(it.Answers, func(a Answer) bool { return !a.Right })
}

// Answer is one prediction, and the runs of a condition that made it.
type Answer struct {
	Condition int         `json:"condition"` // an index of Report.Conditions
	Seeds     []string    `json:"seeds"`
	SQL       string      `json:"pred_sql"`
	Right     bool        `json:"right"`
	Class     score.Class `json:"class"`
	Detail    string      `json:"detail,omitempty"`
	// of the first of Seeds
	Confidence float64  `json:"confidence,omitempty"`
	Doubts     []string `json:"doubts,omitempty"`
	Refused    string   `json:"refused,omitempty"` // why there is no answer
}

func reportItems(conditions []Condition, profile string) (items []ItemReport) {
	at := map[string]int{}
	for c, condition := range conditions {
		for _, run := range condition.Runs {
			for _, r := range run.Records {
				i, ok := at[r.ID]
				if !ok {
					i = len(items)
					at[r.ID] = i
					items = append(items, ItemReport{ID: r.ID, Rates: make([]score.Rate, len(conditions))})
				}
				it := &items[i]
				if it.Question == "" {
					it.Question, it.Gold, it.Family = r.Question, r.Gold, r.Family
				}
				it.add(c, run.Card.Seed, r, profile)
			}
		}
	}
	return items
}

func (it *ItemReport) add(condition int, seed string, r record.Record, profile string) {
	s := r.Scores[profile]
	it.Rates[condition].N++
	if s.EX {
		it.Rates[condition].Hits++
	}
	a := Answer{Condition: condition, SQL: r.SQL, Right: s.EX, Class: classOf(r, profile),
		Detail: cmp.Or(s.Detail, r.Error), Confidence: r.Confidence, Refused: r.Refused,
		Doubts: syntax.Map(r.Doubts, func(d doubt.Doubt) string { return d.Text })}
	at := syntax.Entry(&it.Answers, func(b Answer) bool {
		return b.Condition == condition && b.SQL == a.SQL && b.Class == a.Class && b.Detail == a.Detail
	}, a)
	at.Seeds = append(at.Seeds, seed)
}

// groups sums items by family, as the records say, and by difficulty and tag, as the file of items does. Families
// and tags are in the order of their names, difficulties in that of the file.
func groups(items []ItemReport, file []item.Item) (out []Group, err error) {
	add := func(kind, name string, it ItemReport) {
		if name == "" {
			return
		}
		sum := syntax.Entry(&out, func(g Group) bool { return g.Kind == kind && g.Name == name },
			Group{kind, name, 0, make([]score.Rate, len(it.Rates))})
		sum.Items++
		for c, r := range it.Rates {
			sum.Rates[c].Hits += r.Hits
			sum.Rates[c].N += r.N
		}
	}
	about := map[string]item.Item{}
	for _, it := range file {
		about[it.ID] = it
	}
	for _, it := range items {
		add("family", it.Family, it)
		if file == nil {
			continue
		}
		have, ok := about[it.ID]
		if !ok || it.Question != "" && have.Question != it.Question {
			return nil, fmt.Errorf("item %s of these runs is not in the file of items: give the file that was run",
				it.ID)
		}
		add("difficulty", have.Difficulty, it)
		for _, tag := range have.Tags {
			add("tag", tag, it)
		}
	}
	slices.SortStableFunc(out, func(a, b Group) int {
		if a.Kind != b.Kind || a.Kind == "difficulty" {
			return strings.Compare(a.Kind, b.Kind)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out, nil
}
