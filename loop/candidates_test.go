package loop

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// demo is an agent of the demo database that wants a model.
func demo(t *testing.T, guards string) Agent {
	t.Helper()
	db, err := embedded.Open(t.Context(), "", runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set, err := guard.ParseSet(guards)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := tools.NewPrompts("default", nil)
	if err != nil {
		t.Fatal(err)
	}
	return Agent{DB: db, Schema: s, Prompts: prompts, Guards: set}
}

// TestGoldenCandidates tells one story a file, as TestGoldenTraces does. Sections: question, options, model, trace.
func TestGoldenCandidates(t *testing.T) {
	files, err := filepath.Glob("testdata/candidates/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden traces: %v", err)
	}
	agent := demo(t, "default")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := map[string]string{}
			for _, f := range ar.Files {
				in[f.Name] = strings.TrimSpace(string(f.Data))
			}
			options, err := ParseCandidates(in["options"])
			if err != nil {
				t.Fatal(err)
			}
			k := Candidates{Agent: agent, Options: options}
			k.Model = llm.NewReplay(in["model"])
			ans, err := k.Run(t.Context(), in["question"])
			if err != nil {
				t.Fatalf("%v\n%s", err, ans.Trace.DecisionLog())
			}
			got := ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n"
			for _, d := range ans.Doubts {
				got += "doubt: " + d.Text + "\n"
			}
			got += ans.Trace.Compliance().String() + "\n"
			if *update {
				for i := range ar.Files {
					if ar.Files[i].Name == "trace" {
						ar.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(in["trace"]+"\n", got); diff != "" {
				t.Errorf("trace mismatch (-want +got), rerun with -update if intended:\n%s", diff)
			}
		})
	}
}

// sampler is a scripted model that minds how it is asked: the greedy text is the first, others follow from the settings, none is
// longer than allowed, and a prompt that shows a failed query gets a mended one.
type sampler struct{ texts, mended []string }

func (m sampler) Generate(_ context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	texts, at := m.texts, 0
	if len(m.mended) > 0 && strings.Contains(msgs[len(msgs)-1].Content, "corrected") {
		texts = m.mended
	}
	if p.Temperature > 0 {
		at = (1 + int(p.Seed) + int(math.Round(float64(10*p.Temperature))) + int(math.Round(float64(10*p.TopP)))) % len(texts)
	}
	words := strings.Fields(texts[at])
	return llm.Completion{Text: strings.Join(words[:min(len(words), p.MaxTokens)], " "), StopReason: llm.StopEnd}, nil
}

