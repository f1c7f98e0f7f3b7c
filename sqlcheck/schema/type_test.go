package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/schema"
)

func TestParseType(t *testing.T) {
	tests := []struct {
		in, name string
		args     []string
		unsigned bool
		kind     schema.Kind
	}{
		{"int", "int", nil, false, schema.Number},
		{"int(10) unsigned", "int", []string{"10"}, true, schema.Number},
		{"bigint unsigned", "bigint", nil, true, schema.Number},
		{"decimal(10,2)", "decimal", []string{"10", "2"}, false, schema.Number},
		{"VARCHAR(50)", "varchar", []string{"50"}, false, schema.Text},
		{"enum('S','M','it''s','a,b)')", "enum", []string{"S", "M", "it's", "a,b)"}, false, schema.Text},
		{"set('a','')", "set", []string{"a", ""}, false, schema.Text},
		{"datetime(6)", "datetime", []string{"6"}, false, schema.Date},
		{"point", "point", nil, false, schema.Other},
		{"enum('unsigned')", "enum", []string{"unsigned"}, false, schema.Text},
		{"enum('a", "enum", []string{"a"}, false, schema.Text}, // damaged: no panic
		{"char(", "char", nil, false, schema.Text},
	}
	for _, tt := range tests {
		got := schema.ParseType(tt.in)
		if d := cmp.Diff(tt.args, got.Args()); d != "" || got.Name != tt.name || got.Unsigned != tt.unsigned ||
			got.Kind() != tt.kind {
			t.Errorf("%q: %s %v %v, -want +got\n%s", tt.in, got.Name, got.Unsigned, got.Kind(), d)
		}
	}
}
