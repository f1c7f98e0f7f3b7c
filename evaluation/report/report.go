package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
)

// Report is what runs say, ready to be written in any format. Its JSON is an interface.
type Report struct {
	Profile    string            `json:"profile"` // whose scores everything but Rates is about
	Conditions []ConditionReport `json:"conditions"`
	RunTests   []RunTest         `json:"run_tests,omitempty"`
	Paired     []Paired          `json:"paired,omitempty"`
	Groups     []Group           `json:"groups,omitempty"`
	Items      []ItemReport      `json:"items"`
	Notes      []string          `json:"notes,omitempty"` // what a reader must know, a sentence each

	conditions []Condition
}

// ConditionReport is what the runs of one condition say.
type ConditionReport struct {
	Name      string                `json:"condition"`
	Model     string                `json:"model"`
	Method    string                `json:"method"`
	Shots     int                   `json:"k"`
	Seeds     []string              `json:"seeds"`
	Card      record.Card           `json:"card"`  // of the first run
	Rates     map[string][]Measured `json:"rates"` // by profile, in the order of Metrics
	Classes   []ClassCount          `json:"classes"`
	Cost      *Cost                 `json:"cost,omitempty"` // nil if no record has one
	Waterfall *Waterfall            `json:"waterfall,omitempty"`
}

// ClassCount is how many predictions are of one class.
type ClassCount struct {
	Class score.Class `json:"class"`
	N     int         `json:"n"`
}

// Unclassified is the class of a wrong answer of a run whose scores have no classes: the original's, and what is
// left of it in flags. Scoring it again tells them.
const Unclassified score.Class = "not_classified"

var allClasses = append(slices.Clone(score.Classes), Unclassified)

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

// Answer is one prediction, and the runs of a condition that made it.
type Answer struct {
	Condition int         `json:"condition"` // an index of Report.Conditions
	Seeds     []string    `json:"seeds"`
	SQL       string      `json:"pred_sql"`
	Right     bool        `json:"right"`
	Class     score.Class `json:"class"`
	Detail    string      `json:"detail,omitempty"`
}

// Cost is what a question took, on average and spread over questions.
type Cost struct {
	N         int     `json:"n"` // questions
	Steps     float64 `json:"steps"`
	Calls     float64 `json:"model_calls"`
	Evaluated float64 `json:"evaluated_tokens"` // of prompts, worked through
	Reused    float64 `json:"reused_tokens"`    // of prompts, kept from an earlier call
	Output    float64 `json:"output_tokens"`
	Tokens    Spots   `json:"tokens"`  // evaluated and output
	Seconds   Spots   `json:"seconds"` // all 0 if the run kept no times
}

// Spots are the minimum, quartiles, 95th percentile and maximum of a sample, and its mean.
type Spots struct {
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
}

// Options say what a report is about.
type Options struct {
	Profile string      // "" takes the first of Profiles that scored every record
	Items   []item.Item // for difficulties and tags; nil if there are only the records
	// Scorer scores what the records leave open: answers under profiles that did not score them, and queries that traces
	// show before the answers. nil leaves it open.
	Scorer *score.Scorer
}

