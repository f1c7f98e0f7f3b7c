// Command serve measures `nl2sql serve`: how soon the first event comes, and what askers at once get and how fast. What
// stands behind its own flags is the server's: "-- --votes 1". Run it in the module's root, on an idle machine:
// README.md of scripts/bench.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// questions are asked of the demo database.
var questions = []string{
	"How many orders were shipped?", "Which cities have an office?", "How many customers are there in each country?",
	"What is the average buy price of each product line?", "List the five dearest products.",
	"Which employees report to nobody?", "What is the total of all payments?", "How many products does each vendor sell?",
	"Which orders were cancelled?", "Name the customers in Spain.", "How many employees work in each office?",
	"Which product has the smallest stock?", "How many payments were made in each year?",
	"Which customers have a credit limit above 100000?", "How many orders are on hold?", "List all product lines.",
}

func main() {
	program := flag.String("program", "bin/nl2sql", "the `FILE` that serves")
	model := flag.String("model", "qwen2.5-coder-0.5b", "its model")
	parallel := flag.Int("parallel", 4, "questions that it answers at once")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	args := []string{"serve", "--listen", "127.0.0.1:0", "--access-log", "none", "--model", *model,
		"--parallel", fmt.Sprint(*parallel)}
	if err := measured(ctx, *program, append(args, flag.Args()...)); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// server is one at work.
type server struct {
	url string
	cmd *exec.Cmd
}

// start starts a server, and has it answer one question, so that what all prompts have in common is read.
func start(ctx context.Context, program string, args []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, program, args...)}
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	out, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := regexp.MustCompile(` at (http://\S+)$`).FindStringSubmatch(lines.Text()); m != nil {
			s.url = m[1]
			break
		}
	}
	if s.url == "" {
		return nil, errors.Join(errors.New("it does not serve"), s.cmd.Wait())
	}
	go io.Copy(io.Discard, out) // ends with the server
	_, _, err = s.ask(ctx, "How many tables are there?", false)
	return s, err
}

// stop ends it as it should end.
func (s *server) stop() error {
	return errors.Join(s.cmd.Process.Signal(syscall.SIGTERM), s.cmd.Wait())
}

// busy is the processor time that the process has taken.
func (s *server) busy() (took time.Duration, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	_, behind, _ := strings.Cut(string(text), ") ")
	if fields := strings.Fields(behind); err == nil && len(fields) > 12 {
		for _, field := range fields[11:13] {
			ticks, _ := strconv.Atoi(field) // the kernel writes digits: proc(5)
			took += time.Duration(ticks) * time.Second / 100
		}
	}
	return took, err
}

// memory is the most that the process held, in MB.
func (s *server) memory() (most int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if _, line, found := strings.Cut(string(text), "VmHWM:"); err == nil && found {
		_, err = fmt.Sscanf(line, "%d kB", &most)
	}
	return most >> 10, err
}

// ask asks, and reads the answer to its end; first is the time until its first line.
func (s *server) ask(ctx context.Context, question string, stream bool) (text string, first time.Duration, err error) {
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, "POST", s.url+"/api/ask",
		strings.NewReader(fmt.Sprintf(`{"question":%q,"stream":%t}`, question, stream)))
	if err != nil {
		return "", 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	line, err := in.ReadString('\n')
	first = time.Since(began)
	rest, err2 := io.ReadAll(in)
	if err == io.EOF {
		err = nil
	}
	if err = errors.Join(err, err2); err == nil && resp.StatusCode >= 400 {
		err = fmt.Errorf("%s: %s%s", resp.Status, line, rest)
	}
	return line + string(rest), first, err
}

// measured prints how soon it says something, and what askers at once get.
func measured(ctx context.Context, program string, args []string) error {
	s, err := start(ctx, program, args)
	if err != nil {
		return err
	}
	var events []time.Duration
	for _, q := range questions {
		_, first, err := s.ask(ctx, q, true)
		if err != nil {
			return err
		}
		events = append(events, first)
	}
	slices.Sort(events)
	fmt.Printf("first event: median %s, most %s, of %d\n", events[len(events)/2].Round(100*time.Microsecond),
		events[len(events)-1].Round(100*time.Microsecond), len(events))
	if err := s.stop(); err != nil {
		return err
	}
	var alone []string
	base := 0.0
	fmt.Println("askers  answers a minute  beside one  processors busy  other bytes than alone  memory, most (MB)")
	for _, askers := range []int{1, 4, 16} {
		s, err := start(ctx, program, args)
		if err != nil {
			return err
		}
		before, err := s.busy()
		if err != nil {
			return err
		}
		began := time.Now()
		got, err := s.together(ctx, askers)
		if err != nil {
			return err
		}
		took := time.Since(began)
		rate := float64(len(got)) / took.Minutes()
		if askers == 1 {
			alone, base = got, rate
		}
		other := 0
		for i := range got {
			if got[i] != alone[i] {
				other++
			}
		}
		most, err := s.memory()
		after, failed := s.busy()
		if err := errors.Join(err, failed, s.stop()); err != nil {
			return err
		}
		fmt.Printf("%6d  %16.1f  %9.2fx  %15.2f  %22d  %17d\n", askers, rate, rate/base,
			(after-before).Seconds()/took.Seconds(), other, most)
	}
	return nil
}

// together has so many ask the questions between them, and returns the answers in their order.
func (s *server) together(ctx context.Context, askers int) ([]string, error) {
	got, errs := make([]string, len(questions)), make([]error, len(questions))
	var next atomic.Int32
	var all sync.WaitGroup
	for range askers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(questions); i = int(next.Add(1)) - 1 {
				got[i], _, errs[i] = s.ask(ctx, questions[i], false)
			}
		})
	}
	all.Wait()
	return got, errors.Join(errs...)
}
