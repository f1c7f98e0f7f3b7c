package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"golang.org/x/sync/errgroup"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// validateFile is Validate of ask --file.
func (c *askCmd) validateFile() error {
	switch {
	case len(c.Question) > 0:
		return errors.New("a question and --file exclude each other")
	case c.Format != "auto" && c.Format != "json" && c.Format != "ndjson":
		return fmt.Errorf("--file prints a JSON object a line: --format %s is of one question", c.Format)
	case c.Chart:
		return errors.New("--chart is of one question: a chart in the JSON says how the result is drawn")
	case c.Out == c.File:
		return errors.New("--out is the file of the questions: name another one for the answers")
	case c.Log:
		return errors.New("--log is of one question: --trace holds the steps of many")
	case c.Trace != "" && c.Parallel > 1:
		return errors.New("--trace would mix what is asked at once: --parallel must be 1")
	}
	return nil
}

// questions reads the file; stdin is read while it is answered.
func (c *askCmd) questions(con *console) (iter.Seq2[item.Item, error], int, error) {
	if c.File == "-" {
		return item.Asked(con.in), 0, nil
	}
	items, err := item.LoadQuestions(c.File)
	for _, it := range items {
		if len(it.Question) > loop.MaxQuestion {
			return nil, 0, failure{exitUsage, fmt.Errorf("question %s is %s", it.ID, tooLong)}
		}
	}
	return func(yield func(item.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	}, len(items), brief(err)
}

// tooLong says what a question is not to be.
var tooLong = fmt.Sprintf("longer than %d bytes", loop.MaxQuestion)

// clipped is a question as answers show it: of one that is too long the beginning.
func clipped(question string) string {
	if len(question) <= loop.MaxQuestion {
		return question
	}
	return syntax.Clip(question, 80)
}

// answered is what became of a question of a file. An error ends the others.
type answered struct {
	answer.Answer
	err error
}

// waiting is a question whose answer is being made, or nil where it has one from before.
type waiting struct {
	item.Item
	answer chan answered
	none   bool // of one from before
	err    error
}

// runFile answers the questions of a file, as many at once as the model works on, and writes each answer in the file's
// order as soon as it is there. Exit code 2 says that not all have one.
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
	bar := con.progress()
	defer bar.clear()
	var group errgroup.Group
	defer group.Wait() // what it returns came through the queue
	defer cancel()
	queue := c.askAll(ctx, con, bar, in, asker, before, &group)
	done, made, none, start := 0, 0, 0, time.Now()
	failed := func(err error) error {
		bar.clear()
		if c.Out != "" && done > 0 {
			con.note(fmt.Sprintf("%d%s answers are in %s: the same command goes on", done, of(in.count), c.Out))
		}
		return err
	}
	for {
		if in.count > 0 {
			bar.show("%s", progressText(done, in.count, made, time.Since(start)))
		} else {
			bar.show("%d answered", done)
		}
		var w waiting
		more := false
		select {
		case <-ctx.Done(): // stdin may stay open, and cannot be left
			return failed(ctx.Err())
		case w, more = <-queue:
		}
		if !more {
			break
		}
		if w.err != nil {
			return failed(w.err)
		}
		if w.answer != nil {
			a := <-w.answer
			if a.err == nil {
				a.err = answer.AsJSON(w.ID, a.Answer).Write(out)
			}
			if a.err != nil {
				return failed(a.err)
			}
			made, w.none = made+1, a.Result == nil && a.How != loop.ByDryRun
		}
		if done++; w.none {
			none++
		}
	}
	bar.clear()
	if none > 0 {
		return failure{exitNo, fmt.Errorf("%d of %d questions have no answer: \"refused\" says why", none, done)}
	}
	return nil
}

// of is how many there are to be, where that is known.
func of(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" of %d", n)
}

// askAll answers questions as they come, --parallel at once, and returns them in order.
func (c *askCmd) askAll(
	ctx context.Context, con *console, bar *progress, in *askInput, asker *answer.Asker,
	before map[string]answerBefore, group *errgroup.Group,
) <-chan waiting {
	questions, queue := make(chan waiting), make(chan waiting, maxParallel)
	send := func(to chan<- waiting, w waiting) bool {
		select {
		case to <- w:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() { // a read from a terminal cannot be cancelled: nobody waits for it
		defer close(questions)
		for it, err := range in.items {
			if !send(questions, waiting{Item: it, err: err}) {
				return
			}
		}
	}()
	group.Go(func() error {
		defer close(queue)
		var at errgroup.Group
		at.SetLimit(c.Parallel)
		defer at.Wait() // what it returns came through answer
		for {
			var w waiting
			more := false
			select {
			case w, more = <-questions:
			case <-ctx.Done():
			}
			if !more {
				return nil
			}
			switch a, there := before[w.ID]; {
			case w.err != nil:
			case !there:
				w.answer = make(chan answered, 1)
			case a.Question != clipped(w.Question):
				w.err = fmt.Errorf("%s has an answer to another question with id %s: name another file", c.Out, w.ID)
			default:
				w.none = a.none()
			}
			if !send(queue, w) || w.err != nil {
				return nil
			}
			if w.answer != nil {
				at.Go(func() error {
					w.answer <- c.answerOf(ctx, con, bar, in, asker, w.Item)
					return nil
				})
			}
		}
	})
	return queue
}

// answerOf answers one question of a file. Where that ends without an answer, Refused says why.
func (c *askCmd) answerOf(
	ctx context.Context, con *console, bar *progress, in *askInput, asker *answer.Asker, it item.Item,
) answered {
	if text := clipped(it.Question); text != it.Question {
		none := loop.Answer{Question: text, Refused: "the question is " + tooLong}
		return answered{Answer: answer.Answer{Answer: none}}
	}
	ans, err := c.answer(ctx, con, bar, in, asker, it.Question)
	ans, late := c.settled(ans, err)
	if err != nil && !late {
		return answered{ans, fmt.Errorf("question %s: %w", it.ID, err)}
	}
	return answered{Answer: ans}
}

// settled is an answer whose Refused says why there is none. Late says that the error does: time was over, or the
// prompt was too long.
func (c *askCmd) settled(ans answer.Answer, err error) (settled answer.Answer, late bool) {
	none := failure{}
	switch {
	case err == nil && ans.Result == nil && ans.How == "" && ans.Refused == "":
		ans.Refused = "no answer: " + c.whyNone(ans)
	case err != nil && (errors.As(err, &none) || errors.Is(err, llm.ErrContextFull)):
		ans.Refused, ans.Result, late = err.Error(), nil, true
	}
	return ans, late
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
	f, err := files.OpenLog(c.Out, `{"id":`, func(line []byte) error {
		var a answerBefore
		if json.Unmarshal(line, &a) != nil || a.ID == "" {
			return errors.New("it is no file of answers: name another")
		}
		before[a.ID] = a
		return nil
	})
	return f, before, brief(err)
}
