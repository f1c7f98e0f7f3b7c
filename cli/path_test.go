package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// countsFile names the file in which the program of a test notes what a question takes.
const countsFile = "NL2SQL_TEST_COUNTS"

// counted notes each parse, bind, reading and query in a file: for whom, and by which schema.
func counted(path string) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	note := func(what string, s *schema.Schema) {
		var pcs [64]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
		var stack []string
		for f, more := frames.Next(); more; f, more = frames.Next() {
			if name, ours := strings.CutPrefix(f.Function, "nl2sql/"); ours {
				stack = append(stack, name)
			}
		}
		by := "declared"
		switch {
		case s == nil:
			by = "none"
		case slices.ContainsFunc(s.Tables, func(t schema.Table) bool { return t.InferredKey != "" }):
			by = "inferred"
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(f, what, stageOf(stack), by, strings.Join(stack, " "))
	}
	syntax.OnParse = func(string) { note("parse", nil) }
	bind.OnBind = func(s *schema.Schema) { note("bind", s) }
	question.OnRead = func(_ string, s *schema.Schema) { note("read", s) }
	embedded.OnQuery = func(string) { note("query", nil) }
}

// stages say by a function on the way what something is done for; all else is for the answer.
var stages = []struct{ name, by string }{
	{"profile", "runner/profile."}, {"readings", "eadings"}, {"pairs", "tools.NewBook"},
	{"opening", "embedded.Open"}, {"opening", "readSchema"}, {"opening", "cli.openDB"}, {"opening", "CheckNotes"},
}

func stageOf(stack []string) string {
	for _, s := range stages {
		if slices.ContainsFunc(stack, func(f string) bool { return strings.Contains(f, s.by) }) {
			return s.name
		}
	}
	return "answer"
}

// cost is what a question took: how often each thing was done for the answer and for its readings, and by which
// schemas names were looked up.
type cost struct {
	Parses, Binds, Reads, Queries, ReadingsQueries int
	Schemas                                        string
}

func costOf(t *testing.T, path string) (out cost, stacks string) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.Remove(path))
	schemas := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), " ", 4)
		what, stage, by := part[0], part[1], part[2]
		if stage == "answer" || stage == "readings" {
			if by != "none" {
				schemas[by] = true
			}
			stacks += line
		}
		switch what + " " + stage {
		case "parse answer":
			out.Parses++
		case "bind answer":
			out.Binds++
		case "read answer", "read readings":
			out.Reads++
		case "query answer":
			out.Queries++
		case "query readings":
			out.ReadingsQueries++
		}
	}
	for s := range schemas {
		out.Schemas += s
	}
	return out, stacks
}

// pathDump declares no key and no reference: what joins its tables is found in their rows.
const pathDump = `CREATE TABLE clients (id INT, name VARCHAR(40), city VARCHAR(40));
INSERT INTO clients VALUES (1,'Ada','Berlin'),(2,'Bo','Paris'),(3,'Cy','Berlin'),(4,'Di','Rome');
CREATE TABLE orders (id INT, client_id INT, placed DATE, shipped DATE);
INSERT INTO orders VALUES (1,1,'2023-01-02','2023-01-05'),(2,1,'2023-12-30','2024-01-04'),
(3,3,'2022-12-31','2023-01-02'),(4,2,'2023-05-01','2023-05-02'),(5,4,'2024-05-01','2024-05-02'),
(6,3,'2023-07-01','2024-02-02');
`

const (
	pathQuestion = "How many orders of clients in Berlin were there in 2023?"
	pathSQL      = "SELECT COUNT(*) FROM orders AS o JOIN clients AS c ON o.client_id = c.id " +
		"WHERE c.city = 'Berlin' AND YEAR(o.placed) = 2023"
)

