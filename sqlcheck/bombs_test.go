package sqlcheck

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

var repetition = regexp.MustCompile(`«(\d+):([^»]*)»`)

// written out of a line of bombs.txt.
func bomb(line string) string {
	return repetition.ReplaceAllStringFunc(line, func(m string) string {
		parts := repetition.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[1])
		var b strings.Builder
		for i := 1; i <= n; i++ {
			b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), "@", strconv.Itoa(i-1)).Replace(parts[2]))
		}
		return b.String()
	})
}

// TestBombs: with those of attacks.txt, more than 400 attacks are refused or harmless.
func TestBombs(t *testing.T) {
	s := growthSchema(t)
	refused, harmless := 0, 0
	for _, line := range statements(t, "bombs.txt") {
		want, sql, ok := strings.Cut(line, "\t")
		must.Have(t, ok, "no reason", line)
		sql = bomb(sql)
		start := time.Now()
		_, v, err := Check(sql, s)
		switch {
		case err != nil:
			t.Errorf("%v\n%.200s", err, sql)
		case strings.HasPrefix(want, "ok: "):
			if harmless++; !v.OK {
				t.Errorf("%s: refused: %s\n%.200s", want, v, sql)
			}
		case string(v.Reason) != want:
			t.Errorf("%s, want %s\n%.200s", v, want, sql)
		default:
			refused++
		}
		if took := time.Since(start); took > 5*time.Second { // milliseconds on a quiet machine
			t.Errorf("checking took %v\n%.200s", took, sql)
		}
	}
	attacks := len(statements(t, "attacks.txt"))
	t.Logf("%d refused here, %d harmless, %d refused in attacks.txt", refused, harmless, attacks)
	must.Be(t, refused+harmless+attacks >= 400, refused+harmless+attacks, "attacks, want at least 400")
}
