// Command serve measures `nl2sql serve`: how soon the first event and the first paint come, what askers at once get
// and how fast, and whether it holds out. What stands behind its own flags is the server's: "-- --votes 1". Run it in
// the module's root, on an idle machine: README.md of scripts/bench.
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

	"github.com/chromedp/chromedp"
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
	soak := flag.Duration("soak", 0, "do nothing but let eight clients ask for so long")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	args := []string{"serve", "--listen", "127.0.0.1:0", "--access-log", "none", "--model", *model,
		"--parallel", fmt.Sprint(*parallel)}
	args = append(args, flag.Args()...)
	var err error
	if *soak > 0 {
		err = soaked(ctx, *program, args, *soak)
	} else {
		err = measured(ctx, *program, args)
	}
	if err != nil {
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
	_, err = s.ask(ctx, "How many tables are there?")
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

// memory is what the process holds, and held at most, in MB.
func (s *server) memory() (now, most int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	for line := range strings.Lines(string(text)) {
		var kB int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kB); n == 1 {
			now = kB >> 10
		} else if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			most = kB >> 10
		}
	}
	return now, most, err
}

// send sends a request; the body of the response is whoever's reads it.
func (s *server) send(ctx context.Context, method, path, body string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req)
}

// whole is a response read to its end; one of 400 or more is an error.
func (s *server) whole(ctx context.Context, method, path, body string) (string, error) {
	resp, err := s.send(ctx, method, path, body)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 400 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	return string(text), err
}

func (s *server) ask(ctx context.Context, question string) (string, error) {
	return s.whole(ctx, "POST", "/api/ask", fmt.Sprintf(`{"question":%q}`, question))
}

// firstEvent is the time until the first bytes of a stream, which is then read to its end.
func (s *server) firstEvent(ctx context.Context, question string) (time.Duration, error) {
	began := time.Now()
	resp, err := s.send(ctx, "POST", "/api/ask", fmt.Sprintf(`{"question":%q,"stream":true}`, question))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	if _, err := in.ReadString('\n'); err != nil {
		return 0, err
	}
	took := time.Since(began)
	_, err = io.Copy(io.Discard, in)
	return took, err
}

// firstPaint is the time from the begin of the navigation to the first contentful paint, as Chromium tells it.
func (s *server) firstPaint(ctx context.Context) (time.Duration, error) {
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(s.url), chromedp.WaitVisible("#examples button")); err != nil {
		return 0, err
	}
	const paint = `performance.getEntriesByName("first-contentful-paint")[0].startTime`
	ms, err := chromedp.Run(ctx, chromedp.Evaluate[float64](paint))
	return time.Duration(ms * float64(time.Millisecond)), err
}

// measured prints how soon it says something, and what askers at once get.
func measured(ctx context.Context, program string, args []string) error {
	s, err := start(ctx, program, args)
	if err != nil {
		return err
	}
	var events, paints []time.Duration
	for _, q := range questions {
		took, err := s.firstEvent(ctx, q)
		if err != nil {
			return err
		}
		events = append(events, took)
	}
	fmt.Println("first event:", spread(events))
	for range 5 {
		took, err := s.firstPaint(ctx)
		if err != nil {
			fmt.Println("first paint: not measured:", err)
			break
		}
		paints = append(paints, took)
	}
	if len(paints) > 0 {
		fmt.Println("first paint:", spread(paints))
	}
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
		_, most, err := s.memory()
		after, failed := s.busy()
		if err := errors.Join(err, failed, s.stop()); err != nil {
			return err
		}
		fmt.Printf("%6d  %16.1f  %9.2fx  %15.2f  %22d  %17d\n", askers, rate, rate/base,
			(after-before).Seconds()/took.Seconds(), other, most)
	}
	return nil
}

func spread(all []time.Duration) string {
	slices.Sort(all)
	short := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	return fmt.Sprintf("median %s, most %s, of %d", short(all[len(all)/2]), short(all[len(all)-1]), len(all))
}

// together has so many ask the questions between them, and returns the answers in their order.
func (s *server) together(ctx context.Context, askers int) ([]string, error) {
	got, errs := make([]string, len(questions)), make([]error, len(questions))
	var next atomic.Int32
	var all sync.WaitGroup
	for range askers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(questions); i = int(next.Add(1)) - 1 {
				got[i], errs[i] = s.ask(ctx, questions[i])
			}
		})
	}
	all.Wait()
	return got, errors.Join(errs...)
}