// NewReport computes a report. Runs that cannot stand in one table are an error.
func New(ctx context.Context, runs []record.Run, o Options) (Report, error) {
	if o.Scorer != nil {
		o.Scorer.Items = o.Items
		if err := complete(ctx, o.Scorer, runs); err != nil {
			return Report{}, err
		}
	}
	conditions, err := Conditions(runs)
	if err != nil {
		return Report{}, err
	}
	profiles := commonProfiles(runs)
	r := Report{Profile: o.Profile, conditions: conditions}
	switch {
	case len(profiles) == 0:
		return Report{}, fmt.Errorf("no profile scored every record of these runs: score them with --execute")
	case r.Profile == "":
		r.Profile = profiles[0]
	case !slices.Contains(profiles, r.Profile):
		return Report{}, fmt.Errorf("these runs were not scored with profile %q: they have %s (--execute scores them)", r.Profile, strings.Join(profiles, ", "))
	}
	for _, c := range conditions {
		report := reportCondition(c, profiles, r.Profile)
		if report.Waterfall, err = waterfallOf(ctx, c, r.Profile, o.judge(r.Profile)); err != nil {
			return Report{}, err
		}
		r.Conditions = append(r.Conditions, report)
	}
	for _, pair := range comparable(conditions) {
		if t := testRuns(pair[0], pair[1], score.EX, r.Profile); t.Enough {
			r.RunTests = append(r.RunTests, t)
		}
		if p := comparePaired(pair[0], pair[1], score.EX, r.Profile); p.N > 0 {
			r.Paired = append(r.Paired, p)
		}
	}
	correctTests(r.RunTests)
	correctPaired(r.Paired)
	r.Items = reportItems(conditions, r.Profile)
	if r.Groups, err = groups(r.Items, o.Items); err != nil {
		return Report{}, err
	}
	r.Notes = notes(runs, r)
	return r, nil
}

// judge scores what traces show, with the accepted golds of the items; nil without a scorer.
func (o Options) judge(profile string) judge {
	if o.Scorer == nil {
		return nil
	}
	return func(ctx context.Context, r record.Record, sql string) (score.Score, error) {
		s, err := rescore.Answer(ctx, o.Scorer, r, sql)
		return s.Scores[profile], err
	}
}

// complete adds the scores that records lack. Those that they have stay as they are.
func complete(ctx context.Context, s *score.Scorer, runs []record.Run) error {
	again, err := rescore.Runs(ctx, s, runs, nil)
	if err != nil {
		return err
	}
	for i := range runs {
		runs[i].Records = slices.Clone(runs[i].Records)
		for j, r := range again[i].Again.Records {
			scores := maps.Clone(r.Scores)
			maps.Copy(scores, runs[i].Records[j].Scores)
			runs[i].Records[j].Scores = scores
		}
	}
	return nil
}

// commonProfiles are the profiles that scored every record, in the order of Profiles, then others by name.
func commonProfiles(runs []record.Run) []string {
	count, records := map[string]int{}, 0
	for _, run := range runs {
		records += len(run.Records)
		for _, r := range run.Records {
			for name := range r.Scores {
				count[name]++
			}
		}
	}
	var names []string
	for name, n := range count {
		if n == records {
			names = append(names, name)
		}
	}
	sortProfiles(names)
	return names
}

// sortProfiles puts the profiles that are known into their order, others by name behind them.
func sortProfiles(names []string) {
	place := func(name string) int {
		i := slices.IndexFunc(score.Profiles, func(p score.Profile) bool { return p.Name == name })
		if i < 0 {
			i = len(score.Profiles)
		}
		return i
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
}

func reportCondition(c Condition, profiles []string, profile string) ConditionReport {
	out := ConditionReport{Name: c.Name, Model: c.Model, Method: c.Method, Shots: c.Shots, Card: c.Runs[0].Card, Rates: map[string][]Measured{}}
	for _, name := range profiles {
		for _, m := range score.Metrics {
			out.Rates[name] = append(out.Rates[name], c.Measure(m, name))
		}
	}
	count := map[score.Class]int{}
	for _, run := range c.Runs {
		out.Seeds = append(out.Seeds, run.Card.Seed)
		for _, r := range run.Records {
			count[classOf(r, profile)]++
		}
	}
	for _, class := range allClasses {
		if count[class] > 0 {
			out.Classes = append(out.Classes, ClassCount{class, count[class]})
		}
	}
	out.Cost = costOf(c.Runs)
	return out
}

var serverCode = regexp.MustCompile(`\b[1-4]\d{3}\b`)

// classOf is the class that the profile gave, or one that fits its score as well as the record tells.
func classOf(r record.Record, profile string) score.Class {
	s := r.Scores[profile]
	if s.Class != "" {
		return s.Class
	}
	strict := r.Scores["strict"].Class
	code, err := strconv.ParseUint(serverCode.FindString(r.Error), 10, 16)
	switch {
	case s.EX:
		return score.Correct
	case strict != "" && strict != score.Correct:
		return strict
	case s.VA:
		return Unclassified
	case err == nil && score.CodeClass[uint16(code)] != "":
		return score.CodeClass[uint16(code)]
	case r.Gold != "" && strings.TrimSpace(r.SQL) == "":
		return score.NoAnswer
	}
	return score.OtherError
}

func costOf(runs []record.Run) *Cost {
	var c Cost
	var tokens, seconds []float64
	for _, run := range runs {
		for _, r := range run.Records {
			c.N++
			c.Steps += float64(r.Steps)
			c.Calls += float64(r.Calls)
			c.Evaluated += float64(r.Prompt - r.Cached)
			c.Reused += float64(r.Cached)
			c.Output += float64(r.Output)
			tokens = append(tokens, float64(r.Prompt-r.Cached+r.Output))
			seconds = append(seconds, r.Took.Seconds())
		}
	}
	for _, sum := range []*float64{&c.Steps, &c.Calls, &c.Evaluated, &c.Reused, &c.Output} {
		*sum /= float64(c.N)
	}
	if c.Steps+c.Calls+c.Evaluated+c.Reused+c.Output == 0 && slices.Max(seconds) == 0 {
		return nil
	}
	c.Tokens, c.Seconds = spots(tokens), spots(seconds)
	return &c
}

// spots sorts values, of which there is at least one.
func spots(values []float64) Spots {
	slices.Sort(values)
	q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, values, nil) }
	return Spots{values[0], q(.25), q(.5), q(.75), q(.95), values[len(values)-1], stat.Mean(values, nil)}
}

