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
)

// terminal is a pseudo-terminal and what it has shown.
type terminal struct {
	master, slave *os.File
	mu            sync.Mutex
	shown         bytes.Buffer
}

func newTerminal(t *testing.T, columns uint16) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
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

// waitFor waits until the terminal has shown text.
func (term *terminal) waitFor(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(term.text(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never showed %q, but %q", text, term.text())
		}
	}
}

// start runs nl2sql with the terminal as its own, so that Ctrl-C reaches it.
func (term *terminal) start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("nl2sql", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = term.slave, term.slave, term.slave
	cmd.Env = append(os.Environ(), "NL2SQL_CACHE="+t.TempDir(), "TERM=xterm")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() }) // an error says that it has ended, as it should
	return cmd
}

func replay(t *testing.T, text string) string {
	t.Helper()
	file := t.TempDir() + "/replies.txt"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "replay:" + file
}

// On a terminal an answer is a table that fits it, and the progress line is gone when it comes.
func TestTerminalAnswer(t *testing.T) {
	term := newTerminal(t, 40)
	cmd := term.start(t, "ask", "--model", replay(t, "SELECT productName, productDescription FROM products LIMIT 1"), "Describe one product")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, term.text())
	}
	term.waitFor(t, "(1 row)")
	progress, answer, ok := strings.Cut(term.text(), "\r\x1b[KSELECT")
	if !ok || !strings.Contains(progress, "step ") {
		t.Fatalf("no progress line that is cleared before the answer: %q", term.text())
	}
	if strings.Contains(answer, "\x1b") {
		t.Errorf("the answer holds escape sequences: %q", answer)
	}
	for line := range strings.Lines(answer[strings.Index(answer, "┌"):]) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 40 {
			t.Errorf("line of %d columns on a terminal of 40: %s", n, line)
		}
	}
}

// Ctrl-C typed while nl2sql reads a question ends it.
func TestTerminalCtrlC(t *testing.T) {
	term := newTerminal(t, 80)
	cmd := term.start(t, "ask", "--model", replay(t, "SELECT 1"), "-")
	term.waitFor(t, "Type the question, then Enter and Ctrl-D.\n")
	if _, err := term.master.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // its error is the exit code
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, term.text())
	}
	term.waitFor(t, "nl2sql: error: interrupted\n")
}
