package embedded

import (
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/scripts/must"
)

// weighed is how many characters are compared: three planes of Unicode.
const weighed = 0x30000

// The characters have the weights that a real MySQL gives them in each collation.
func TestWeightsAgainstMySQL(t *testing.T) {
	_, dsn := mysqlServerDSN(t, "weights",
		[]byte("CREATE TABLE characters (n int PRIMARY KEY, c varchar(2) CHARACTER SET utf8mb4);"))
	raw := must.Get(sql.Open("mysql", dsn))(t)
	defer raw.Close()
	must.Get(raw.Exec("TRUNCATE TABLE characters"))(t)
	var rows []string
	for r := rune(0); r < weighed; r++ {
		if utf8.ValidRune(r) {
			rows = append(rows, fmt.Sprintf("(%d, _utf8mb4 X'%x')", r, string(r)))
		}
	}
	for some := range slices.Chunk(rows, 8192) {
		must.Get(raw.Exec("INSERT INTO characters VALUES " + strings.Join(some, ",")))(t)
	}
	for _, c := range mysqlfn.WeightCollations {
		list := serverWeights(t, raw, "c COLLATE "+c.Name, "")
		if c.Collation != types.CollAI && c.Collation != types.CollUnicode520 {
			list = list[:0x10000]
		}
		compareWeights(t, c.Collation, list)
	}
	compareWeights(t, types.CollSwedish, serverWeights(t, raw, "CONVERT(c USING latin1) COLLATE latin1_swedish_ci",
		"WHERE c = CONVERT(CONVERT(c USING latin1) USING utf8mb4) COLLATE utf8mb4_bin"))
}

func serverWeights(t *testing.T, raw *sql.DB, text, where string) [][]uint16 {
	t.Helper()
	rows := must.Get(raw.Query("SELECT n, HEX(WEIGHT_STRING(" + text + ")) FROM characters " + where))(t)
	defer rows.Close()
	out := make([][]uint16, weighed)
	for rows.Next() {
		var n int
		var text string
		must.Do(t, rows.Scan(&n, &text))
		b := must.Get(hex.DecodeString(text))(t)
		if len(b) == 1 { // of a character set of one byte
			b = append([]byte{0}, b...)
		}
		out[n] = []uint16{}
		for i := 0; i+1 < len(b); i += 2 {
			out[n] = append(out[n], binary.BigEndian.Uint16(b[i:]))
		}
	}
	must.Do(t, rows.Err())
	return out
}

func compareWeights(t *testing.T, c types.Collation, want [][]uint16) {
	t.Helper()
	wrong := 0
	for r, w := range want {
		if got := mysqlfn.Weights(c, rune(r)); w != nil && !slices.Equal(w, got) {
			if wrong++; wrong < 10 {
				t.Errorf("%s: U+%04X: %x, here %x", c, r, w, got)
			}
		}
	}
	must.Be(t, wrong <= 0, c, wrong, "characters have other weights")
}
