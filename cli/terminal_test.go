package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nl2sql/scripts/must"
)

// terminal is a pseudo-terminal and what it has shown.
type terminal struct {
	master, slave *os.File
	mu            sync.Mutex
	shown         bytes.Buffer
}

func newTerminal(t *testing.T, columns, lines uint16) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must.Do(t, err)
	must.Do(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	must.Do(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: lines, Col: columns}))
	term := &terminal{master: master, slave: slave}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			term.mu.Lock()
			term.shown.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { slave.Close(); master.Close() })
	return term
}

func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return strings.ReplaceAll(term.shown.String(), "\r\n", "\n")
}

// waitFor waits until the terminal has shown text, or the test's time is nearly over.
func (term *terminal) waitFor(t *testing.T, text string) {
	t.Helper()
	term.waitUntil(t, text, func(shown string) bool { return strings.Contains(shown, text) })
}

// waitUntil waits until what the terminal has shown is what it is to be.
func (term *terminal) waitUntil(t *testing.T, what string, is func(shown string) bool) {
	t.Helper()
	for end, ok := t.Deadline(); !is(term.text()); time.Sleep(time.Millisecond) {
		if ok && time.Until(end) < 10*time.Second {
			t.Fatalf("never showed %q, but %q", what, term.text())
		}
	}
}

// wait waits for the end of a program and until the terminal has shown all that it wrote: a mark of ours comes behind
// it.
func (term *terminal) wait(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	err := cmd.Wait()
	must.Get(term.slave.WriteString("\x00"))(t)
	term.waitFor(t, "\x00")
	term.mu.Lock()
	defer term.mu.Unlock()
	shown := bytes.ReplaceAll(term.shown.Bytes(), []byte{0}, nil)
	term.shown.Reset()
	term.shown.Write(shown)
	return err
}

// send types.
func (term *terminal) send(t *testing.T, text string) {
	t.Helper()
	must.Get(term.master.WriteString(text))(t)
}

// start runs nl2sql with the terminal as its own, so that Ctrl-C reaches it.
func (term *terminal) start(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("nl2sql", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = term.slave, term.slave, term.slave
	cmd.Env = append(append(os.Environ(), "NL2SQL_CACHE="+t.TempDir(), "TERM=xterm", "PAGER=", "NO_COLOR="), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must.Do(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() }) // an error says that it has ended, as it should
	return cmd
}

func replay(t *testing.T, text string) string {
	t.Helper()
	file := t.TempDir() + "/replies.txt"
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	return "replay:" + file
}

// On a terminal an answer is a table that fits it, and the progress line is gone when it comes.
func TestTerminalAnswer(t *testing.T) {
	term := newTerminal(t, 40, 24)
	cmd := term.start(t, []string{"NO_COLOR=1"}, "ask", "--model",
		replay(t, "SELECT productName, productDescription FROM products LIMIT 1"), "Describe one product")
	must.Do(t, term.wait(t, cmd), term.text())
	term.waitFor(t, "(1 row)")
	term.waitFor(t, "\n1 product, of which there may be more.\n")
	progress, answer, ok := strings.Cut(term.text(), "\r\x1b[KSELECT")
	if !ok || !strings.Contains(progress, "writing SQL") {
		t.Fatalf("no progress line that is cleared before the answer: %q", term.text())
	}
	must.Be(t, !strings.Contains(answer, "\x1b"), "the answer holds escape sequences", answer)
	for line := range strings.Lines(answer[strings.Index(answer, "┌"):strings.Index(answer, "(1 row)")]) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 40 {
			t.Errorf("line of %d columns on a terminal of 40: %s", n, line)
		}
	}
}

// Ctrl-C typed while nl2sql reads a question ends it.
func TestTerminalCtrlC(t *testing.T) {
	term := newTerminal(t, 80, 24)
	cmd := term.start(t, nil, "ask", "--model", replay(t, "SELECT 1"), "-")
	term.waitFor(t, "Type the question, then Enter and Ctrl-D.\n")
	must.Get(term.master.Write([]byte{3}))(t)
	term.wait(t, cmd) // its error is the exit code
	must.Equal(t, cmd.ProcessState.ExitCode(), exitInterrupted, "exit code", term.text())
	term.waitFor(t, "nl2sql: error: interrupted\n")
}

// On a terminal that shows colours, words, labels and NULL have some; what is doubted is said in another.
func TestTerminalColors(t *testing.T) {
	term := newTerminal(t, 100, 24)
	cmd := term.start(t, nil, "ask", "--max-rows", "2", "--model",
		replay(t, "SELECT officeCode, state FROM offices ORDER BY state"), "--guards", "none",
		"Show the code and state of each office")
	must.Do(t, term.wait(t, cmd), term.text())
	for _, want := range []string{
		"\x1b[1mSELECT\x1b[0m officeCode, state \x1b[1mFROM\x1b[0m offices", "│ \x1b[1mstate\x1b[0m │",
		"\x1b[2mNULL\x1b[0m",
		"\x1b[33mnl2sql: warning: 2 rows shown, there are more (--max-rows)\x1b[0m\n",
	} {
		term.waitFor(t, want)
	}
}

// What is longer than the terminal goes through the pager: to leave it early is no failure, nor is Ctrl-C in it.
func TestTerminalPager(t *testing.T) {
	for _, tt := range []struct {
		name, pager string
		lines       uint16
		want        string
		not         string
		ctrlC       bool
	}{
		{"all of it", "cat -A", 24, "^[[1mproductCode^[[0m", "", false},
		{"left early", "head -n 1; echo left", 24, "left\n", "(110 rows)", false},
		{"Ctrl-C", `trap "echo caught; exit 7" INT; echo ready; while sleep 0.1; do :; done`, 24, "caught\n",
			"(110 rows)", true}, // a read may begin just behind the signal, and wait for ever
		{"one that is not there", "no-such-pager-here", 24, "(110 rows)\n", "", false},
		{"none", "", 24, "(110 rows)\n", "", false},
		{"short enough", "echo paged", 200, "(110 rows)\n", "paged\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			term := newTerminal(t, 80, tt.lines)
			cmd := term.start(t, []string{"PAGER=" + tt.pager}, "db", "query", "SELECT productCode, MSRP FROM products")
			if tt.ctrlC {
				term.waitFor(t, "ready\n")
				for range 2 { // the second must not end us either
					must.Get(term.master.Write([]byte{3}))(t)
				}
			}
			must.Do(t, term.wait(t, cmd), term.text())
			term.waitFor(t, tt.want)
			if text := term.text(); tt.not != "" && strings.Contains(text, tt.not) ||
				strings.Contains(text, "nl2sql: error") {
				t.Errorf("shows %q", text)
			}
		})
	}
}