func reportItems(conditions []Condition, profile string) []ItemReport {
	var items []ItemReport
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
	a := Answer{Condition: condition, Seeds: []string{seed}, SQL: r.SQL, Right: s.EX, Class: classOf(r, profile), Detail: s.Detail}
	if a.Detail == "" {
		a.Detail = r.Error
	}
	i := slices.IndexFunc(it.Answers, func(b Answer) bool {
		return b.Condition == condition && b.SQL == a.SQL && b.Class == a.Class && b.Detail == a.Detail
	})
	if i < 0 {
		it.Answers = append(it.Answers, a)
	} else {
		it.Answers[i].Seeds = append(it.Answers[i].Seeds, seed)
	}
}

// groups sums items by family, as the records say, and by difficulty and tag, as the file of items does. Families
// and tags are in the order of their names, difficulties in that of the file.
func groups(items []ItemReport, file []item.Item) ([]Group, error) {
	var out []Group
	add := func(kind, name string, it ItemReport) {
		if name == "" {
			return
		}
		i := slices.IndexFunc(out, func(g Group) bool { return g.Kind == kind && g.Name == name })
		if i < 0 {
			i = len(out)
			out = append(out, Group{kind, name, 0, make([]score.Rate, len(it.Rates))})
		}
		out[i].Items++
		for c, r := range it.Rates {
			out[i].Rates[c].Hits += r.Hits
			out[i].Rates[c].N += r.N
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
			return nil, fmt.Errorf("item %s of these runs is not in the file of items: give the file that was run", it.ID)
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

// notes says what the figures do not.
func notes(runs []record.Run, r Report) []string {
	var out []string
	for _, run := range runs {
		if n := len(run.Records); n < run.Card.ItemCount {
			out = append(out, fmt.Sprintf("Run %s is not finished: %d of %d items.", run.Name, n, run.Card.ItemCount))
		}
	}
	for _, c := range r.Conditions {
		if slices.ContainsFunc(c.Classes, func(n ClassCount) bool { return n.Class == Unclassified }) {
			out = append(out, "Some runs do not say how wrong answers are wrong: --execute finds out where they hold the SQL.")
			break
		}
	}
	data := map[string]bool{}
	for _, run := range runs {
		data[fmt.Sprint(run.Card.Backend.Engine, run.Card.Data)] = true
	}
	if len(data) > 1 {
		out = append(out, "These runs were scored on different databases: differences may come from the data or the engine.")
	}
	return out
}