// Whatever an option is set to but its default, and whatever is switched off, changes what happens, and not only the event that says so.
func TestEveryCandidateOptionChangesATrace(t *testing.T) {
	type story struct {
		question string
		sampler
	}
	french := story{"List the customer names and cities of customers in France.", sampler{texts: []string{
		"SELECT customerName FROM customers", "SELECT customerName, city FROM customers WHERE country = 'France'", "SELECT city FROM customers",
		"SELECT customerName, city, phone FROM customers", "SELECT customerName, city, country FROM customers WHERE country = 'France'",
		"SELECT c.customerName, c.city FROM customers AS c WHERE c.country = 'France' ORDER BY c.customerName", "SELECT country FROM customers",
		"SELECT customerName, country FROM customers WHERE country = 'France'", "SELECT * FROM customers", "SELECT phone FROM customers", "SELECT postalCode FROM customers",
		"SELECT nothing FROM customers", "SELECT customerName, city FROM customers WHERE country = 'Spain'",
	}}}
	broken := story{"How many offices are there?", sampler{
		texts:  []string{"SELECT COUNT(*) FROM office_list", "SELECT COUNT(nothing) FROM offices", "SELECT COUNT( FROM offices"},
		mended: []string{"SELECT COUNT(nobody) FROM offices", "SELECT COUNT(none) FROM offices", "SELECT COUNT(*) FROM offices"},
	}}
	top := story{"Show the top 3 customers by credit limit.", sampler{texts: []string{
		"SELECT customerName FROM customers LIMIT 3", "SELECT customerName, creditLimit FROM customers ORDER BY creditLimit DESC LIMIT 3",
	}}}
	low := top
	low.texts = top.texts[:1]
	hello := story{"hello", french.sampler}

	agent := demo(t, "default,seed_projection")
	notes, err := tools.ParseNotes(strings.NewReader("city = customers.city"))
	if err != nil {
		t.Fatal(err)
	}
	agent.Prompts.Notes = notes
	shots := []Exemplar{{Question: "Which offices are in the USA?", SQL: "SELECT city FROM offices WHERE country = 'USA'"}, {Question: "List all phones.", SQL: "SELECT phone FROM customers"}, {Question: "never shown", SQL: "SELECT 1"}}
	trace := func(t *testing.T, s story, options, without string) string {
		o, err := ParseCandidates(options)
		if err != nil {
			t.Fatal(err)
		}
		off, _, err := ParseWithout(without, "candidates", "")
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		k := Candidates{Agent: agent, Options: o, Shots: shots}
		k.Model, k.Without = s.sampler, off
		k.OnEvent = func(e Event) {
			if e.Took = 0; e.Kind == KindOptions || e.Kind == KindWithout {
				return
			}
			if e.Cost != nil {
				e.Cost.Took = 0
			}
			line, err := json.Marshal(e)
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(&b, "%s\n", line)
		}
		if _, err := k.Run(t.Context(), s.question); err != nil {
			t.Fatal(err)
		}
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
		{"link_notes", "", "", french},
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
			usual, again, chosen := trace(t, tt.story, tt.with, ""), trace(t, tt.story, tt.with, ""), trace(t, tt.story, options, without)
			if diff := cmp.Diff(usual, again); diff != "" {
				t.Errorf("the same options give another trace:\n%s", diff)
			}
			if usual == chosen {
				t.Errorf("%s changes nothing:\n%s", tt.name, usual)
			}
			if strings.Contains(usual, "never shown") {
				t.Error("more exemplars are shown than max_exemplars")
			}
			told[tt.name] = true
		})
	}
	for _, row := range candidateOptions {
		if !told[row.name] {
			t.Errorf("no trace shows what %s changes", row.name)
		}
	}
	for _, s := range Switches {
		if slices.Contains(s.Of, "candidates") && !told[s.Name] {
			t.Errorf("no trace shows what is so without %s", s.Name)
		}
	}
}

// listening is a database that keeps what it was asked.
type listening struct {
	tools.Querier
	asked []string
}

func (w *listening) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	w.asked = append(w.asked, q.SQL())
	return w.Querier.Query(ctx, q)
}

