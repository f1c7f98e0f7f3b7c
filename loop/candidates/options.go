package candidates

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// Options is what can be chosen of [Agent], by the names of options. The zero value is not the default:
// [Parse] makes that of "". Source: dissertation.md §3.1, but for the last three.
type Options struct {
	MaxSteps           int      // rounds of candidates
	NumCands           int      // of a round, the greedy one among them
	MaxNewTokens       int      // of a candidate
	Reflect            bool     // have the most telling failure mended where no candidate of a round stands
	ReflectionNumCands int      // of that
	DoSample           bool     // false leaves the greedy candidate alone
	Temperature, TopP  float64  // of the sampled ones
	SchemaSubset       bool     // the prompt shows the tables that link_schema keeps
	ProjectionContract bool     // the guards named projection belong to the set, if they do
	ColumnPenalty      float64  // of each column of the result
	HardIntent         bool     // what surely misses the question's intent is rejected
	IntentPenalty      float64  // of what misses it, surely or not, and is not rejected
	MaxExecCands       int      // of a round, the best by their score before they run
	AcceptScore        *float64 // least score that ends the rounds; nil accepts any candidate that runs
	Verbose            bool     // the trace has each score in its parts

	MaxExemplars int    // of those that there are
	HistoryItems int    // earlier attempts that a prompt shows
	Seed         uint32 // of the first sampled candidate; each has one of its own
}

// option is one of Options: what a person calls it, what it is unless chosen, and its ends.
type option struct {
	name, value string
	least, most float64 // of numbers
	help        string
	at          func(*Options) any // *int, *uint32, *bool, *float64 or **float64
}

// options are all options, by the names and with the values of the seeds.
var options = []option{
	{"max_steps", "1", 1, 20, "rounds of candidates", func(o *Options) any { return &o.MaxSteps }},
	{"num_cands", "12", 1, 32, "candidates of a round: one greedy, the others sampled",
		func(o *Options) any { return &o.NumCands }},
	{"max_new_tokens", "96", 8, 1024, "longest candidate, in tokens", func(o *Options) any { return &o.MaxNewTokens }},
	{"enable_reflection", "true", 0, 0, "have the most telling failure mended where no candidate of a round stands",
		func(o *Options) any { return &o.Reflect }},
	{"reflection_num_cands", "4", 1, 32, "candidates of a reflection",
		func(o *Options) any { return &o.ReflectionNumCands }},
	{"do_sample", "true", 0, 0, "false asks for the greedy candidate alone",
		func(o *Options) any { return &o.DoSample }},
	{"temperature", "0.3", 0.01, 2, "of sampled candidates", func(o *Options) any { return &o.Temperature }},
	{"top_p", "0.9", 0.01, 1, "of sampled candidates", func(o *Options) any { return &o.TopP }},
	{"use_schema_subset", "true", 0, 0, "show the tables that link_schema keeps; false shows all",
		func(o *Options) any { return &o.SchemaSubset }},
	{"use_projection_contract", "true", 0, 0, "false takes the projection guard out of --guards",
		func(o *Options) any { return &o.ProjectionContract }},
	{"column_penalty", "0.5", 0, 100, "score that each column of the result costs",
		func(o *Options) any { return &o.ColumnPenalty }},
	{"enforce_intent_constraints", "false", 0, 0, "reject what surely misses the intent",
		func(o *Options) any { return &o.HardIntent }},
	{"intent_penalty", "1", 0, 100, "score that a missed intent costs where it does not reject",
		func(o *Options) any { return &o.IntentPenalty }},
	{"max_exec_cands", "8", 1, 32, "candidates of a round that may run, the best by their words",
		func(o *Options) any { return &o.MaxExecCands }},
	{"accept_score", none, -1000, 1000, "least score that ends the rounds; none: that of any candidate that runs",
		func(o *Options) any { return &o.AcceptScore }},
	{"verbose", "false", 0, 0, "the trace has each score in its parts", func(o *Options) any { return &o.Verbose }},
	{"max_exemplars", "2", 0, 100, "most exemplars that a prompt shows, of those of --shots",
		func(o *Options) any { return &o.MaxExemplars }},
	{"history_items", "4", 0, 100, "earlier attempts that a prompt shows",
		func(o *Options) any { return &o.HistoryItems }},
	{"seed", "0", 0, 1<<32 - 1, "of the sampling", func(o *Options) any { return &o.Seed }},
}

