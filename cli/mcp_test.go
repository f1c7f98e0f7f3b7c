//go:build !llamacpp

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/scripts/must"
)

// agent is a client of nl2sql mcp, over stdin and stdout.
type agent struct {
	*sdk.ClientSession
	cmd  *exec.Cmd
	said *saying
	out  bytes.Buffer // what it wrote to stdout
}

// tee is a reader of stdout that keeps what it read.
type tee struct {
	from io.ReadCloser
	to   *bytes.Buffer
}

func (t tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.to.Write(p[:n])
	return n, err
}

func (t tee) Close() error { return t.from.Close() }

// startAgent starts the command, and connects to it.
func startAgent(t *testing.T, args ...string) *agent {
	t.Helper()
	a := &agent{cmd: exec.Command("nl2sql", append([]string{"mcp", "-v"}, args...)...), said: &saying{}}
	a.cmd.Stderr, a.cmd.Env = a.said, append(os.Environ(), "NL2SQL_CACHE="+t.TempDir())
	in, out := must.Get(a.cmd.StdinPipe())(t), must.Get(a.cmd.StdoutPipe())(t)
	must.Do(t, a.cmd.Start())
	t.Cleanup(func() { a.cmd.Process.Kill() }) // an error says that it has ended, as it should
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	var err error
	a.ClientSession, err = client.Connect(t.Context(), &sdk.IOTransport{Reader: tee{out, &a.out}, Writer: in}, nil)
	must.Do(t, err, a.said.text.String())
	return a
}

// ended waits for the end, with exit code 0 and nothing but messages on stdout.
func (a *agent) ended(t *testing.T) {
	t.Helper()
	must.Succeed(t, a.cmd.Wait(), a.said.text.String())
	for line := range bytes.Lines(a.out.Bytes()) {
		var message struct{ JSONRPC string }
		must.Be(t, json.Unmarshal(line, &message) == nil && message.JSONRPC == "2.0",
			"stdout has a line that is no message", line)
	}
}

