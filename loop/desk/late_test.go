package desk

import (
	"context"
	"errors"
	"testing"
	"time"

	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/scripts/must"
)

// fake answers with the question.
type fake struct{}

func (fake) Within(_ context.Context, _ time.Duration, _ answer.Database, q answer.Question,
	_ func(loop.Event)) (answer.Answer, error) {
	return answer.Answer{Answer: loop.Answer{Question: q.Text, Refused: "it is a test"}}, nil
}

// A load of the model that failed is begun again by the next question; one that ended well is the last.
func TestLateTriesAgain(t *testing.T) {
	loads := 0
	d := &Desk{Databases: []Database{{Name: "shop"}}, Load: func() (Asker, error) {
		if loads++; loads == 1 {
			return nil, errors.New("no room for it")
		}
		return fake{}, nil
	}}
	ask := func() error {
		_, err := d.Ask(t.Context(), Question{Question: "how many?"}, func(Step) {})
		return err
	}
	err := ask()
	must.Be(t, err != nil && err.Error() == "no room for it", err)
	must.Do(t, ask())
	must.Do(t, ask())
	must.Equal(t, loads, 2)
	d.Close()
	must.Be(t, errors.Is(ask(), ErrStopping), "a question came after the end")
}