const none = "none"

// Parse reads KEY=VALUE,…; "" is the default. An error says in one line what is wrong, and what may be meant.
func Parse(text string) (Options, error) {
	var o Options
	for _, row := range options {
		if err := row.set(&o, row.value); err != nil {
			return o, err // a test reads them
		}
	}
	chosen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, is := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		row, err := named(name)
		switch {
		case err != nil:
			return o, err
		case !is:
			return o, fmt.Errorf("%s has no value: give %s=%s, say", name, name, row.value)
		case chosen[name]:
			return o, fmt.Errorf("%s is there twice", name)
		}
		chosen[name] = true
		if err := row.set(&o, value); err != nil {
			return o, err
		}
	}
	return o, nil
}

func named(name string) (option, error) {
	var names []string
	for _, row := range options {
		if row.name == name {
			return row, nil
		}
		names = append(names, row.name)
	}
	if near := syntax.NearNames(name, names); len(near) > 0 {
		return option{}, fmt.Errorf("there is no %q: is %s meant?", name, near[0])
	}
	return option{}, fmt.Errorf("there is no %q: there are %s", name, strings.Join(names, ", "))
}

// set reads a value into o.
func (row option) set(o *Options, value string) error {
	kind, whole := "number", false
	switch at := row.at(o).(type) {
	case *bool:
		yes, err := strconv.ParseBool(value)
		if *at = yes; err != nil {
			return fmt.Errorf("%s=%s is not possible: give true or false", row.name, value)
		}
		return nil
	case *int, *uint32:
		kind, whole = "whole number", true
	case **float64:
		kind = "number or none"
		if *at = nil; value == none {
			return nil
		}
		*at = new(float64)
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n >= row.least && n <= row.most) || whole && n != math.Trunc(n) {
		return fmt.Errorf("%s=%s is not possible: give a %s from %g to %.10g", row.name, value, kind,
			row.least, row.most)
	}
	switch at := row.at(o).(type) {
	case *int:
		*at = int(n)
	case *uint32:
		*at = uint32(n)
	case *float64:
		*at = n
	case **float64:
		**at = n
	}
	return nil
}

// String is every option with its value, as [Parse] reads them.
func (o Options) String() string {
	var parts []string
	for _, row := range options {
		value := none
		switch at := row.at(&o).(type) {
		case *int:
			value = fmt.Sprint(*at)
		case *uint32:
			value = fmt.Sprint(*at)
		case *bool:
			value = fmt.Sprint(*at)
		case *float64:
			value = fmt.Sprint(*at)
		case **float64:
			if *at != nil {
				value = fmt.Sprint(**at)
			}
		}
		parts = append(parts, row.name+"="+value)
	}
	return strings.Join(parts, ",")
}

// Defaults is every option with its default.
func Defaults() string {
	var parts []string
	for _, row := range options {
		parts = append(parts, row.name+"="+row.value)
	}
	return strings.Join(parts, ",")
}

// Together is how many calls of the model one question makes at once.
func (o Options) Together() int {
	switch {
	case !o.DoSample:
		return 1
	case o.Reflect:
		return max(o.NumCands, o.ReflectionNumCands)
	}
	return o.NumCands
}

// chosen are the options that are not as usual, in one line.
func (o Options) chosen() string {
	var parts []string
	for i, part := range strings.Split(o.String(), ",") {
		if row := options[i]; part != row.name+"="+row.value {
			parts = append(parts, part)
		}
	}
	return cmp.Or(strings.Join(parts, " "), "as usual")
}
