package main

import (
	"os"
	"path/filepath"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// No question that was written by hand is refused as a wish to change data or as none at all, and the guards of ask
// leave its gold query as it is. Those about databases of *fit*, which is no part of nl2sql, are read for the first
// alone.
func TestWritten(t *testing.T) {
	files, err := filepath.Glob("written/*.jsonl")
	must.Have(t, err == nil && len(files) != 0, files, err)
	guards := must.Get(guard.ParseSet("default"))(t)
	schemas := map[string]*schema.Schema{}
	schemaOf := func(name string) *schema.Schema {
		if s, known := schemas[name]; known {
			return s
		}
		ddl, err := os.ReadFile(filepath.Join("written/databases", name, "schema.sql"))
		if os.IsNotExist(err) {
			schemas[name] = nil
			return nil
		}
		must.Do(t, err)
		schemas[name] = must.Get(schema.ParseDDL(name, string(ddl)))(t)
		return schemas[name]
	}
	for _, file := range files {
		items := must.Get(item.Load(file))(t)
		for _, it := range items {
			must.Equal(t, question.Read(it.Question, nil).Changes(), "", it.ID, it.Question, "asks to change data")
			must.Equal(t, question.Read(it.Question, nil).Nothing(), "", it.ID, it.Question, "asks nothing")
			s := schemaOf(it.Database)
			if s == nil {
				continue
			}
			if _, v, err := sqlcheck.Check(it.SQL, s); err != nil || !v.OK {
				t.Errorf("%s: %s: %v %v", it.ID, it.SQL, v, err)
			}
			_, changes, _ := guards.Apply(it.SQL, guard.Input{Question: question.Read(it.Question, s), Schema: s})
			for _, c := range changes {
				if c.Guard != "casing" && c.Guard != "postprocess" {
					t.Errorf("%s: %s\n%s\n%s: %s\n%s", it.ID, it.Question, it.SQL, c.Guard, c.Why, c.SQL)
				}
			}
		}
	}
}
