package profile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// Of the databases that rules may be made with, without their keys, Infer finds at least 85 in a hundred of the
// declared references again, and 95 in a hundred of what it says is declared.
func TestFit(t *testing.T) {
	var names []string
	for name := range golds.ByDatabase(golds.Fit(t)) {
		names = append(names, name)
	}
	said, right, declared := again(t, names)
	t.Logf("%d databases: %d references are declared, %d are said, %d of them declared", len(names), declared, said, right)
	if said == 0 || float64(right) < .95*float64(said) || float64(right) < .85*float64(declared) {
		t.Errorf("%d of %d are right, of %d", right, said, declared)
	}
}

// again infers the references of databases without their keys. Those of several columns are not counted.
func again(t *testing.T, names []string) (said, right, declared int) {
	folder := golds.Path(t, golds.Spider)
	for _, name := range names {
		db := must.Get(embedded.OpenFolder(t.Context(), folder, name, runner.Limits{}))(t)
		full := must.Get(db.Schema(t.Context()))(t)
		p, _, err := Infer(t.Context(), db, bare(full), time.Minute)
		must.Do(t, err)
		for _, r := range p.References {
			said++
			if declares(full, r) {
				right++
			} else {
				t.Logf("%s: more: %+v", name, r)
			}
		}
		for _, table := range full.Tables {
			for _, fk := range table.ForeignKeys {
				if len(fk.Columns) == 1 {
					declared++
				}
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	return said, right, declared
}

// bare is a schema without keys.
func bare(s *schema.Schema) *schema.Schema {
	out := *s
	out.Tables = slices.Clone(s.Tables)
	for i := range out.Tables {
		t := &out.Tables[i]
		t.PrimaryKey, t.Unique, t.ForeignKeys = nil, nil, nil
		t.Columns = slices.Clone(t.Columns)
		for j := range t.Columns {
			t.Columns[j].Key, t.Columns[j].Nullable = "", true
		}
	}
	return &out
}

// declares reports whether a reference is declared.
func declares(s *schema.Schema, r Reference) bool {
	t, _ := s.Table(r.Table)
	return slices.ContainsFunc(t.ForeignKeys, func(fk schema.ForeignKey) bool {
		return len(fk.Columns) == 1 && strings.EqualFold(fk.Columns[0], r.Column) &&
			strings.EqualFold(fk.RefTable, r.RefTable) && strings.EqualFold(fk.RefColumns[0], r.RefColumn)
	})
}