// query runs a statement, and returns the text of the result.
func (a *agent) query(t *testing.T, sql string) (text string, failed bool) {
	t.Helper()
	params := &sdk.CallToolParams{Name: "query", Arguments: map[string]any{"sql": sql}}
	res := must.Get(a.CallTool(t.Context(), params))(t)
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

// The server ends with its client, and with a signal while calls are at work, with exit code 0.
func TestMCPEnds(t *testing.T) {
	hears := make(chan os.Signal, 1)
	signal.Notify(hears, syscall.SIGHUP) // so does the server then, where nohup ran the test
	t.Cleanup(func() { signal.Stop(hears) })
	for name, end := range map[string]func(a *agent) error{
		"client":  func(a *agent) error { return a.Close() },
		"SIGTERM": func(a *agent) error { return a.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(a *agent) error { return a.cmd.Process.Signal(syscall.SIGHUP) },
		"SIGINT":  func(a *agent) error { return a.cmd.Process.Signal(os.Interrupt) },
	} {
		t.Run(name, func(t *testing.T) {
			a := startAgent(t, "--model", "none")
			if text, failed := a.query(t, count); failed || !strings.Contains(text, "\n[293]") {
				t.Fatal(text)
			}
			call := make(chan error, 1)
			go func() {
				params := &sdk.CallToolParams{Name: "query", Arguments: map[string]any{"sql": endless}}
				_, err := a.CallTool(t.Context(), params)
				call <- err
			}()
			must.Do(t, end(a))
			a.ended(t)
			<-call // whether it was told of its end or not
		})
	}
}

// A database that goes away is an error that says so, and the server goes on: when the database is there again it
// answers.
func TestMCPDatabaseGone(t *testing.T) {
	first, second := demoServer(t), demoServer(t)
	socket := regexp.MustCompile(`unix\((.*)\)`)
	link := filepath.Join(t.TempDir(), "s")
	must.Do(t, os.Symlink(socket.FindStringSubmatch(first.DSN())[1], link))
	a := startAgent(t, "--model", "none", "--db", "shop="+socket.ReplaceAllString(first.DSN(), "unix("+link+")"))
	if text, failed := a.query(t, count); failed || !strings.Contains(text, "\n[293]") {
		t.Fatal(text)
	}
	must.Do(t, syscall.Kill(first.Pid(), syscall.SIGKILL))
	for { // the socket outlives the process for a moment
		text, failed := a.query(t, count)
		if !failed {
			continue
		}
		must.Be(t, !strings.Contains(text, "[293]") && strings.Contains(text, "connect"), text)
		break
	}
	must.Do(t, os.Remove(link))
	must.Do(t, os.Symlink(socket.FindStringSubmatch(second.DSN())[1], link))
	if text, failed := a.query(t, count); failed || !strings.Contains(text, "\n[293]") {
		t.Error(text)
	}
	must.Do(t, a.Close())
	a.ended(t)
}

// whatClientsSay is what the protocol's official client for Python says of each tool.
const whatClientsSay = `tools ask check pairs query samples schema
prompts answer overview review table
resources 9 nl2sql:///classicmodels/schema
resource CREATE TABLE ` + "`offices`" + ` (
prompt Describe the table offices of the database classicmodels: look at it with the tools schema and samples, and say of each column what it means, ` +
	`what its values look like, and what it joins with.
schema ok payments(customerNumber int, checkNumber text, paymentDate date, amount decimal)
samples ok [['BK617652']]
wrong failed It may not run: unknown_column:customerNam. no table in FROM has a column customerNam; did you mean customerName?
mended ok [['Amberlight Imports, Ltd']]
attack failed It may not run: into. leave out INTO
check ok It may run: SELECT COUNT(1) FROM ` + "`orders`" + `
unconfirmed failed nothing is kept that nobody said yes to: show the person the question, the SQL and what it finds, ask ` +
	`whether it is right, and call again with confirmed: true if they say so
learn ok Kept: questions that repeat it, but for values, are answered by its SQL.
pairs ok 1 pairs
ask ok [[293]]
progress True
cancelled True
after ok [[326]]
`

// pythonWithClient is a Python that has the client: the one that make setup installs, or one that has it anyway.
func pythonWithClient(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Python, which -short leaves out")
	}
	kept := must.Get(filepath.Glob(filepath.Join(cacheFolder(), "tools", "mcp-*", "bin", "python")))(t)
	for _, python := range append(kept, "python3") {
		cmd := exec.Command(python, "-c", "from mcp import Client")
		if cmd.Run() == nil {
			return python
		}
	}
	t.Skip("no Python with the package mcp 2 here: make setup installs it in the cache folder")
	return ""
}

// The protocol's official client for Python, over both transports, and by the protocol of today and the one before.
func TestMCPClients(t *testing.T) {
	python, script := pythonWithClient(t), must.Get(filepath.Abs("mcp/testdata/client.py"))(t)
	for _, mode := range []string{"legacy", "auto"} {
		for _, over := range []string{"stdio", "http"} {
			t.Run(mode+" "+over, func(t *testing.T) {
				said := &saying{}
				pairs := filepath.Join(t.TempDir(), "pairs.jsonl")
				must.Do(t, os.WriteFile(pairs, nil, 0o600))
				flags := []string{"--model", replay(t, count), "--pairs", pairs}
				args := append([]string{script, mode, "nl2sql", "mcp", "-v"}, flags...)
				stop := func() {}
				if over == "http" {
					server := exec.Command("nl2sql", append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...)...)
					said, stop = startServe(t, server)
					args = []string{script, mode, said.match(t, `serving classicmodels at (\S+)\n`) + "/mcp"}
				}
				cmd := exec.Command(python, args...)
				cmd.Env = append(os.Environ(), "NO_PROXY=*")
				var out, errOut bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errOut
				if over == "stdio" { // the client passes on what the server says
					cmd.Stderr = said
				}
				must.Do(t, cmd.Run(), out.String(), errOut.String(), said.text.String())
				must.Same(t, out.String(), whatClientsSay)
				// The call that was cancelled ended long before the time limit of queries.
				text := said.match(t, `tool=query failed=true took=(\d{3}ms|[\d.]+s)\n`)
				took := must.Get(time.ParseDuration(text))(t)
				must.Be(t, took <= 20*time.Second, "the query that was cancelled took", took)
				stop()
			})
		}
	}
}

