// Package examples holds the schemas that tests of several packages use. It imports schema.
package examples

import (
	_ "embed"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// MustParse is [schema.ParseDDL] of DDL that is right.
func MustParse(tb testing.TB, name, ddl string) *schema.Schema {
	tb.Helper()
	return must.Get(schema.ParseDDL(name, ddl))(tb)
}

// clinicDDL is a small schema of our own: the rules must hold for any.
//
//go:embed clinic.sql
var clinicDDL string

// Clinic is that schema, with the values of some columns.
func Clinic(tb testing.TB) *schema.Schema {
	s := MustParse(tb, "clinic", clinicDDL)
	known := map[string][]string{
		"patients.country": {"UK", "USA", "France", "Netherlands"}, "patients.status": {"On Hold", "Open", "Closed"},
		"wards.city": {"Leeds", "York"}, "wards.wardName": {"Min Low Dee", "North"},
		"visititems.visitType": {"Check Up", "Surgery"},
	}
	for i := range s.Tables {
		for j := range s.Tables[i].Columns {
			c := &s.Tables[i].Columns[j]
			if v := known[s.Tables[i].Name+"."+c.Name]; v != nil {
				c.Values, c.Complete = v, true
			}
		}
	}
	return s
}
