package words

import (
	"math"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func TestReach(t *testing.T) {
	for _, tt := range []struct {
		a, b        string
		least, most float64
	}{
		{"vocalists", "singer", 1, 1},
		{"forename", "first name", 1, 1},
		{"film", "movy", 0.5, 1}, // a stem
		{"windstorms", "storm", 0.5, 0.9},
		{"oldest", "age", 0.5, 0.9},
		{"taught", "teacher", 0.5, 0.6},
		{"children", "child", 0.8, 1},
		{"vocalist", "invoice", 0, 0.1},
		{"goods", "age", 0, 0.4},
		{"xqzzy", "singer", 0, 0},
	} {
		if got := ReachOf(tt.a).Meets(ReachOf(tt.b)); got < tt.least || got > tt.most {
			t.Errorf("%s and %s: %.2f, want %.1f to %.1f", tt.a, tt.b, got, tt.least, tt.most)
		}
		there, back := ReachOf(tt.a).Meets(ReachOf(tt.b)), ReachOf(tt.b).Meets(ReachOf(tt.a))
		if math.Abs(there-back) > 1e-9 {
			t.Errorf("%s and %s: %f there and %f back", tt.a, tt.b, there, back)
		}
	}
}

func TestMeans(t *testing.T) {
	known := map[string]bool{"singer": true, "customer": true, "age": true}
	for word, want := range map[string]bool{"vocalist": true, "client": true, "invoice": false, "xqzzy": false} {
		must.Equal(t, MeaningOf(known).Has(word), want, word)
	}
}

// Each line of the file is what its reader takes it for.
func TestWordNetLines(t *testing.T) {
	n := wordNetOf()
	for i, l := range n.words {
		word, senses, cut := strings.Cut(l, "\t")
		if before, _, _ := strings.Cut(n.words[max(0, i-1)], "\t"); !cut || i > 0 && before >= word {
			t.Fatalf("%q stands behind %q", l, before)
		}
		if base, form := strings.CutPrefix(senses, "="); form {
			must.Be(t, n.line(base) != "", word, "is a form of", base, "which has no senses")
			continue
		}
		for s := range strings.FieldsSeq(senses) {
			id, share, _ := strings.Cut(s, ",")
			must.Be(t, strings.Contains(allParts, id[:1]) && int(concept(id[1:])) < len(n.concepts) && share != "",
				word, s, "is no sense")
		}
	}
	for i, l := range n.concepts {
		for e := range strings.FieldsSeq(l) {
			must.Be(t, int(concept(e[1:])) < len(n.concepts) && edges[e[0]] != 0, "concept", i, e, "leads nowhere")
		}
	}
}

func BenchmarkReachOf(b *testing.B) {
	wordNetOf()
	for b.Loop() {
		ReachOf("manufacturers")
	}
}
