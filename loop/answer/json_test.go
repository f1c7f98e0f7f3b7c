package answer

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/doubt"
)

// An answer is one line of JSON, whose decimals keep their digits and whose texts no terminal obeys.
func TestJSON(t *testing.T) {
	found := &runner.Result{Columns: []string{"a", "a"}, Rows: [][]any{{runner.Decimal("1.50"), "<b>\u009b&"},
		{nil, []byte{255}}}, Truncated: true}
	for _, tt := range []struct {
		name, id string
		ans      loop.Answer
		want     string
	}{
		{"rows", "7", loop.Answer{Question: "q", SQL: "SELECT 1", How: loop.ByFinish, Result: found, Reads: []string{"t"},
			Confidence: 0.74996, Doubts: []doubt.Doubt{{Name: "d", Text: "t"}}},
			`{"id":"7","question":"q","sql":"SELECT 1","how":"finish","reads":["t"],"confidence":0.75,"confidence_word":"fair","warnings":[{"name":"d","text":"t"}],` +
				`"result":{"columns":["a","a"],"rows":[[1.50,"<b>\u009b&"],[null,"0xFF"]],"truncated":true},"chart":{"kind":"bars","x":1,"y":0}}`},
		{"refused", "", loop.Answer{Question: "q", Refused: "no"},
			`{"question":"q","sql":"","refused":"no","confidence":0,"confidence_word":"very low","result":null}`},
		{"not run", "", loop.Answer{Question: "q", SQL: "SELECT 1", How: loop.ByDryRun},
			`{"question":"q","sql":"SELECT 1","how":"not_run","result":null}`},
		{"not judged", "", loop.Answer{Question: "q", SQL: "SELECT 1", How: loop.ByModel, Result: &runner.Result{}},
			`{"question":"q","sql":"SELECT 1","how":"model","confidence":0,"confidence_word":"unknown","result":{"columns":[],"rows":[],"truncated":false}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			must.Do(t, AsJSON(tt.id, Answer{Answer: tt.ans}).Write(&b))
			if diff := cmp.Diff(tt.want+"\n", b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
