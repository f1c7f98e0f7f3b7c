package fetch

import (
	"flag"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

var (
	kills    = flag.Int("kills", must.Long(5, 100), "how often TestKills kills who fetches")
	killSeed = flag.Uint64("killseed", 1, "of the moments in which it does")
)

// killedContent is what is fetched by who is killed.
var killedContent = strings.Repeat("0123456789abcdef", 1<<17)

// TestKilledFetch is the program that TestKills kills: it fetches into the folder that the environment names.
func TestKilledFetch(t *testing.T) {
	dir := os.Getenv("NL2SQL_TEST_FETCH")
	if dir == "" {
		t.Skip("it is the child of TestKills")
	}
	c, f, h := Cache{Dir: dir}, fileOf(killedContent), hub{"Who/What", "x.gguf"}
	must.Do(t, c.Keep(f, func(w io.Writer) error { return h.write(t.Context(), c, f, w) }))
}

// slow writes in pieces, with a breath between them.
type slow struct{ http.ResponseWriter }

func (s slow) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		m := 0
		m, err = s.ResponseWriter.Write(p[n:min(len(p), n+8<<10)])
		n += m
		time.Sleep(time.Millisecond)
	}
	return n, err
}

// Who fetches and is killed in any moment, again and again, goes on where it was; in the end the file is whole and
// alone.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills programs again and again, which -short leaves out")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(slow{w}, r, "x.gguf", time.Time{}, strings.NewReader(killedContent))
	}))
	defer server.Close()
	life := func(dir string, most time.Duration) (killed bool, took time.Duration) {
		c := exec.Command(os.Args[0], "-test.run", "^TestKilledFetch$")
		c.Env = append(os.Environ(), "NL2SQL_TEST_FETCH="+dir, "HF_ENDPOINT="+server.URL)
		var out strings.Builder
		c.Stdout, c.Stderr = &out, &out
		began := time.Now()
		must.Do(t, c.Start())
		if most > 0 {
			end := time.AfterFunc(most, func() { c.Process.Kill() }) // an error says that it has ended, as it may
			defer end.Stop()
		}
		err := c.Wait()
		if err != nil && c.ProcessState.ExitCode() != -1 {
			t.Fatalf("%v\n%s", err, out.String())
		}
		return err != nil, time.Since(began)
	}
	_, took := life(t.TempDir(), 0)
	r := rand.New(rand.NewPCG(*killSeed, 5))
	c := Cache{Dir: t.TempDir()}
	whole := func() {
		if killed, _ := life(c.Dir, 0); killed {
			t.Fatal("killed by another")
		}
		if diff := cmp.Diff([]string{"models/x.gguf"}, leftovers(t, c)); diff != "" || !c.Have(fileOf(killedContent)) {
			t.Errorf("have %v, %s", c.Have(fileOf(killedContent)), diff)
		}
	}
	for done, ended := 0, 0; done < *kills; {
		if killed, _ := life(c.Dir, time.Duration(1+r.Int64N(int64(took)))); killed {
			done++
		} else {
			ended++
			whole()
			c = Cache{Dir: t.TempDir()}
		}
	}
	whole()
}
