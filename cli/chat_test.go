package cli

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

const chatReplies = "SELECT COUNT(*) FROM orders\n===\nSELECT status, COUNT(*) AS n FROM orders GROUP BY status\n===\n" +
	"SELECT city FROM offices"

// chatting is a chat on a terminal.
type chatting struct {
	*terminal
	cmd *exec.Cmd
}

// startChat starts a chat with the settings and the cache of a folder.
func startChat(t *testing.T, columns uint16, folder string, env []string, args ...string) chatting {
	t.Helper()
	term := newTerminal(t, columns, 50)
	env = append([]string{"NL2SQL_CACHE=" + folder, "XDG_CONFIG_HOME=" + folder, "NO_COLOR=1",
		"HOME=" + folder}, env...)
	c := chatting{term, term.start(t, env, append([]string{"chat"}, args...)...)}
	c.waitFor(t, "Ctrl-D ends it\n")
	c.ready(t, "Ctrl-D ends it\n")
	return c
}

const ctrlC = "\x03"

// turn types a line and waits for what the chat shows behind it.
func (c chatting) turn(t *testing.T, line, want string) {
	t.Helper()
	c.mu.Lock()
	c.shown.Reset()
	c.mu.Unlock()
	if line == ctrlC { // something is worked on
		c.send(t, line)
		c.waitFor(t, want)
		c.ready(t, want)
		return
	}
	c.send(t, line+"\r")
	c.waitFor(t, want)
	c.ready(t, "\x1b[?2004l")
}

// ready waits until the editor has drawn a line to type in behind the last thing that it showed. Terminals that can do
// little have a prompt alone.
func (c chatting) ready(t *testing.T, last string) {
	t.Helper()
	c.waitUntil(t, "a prompt", func(text string) bool {
		at := strings.LastIndex(text, last)
		_, line, edited := strings.Cut(text[max(at, 0):], "\x1b[?2004h")
		return at >= 0 && edited && strings.Contains(line, "\x1b[?25h") || strings.HasSuffix(text, "\n? ")
	})
}

// drop types a line and Ctrl-C.
func (c chatting) drop(t *testing.T, line string) {
	t.Helper()
	prompts := func(text string) int { return strings.Count(text, "\n? ") + strings.Count(text, "[?2004h") }
	before := prompts(c.text())
	c.send(t, line+"\x03")
	c.waitUntil(t, "a new line", func(text string) bool { return prompts(text) > before })
}

// ends waits for the end of the program.
func (c chatting) ends(t *testing.T, code int) {
	t.Helper()
	c.wait(t, c.cmd) // its error is the exit code
	must.Equal(t, c.cmd.ProcessState.ExitCode(), code, "exit code", c.text())
}

// Every command does what it says, and what is typed stays for the next chat.
func TestChatCommands(t *testing.T) {
	for _, columns := range []uint16{80, 200} {
		folder := t.TempDir()
		c := startChat(t, columns, folder, nil, "--model", replay(t, chatReplies))
		c.turn(t, `\why`, "no answer yet")
		c.turn(t, `How many orders are there?`, "326 orders.\n\n┌──────────┐")
		c.turn(t, `\why`, "confidence 0.")
		c.turn(t, `\explain`, "the number of orders")
		c.turn(t, `\trace`, "[step 1] generate_sql — ")
		c.turn(t, `\good`, "pairs.jsonl")
		c.turn(t, `How many orders are there by status?`, "Disputed")
		c.turn(t, `\chart`, "Shipped    █")
		csv := filepath.Join(folder, "x.csv")
		c.turn(t, `\export `+csv, "nl2sql: wrote ")
		c.turn(t, `\export `+csv, "already:")
		c.turn(t, `\export x.pdf`, "the end of its name says the format")
		c.turn(t, `\bad`, "pairs.bad.jsonl")
		c.turn(t, `\schema`, "productlines")
		c.turn(t, `\schema offices`, "officeCode")
		c.turn(t, `\schema ofices`, "did you mean offices?")
		c.turn(t, `\db`, "database classicmodels (embedded), 8 tables")
		c.turn(t, `\db nowhere`, `no database "nowhere"`)
		c.turn(t, `\help`, "All else is a question.")
		c.turn(t, `\halp`, `did you mean \help?`)
		c.turn(t, `start over`, "? ")
		c.turn(t, `\sql`, `there is no query yet`)
		c.turn(t, `\sql SELECT COUNT(*) FROM offices`, "7 offices.")
		c.turn(t, `\sql DROP TABLE offices`, "nl2sql: error: ")
		c.turn(t, `\explain`, "the number of offices") // what was refused leaves the last query
		c.turn(t, `\sql`, "SELECT COUNT(*) FROM offices")
		c.turn(t, "\x15SELECT city FROM offices LIMIT 1", "(1 row)")
		c.turn(t, `Go back.`, "7 offices.")
		c.turn(t, `\undo`, "there is no answer to go back to")
		c.send(t, "\\quit\r")
		c.ends(t, 0)
		if got := string(must.Get(os.ReadFile(csv))(t)); !strings.HasPrefix(got, "status,n\n") {
			t.Errorf("exported %q", got)
		}
		// Ctrl-R finds a line of the chat before, and Ctrl-D ends the chat
		c = startChat(t, columns, folder, nil, "--model", replay(t, "SELECT COUNT(*) FROM orders"))
		c.send(t, "\x12by status")
		c.waitFor(t, "How many orders are there by status?")
		c.turn(t, "", "326")
		c.send(t, "\x04")
		c.ends(t, 0)
	}
}

