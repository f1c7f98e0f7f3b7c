package embedded

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// dumpForm is a file of testdata/forms: what a producer of dumps writes, and what is to be found in the database.
type dumpForm struct {
	name     string
	producer string
	features []string
	files    []txtar.File // one script, or those of a folder
	told     string       // what is passed over or left out
	asked    []answer
}

func dumpForms(t *testing.T) (list []dumpForm) {
	t.Helper()
	paths, err := filepath.Glob("testdata/forms/*.txtar")
	must.Have(t, err == nil && len(paths) != 0, err, paths)
	for _, path := range paths {
		archive := must.Get(txtar.ParseFile(path))(t)
		f := dumpForm{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
		for line := range strings.Lines(string(archive.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "producer":
				f.producer = value
			case "features":
				f.features = strings.Split(value, ", ")
			}
		}
		for _, file := range archive.Files {
			switch file.Name {
			case "told":
				f.told = string(file.Data)
			case "asked":
				f.asked = parseAnswers(t, string(file.Data), false)
			default:
				f.files = append(f.files, file)
			}
		}
		must.Have(t, f.producer != "" && len(f.features) != 0 && len(f.asked) != 0,
			path, "names no producer, no features or asks nothing")
		list = append(list, f)
	}
	return list
}

// Every form of a dump comes in whole, and what does not is told.
func TestForms(t *testing.T) {
	for _, f := range dumpForms(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			path := filepath.Join(t.TempDir(), "shop")
			if len(f.files) == 1 {
				must.Do(t, os.WriteFile(path+".sql", f.files[0].Data, 0o600))
				path += ".sql"
			} else {
				must.Do(t, os.Mkdir(path, 0o700))
				for _, file := range f.files {
					must.Do(t, os.WriteFile(filepath.Join(path, file.Name), file.Data, 0o600))
				}
			}
			report := must.Get(ImportFile(t.Context(), "form", path, ImportOptions{}))(t)
			var told strings.Builder
			for _, kind := range slices.Sorted(maps.Keys(report.Skipped)) {
				fmt.Fprintf(&told, "passed over: %s %s\n", kind, strings.Join(report.Skipped[kind], ", "))
			}
			for _, line := range report.Left {
				told.WriteString("left out: " + line + "\n")
			}
			must.Same(t, told.String(), f.told, "told")
			db := must.Get(Open(t.Context(), "form", runner.Limits{}))(t)
			defer db.Close()
			for _, want := range f.asked {
				got, err := reply(t.Context(), db, want.SQL)
				if err != nil {
					t.Errorf("%v\n%s", err, want.SQL)
					continue
				}
				if diff := cmp.Diff(want.Rows, got.Rows); diff != "" || got.Code != 0 {
					t.Errorf("error %d; %s (-want +got)\n%s", got.Code, want.SQL, diff)
				}
			}
		})
	}
}
