package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner/render"
)

// validateFile is Validate of ask --file.
func (c *askCmd) validateFile() error {
	switch {
	case len(c.Question) > 0:
		return errors.New("a question and --file exclude each other")
	case c.Format != "auto" && c.Format != "json" && c.Format != "ndjson":
		return fmt.Errorf("--file prints a JSON object a line: --format %s is of one question", c.Format)
	case c.Log:
		return errors.New("--log is of one question: --trace holds the steps of many")
	case c.Trace != "" && c.Parallel > 1:
		return errors.New("--trace would mix what is asked at once: --parallel must be 1")
	}
	return nil
}

// questions reads the file.
func (c *askCmd) questions(con *console) ([]item.Item, error) {
	var items []item.Item
	var err error
	if c.File == "-" {
		items, err = item.Questions(con.in)
	} else {
		items, err = item.LoadQuestions(c.File)
	}
	for _, it := range items {
		if len(it.Question) > loop.MaxQuestion {
			return nil, failure{exitUsage, fmt.Errorf("question %s is longer than %d bytes", it.ID, loop.MaxQuestion)}
		}
	}
	return items, brief(err)
}

// answered is what became of a question of a file. An error ends the others.
type answered struct {
	loop.Answer
	err error
}

// runFile answers the questions of a file, as many at once as the model works on, and writes the answers in the file's
// order. Exit code 2 says that not all have one.
func (c *askCmd) runFile(ctx context.Context, con *console, in *askInput, asker *answer.Asker) (err error) {
	out, before, err := c.answersBefore(con)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if in.src.replay != nil && c.Parallel > 1 {
		return failure{exitUsage, errors.New("scripted replies have one order: --parallel must be 1")}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bar := con.progress()
	defer bar.clear()
	var missing []item.Item
	done, none := 0, 0
	for _, it := range in.items {
		switch question, there := before[it.ID]; {
		case !there:
			missing = append(missing, it)
		case question.Question != it.Question:
			return fmt.Errorf("%s has an answer to another question with id %s: name another file", c.Out, it.ID)
		default:
			done++
			if question.none() {
				none++
			}
		}
	}
	answers := make([]chan answered, len(missing))
	for i := range answers {
		answers[i] = make(chan answered, 1)
	}
	var group errgroup.Group
	defer group.Wait() // what it returns came through answers
	group.Go(func() error {
		var at errgroup.Group
		at.SetLimit(c.Parallel)
		for i, it := range missing {
			at.Go(func() error {
				answers[i] <- c.answerOf(ctx, con, bar, in, asker, it)
				return nil
			})
		}
		return at.Wait()
	})
	start, first := time.Now(), done
	for i, it := range missing {
		bar.show("%s", progressText(done, len(in.items), done-first, time.Since(start)))
		a := <-answers[i]
		if a.err == nil {
			a.err = answer.AsJSON(it.ID, a.Answer).Write(out)
		}
		if a.err != nil {
			cancel()
			bar.clear()
			if c.Out != "" && done > 0 {
				fmt.Fprintf(con.err, "nl2sql: %d of %d answers are in %s: the same command goes on\n", done,
					len(in.items), render.Visible(c.Out))
			}
			return a.err
		}
		done++
		if a.Result == nil && a.How != loop.ByDryRun {
			none++
		}
	}
	bar.clear()
	if none > 0 {
		return failure{exitNo, fmt.Errorf("%d of %d questions have no answer: \"refused\" says why", none, done)}
	}
	return nil
}

// answerOf answers one question of a file. Where that ends without an answer, Refused says why.
func (c *askCmd) answerOf(
	ctx context.Context, con *console, bar *progress, in *askInput, asker *answer.Asker, it item.Item,
) answered {
	ans, err := c.answer(ctx, con, bar, in, asker, it.Question)
	late := failure{}
	switch {
	case err == nil && ans.Result == nil && ans.How == "" && ans.Refused == "":
		ans.Refused = "no answer: " + c.whyNone(ans)
	case errors.As(err, &late) || errors.Is(err, llm.ErrContextFull):
		ans.Refused, ans.Result, err = err.Error(), nil, nil
	case err != nil:
		err = fmt.Errorf("question %s: %w", it.ID, err)
	}
	return answered{ans, err}
}

// answerBefore is what is read of a line of --out.
type answerBefore struct {
	ID       string          `json:"id"`
	Question string          `json:"question"`
	How      string          `json:"how"`
	Result   json.RawMessage `json:"result"`
}

func (a answerBefore) none() bool { return string(a.Result) == "null" && a.How != loop.ByDryRun }

// answersBefore opens --out behind its last whole line, and reads which answers it has; without the flag answers go to
// stdout.
func (c *askCmd) answersBefore(con *console) (io.WriteCloser, map[string]answerBefore, error) {
	before := map[string]answerBefore{}
	if c.Out == "" {
		return struct {
			io.Writer
			io.Closer
		}{con, io.NopCloser(nil)}, before, nil
	}
	f, err := os.OpenFile(c.Out, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, brief(err)
	}
	whole := int64(0)
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break // what a killed command left of a line is written over
		}
		var a answerBefore
		if err == nil {
			err = json.Unmarshal(line, &a)
		}
		if err != nil || a.ID == "" {
			return nil, nil, errors.Join(fmt.Errorf("%s is no file of answers: name another", c.Out), f.Close())
		}
		before[a.ID] = a
		whole += int64(len(line))
	}
	if err = f.Truncate(whole); err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, before, nil
}
