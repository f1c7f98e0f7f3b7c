package sqlcheck

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

func TestSpiderGoldsPass(t *testing.T) {
	items, schema, failed := golds.All(t), golds.Schemas(t), 0
	for _, it := range items {
		q, v, err := Check(it.SQL, schema(it.Database))
		must.Do(t, err, it.SQL)
		if !v.OK {
			failed++
			t.Errorf("%s: %s: %s (%d) %s", it.Database, it.SQL, v, v.Code, v.Hint)
			continue
		}
		if _, v, _ := Check(it.SQL, nil); !v.OK && v.Reason != "other_database" {
			t.Errorf("%s: %s: without a schema: %s", it.Database, it.SQL, v)
		}
		if _, v, _ := Check(q.SQL(), schema(it.Database)); !v.OK {
			t.Errorf("%s: restored %s: %s", it.Database, q.SQL(), v)
		}
	}
	t.Logf("%d of %d rejected", failed, len(items))
}

func TestDissertationGoldsPass(t *testing.T) {
	s := examples.MustParse(t, "classicmodels", string(golds.File(t, golds.ClassicModels)))
	items, train := golds.Dissertation(t)
	items = append(items, train...)
	for _, item := range items {
		if _, v, err := Check(item.SQL, s); err != nil || !v.OK {
			t.Errorf("%s: %s (%d) %s %v", item.SQL, v, v.Code, v.Hint, err)
		}
	}
	must.Equal(t, len(items), 322, "golds")
}

// TestRecordedVerdicts holds the verdict on every recorded prediction against what the author's MySQL 8 said of it.
func TestRecordedVerdicts(t *testing.T) {
	s := examples.MustParse(t, "classicmodels", string(golds.File(t, golds.ClassicModels)))
	files, _ := filepath.Glob(filepath.Join(golds.Path(t, "dissertation/runs"), "*.json"))
	type verdict struct {
		n  int
		va bool
	}
	seen := map[string]*verdict{}
	total, differ := 0, 0
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		var run struct {
			Results, Items []struct {
				Pred string `json:"pred_sql"`
				VA   any    `json:"va"`
				Err  any    `json:"error"`
			}
		}
		must.Do(t, json.Unmarshal(data, &run), file)
		for _, r := range append(run.Results, run.Items...) {
			va := r.VA == true || r.VA == 1.0
			if text, _ := r.Err.(string); strings.Contains(text, "(1242, ") {
				va = true // subquery returned more than one row: known only when it ran
			}
			total++
			if v := seen[r.Pred]; v != nil {
				v.n++
				continue
			}
			seen[r.Pred] = &verdict{1, va}
		}
	}
	for pred, want := range seen {
		_, v, err := Check(pred, s)
		must.Do(t, err, pred)
		if v.OK != want.va {
			differ += want.n
			t.Errorf("executed %v, check says %s (%d) %s\n%s", want.va, v, v.Code, v.Hint, strings.TrimSpace(pred))
		}
	}
	t.Logf("%d records, %d distinct, %d differ", total, len(seen), differ)
}
