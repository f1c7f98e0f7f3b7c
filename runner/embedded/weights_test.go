package embedded

import (
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// weighed is how many characters are compared: three planes of Unicode.
const weighed = 0x30000

// The characters have the weights that a real MySQL gives them in each collation; -update writes them down.
func TestWeightsAgainstMySQL(t *testing.T) {
	_, dsn := mysqlServerDSN(t, "weights",
		[]byte("CREATE TABLE characters (n int PRIMARY KEY, c varchar(2) CHARACTER SET utf8mb4);"))
	raw, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec("TRUNCATE TABLE characters"); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for r := rune(0); r < weighed; r++ {
		if utf8.ValidRune(r) {
			rows = append(rows, fmt.Sprintf("(%d, _utf8mb4 X'%x')", r, string(r)))
		}
	}
	for some := range slices.Chunk(rows, 8192) {
		if _, err := raw.Exec("INSERT INTO characters VALUES " + strings.Join(some, ",")); err != nil {
			t.Fatal(err)
		}
	}
	var packed []byte
	for _, c := range mysqlfn.WeightCollations {
		list := serverWeights(t, raw, "c COLLATE "+c.Name, "")
		if c.Collation != types.CollAI && c.Collation != types.CollUnicode520 {
			list = list[:0x10000]
		}
		part := mysqlfn.PackWeights(list)
		packed = append(binary.BigEndian.AppendUint32(packed, uint32(len(part))), part...)
		if !*update {
			compareWeights(t, c.Collation, list)
		}
	}
	compareWeights(t, types.CollSwedish, serverWeights(t, raw, "CONVERT(c USING latin1) COLLATE latin1_swedish_ci",
		"WHERE c = CONVERT(CONVERT(c USING latin1) USING utf8mb4) COLLATE utf8mb4_bin"))
	if *update {
		if err := os.WriteFile("mysqlfn/weights.bin", packed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func serverWeights(t *testing.T, raw *sql.DB, text, where string) [][]uint16 {
	t.Helper()
	rows, err := raw.Query("SELECT n, HEX(WEIGHT_STRING(" + text + ")) FROM characters " + where)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := make([][]uint16, weighed)
	for rows.Next() {
		var n int
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			t.Fatal(err)
		}
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == 1 { // of a character set of one byte
			b = append([]byte{0}, b...)
		}
		out[n] = []uint16{}
		for i := 0; i+1 < len(b); i += 2 {
			out[n] = append(out[n], binary.BigEndian.Uint16(b[i:]))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
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
	if wrong > 0 {
		t.Errorf("%s: %d characters have other weights", c, wrong)
	}
}
