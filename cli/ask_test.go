package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A program that keeps one process gets each answer before it asks the next question.
func TestAskAnswersLineByLine(t *testing.T) {
	replies := filepath.Join(t.TempDir(), "replies.txt")
	text := "SELECT COUNT(*) FROM orders\n===\nSELECT COUNT(*) FROM customers\n"
	must.Do(t, os.WriteFile(replies, []byte(text), 0o600))
	cmd := exec.Command("nl2sql", "ask", "--file", "-", "--model", "replay:"+replies)
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	answers := bufio.NewReader(out)
	for _, tt := range []struct{ ask, want string }{
		{"\nHow many orders are there?\n", `{"id":"1","question":"How many orders are there?","sql":"SELECT COUNT(*) FROM orders"`},
		{`{"question": "How many customers are there?"}` + "\n",
			`{"id":"2","question":"How many customers are there?","sql":"SELECT COUNT(*) FROM customers"`},
		{strings.Repeat("how many ", 2000) + "\n",
			`{"id":"3","question":"how many how many how many how many how many how many how many how many how many…","sql":"",` +
				`"refused":"the question is longer than`},
	} {
		must.Get(io.WriteString(in, tt.ask))(t)
		got, err := answers.ReadString('\n')
		must.Have(t, err == nil && strings.HasPrefix(got, tt.want), err, got, tt.want)
	}
	in.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitNo {
		t.Error("exit code 2 says that one was refused:", err)
	}
}
