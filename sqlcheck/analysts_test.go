package sqlcheck

import (
	"os"
	"testing"

	"nl2sql/assets"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// TestAnalysts: no bound on work and memory turns away what people ask, on a small database, on large tables, and where
// texts are long.
func TestAnalysts(t *testing.T) {
	shop := must.Get(os.ReadFile("testdata/webshop.sql"))(t)
	for file, script := range map[string][]byte{"analysts.txt": must.Get(assets.DemoSQL())(t), "webshop.txt": shop} {
		t.Run(file, func(t *testing.T) { analysts(t, file, string(script)) })
	}
}

func analysts(t *testing.T, file, script string) {
	for name, change := range map[string]func(*schema.Table){
		"as declared":    func(*schema.Table) {},
		"large tables":   func(table *schema.Table) { table.Rows = 100_000 },
		"huge tables":    func(table *schema.Table) { table.Rows = 5_000_000 },
		"measured texts": func(table *schema.Table) { table.Rows = 100_000; lengthen(table, 5_000) },
		"long texts":     func(table *schema.Table) { table.Rows = 2_000; lengthen(table, 1<<20) },
	} {
		s := examples.MustParse(t, assets.DemoName, script)
		for i := range s.Tables {
			change(&s.Tables[i])
		}
		for _, sql := range statements(t, file) {
			if _, v, err := Check(sql, s); err != nil || !v.OK {
				t.Errorf("%s: %s (%d) %s, %v\n%s", name, v, v.Code, v.Hint, err, sql)
			}
		}
	}
}

// lengthen says how long the long texts of a table are.
func lengthen(table *schema.Table, bytes int64) {
	for i := range table.Columns {
		switch col := &table.Columns[i]; schema.ParseType(col.Type).Name {
		case "text", "mediumtext", "longtext", "mediumblob":
			col.Longest = bytes
		}
	}
}
