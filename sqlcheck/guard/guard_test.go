package guard

import (
	"math/rand/v2"
	"strings"
	"testing"

	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard/seed"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
)

func TestCleanRejects(t *testing.T) {
	s := examples.Clinic(t)
	tests := []struct {
		raw, question string
		want          sqlcheck.Reason
	}{
		{"", "", "empty"},
		{" \n", "", "empty"},
		{"I cannot answer that.", "", "no_select"},
		{"You should select a ward first.", "", "no_from"},
		{"SELECT 42;", "How many patients are there?", "no_from"},
		{"SELECT 42", "What is six times seven?", ""},
		{"SELECT 42", "", ""},
		{"SELECT (SELECT COUNT(*) FROM patients) - 1", "How many patients are there but one?", ""},
	}
	for _, tt := range tests {
		_, _, v := setNamed("clean").Apply(tt.raw, Input{Question: question.Read(tt.question, s), Schema: s})
		must.Equal(t, v.Reason, tt.want, tt.raw)
	}
}

func TestGuardSet(t *testing.T) {
	names := func(g Set) string {
		var out []string
		for _, x := range g {
			out = append(out, x.Name)
		}
		return strings.Join(out, " ")
	}
	const all = "clean slips quoted columns names joins casing layers aggregate texts flags concat datetexts dates years ages " +
		"numerals bounds lastdays"
	tests := []struct{ spec, want string }{
		{"default", all},
		{"none", ""},
		{"default,-ages", strings.Replace(all, " ages", "", 1)},
		{"default,seed_casing", all + " seed_casing"},
		{"clean, texts", "clean texts"},
		{"seed", "seed_clean seed_postprocess seed_projection seed_casing"},
	}
	for _, tt := range tests {
		g, err := ParseSet(tt.spec)
		must.Succeed(t, err, tt.spec)
		must.Equal(t, names(g), tt.want, tt.spec)
	}
	for _, bad := range []string{"", "nope", "default,-nope", "default,-seed_casing"} {
		if _, err := ParseSet(bad); err == nil || !strings.Contains(err.Error(), "projection") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A name that is gone is refused with the one to use.
func TestGone(t *testing.T) {
	for name, use := range gone {
		_, err := ParseSet("clean," + name)
		must.Says(t, err, "is gone: use "+use)
		must.Succeed(t, second(ParseSet(use)), use)
	}
}

func second(_ Set, err error) error { return err }

// What the seed takes for no query, and why.
func TestSeedRejects(t *testing.T) {
	for raw, want := range map[string]sqlcheck.Reason{
		"": "empty", "no": "no_select", "SELECT a": "no_from", "SELECT distinct FROM t": "no_select_fields",
		"select select from where": "no_select_fields", "SELECT a FROM select x": "no_from_table",
		"SELECT a FROM t WHERE b = 'explanation'": "bad_phrase", "SELECT a FROM t)": "no_from",
	} {
		if _, v := seed.Clean(raw); v.Reason != want {
			t.Errorf("%q: %q, want %q", raw, v.Reason, want)
		}
	}
}

func FuzzGuards(f *testing.F) {
	s := examples.Clinic(f)
	for _, seed := range []struct{ q, raw string }{
		{"Which patients are from France?", "SELECT patientId, patientName FROM patients WHERE country = 'Frence'"},
		{"", "```sql\nWITH x AS (SELECT 1 FROM wards) SELECT * FROM x UNION SELECT 2;```"},
		{"Top 3 \"wards\" by fee", "SELECT city, SUM(fee) FROM visits WHERE SUM(fee) > 1 LIMIT 3"},
		{"", "SELECT p.a, COUNT(*) FROM visits v JOIN (SELECT patientId FROM visits ORDER BY 1) p USING (patientId)"},
		{"How many?", "select \\* from `order` natural join wards where city like '%a\\_%' ; drop table x"},
	} {
		f.Add(seed.q, seed.raw)
	}
	f.Fuzz(func(t *testing.T, asked, raw string) {
		for _, set := range []Set{setNamed("default"), setNamed("seed")} {
			sql, _, v := set.Apply(raw, Input{Question: question.Read(asked, s), Schema: s})
			if !v.OK || set[0].Name != "clean" {
				continue
			}
			again, changes, v := set.Apply(sql, Input{Question: question.Read(asked, s), Schema: s})
			if !v.OK || again != sql {
				t.Errorf("not idempotent\nraw   %q\nonce  %q\ntwice %q\n%v %s", raw, sql, again, changes, v)
			}
		}
		c := question.Read(asked, s).Constraints()
		question.CheckConstraints(raw, c)
		question.Read(asked, s).CheckIntent(raw)
	})
}

// BenchmarkGuards is a set on a query that needs no mending but what the set takes out.
func BenchmarkGuards(b *testing.B) {
	s := examples.Clinic(b)
	in := Input{Question: question.Read("Show the top 5 patients in France by total fees.", s), Schema: s}
	const sql = "SELECT p.patientId, p.patientName, SUM(v.fee) AS total FROM patients p " +
		"JOIN visits v ON p.patientId = v.patientId WHERE p.country = 'France' " +
		"GROUP BY p.patientId, p.patientName ORDER BY total DESC LIMIT 5;"
	for _, set := range []string{"default"} {
		b.Run(set, func(b *testing.B) {
			for b.Loop() {
				setNamed(set).Apply(sql, in)
			}
		})
	}
}

// Whatever names stand where, guards give text or a verdict, and doubts a list.
func TestGuardsComposed(t *testing.T) {
	s := examples.Clinic(t)
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		sql := grammar.Composed(random, s)
		for _, name := range setNames {
			in := Input{Question: question.Read("Which patients of the 2 largest wards paid most?", s), Schema: s}
			if _, _, v := setNamed(name).Apply(sql, in); !v.OK && name == "default" {
				t.Fatalf("%q: %v", sql, v)
			}
		}
	}
}