// Whatever the model writes and whatever the options are: what is answered has passed every check and run, nothing runs that did not
// pass, and of a round's candidates the one with the highest score is taken.
func TestCandidatesAnswerOnlyWhatRan(t *testing.T) {
	texts := []string{
		"SELECT customerName FROM customers", "SELECT city FROM offices;", "SELECT * FROM customers", "SELECT COUNT(*) FROM customers WHERE country = 'France'",
		"SELECT COUNT(*) FROM customers WHERE country = 'Atlantis'", "DELETE FROM customers", "SELECT SLEEP(9) FROM customers", "SELECT x FROM customers", "SELECT city FROM nowhere",
		"", "I cannot say.", "SELECT", "```sql\nSELECT city FROM customers WHERE country = 'France'\n```", "SELECT city FROM customers; DROP TABLE customers",
		"SELECT country, COUNT(*) FROM customers GROUP BY country", "SELECT customerName FROM customers LIMIT 3", "SELECT LOAD_FILE('/etc/passwd') FROM customers", "SELECT city FROM customers FOR UPDATE",
	}
	questions := []string{"How many customers are in France?", "List the cities of our customers in France.", "Show the top 3 customers by credit limit.", "Total amount of payments per customer"}
	random := rand.New(rand.NewPCG(17, 1))
	agent := demo(t, "default")
	answered := 0
	for i := range 200 {
		replies := make([]string, 1+random.IntN(6))
		for j := range replies {
			replies[j] = texts[random.IntN(len(texts))]
		}
		options := fmt.Sprintf("num_cands=%d,max_exec_cands=%d,max_steps=%d,enforce_intent_constraints=%v,reflection_num_cands=%d,seed=%d,column_penalty=%d",
			1+random.IntN(6), 1+random.IntN(4), 1+random.IntN(3), random.IntN(2) == 0, 1+random.IntN(3), random.IntN(9), random.IntN(3))
		if random.IntN(2) == 0 {
			options += fmt.Sprintf(",accept_score=%d", random.IntN(8)-2)
		}
		o, err := ParseCandidates(options)
		if err != nil {
			t.Fatal(err)
		}
		db := &listening{Querier: agent.DB}
		k := Candidates{Agent: agent, Options: o}
		k.Model, k.DB = sampler{texts: replies}, db
		ans, err := k.Run(t.Context(), questions[i%len(questions)])
		if err != nil {
			t.Fatal(err)
		}
		fail := func(why string) { t.Fatalf("%s: %s %q\n%s", why, options, replies, ans.Trace.DecisionLog()) }
		for j, sql := range db.asked {
			if slices.Contains(db.asked[:j], sql) {
				fail(sql + " ran twice")
			}
			if _, v, err := sqlcheck.Check(sql, agent.Schema); err != nil || !v.OK {
				fail(sql + " ran: " + v.String())
			}
		}
		if s := ans.Trace.Compliance(); !s.OK {
			fail(s.String())
		}
		best := math.Inf(-1)
		for _, e := range ans.Trace {
			if e.Kind == KindCandidate && e.OK {
				best = max(best, e.Score)
			}
			if e.Kind == KindVote && e.OK && e.Score != best && o.MaxSteps == 1 {
				fail("a better candidate was passed over")
			}
		}
		if ans.Result == nil {
			continue
		}
		answered++
		q, v, err := sqlcheck.Check(ans.SQL, agent.Schema)
		if err != nil || !v.OK || !slices.Contains(db.asked, q.SQL()) {
			fail("the answer did not run: " + v.String())
		}
		if v := question.CheckConstraints(ans.SQL, question.ExtractConstraints(ans.Question, agent.Schema)); !v.OK {
			fail("the answer is not what was asked: " + v.String())
		}
	}
	if answered < 50 {
		t.Errorf("only %d answers", answered)
	}
}

// A model that goes away ends the run with what there was.
func TestCandidatesError(t *testing.T) {
	o, err := ParseCandidates("num_cands=3")
	if err != nil {
		t.Fatal(err)
	}
	k := Candidates{Agent: demo(t, "default"), Options: o}
	k.Model = llm.NewReplay("SELECT city FROM offices\n===\nSELECT country FROM offices")
	ans, err := k.Run(t.Context(), "List the cities of our offices.")
	if err == nil || !strings.HasPrefix(err.Error(), "step 0: replay: all 2 replies are used up") {
		t.Error("error:", err)
	}
	kinds := ""
	for _, e := range ans.Trace {
		kinds += " " + string(e.Kind)
	}
	if kinds != " question options tool tool tool candidate candidate error" {
		t.Error("trace:", kinds)
	}
}

