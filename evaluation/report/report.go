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

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/sqlcheck/syntax"
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

	RunsUntested  string `json:"run_tests_missing,omitempty"` // why pairs are not among RunTests
	PairsUntested string `json:"paired_missing,omitempty"`

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

	Confidence *Confidence `json:"confidence,omitempty"` // nil if no answer was judged
	Retrieval  *Retrieval  `json:"retrieval,omitempty"`  // nil for other agents
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

// Options say what a report is about.
type Options struct {
	Profile string      // "" takes the first of Profiles that scored every record
	Items   []item.Item // for difficulties and tags; nil if there are only the records
	// conditions to test against each other, by name or as #1; nil takes those that differ in one thing
	Pairs [][2]string
	// Scorer scores what the records leave open: answers under profiles that did not score them, and queries that
	// traces show before the answers. nil leaves it open.
	Scorer *score.Scorer
}

// New computes a report. Runs that cannot stand in one table are an error.
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
		return Report{}, fmt.Errorf("these runs were not scored with profile %q: they have %s (--execute scores them)",
			r.Profile, strings.Join(profiles, ", "))
	}
	for _, c := range conditions {
		report := reportCondition(c, profiles, r.Profile)
		if report.Waterfall, err = waterfallOf(ctx, c, r.Profile, o.judge(r.Profile)); err != nil {
			return Report{}, err
		}
		r.Conditions = append(r.Conditions, report)
	}
	if err := r.compare(conditions, o.Pairs); err != nil {
		return Report{}, err
	}
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
	out := ConditionReport{Name: c.Name, Model: c.Model, Method: c.Method, Shots: c.Shots, Card: c.Runs[0].Card,
		Rates: map[string][]Measured{}}
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
	out.Confidence = confidenceOf(c.Runs, profile)
	out.Retrieval = retrievalOf(c.Runs)
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
	case err == nil && score.ClassOf(uint16(code)) != "":
		return score.ClassOf(uint16(code))
	case r.Gold != "" && strings.TrimSpace(r.SQL) == "":
		return score.NoAnswer
	}
	return score.OtherError
}

// notes says what the figures do not.
func notes(runs []record.Run, r Report) (out []string) {
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
	data := func(run record.Run) string { return fmt.Sprint(run.Card.Backend.Engine, run.Card.Data) }
	if len(syntax.Set(syntax.Map(runs, data))) > 1 {
		out = append(out, "These runs were scored on different databases: differences may come from the data or the engine.")
	}
	return out
}
