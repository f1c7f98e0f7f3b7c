package candidates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/must"
	"nl2sql/tools"
)

// Whatever an option is set to but its default, and whatever is switched off, changes what happens, and not only the
// event that says so.
func TestEveryOptionChangesATrace(t *testing.T) {
	type story struct {
		question string
		sampler
	}
	french := story{"List the customer names and cities of customers in France.", sampler{texts: []string{
		"SELECT customerName FROM customers", "SELECT customerName, city FROM customers WHERE country = 'France'",
		"SELECT city FROM customers",
		"SELECT customerName, city, phone FROM customers",
		"SELECT customerName, city, country FROM customers WHERE country = 'France'",
		"SELECT c.customerName, c.city FROM customers AS c WHERE c.country = 'France' ORDER BY c.customerName",
		"SELECT country FROM customers",
		"SELECT customerName, country FROM customers WHERE country = 'France'", "SELECT * FROM customers",
		"SELECT phone FROM customers", "SELECT postalCode FROM customers",
		"SELECT nothing FROM customers", "SELECT customerName, city FROM customers WHERE country = 'Spain'",
	}}}
	broken := story{"How many offices are there?", sampler{
		texts: []string{"SELECT COUNT(*) FROM office_list", "SELECT COUNT(nothing) FROM offices",
			"SELECT COUNT( FROM offices"},
		mended: []string{"SELECT COUNT(nobody) FROM offices", "SELECT COUNT(none) FROM offices",
			"SELECT COUNT(*) FROM offices"},
	}}
	top := story{"Show the top 3 customers by credit limit.", sampler{texts: []string{
		"SELECT customerName FROM customers LIMIT 3",
		"SELECT customerName, creditLimit FROM customers ORDER BY creditLimit DESC LIMIT 3",
	}}}
	low := top
	low.texts = top.texts[:1]
	hello, county := story{"hello", french.sampler},
		story{"List the counties of our customers in France.", french.sampler}
	clients := story{"List the cities of our clients in France.", french.sampler}

	agent := demoAgent(t, "default,seed_projection")
	notes := must.Get(tools.ParseNotes(strings.NewReader("city = customers.city")))(t)
	agent.Prompts.Notes = notes
	customers, _ := agent.Schema.Table("customers")
	for i, c := range customers.Columns {
		if c.Name == "state" {
			customers.Columns[i].Comment = "county"
		}
	}
	shots := []loop.Exemplar{{Question: "Which offices are in the USA?",
		SQL: "SELECT city FROM offices WHERE country = 'USA'"},
		{Question: "List all phones.", SQL: "SELECT phone FROM customers"}, {Question: "never shown", SQL: "SELECT 1"}}
	trace := func(t *testing.T, s story, options, without string) string {
		o := must.Get(Parse(options))(t)
		off, _, err := loop.ParseWithout(without, "candidates", "")
		must.Do(t, err)
		var b strings.Builder
		k := Agent{Agent: agent, Options: o, Shots: shots}
		k.Model, k.Without = s.sampler, off
		k.OnEvent = func(e loop.Event) {
			if e.Took = 0; e.Kind == loop.KindOptions || e.Kind == loop.KindWithout {
				return
			}
			if e.Cost != nil {
				e.Cost.Took = 0
			}
			line, err := json.Marshal(e)
			must.Succeed(t, err)
			fmt.Fprintf(&b, "%s\n", line)
		}
		must.Get(k.Run(t.Context(), s.question))(t)
		return b.String()
	}
	told := map[string]bool{}
	for _, tt := range []struct {
		name, value, with string // without a value it is a switch
		story
	}{
		{"max_steps", "2", "accept_score=100", french},
		{"num_cands", "5", "", french},
		{"max_new_tokens", "8", "", french},
		{"enable_reflection", "false", "", broken},
		{"reflection_num_cands", "2", "", broken},
		{"do_sample", "false", "", french},
		{"temperature", "0.6", "", french},
		{"top_p", "0.5", "", french},
		{"use_schema_subset", "false", "", french},
		{"use_projection_contract", "false", "", french},
		{"column_penalty", "4", "", french},
		{"enforce_intent_constraints", "true", "", top},
		{"intent_penalty", "9", "", top},
		{"max_exec_cands", "2", "", french},
		{"accept_score", "100", "", french},
		{"verbose", "true", "", french},
		{"max_exemplars", "1", "", french},
		{"history_items", "1", "max_steps=4,accept_score=100", french},
		{"seed", "5", "", french},

		{"get_schema", "", "", french},
		{"link_schema", "", "", french},
		{"extract_constraints", "", "", french},
		{"validate_constraints", "", "", french},
		{"repair_sql", "", "", broken},
		{"link_values", "", "", french},
		{"link_comments", "", "", county},
		{"link_synonyms", "", "", clients},
		{"declines", "", "", hello},
		{"intent_check", "", "", top},
		{"doubts", "", "", low},
		{"mismatch", "", "", low},
		{"fallback", "", "enable_reflection=false", broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options, without := tt.with+","+tt.name+"="+tt.value, ""
			if tt.value == "" {
				options, without = tt.with, tt.name
			}
			usual, again, chosen := trace(t, tt.story, tt.with, ""), trace(t, tt.story, tt.with, ""),
				trace(t, tt.story, options, without)
			must.Same(t, again, usual, "the same options give another trace")
			must.Be(t, usual != chosen, tt.name, "changes nothing", usual)
			must.Be(t, !strings.Contains(usual, "never shown"), "more exemplars are shown than max_exemplars")
			told[tt.name] = true
		})
	}
	for _, row := range options {
		must.Be(t, told[row.name], "no trace shows what", row.name, "changes")
	}
	for _, s := range loop.Switches {
		must.Be(t, !slices.Contains(s.Of, "candidates") || told[s.Name], "no trace shows what is so without", s.Name)
	}
}

