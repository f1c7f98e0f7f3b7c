package question

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

func TestExtractConstraints(t *testing.T) {
	s := examples.Clinic(t)
	tests := []struct {
		question string
		want     Constraints
	}{
		{"List the wards.", Constraints{}},
		{"How many patients are there?", Constraints{Agg: "COUNT", Sure: "agg"}},
		{"How many different countries do patients come from?", Constraints{Agg: "COUNT", Distinct: true}},
		{"Average fee per patient.", Constraints{Agg: "AVG", NeedsGroupBy: true, Sure: "group_by"}},
		{"Total weight of the patients by country", Constraints{Agg: "SUM", NeedsGroupBy: true}},
		{"Show the top 5 doctors by salary.", Constraints{Limit: 5, NeedsOrderBy: true, Sure: "limit"}},
		{"The three doctors with the highest salary", Constraints{Agg: "MAX", Limit: 3, NeedsOrderBy: true}},
		{"Doctors of the ward 'Top 3 most average'", Constraints{}},
		{"Visits of the Min Low Dee ward", Constraints{}},
		{"Doctors who report to no one (top-level).", Constraints{}},
		{"Most recent visit of a patient", Constraints{}},
		{"Patients with at least 3 visits", Constraints{}},
		{"Show the last names of the doctors", Constraints{}},
	}
	for _, tt := range tests {
		must.Same(t, Read(tt.question, s).Constraints(), tt.want, tt.question)
	}
}

func TestCheckConstraints(t *testing.T) {
	tests := []struct {
		sql    string
		c      Constraints
		want   string
		unsure bool
	}{
		{"", Constraints{}, "empty_sql", false},
		{"SELECT a FROM t", Constraints{}, "ok", false},
		{"SELECT a FROM t", Constraints{Agg: "COUNT", Sure: "agg"}, "missing_agg:COUNT", false},
		{"SELECT a FROM t", Constraints{Agg: "COUNT"}, "missing_agg:COUNT", true},
		{"SELECT a FROM t WHERE b > (SELECT COUNT(*) FROM u)", Constraints{Agg: "COUNT", Sure: "agg"}, "ok", false},
		{"SELECT x.n FROM (SELECT COUNT(*) AS n FROM t GROUP BY a) x", Constraints{Agg: "COUNT", NeedsGroupBy: true,
			Sure: "agg,group_by"}, "ok", false},
		{"SELECT AVG(a) FROM t", Constraints{Agg: "AVG", NeedsGroupBy: true, Sure: "group_by"},
			"missing_group_by", false},
		{"SELECT a FROM t ORDER BY b DESC LIMIT 1", Constraints{Agg: "MAX", NeedsOrderBy: true}, "ok", false},
		{"SELECT a FROM t ORDER BY b", Constraints{Limit: 5, NeedsOrderBy: true, Sure: "limit"},
			"missing_limit:5", false},
		{"SELECT a FROM t ORDER BY b LIMIT 3", Constraints{Limit: 5, NeedsOrderBy: true, Sure: "limit"},
			"missing_limit:5", false},
		{"SELECT a FROM t", Constraints{NeedsOrderBy: true}, "missing_order_by", true},
		{"SELECT a FROM t", Constraints{Distinct: true}, "missing_distinct", true},
		{"SELECT COUNT(DISTINCT a) FROM t", Constraints{Agg: "COUNT", Distinct: true}, "ok", false},
		{"WITH x AS (SELECT DISTINCT a FROM t) SELECT a FROM x ORDER BY a LIMIT 5", Constraints{Distinct: true,
			NeedsOrderBy: true, Limit: 5, Sure: "limit"}, "ok", false},
	}
	for _, tt := range tests {
		v := CheckConstraints(tt.sql, tt.c)
		if v.String() != tt.want || v.Unsure != tt.unsure || v.OK != (tt.want == "ok" || tt.unsure) {
			t.Errorf("%s: %s (ok %v, unsure %v), want %s", tt.sql, v, v.OK, v.Unsure, tt.want)
		}
	}
}

func TestCheckIntent(t *testing.T) {
	s := examples.Clinic(t)
	tests := []struct {
		question, sql string
		intent        Intent
		want          string
		unsure        bool
	}{
		{"List the wards.", "SELECT wardName FROM wards", Lookup, "ok", false},
		{"List the wards.", "SELECT COUNT(*) FROM wards", Lookup, "lookup_disallows_aggregate", true},
		{"How many wards are there?", "SELECT wardName FROM wards", Aggregate, "aggregate_requires_fn", false},
		{"How many wards are there?", "SELECT COUNT(*) FROM (SELECT city FROM wards GROUP BY city) x",
			Aggregate, "ok", false},
		{"How many wards are there?", "SELECT COUNT(*) FROM wards GROUP BY city", Aggregate,
			"aggregate_without_grouping", true},
		{"Total fee per patient", "SELECT SUM(fee) FROM visits", GroupedAggregate, "grouped_requires_group_by", false},
		{"Total fee per patient", "SELECT fee FROM visits", GroupedAggregate, "grouped_requires_aggregate", true},
		{"Top 3 doctors by salary", "SELECT lastName FROM doctors", TopK, "topk_requires_order_limit", false},
		{"Top 3 doctors by salary", "SELECT lastName FROM doctors ORDER BY salary DESC LIMIT 3", TopK, "ok", false},
		{"Highest salary", "SELECT MAX(salary) FROM doctors", TopK, "ok", false},
		{"Visits supplied by the Min Low Dee ward", "SELECT visitId FROM visits", Lookup, "ok", false},
	}
	for _, tt := range tests {
		must.Equal(t, Read(tt.question, s).Intent(), tt.intent, tt.question)
		v := Read(tt.question, s).CheckIntent(tt.sql)
		if v.String() != tt.want || v.Unsure != tt.unsure {
			t.Errorf("%s | %s: %s (unsure %v), want %s", tt.question, tt.sql, v, v.Unsure, tt.want)
		}
	}
}