// One question takes the same way to the same answer, whoever asks: its statement is parsed and bound as often as
// guards and checks need, the question is read once, and all of it by one schema.
func TestOneWay(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	counts, replies := filepath.Join(dir, "counts"), file("replies.txt", pathSQL)
	many, socket := file("questions.txt", pathQuestion+"\n"), filepath.Join(dir, "s")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "nl2sql", args...)
		cmd.Env = append(os.Environ(), "NL2SQL_CACHE="+dir, "XDG_CONFIG_HOME="+dir, countsFile+"="+counts)
		cmd.Stderr = os.Stderr
		return cmd
	}
	must.Get(command("db", "import", "--name", "shop", file("shop.sql", pathDump)).Output())(t)
	must.Do(t, os.Remove(counts))
	asking := func(first string, more ...string) *exec.Cmd {
		return command(append([]string{first, "--db", "shop", "--model", "replay:" + replies}, more...)...)
	}
	run := func(cmd *exec.Cmd) string { return string(must.Get(cmd.Output())(t)) }
	serving := func(path, body string) string {
		cmd := asking("serve", "--listen", "unix:"+socket, "--access-log", "none", "--parallel", "1")
		cmd.Stderr = nil
		must.Do(t, cmd.Start())
		healthy(t, socket)
		client := clientOf(socket)
		resp := must.Get(client.Post("http://localhost"+path, "application/json", strings.NewReader(body)))(t)
		text := must.Get(io.ReadAll(resp.Body))(t)
		must.Equal(t, resp.StatusCode, http.StatusOK, string(text))
		must.Do(t, resp.Body.Close())
		client.CloseIdleConnections()
		must.Do(t, cmd.Process.Signal(os.Interrupt))
		must.Do(t, cmd.Wait())
		return string(text)
	}
	question := string(must.Get(json.Marshal(pathQuestion))(t))
	ways := []struct {
		name string
		ask  func() string // the answer in JSON
	}{
		{"ask", func() string { return run(asking("ask", "--format", "json", pathQuestion)) }},
		{"ask --file", func() string { return run(asking("ask", "--file", many)) }},
		{"chat", func() string {
			cmd := asking("chat", "--format", "json")
			cmd.Stdin = strings.NewReader(pathQuestion + "\n")
			return run(cmd)
		}},
		{"serve", func() string { return serving("/api/ask", `{"question":`+question+`}`) }},
		{"OpenAI", func() string {
			text := serving("/v1/chat/completions", `{"messages":[{"role":"user","content":`+question+`}]}`)
			var reply struct {
				Answer json.RawMessage `json:"nl2sql"`
			}
			must.Do(t, json.Unmarshal([]byte(text), &reply))
			return string(reply.Answer)
		}},
		{"mcp", func() string {
			cmd := asking("mcp", "--parallel", "1")
			cmd.Stderr = nil
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
			session := must.Get(client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil))(t)
			res := must.Get(session.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "ask", Arguments: map[string]any{"question": pathQuestion},
			}))(t)
			must.Do(t, session.Close())
			return string(must.Get(json.Marshal(res.StructuredContent))(t))
		}},
	}
	want := ""
	for _, w := range ways {
		got := w.ask()
		took, stacks := costOf(t, counts)
		t.Logf("%s: %+v", w.name, took)
		if took.Parses > 3 || took.Binds > 2 || took.Reads != 1 || took.Queries != 1 || took.Schemas != "inferred" {
			t.Errorf("%s takes too much: %+v\n%s", w.name, took, stacks)
		}
		shown := shownOf(t, got)
		if want == "" {
			want = shown
		}
		if want != shown {
			t.Errorf("%s has another answer:\n%s\n%s", w.name, shown, want)
		}
	}
}

// shownOf is what all interfaces show of an answer.
func shownOf(t *testing.T, text string) string {
	t.Helper()
	line, err := bufio.NewReader(strings.NewReader(text)).ReadBytes('\n')
	if err != io.EOF {
		must.Do(t, err)
	}
	var all map[string]json.RawMessage
	must.Do(t, json.Unmarshal(line, &all), text)
	var out bytes.Buffer
	for _, name := range []string{"sql", "sentence", "reads", "confidence", "confidence_word", "asks"} {
		fmt.Fprintf(&out, "%s: %s\n", name, all[name])
	}
	return out.String()
}
