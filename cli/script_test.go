package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
)

var update = flag.Bool("update", false, "rewrite golden sections of scripts/test/*.txtar")

func TestMain(m *testing.M) {
	if signal.Ignored(os.Interrupt) { // as behind & in a script: what is started here has it as on a terminal
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	testscript.Main(m, map[string]func(){"nl2sql": program})
}

// program is what main does.
func program() {
	if path := os.Getenv(countsFile); path != "" {
		counted(path)
	}
	call, err := Parse(os.Args[1:])
	if err == nil {
		err = call.Run()
	}
	os.Exit(call.Exit(err))
}

// realModel is what `make model` fetches by default.
var realModel = filepath.Join(cacheFolder(), "models", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")

// smallModel is what tests rewrite.
var smallModel = filepath.Join(cacheFolder(), "models", "SmolLM2-135M-Instruct.Q4_1.gguf")

func cacheFolder() string {
	dir, err := runner.CacheFolder()
	if err != nil {
		return ""
	}
	return dir
}

// hasEngine reports whether this build can run a real model, and the model is there.
func hasEngine(model string) bool {
	_, err := os.Stat(model)
	return llamacpp.Version() != "" && err == nil
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../scripts/test",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NL2SQL_CACHE", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("ESC", "\x1b")
			env.Setenv("MODEL", realModel)
			env.Setenv("SMALL", smallModel)
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "engine":
				return llamacpp.Version() != "", nil
			case "cuda":
				_, _, err := llamacpp.FindGPUs(nil)
				return !errors.Is(err, llamacpp.ErrNoGPU), nil
			case "model":
				return hasEngine(realModel), nil
			case "small":
				return hasEngine(smallModel), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "interrupt": interrupt,
			"tinymodel": tinymodel, "tinyadapter": tinyadapter, "request": request,
			"cut": cut, "damage": damage},
	})
}

// exits CODE COMMAND… runs a command and wants that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if ee := (*exec.ExitError)(nil); errors.As(err, &ee) {
		code = ee.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// request SOCKET METHOD PATH [BODY] sends a request to a server that listens on a socket, waits until there is one, and
// prints the status and the body.
func request(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: request SOCKET METHOD PATH [BODY]")
	}
	client := clientOf(ts.MkAbs(args[0]))
	defer client.CloseIdleConnections()
	req, err := http.NewRequest(args[1], "http://localhost"+args[2], strings.NewReader(strings.Join(args[3:], " ")))
	ts.Check(err)
	resp, err := client.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	fmt.Fprintln(ts.Stdout(), resp.StatusCode)
	_, err = io.Copy(ts.Stdout(), resp.Body)
	ts.Check(err)
}

// interrupt FILE TEXT COMMAND… starts a command, waits until FILE holds TEXT, sends SIGINT, and wants
// exit code 130 and no process left. The command's output goes to stdout.txt and stderr.txt.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt FILE TEXT COMMAND…")
	}
	path, err := exec.LookPath(args[2])
	ts.Check(err)
	var out, errOut strings.Builder
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "NL2SQL_CACHE="+ts.Getenv("NL2SQL_CACHE"))
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe() // stays open: a command that reads it waits
	ts.Check(err)
	defer stdin.Close()
	ts.Check(cmd.Start())
	defer cmd.Process.Kill() // an error says that it has ended, as it should
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(text), args[1]) {
			break
		}
		select {
		case err := <-ended:
			ts.Fatalf("ended (%v) before %s held %q; stderr: %s", err, args[0], args[1], errOut.String())
		case <-time.After(time.Millisecond):
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	<-ended
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		ts.Fatalf("exit code %d, want 130; stderr: %s", code, errOut.String())
	}
	if err := syscall.Kill(-cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		ts.Fatalf("processes of its group are left: %v", err)
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), []byte(out.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), []byte(errOut.String()), 0o644))
}