func TestParse(t *testing.T) {
	o, err := Parse("")
	if err != nil || o.String() != Defaults() {
		t.Errorf("the default is %s, %v; want %s", o, err, Defaults())
	}
	chosen := "max_steps=3,accept_score=-1.5,do_sample=false,temperature=0.25,seed=4294967295"
	o, err = Parse(" max_steps = 3, accept_score=-1.5,do_sample=false,temperature=0.25,seed=4294967295,")
	want := "max_steps=3 do_sample=false temperature=0.25 accept_score=-1.5 seed=4294967295"
	if err != nil || o.chosen() != want {
		t.Error(o.chosen(), err)
	}
	must.Equal(t, must.Get(Parse(o.String()))(t).String(), o.String(), o, "is read as")
	for in, want := range map[string]string{
		"num_cand=3":               `there is no "num_cand": is num_cands meant?`,
		"max-steps=3":              `there is no "max-steps": is max_steps meant?`,
		"zzz=1":                    `there is no "zzz": there are ` + strings.Join(optionNames(), ", "),
		"num_cands":                "num_cands has no value: give num_cands=12, say",
		"num_cands=33":             "num_cands=33 is not possible: give a whole number from 1 to 32",
		"num_cands=2.5":            "num_cands=2.5 is not possible: give a whole number from 1 to 32",
		"seed=-1":                  "seed=-1 is not possible: give a whole number from 0 to 4294967295",
		"temperature=NaN":          "temperature=NaN is not possible: give a number from 0.01 to 2",
		"accept_score=high":        "accept_score=high is not possible: give a number or none from -1000 to 1000",
		"do_sample=maybe":          "do_sample=maybe is not possible: give true or false",
		chosen + ",do_sample=true": "do_sample is there twice",
	} {
		if _, err := Parse(in); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func optionNames() (names []string) {
	for _, row := range options {
		names = append(names, row.name)
	}
	return names
}

// README has the table of options as it is.
func TestOptionsInREADME(t *testing.T) {
	var b strings.Builder
	b.WriteString("| option | default | possible | what it is |\n|---|---|---|---|\n")
	for _, row := range options {
		given := fmt.Sprintf("%g to %.10g", row.least, row.most)
		switch row.at(&Options{}).(type) {
		case *bool:
			given = "true, false"
		case **float64:
			given += ", none"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row.name, row.value, given, row.help)
	}
	stories.Shows(t, "<!-- options -->\n", b.String())
}
