package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"nl2sql/scripts/must"
)

// What is wrong with JSON is said in its words, and what stands around it stays.
func TestInWords(t *testing.T) {
	var v struct {
		Question string `json:"question"`
	}
	err := fmt.Errorf("p.jsonl: line 1: %w", json.Unmarshal([]byte(`{"question":7}`), &v))
	must.Equal(t, InWords(err), "p.jsonl: line 1: question cannot be a JSON number")
	err = json.Unmarshal([]byte(`[1]`), &v)
	must.Equal(t, InWords(err), "it cannot be a JSON array")
	must.Equal(t, InWords(errors.New("x")), "x")
}
