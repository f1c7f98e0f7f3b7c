package guard

import (
	"testing"

	"nl2sql/sqlcheck/internal/examples"
)

func TestManyRows(t *testing.T) {
	s := examples.Clinic(t)
	for _, tt := range []struct{ in, want string }{
		{"SELECT patientName FROM patients WHERE patientId = (SELECT patientId FROM visits WHERE fee > 9)",
			"SELECT patientName FROM patients WHERE patientId IN (SELECT patientId FROM visits WHERE fee > 9)"},
		{"SELECT patientName FROM patients WHERE (SELECT patientId FROM visits) <> patientId AND country = 'UK'",
			"SELECT patientName FROM patients WHERE patientId NOT IN (SELECT patientId FROM visits) AND country = 'UK'"},
		{"SELECT patientName FROM patients WHERE patientId > (SELECT patientId FROM visits)", ""},
		{"SELECT patientName FROM patients WHERE patientId = (SELECT patientId FROM visits LIMIT 1)", ""},
	} {
		got := ""
		if c := ManyRows(tt.in, Input{Schema: s}); c != nil {
			got = c.SQL
		}
		if got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}