// Without a model there is no tool ask, and why is said; one that is named and is not there is an error.
func TestMCPWithoutModel(t *testing.T) {
	a := startAgent(t)
	a.said.match(t, `(nl2sql: there is no tool ask: no model: )`)
	for tool, err := range a.Tools(t.Context(), nil) {
		must.Do(t, err)
		must.Be(t, tool.Name != "ask", "there is a tool ask")
	}
	must.Do(t, a.Close())
	a.ended(t)
	c := newCommand(t.TempDir(), "mcp", "--model", "nowhere.gguf")
	if code, out := c.run(t); code != exitError || out != "" || !strings.Contains(c.err.String(), "nowhere.gguf") {
		t.Errorf("exit code %d: %s%s", code, out, c.err.String())
	}
	two := newCommand(t.TempDir(), "mcp", "--model", "none", "--db", "embedded", "--db", "embedded")
	code, _ := two.run(t)
	must.Be(t, code == exitUsage && strings.Contains(two.err.String(), "two databases are called classicmodels"),
		"exit code", code, two.err.String())
	bad := newCommand(t.TempDir(), "mcp", "--model", replay(t, count), "--parallel", "2")
	if code, _ := bad.run(t); code != exitUsage {
		t.Errorf("exit code %d: %s", code, bad.err.String())
	}
}

// What a role does not have is not there for an agent either: in no list, no schema, no error and no row.
func TestMCPRole(t *testing.T) {
	role := filepath.Join(t.TempDir(), "sales.yaml")
	must.Do(t, os.WriteFile(role, []byte(`values: {me: int}
tables:
  customers:
    hidden: [creditLimit, phone]
    where: salesRepEmployeeNumber = @me
`), 0o600))
	a := startAgent(t, "--model", "none", "--role", role, "--as", "me=1110")
	if text, failed := a.query(t, "SELECT COUNT(*) FROM customers"); failed || !strings.Contains(text, "\n[8]") {
		t.Error(text)
	}
	for _, sql := range []string{
		"SELECT creditLimit FROM customers", "SELECT * FROM employees", "SELECT creditLimt FROM customers",
		"SELECT table_name FROM information_schema.tables",
	} {
		if text, failed := a.query(t, sql); !failed || strings.Contains(text, "phone") {
			t.Errorf("%s: %s", sql, text)
		}
	}
	for r, err := range a.Resources(t.Context(), nil) {
		must.Do(t, err)
		read := must.Get(a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI}))(t)
		if !strings.Contains(read.Contents[0].Text, "`customerName`") || strings.Contains(read.Contents[0].Text, "phone") {
			t.Errorf("%s: %s", r.URI, read.Contents[0].Text)
		}
	}
	must.Do(t, a.Close())
	a.ended(t)
}

// entry is how a client is told of a server.
type entry struct {
	Command     string
	Args        []string
	URL         string
	Headers     map[string]string
	BearerToken string `json:"bearer_token_env_var"`
}