func TestParseCandidates(t *testing.T) {
	o, err := ParseCandidates("")
	if err != nil || o.String() != CandidateDefaults() {
		t.Errorf("the default is %s, %v; want %s", o, err, CandidateDefaults())
	}
	chosen := "max_steps=3,accept_score=-1.5,do_sample=false,temperature=0.25,seed=4294967295"
	if o, err = ParseCandidates(" max_steps = 3, accept_score=-1.5,do_sample=false,temperature=0.25,seed=4294967295,"); err != nil || o.chosen() != "max_steps=3 do_sample=false temperature=0.25 accept_score=-1.5 seed=4294967295" {
		t.Error(o.chosen(), err)
	}
	if again, err := ParseCandidates(o.String()); err != nil || again.String() != o.String() {
		t.Errorf("%s is read as %s, %v", o, again, err)
	}
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
		if _, err := ParseCandidates(in); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func optionNames() (names []string) {
	for _, row := range candidateOptions {
		names = append(names, row.name)
	}
	return names
}

// README has the table of options as it is.
func TestCandidateOptionsInREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| option | default | possible | what it is |\n|---|---|---|---|\n")
	for _, row := range CandidateHelp() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row[0], row[1], row[2], row[3])
	}
	const begin, end = "<!-- options -->\n", "<!-- end -->"
	head, rest, _ := strings.Cut(string(text), begin)
	shown, tail, there := strings.Cut(rest, end)
	if !there {
		t.Fatal("README.md has no table of options")
	}
	if shown == b.String() {
		return
	}
	if !*update {
		t.Fatalf("README.md is out of date, rerun with -update:\n%s", cmp.Diff(b.String(), shown))
	}
	if err := os.WriteFile("README.md", []byte(head+begin+b.String()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestScorer(t *testing.T) {
	s := demo(t, "default").Schema
	for _, tt := range []struct {
		name, question, sql string
		want                Features
		missing             []string
	}{
		{"a synonym says the table", "List the names of our clients.", "SELECT customerName FROM customers", Features{"words": 2, "columns": -0.5}, nil},
		{"a field is missing", "List the city and phone of our customers.", "SELECT city FROM customers", Features{"fields": -3, "words": 4, "tokens": 0.2, "columns": -0.5}, []string{"phone"}},
		{"a star shows every field", "List the city and phone of our offices.", "SELECT * FROM offices", Features{"words": 2, "tokens": 0.1, "columns": -4.5}, nil},
		{"the value is there", "Which customers are in San Francisco?", "SELECT customerName FROM customers WHERE city = 'San Francisco'", Features{"words": 2, "tokens": 0.3, "values": 2, "columns": -0.5}, nil},
		{"and here it is not", "Which customers are in San Francisco?", "SELECT customerName FROM customers", Features{"words": 2, "tokens": 0.1, "values": -2, "columns": -0.5}, nil},
		{"nobody knows the value", "Which customers are in Ankh Morpork?", "SELECT customerName FROM customers WHERE city = 'Ankh Morpork'", Features{"words": 2, "tokens": 0.3, "values": 2, "columns": -0.5}, nil},
		{"a sum is wanted", "What is the total of all payments?", "SELECT SUM(amount) FROM payments", Features{"words": 4, "tokens": 0.1, "sum": 3, "columns": -0.5}, nil},
		{"and not computed", "What is the total of all payments?", "SELECT amount FROM payments", Features{"words": 2, "tokens": 0.1, "sum": -5, "columns": -0.5}, nil},
		{"one value of all", "What is the average payment per customer?", "SELECT AVG(amount) FROM payments", Features{"words": 4, "tokens": 0.1, "group": -2, "columns": -0.5}, nil},
		{"no query", "What?", "SELEC", Features{}, nil},
	} {
		got, missing := newScorer(tt.question, s, nil).of(tt.sql, 0.5)
		for name := range got {
			if got[name] = math.Round(1000*got[name]) / 1000; got[name] == 0 {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.missing, missing); diff != "" {
			t.Errorf("%s: missing (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Every line of the synonyms is a word of names and what questions say for it, no word twice.
func TestSynonyms(t *testing.T) {
	lines := 0
	for line := range strings.Lines(assets.Synonyms) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		lines++
		word, phrases, ok := strings.Cut(line, ": ")
		if !ok || phrases == "" || word != strings.ToUpper(word) && word != question.Stem(word) {
			t.Errorf("no line of synonyms: %s", line)
		}
	}
	if n := len(synonyms()); n != lines {
		t.Errorf("%d words on %d lines", n, lines)
	}
}
