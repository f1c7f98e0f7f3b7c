// Package examples holds the schemas that tests of several packages use. It imports schema.
package examples

import (
	"testing"

	"nl2sql/sqlcheck/schema"
)

// MustParse is [schema.ParseDDL] of DDL that is right.
func MustParse(tb testing.TB, name, ddl string) *schema.Schema {
	tb.Helper()
	s, err := schema.ParseDDL(name, ddl)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// clinicDDL is a small schema of our own: the rules must hold for any.
const clinicDDL = `
CREATE TABLE doctors (doctorId int NOT NULL, firstName varchar(40), lastName varchar(40), wardCode varchar(8), salary decimal(10,2),
  PRIMARY KEY (doctorId), FOREIGN KEY (wardCode) REFERENCES wards (wardCode));
CREATE TABLE wards (wardCode varchar(8) NOT NULL, wardName varchar(40), floor int, city varchar(40), PRIMARY KEY (wardCode));
CREATE TABLE patients (patientId int NOT NULL, patientName varchar(60), country varchar(40), status varchar(10), doctorId int, weight decimal(6,1),
  PRIMARY KEY (patientId), FOREIGN KEY (doctorId) REFERENCES doctors (doctorId));
CREATE TABLE visits (visitId int NOT NULL, patientId int NOT NULL, visitDate date, endDate date, fee decimal(8,2), notes text,
  PRIMARY KEY (visitId), FOREIGN KEY (patientId) REFERENCES patients (patientId));
CREATE TABLE visititems (visitId int NOT NULL, lineNo int NOT NULL, quantity int, price decimal(8,2), visitType varchar(20),
  PRIMARY KEY (visitId, lineNo), FOREIGN KEY (visitId) REFERENCES visits (visitId));
CREATE TABLE ` + "`order`" + ` (id int NOT NULL, ` + "`Sent To`" + ` varchar(10), PRIMARY KEY (id));
`

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
