package convert

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"nl2sql/scripts/must"
)

// asked is a context that knows how long a reader went on without asking whether it has ended.
type asked struct {
	context.Context
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	left    int // how often it is asked before it has ended; below zero it does not end
}

// Err implements context.Context.
func (a *asked) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.longest, a.last = max(a.longest, time.Since(a.last)), time.Now()
	if a.left == 0 {
		return context.Canceled
	}
	a.left--
	return nil
}

// workbook is an xlsx file of sheets and shared texts, which are XML.
func workbook(t *testing.T, texts string, sheets ...string) string {
	t.Helper()
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	parts := map[string]string{
		"_rels/.rels":          `<r><Relationship Id="a" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></r>`,
		"xl/sharedStrings.xml": "<sst>" + texts + "</sst>",
	}
	var names, links strings.Builder
	for i, sheet := range sheets {
		fmt.Fprintf(&names, `<sheet name="s%d" r:id="i%d"/>`, i, i)
		fmt.Fprintf(&links, `<Relationship Id="i%d" Type="%s/worksheet" Target="s%d.xml"/>`, i, office, i)
		parts[fmt.Sprintf("xl/s%d.xml", i)] = "<worksheet><sheetData>" + sheet + "</sheetData></worksheet>"
	}
	parts["xl/workbook.xml"] = `<workbook xmlns:r="` + office + `"><sheets>` + names.String() + "</sheets></workbook>"
	parts["xl/_rels/workbook.xml.rels"] = "<r>" + links.String() + `<Relationship Id="t" Type="` + office +
		`/sharedStrings" Target="sharedStrings.xml"/></r>`
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range parts {
		must.Get(io.WriteString(must.Get(z.Create(name))(t), text))(t)
	}
	must.Do(t, z.Close())
	return out.String()
}

// columnar is a Parquet file of one column.
func columnar[T any](t *testing.T, rows int, row T) string {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, parquet.PageBufferSize(1<<30), parquet.DataPageStatistics(false))
	block := make([]T, 10_000)
	for i := range block {
		block[i] = row
	}
	for range rows / len(block) {
		must.Get(w.Write(block))(t)
	}
	must.Do(t, w.Close())
	return out.String()
}

// Small files that become large ones are refused, in time, and their readers ask often whether they are wanted still.
func TestHostileFiles(t *testing.T) {
	cells := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<row>"+format+"</row>", i)
		}
		return b.String()
	}
	type prefix struct {
		Text string `parquet:"text,delta,zstd"`
	}
	type same struct {
		A int32 `parquet:"a,dict,zstd"`
		B int32 `parquet:"b,dict,zstd"`
	}
	for name, file := range map[string]struct{ data, want string }{
		"text.xlsx": {workbook(t, "<si><t>"+strings.Repeat("x", 1<<20)+"</t></si>",
			cells(2000, `<c><v>%d</v></c><c t="s"><v>0</v></c>`)), "grow to more than 256 MiB of values"},
		"texts.xlsx":    {workbook(t, strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 40_000), ""), "a part of it is too long"},
		"sheets.xlsx":   {workbook(t, "", make([]string, 1001)...), "it has 1001 sheets, and at most 1000"},
		"rows.xlsx":     {workbook(t, "", "<row/>"+strings.Repeat("<row/>", 1<<20)), "a sheet has at most 1048576 rows"},
		"quotes.csv":    {"id,note\n" + strings.Repeat("1,\"a\n", 20_000), ""},
		"signs.csv":     {"id,note\n" + strings.Repeat("1,a\n", 9) + strings.Repeat(",", 2<<20), ""},
		"columns.csv":   {strings.Repeat("a,", 100_000), "at most 4096"},
		"same.parquet":  {columnar(t, 9_000_000, same{}), "rows of 2 columns"},
		"texts.parquet": {columnar(t, 10_000, prefix{strings.Repeat("x", 25_000)}), "too much"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			must.Do(t, os.WriteFile(path, []byte(file.data), 0o600))
			for left := -1; left < 1000; left = 10*left + 10 {
				ctx := &asked{Context: t.Context(), last: time.Now(), left: left}
				s, _, err := Open(path, plain)
				must.Do(t, err)
				_, err = io.Copy(io.Discard, s.Script(ctx))
				switch {
				case errors.Is(err, context.Canceled) && left >= 0:
				case (err == nil) != (file.want == ""), err != nil && !strings.Contains(err.Error(), file.want):
					t.Errorf("asked %d times: got %v, want %q", left, err, file.want)
				case ctx.left == 0 && err == nil:
					t.Errorf("it went on when it was asked to end")
				case ctx.longest > 5*time.Second:
					t.Errorf("it did not ask for %s", ctx.longest)
				}
			}
		})
	}
}
