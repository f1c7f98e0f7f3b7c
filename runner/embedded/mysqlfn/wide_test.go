package mysqlfn

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"nl2sql/scripts/must"
)

// The bytes of wide DECIMALs sort as the numbers do, and are read back.
func TestWideOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	var list []decimal.Decimal
	for _, text := range []string{"0", "1", "-1", "10", "100", "0.1", "0.01", "-0.01", "9.99", "99", "100.5", "-100.5",
		"-100.05", "12345678901234567890.12"} {
		list = append(list, decimal.RequireFromString(text))
	}
	for range 200 {
		list = append(list, decimal.New(r.Int64N(2_000_000)-1_000_000, int32(r.IntN(20)-12)))
	}
	for _, a := range list {
		x := must.Get(EncodeWide(a))(t)
		if back, err := decodeWide(x); err != nil || !back.Equal(a) {
			t.Fatalf("%s is read back as %s, %v", a, back, err)
		}
		for _, b := range list {
			y := must.Get(EncodeWide(b))(t)
			if got, want := bytes.Compare(x, y), a.Cmp(b); got != want {
				t.Errorf("%s and %s compare as %d, want %d", a, b, got, want)
			}
		}
	}
	for _, text := range []string{"1e81", "-1e81", "1e-82",
		"1.00000000000000000000000000000000000000000000000000000000000000000000000000000000000001"} {
		if _, err := EncodeWide(decimal.RequireFromString(text)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
