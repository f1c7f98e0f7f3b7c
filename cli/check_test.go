package cli

import (
	"io"
	"os/exec"
	"strings"
	"testing"
)

// A reader that goes away ends the command quietly, as it would any other program.
func TestClosedPipe(t *testing.T) {
	cmd := exec.Command("nl2sql", "check", "--file", "-")
	cmd.Stdin = strings.NewReader(strings.Repeat(`{"sql":"SELECT 1"}`+"\n", 20000))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	cmd.Wait() // its error is the exit code, or the input that was not read
	if code := cmd.ProcessState.ExitCode(); code != exitPipe || stderr.Len() > 0 {
		t.Errorf("exit code %d, want %d; stderr: %s", code, exitPipe, stderr.String())
	}
}
