package cli

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A reader that goes away ends the command quietly, as it would any other program.
func TestClosedPipe(t *testing.T) {
	many := strings.Repeat(`{"sql":"SELECT 1"}`+"\n", 20000)
	for name, c := range map[string]struct {
		args string
		read int
	}{
		"answer": {"check --file -", 10},
		"help":   {"ask --help", 0},
	} {
		t.Run(name, func(t *testing.T) { testClosedPipe(t, strings.Fields(c.args), many, c.read) })
	}
}

func testClosedPipe(t *testing.T, args []string, in string, read int) {
	cmd := exec.Command("nl2sql", args...)
	cmd.Stdin = strings.NewReader(in)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out := must.Get(cmd.StdoutPipe())(t)
	if read == 0 {
		out.Close()
	}
	must.Do(t, cmd.Start())
	must.Get(io.ReadFull(out, make([]byte, read)))(t)
	out.Close()
	cmd.Wait() // its error is the exit code, or the input that was not read
	if code := cmd.ProcessState.ExitCode(); code != exitPipe || stderr.Len() > 0 {
		t.Errorf("exit code %d, want %d; stderr: %s", code, exitPipe, stderr.String())
	}
}
