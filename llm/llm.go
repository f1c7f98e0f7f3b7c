// Package llm turns messages into text. It has no opinion about SQL.
package llm

import (
	"context"
	"errors"
	"time"
)

// ErrContextFull reports that prompt and answer do not fit the context window.
var ErrContextFull = errors.New("prompt does not fit the model's context window")

// Message is one chat turn before the model's chat template is applied.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Params are the sampling settings of one call. The zero value is greedy decoding.
type Params struct {
	MaxTokens   int      // new tokens; 0 means 256 (tech. ref. §5)
	Temperature float32  // 0 is greedy; TopP and Seed are then ignored
	TopP        float32  // (0,1]; 0 means 1
	Seed        uint32   // used as it is: the same seed draws the same text
	Stop        []string // texts that end the answer; they are not part of it

	// Told is called with all of the text that there is, as it grows, and not after the call has returned; nil is not.
	// Models that write in one go need not call it.
	Told func(text string) `json:"-"`
}

// Stop reasons of a Completion.
const (
	StopEnd    = "end"    // end-of-turn token
	StopText   = "stop"   // one of Params.Stop
	StopLength = "length" // MaxTokens or the context window
)

// Completion is one answer and what it cost.
type Completion struct {
	Text         string `json:"text"`
	StopReason   string `json:"stop_reason"`
	PromptTokens int    `json:"prompt_tokens"`
	CachedTokens int    `json:"cached_tokens"` // of the prompt, not evaluated again
	OutputTokens int    `json:"output_tokens"`
	// Tokens that were guessed before they were drawn, and those that came true. How many are guessed depends on the
	// time.
	DraftedTokens  int `json:"drafted_tokens,omitempty"`
	AcceptedTokens int `json:"accepted_tokens,omitempty"`
	// Natural logarithms of probabilities that the model gave: of all tokens that it drew, and of the unlikeliest. 0
	// where it does not tell.
	LogProb      float64       `json:"logprob,omitempty"`
	LeastLogProb float64       `json:"least_logprob,omitempty"`
	Took         time.Duration `json:"took_ns"` // wall time, model load excluded
}

// Generator is a model that answers.
type Generator interface {
	Generate(ctx context.Context, msgs []Message, p Params) (Completion, error)
}

// Scorer is a model that tells how likely an answer is that somebody else has written.
type Scorer interface {
	// Score returns answer as a Completion whose LogProb is that of the answer's tokens, without the end of the turn.
	// The prompt's tokens are those of the answer too: none is drawn.
	Score(ctx context.Context, msgs []Message, answer string) (Completion, error)
}

// Embedder is a model that makes vectors of texts: texts that mean alike have near ones.
type Embedder interface {
	// Embed returns a vector for each text, all of one length. Of long texts the beginning counts.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Embedding names what the vectors follow from, beside the texts: those of different names cannot be compared.
	Embedding() string
}
