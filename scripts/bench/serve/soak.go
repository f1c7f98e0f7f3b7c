package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// client is one of those that ask in a soak: what it does the n-th time.
type client struct {
	name string
	do   func(ctx context.Context, s *server, n int) error
}

// clients there are. An error of one is an error of ours.
var clients = []client{
	{"asks", func(ctx context.Context, s *server, n int) error {
		_, err := s.ask(ctx, questions[n%len(questions)])
		return err
	}},
	{"asks another", func(ctx context.Context, s *server, n int) error {
		_, err := s.ask(ctx, fmt.Sprintf("How many orders have the number %d?", 10100+n%300))
		return err
	}},
	{"streams", func(ctx context.Context, s *server, n int) error {
		_, err := s.firstEvent(ctx, questions[(n+5)%len(questions)])
		return err
	}},
	{"goes away", func(ctx context.Context, s *server, n int) error {
		ctx, leave := context.WithTimeout(ctx, time.Duration(n%20)*100*time.Millisecond)
		defer leave()
		if _, err := s.firstEvent(ctx, questions[(n+9)%len(questions)]); ctx.Err() == nil {
			return err
		}
		return nil
	}},
	{"chats", func(ctx context.Context, s *server, n int) error {
		_, err := s.whole(ctx, "POST", "/v1/chat/completions", fmt.Sprintf(
			`{"model":"nl2sql","stream":true,"messages":[{"role":"user","content":%q}]}`, questions[n%len(questions)]))
		return err
	}},
	{"queries", func(ctx context.Context, s *server, n int) error {
		_, err := s.whole(ctx, "POST", "/api/query", fmt.Sprintf(
			`{"sql":"SELECT * FROM orderdetails WHERE orderNumber > %d"}`, 10100+n%300))
		return err
	}},
	{"checks", func(ctx context.Context, s *server, n int) error {
		_, err := s.whole(ctx, "POST", "/api/check", `{"sql":"SELECT nosuch FROM orders, products"}`)
		return err
	}},
	{"looks", func(ctx context.Context, s *server, n int) error {
		paths := []string{"/", "/page/app.js", "/api/schema", "/metrics", "/healthz", "/api/openapi.json"}
		_, err := s.whole(ctx, "GET", paths[n%len(paths)], "")
		return err
	}},
}

// calm is how long each waits before it comes again.
const calm = 50 * time.Millisecond

// soaked lets all clients come for so long, and prints what they got and what the server holds.
func soaked(ctx context.Context, program string, args []string, long time.Duration) error {
	s, err := start(ctx, program, args)
	if err != nil {
		return err
	}
	until, over := context.WithTimeout(ctx, long)
	defer over()
	counts, wrong := make([]int, len(clients)), make([]error, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			for ; until.Err() == nil; counts[i]++ {
				if err := c.do(until, s, counts[i]); err != nil && until.Err() == nil {
					wrong[i] = errors.Join(wrong[i], fmt.Errorf("%s: %w", c.name, err))
				}
				time.Sleep(calm)
			}
		})
	}
	fmt.Println("after     memory (MB)")
	began := time.Now()
	for tick := time.NewTicker(max(long/10, time.Second)); until.Err() == nil; {
		select {
		case <-tick.C:
		case <-until.Done():
		}
		now, _, err := s.memory()
		if err != nil {
			return err
		}
		fmt.Printf("%-8s  %11d\n", time.Since(began).Round(time.Second), now)
	}
	all.Wait()
	for i, c := range clients {
		fmt.Printf("%-12s  %6d times\n", c.name, counts[i])
	}
	return errors.Join(append(wrong, s.stop())...)
}
