//go:build linux

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// stopTime is how long a server may take to shut down before it is killed.
const stopTime = 15 * time.Second

// process is a running server program. It cannot outlive us: the kernel kills it when we end, however that happens.
type process struct {
	cmd  *exec.Cmd
	log  string        // file of its messages
	done chan struct{} // closed when it has ended
	err  error         // how it ended; read after done
}

// spawn starts a server on the data in dir. It inherits lock, so that the data stays locked until both are gone,
// and stands in a process group of its own, so that Ctrl-C in the terminal does not reach it before us.
func spawn(e engine, args []string, dir string, lock *os.File, input []byte) (*process, error) {
	p := &process{log: filepath.Join(dir, "messages.log"), done: make(chan struct{})}
	messages, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	p.cmd = e.command(context.Background(), args...)
	p.cmd.Dir = dir
	p.cmd.Stdout, p.cmd.Stderr = messages, messages
	p.cmd.ExtraFiles = []*os.File{lock}
	if input != nil {
		p.cmd.Stdin = bytes.NewReader(input)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		// The signal comes when the thread ends that started the program, so it must live as long as the program.
		runtime.LockOSThread()
		err := p.cmd.Start()
		messages.Close()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// finish waits for a program that ends by itself.
func (p *process) finish(ctx context.Context) error {
	select {
	case <-p.done:
	case <-ctx.Done():
		p.kill()
		return ctx.Err()
	}
	if p.err != nil {
		return p.failure()
	}
	return nil
}

// stop asks the server to shut down and waits until it is gone.
func (p *process) stop() error {
	p.cmd.Process.Signal(syscall.SIGTERM) // an error means that it has ended
	select {
	case <-p.done:
		return nil
	case <-time.After(stopTime):
		p.kill()
		return fmt.Errorf("local: the server did not stop within %s and was killed", stopTime)
	}
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// failure says why the program ended: the first error in its messages, else how it exited.
func (p *process) failure() error {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return errors.Join(p.err, err)
	}
	for line := range strings.Lines(string(text)) {
		if _, message, found := strings.Cut(line, "[ERROR]"); found {
			return fmt.Errorf("%s: %s", filepath.Base(p.cmd.Path), strings.TrimSpace(message))
		}
	}
	line := strings.TrimSpace(string(text))
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return fmt.Errorf("%s: %v: %s", filepath.Base(p.cmd.Path), p.err, line)
}
