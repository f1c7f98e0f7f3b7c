package serve

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sessions are the Python programs of README.md, each with what it prints.
var sessions = regexp.MustCompile("(?s)```python\n(.*?)```\n\nprints\n\n`{4}text\n(.*?)\n`{4}\n\n")

// varying is what another model has another of.
var varying = regexp.MustCompile(`Confidence: .*`)

// The sessions of README.md are what happens.
func TestClients(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	all := sessions.FindAllSubmatch(page, -1)
	if len(all) != 2 {
		t.Fatalf("%d sessions", len(all))
	}
	s := serverOf(t, replay(counted, counted, counted))
	s.Databases = s.Databases[:1]
	url := start(t, s).URL
	for _, session := range all {
		program, want := string(session[1]), string(session[2])
		packages := regexp.MustCompile(`(?m)^(?:import|from) (.*?)(?: import .*)?$`).FindStringSubmatch(program)[1]
		t.Run(packages, func(t *testing.T) {
			if out, err := exec.Command("python3", "-c", "import "+packages).CombinedOutput(); err != nil {
				t.Skipf("Python has no %s: %v %s", packages, err, out)
			}
			cmd := exec.Command("python3", "-c", strings.ReplaceAll(program, "http://127.0.0.1:8765", url))
			cmd.Env = append(os.Environ(), "NO_PROXY=*")
			got, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			same := func(text string) string { return strings.TrimSpace(varying.ReplaceAllString(text, "Confidence")) }
			if diff := cmp.Diff(same(want), same(string(got))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