// Tab completes commands, tables and columns, and \sql has the last query to be changed.
func TestChatCompletesAndEdits(t *testing.T) {
	c := startChat(t, 80, t.TempDir(), nil, "--model", replay(t, chatReplies))
	c.send(t, "\\sche\t")
	c.waitFor(t, `\schema`)
	c.turn(t, " offi\t", "addressLine1")
	c.turn(t, "How many orders are there?", "326")
	c.turn(t, `\sql`, "FROM orders")
	c.turn(t, strings.Repeat("\x7f", len("orders"))+"offices", "7 offices.")
	c.send(t, "\x04")
	c.ends(t, 0)
}

// Ctrl-C drops the line that is being typed, stops a question, and closes no chat.
func TestChatCtrlC(t *testing.T) {
	for _, kind := range []string{"xterm", "dumb"} {
		asked, release := make(chan bool, 16), make(chan bool)
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "completions") {
				w.Write([]byte(`{"data":[{"id":"m"}]}`))
				return
			}
			asked <- true
			select {
			case <-r.Context().Done():
			case <-release:
			}
		}))
		server.Listener = must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		server.Start()
		c := startChat(t, 80, t.TempDir(), []string{"TERM=" + kind}, "--model", "openai:"+server.URL+"/v1#m")
		c.drop(t, "half a line")
		c.turn(t, `\db`, "8 tables")
		c.send(t, "How many orders are there?\r")
		<-asked
		c.turn(t, ctrlC, "nl2sql: error: stopped")
		c.turn(t, `\sql SELECT COUNT(*) FROM offices`, "7 offices.")
		c.drop(t, "")
		c.send(t, "\x04")
		c.ends(t, 0)
		close(release)
		server.Close()
	}
}

// A long result goes through the pager; Ctrl-C in it, or leaving it early, ends no chat.
func TestChatPages(t *testing.T) {
	pager := `PAGER=trap "echo caught; exit 7" INT; echo ready; while sleep 0.1; do :; done`
	c := startChat(t, 80, t.TempDir(), []string{pager}, "--model", replay(t, "SELECT productName FROM products"))
	c.send(t, "Name all products\r")
	c.waitFor(t, "ready\n")
	c.turn(t, ctrlC, "caught\n")
	c.turn(t, `\sql SELECT COUNT(*) FROM offices`, "7 offices.")
	c.send(t, "\x04")
	c.ends(t, 0)
}

// A pasted text of several lines is one turn where the terminal brackets it; what is no text costs a line.
func TestChatPastes(t *testing.T) {
	c := startChat(t, 80, t.TempDir(), nil, "--model", replay(t, chatReplies))
	c.turn(t, "\x1b[200~How many\rorders are\rthere?\x1b[201~", "326 orders.")
	c.turn(t, "\\schema caf\xe9 \xff", "there is no table caf")
	c.turn(t, "\\schema Größe", "there is no table Größe")
	c.turn(t, "\x1b[200~\\sql SELECT city\rFROM offices\rLIMIT 1\x1b[201~", "(1 row)")
	c.turn(t, "\\schema\r\\new\r\\db", "database classicmodels") // unbracketed lines are turns
	c.send(t, "\x04")
	c.ends(t, 0)
}

// A terminal that cannot move its cursor reads plain lines.
func TestChatDumb(t *testing.T) {
	c := startChat(t, 80, t.TempDir(), []string{"TERM=dumb"}, "--model", replay(t, chatReplies))
	c.turn(t, "How many orders \\\rare there?", "326 orders.")
	c.turn(t, `\sql`, "nothing can be edited here")
	c.send(t, "\x04")
	c.ends(t, 0)
	if strings.Contains(c.text(), "\x1b") {
		t.Errorf("escape sequences on a dumb terminal: %q", c.text())
	}
}

