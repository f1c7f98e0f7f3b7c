package convert

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// reads reads a text as a file of an ending: it is a table or an error, in time, and no library panics where ours alone
// is.
func reads(t *testing.T, ending, text string) {
	path := filepath.Join(t.TempDir(), "x"+ending)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	s, ok, err := Open(path, plain)
	must.Do(t, err)
	must.Be(t, ok, "no file that holds tables")
	start := time.Now()
	_, err = io.Copy(io.Discard, s.Script(t.Context()))
	must.Be(t, time.Since(start) < 20*time.Second, "it took", time.Since(start))
	if err == nil {
		must.Be(t, len(s.Tables) > 0, "no table and no error")
		return
	}
	must.Be(t, ending != ".csv" || !strings.Contains(err.Error(), "damaged"), err)
}

func FuzzWorkbook(f *testing.F) {
	f.Add(string(must.Get(os.ReadFile("testdata/hire.xlsx"))(f)))
	f.Fuzz(func(t *testing.T, text string) { reads(t, ".xlsx", text) })
}

func FuzzParquet(f *testing.F) {
	f.Add(string(must.Get(os.ReadFile("testdata/rides.parquet"))(f)))
	f.Fuzz(func(t *testing.T, text string) { reads(t, ".parquet", text) })
}
