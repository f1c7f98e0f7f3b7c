package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program that keeps one process gets each answer before it asks the next question.
func TestAskAnswersLineByLine(t *testing.T) {
	replies := filepath.Join(t.TempDir(), "replies.txt")
	text := "SELECT COUNT(*) FROM orders\n===\nSELECT COUNT(*) FROM customers\n"
	if err := os.WriteFile(replies, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("nl2sql", "ask", "--file", "-", "--model", "replay:"+replies)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for _, tt := range []struct{ ask, want string }{
		{"\nHow many orders are there?\n", `{"id":"1","question":"How many orders are there?","sql":"SELECT COUNT(*) FROM orders"`},
		{`{"question": "How many customers are there?"}` + "\n",
			`{"id":"2","question":"How many customers are there?","sql":"SELECT COUNT(*) FROM customers"`},
		{strings.Repeat("how many ", 2000) + "\n",
			`{"id":"3","question":"how many how many how many how many how many how many how many how many how many…","sql":"",` +
				`"refused":"the question is longer than`},
	} {
		if _, err := io.WriteString(in, tt.ask); err != nil {
			t.Fatal(err)
		}
		got, err := answers.ReadString('\n')
		if err != nil || !strings.HasPrefix(got, tt.want) {
			t.Fatalf("%v: %s, want %s", err, got, tt.want)
		}
	}
	in.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitNo {
		t.Error("exit code 2 says that one was refused:", err)
	}
}