// A full disk costs a line each time, and the chat goes on.
func TestChatFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	folder := t.TempDir()
	must.Do(t, os.Symlink("/dev/full", filepath.Join(folder, "chat.history")))
	c := startChat(t, 80, folder, nil, "--model", replay(t, chatReplies), "--pairs", filepath.Join(folder, "p.jsonl"))
	c.turn(t, "How many orders are there?", "326 orders.")
	must.Do(t, os.Remove(filepath.Join(folder, "p.jsonl")))
	must.Do(t, os.Symlink("/dev/full", filepath.Join(folder, "p.jsonl")))
	c.turn(t, `\good`, "is not a")
	c.turn(t, `\why`, "confidence")
	c.send(t, "\x04")
	c.ends(t, 0)
}

// A word that fits several things is asked about on a terminal, and a tie; nobody is with --no-input, who is told.
func TestAsksBack(t *testing.T) {
	const tied = "SELECT customerNumber FROM orders GROUP BY customerNumber ORDER BY COUNT(*) LIMIT 1"
	for _, tt := range []struct{ question, sql, asks, told, found string }{
		{"How many orders are from 2004?", "SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004",
			"which date: order date, or required date?", "the date is taken for order date; it may be required date", "146 orders"},
		{"Which customer has the fewest orders?", tied, "20 rows tie for the first place: the first, or all that tie?",
			"20 rows tie for the first place, and one is shown", "20 rows."},
	} {
		for _, flags := range [][]string{{}, {"--no-input"}} {
			term := newTerminal(t, 100, 50)
			cmd := term.start(t, []string{"NO_COLOR=1"},
				append([]string{"ask", tt.question, "--model", replay(t, tt.sql), "--votes", "1"}, flags...)...)
			asks := len(flags) == 0
			if asks {
				term.waitFor(t, "2 and Enter shows it, Enter alone keeps the answer\n")
				term.send(t, "2\r")
			}
			if err := term.wait(t, cmd); err != nil {
				t.Fatalf("%v: %s", err, term.text())
			}
			text := term.text()
			if strings.Contains(text, tt.asks) != asks || strings.Contains(text, tt.told) == asks ||
				strings.Contains(text, tt.found) != asks {
				t.Errorf("%v: %s", flags, text)
			}
		}
	}
}

// Where a vote is split over results that matter, ask and chat show the other readings on a terminal, and a key chooses
// one; in a pipe the likeliest is the answer, and JSON has them.
func TestChatReadings(t *testing.T) {
	const replies = "SELECT COUNT(*) FROM customers\n===\nSELECT COUNT(*) FROM customers WHERE country = 'France'\n===\n" +
		"SELECT COUNT(*) FROM orders\n===\nSELECT COUNT(*) FROM customers WHERE country = 'France'\n===\nSELECT COUNT(*) FROM customers"
	args := []string{"--votes", "5", "--without", "relink"}
	const question = "How many customers do we have over there?"
	france := "12 customers where country is 'France'."
	for key, want := range map[string]string{"2\r": france, "x\r": "", "\r": "", ctrlC: ""} {
		term := newTerminal(t, 100, 50)
		cmd := term.start(t, []string{"NO_COLOR=1"},
			append([]string{"ask", question, "--model", replay(t, replies)}, args...)...)
		term.waitFor(t, "2 and Enter shows it, Enter alone keeps the answer\n")
		term.send(t, key)
		must.Do(t, term.wait(t, cmd), key, term.text())
		term.waitFor(t, want)
		_, behind, _ := strings.Cut(term.text(), "keeps the answer\n")
		if want == "" && strings.Contains(behind, "customers") || !strings.Contains(behind, want) {
			t.Errorf("%q: %q", key, term.text())
		}
	}
	term := newTerminal(t, 100, 50)
	cmd := term.start(t, []string{"NO_COLOR=1"},
		append([]string{"ask", question, "--no-input", "--model", replay(t, replies)}, args...)...)
	if err := term.wait(t, cmd); err != nil || strings.Contains(term.text(), "another reading") {
		t.Errorf("--no-input: %v, %s", err, term.text())
	}
	spain := strings.Repeat("\n===\nSELECT COUNT(*) FROM customers WHERE country = 'Spain'", 5)
	c := startChat(t, 100, t.TempDir(), nil, append(args, "--model", replay(t, replies+spain))...)
	c.turn(t, question, "any other line is the next question")
	c.turn(t, "2", "12 customers where")
	c.turn(t, "And in Spain?", "where country is 'Spain'")
	c.send(t, "\x04")
	c.ends(t, 0)
	// another line is the next question, whole
	c = startChat(t, 100, t.TempDir(), nil, append(args, "--model", replay(t, replies+spain))...)
	c.turn(t, question, "any other line is the next question")
	c.turn(t, "2 and in Spain?", "where country is 'Spain'")
	c.turn(t, "thanks", "You are welcome.")
	c.send(t, "\x04")
	c.ends(t, 0)
}