// The entries of clients in README.md are read as JSON or TOML, and each starts or finds a server that has tools.
func TestMCPEntries(t *testing.T) {
	files := must.Get(filepath.Glob("mcp/testdata/clients/*"))(t)
	must.Have(t, len(files) == 8, len(files), "files")
	server := exec.Command("nl2sql", "serve", "--listen", "127.0.0.1:0", "--model", replay(t, count))
	said, stop := startServe(t, server)
	url := said.match(t, `serving classicmodels at (\S+)\n`) + "/mcp"
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := must.Get(os.ReadFile(file))(t)
			var is map[string]map[string]any
			if filepath.Ext(file) == ".toml" {
				must.Do(t, toml.Unmarshal(text, &is))
			} else {
				must.Do(t, json.Unmarshal(text, &is))
			}
			var e entry
			for _, servers := range is { // by the one name that this client has for them
				must.Do(t, json.Unmarshal(must.Get(json.Marshal(servers["nl2sql"]))(t), &e))
			}
			if e.URL != "" {
				token := e.Headers["Authorization"] == "Bearer TOKEN" || e.BearerToken != ""
				if e.URL != "http://127.0.0.1:8765/mcp" || !token {
					t.Errorf("%+v", e)
				}
				c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
				session := must.Get(c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url}, nil))(t)
				if tools := must.Get(session.ListTools(t.Context(), nil))(t); len(tools.Tools) != 6 {
					t.Errorf("%d tools", len(tools.Tools))
				}
				must.Do(t, session.Close())
				return
			}
			if e.Command != "nl2sql" || e.Args[0] != "mcp" {
				t.Fatalf("%+v", e)
			}
			a := startAgent(t, e.Args[1:]...)
			if tools := must.Get(a.ListTools(t.Context(), nil))(t); len(tools.Tools) != 5 {
				t.Errorf("%d tools", len(tools.Tools))
			}
			must.Do(t, a.Close())
			a.ended(t)
		})
	}
	stop()
}

// The API, which the page's button calls, the chat, an agent and the command line read and write the same pairs.
func TestPairsThroughAllDoors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pairs.jsonl")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	none := replay(t, "no query")
	serving := func(path, body string) string {
		said, stop := startServe(t, exec.Command("nl2sql", "serve", "--listen", "127.0.0.1:0", "--pairs", file,
			"--model", none))
		defer stop()
		resp := must.Get(http.Post(said.match(t, `serving classicmodels at (\S+)\n`)+path, "application/json",
			strings.NewReader(body)))(t)
		defer resp.Body.Close()
		return string(must.Get(io.ReadAll(resp.Body))(t))
	}
	chatting := func(turns string) string {
		c := newCommand(t.TempDir(), "chat", "--pairs", file, "--model", replay(t, "SELECT COUNT(*) FROM orders"))
		c.Stdin = strings.NewReader(turns)
		_, out := c.run(t)
		return out + c.err.String()
	}
	has := func(text, want string) {
		t.Helper()
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	has(serving("/api/pairs", `{"question":"How many customers are in France?",`+
		`"sql":"SELECT COUNT(*) FROM customers WHERE country = 'France'","right":true}`), `"date"`)
	has(chatting("How many customers are in Spain?\n"), "as verified")
	chatting("How many orders are there?\n\\good\n")
	a := startAgent(t, "--model", "none", "--pairs", file)
	tool := func(name string, arguments map[string]any) string {
		res := must.Get(a.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments}))(t)
		return res.Content[0].(*sdk.TextContent).Text
	}
	all := tool("pairs", map[string]any{})
	has(all, "2 pairs\n"+`{"question":"How many orders are there?"`)
	has(all, "in France?")
	offices := map[string]any{"question": "Which offices are there?", "sql": "SELECT officeCode FROM offices"}
	has(tool("learn", offices), "nothing is kept that nobody said yes to")
	offices["confirmed"] = true
	has(tool("learn", offices), "Kept: ")
	has(tool("pairs", map[string]any{}), "3 pairs\n"+`{"question":"Which offices are there?"`)
	must.Do(t, a.Close())
	a.ended(t)
	has(serving("/api/ask", `{"question":"Which offices are there?"}`), `"pair":{"question":"Which offices are there?"`)
	serving("/api/pairs", `{"question":"How many orders are there?","sql":"SELECT COUNT(*) FROM orders","right":false}`)
	_, lines := newCommand(t.TempDir(), "pairs", "--pairs", file, "--format", "plain").run(t)
	if n := strings.Count(lines, "?"); n != 2 || strings.Contains(lines, "orders") {
		t.Error(lines)
	}
}
