package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

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
	var at struct{ Time time.Time }
	err = fmt.Errorf("line 2: %w", json.Unmarshal([]byte(`{"time":"soon"}`), &at))
	must.Equal(t, InWords(err), `line 2: soon is no time, such as 2026-01-31T12:00:00Z`)
	err = json.Unmarshal([]byte(`{"time":7}`), &at)
	must.Equal(t, InWords(err), "a time is a JSON string")
}

// What stands in texts is no value of a JSON text.
func TestJSON(t *testing.T) {
	var v any
	must.Do(t, JSON([]byte(`{"a\"b": "`+strings.Repeat("[{,", 400_000)+`"}`), &v))
	err := JSON([]byte("["+strings.Repeat("1,", 400_000)+"1]"), &v)
	must.Be(t, err != nil && strings.Contains(err.Error(), "more than 400000 values"), err)
}
