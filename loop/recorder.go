package loop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nl2sql/llm"
)

// MaxQuestion bounds a question, in bytes.
const MaxQuestion = 8 << 10

// CheckQuestion says what is wrong with a question that no model can be asked.
func CheckQuestion(question string) error {
	switch {
	case strings.TrimSpace(question) == "":
		return errors.New("empty question")
	case len(question) > MaxQuestion:
		return fmt.Errorf("question of %d bytes: at most %d are allowed", len(question), MaxQuestion)
	case strings.ContainsRune(question, utf8.RuneError): // or any byte that a reader took for none
		return errors.New("the question is not UTF-8: write it as text")
	}
	return nil
}

// Recorder makes the answer to one question: it keeps its trace, and tells each event as it happens.
type Recorder struct {
	Answer Answer
	Step   int // of the events that follow; -1 before the first step

	start time.Time
	mu    sync.Mutex    // what is told is told one after the other
	tell  func(Event)   // may be nil
	told  []llm.Message // the prompt that was told last: candidates that are drawn at once share one
	at    int           // its step
	pen   sync.Mutex    // held for the text that is told while it is written
}

// NewRecorder begins the answer to a question. Events are told to on, which may be nil, in their order, one at a time,
// and before the answer is there.
func NewRecorder(question string, on func(Event)) *Recorder {
	return &Recorder{Answer: Answer{Question: question}, Step: -1, start: time.Now(), tell: on}
}

// Asked records the question, and what is switched off.
func (r *Recorder) Asked(off Without) {
	r.Emit(Event{Kind: KindQuestion, Text: r.Answer.Question, OK: true})
	if len(off) > 0 {
		r.Emit(Event{Kind: KindWithout, OK: true, Reason: strings.Join(off, ", ")})
	}
}

// Emit appends an event of the current step to the trace, and tells it.
func (r *Recorder) Emit(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Step = r.Step
	kept := e
	kept.Found = nil
	r.Answer.Trace = append(r.Answer.Trace, kept)
	if r.tell != nil {
		r.tell(e)
	}
}

// Prompt tells what the model reads next, unless this step told it last. A trace does not keep it. It may be called
// concurrently.
func (r *Recorder) Prompt(msgs []llm.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tell == nil || r.at == r.Step && slices.Equal(r.told, msgs) {
		return
	}
	r.told, r.at = slices.Clone(msgs), r.Step
	r.tell(Event{Step: r.Step, Kind: KindPrompt, OK: true, Prompt: r.told})
}

// writing tells the text that the model is writing, as far as it has come. A trace does not keep it.
func (r *Recorder) writing(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell(Event{Step: r.Step, Kind: KindWriting, OK: true, Text: text})
}

// Done is the answer as far as it came, with the time that it took.
func (r *Recorder) Done() Answer {
	r.Answer.Took = time.Since(r.start)
	return r.Answer
}
