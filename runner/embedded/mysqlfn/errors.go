package mysqlfn

import (
	"fmt"
	"strconv"
	"strings"

	"nl2sql/runner"
)

// Refusal is what the embedded database says of what it cannot do.
func Refusal(what string) string {
	return "the embedded database cannot run " + what + "; use --db local or a server"
}

// runtimeError is an error of a function that SQLite calls. SQLite keeps only its text, so the number travels in it.
type runtimeError struct {
	code    uint16 // MySQL's; 0 for a refusal
	message string
}

const runtimeMark = "mysql-error:"

func (e runtimeError) Error() string {
	return runtimeMark + strconv.Itoa(int(e.code)) + ":" + e.message
}

// ParseRuntimeError finds a runtimeError in the text that SQLite made of it.
func ParseRuntimeError(text string) (*runner.QueryError, bool) {
	_, rest, ok := strings.Cut(text, runtimeMark)
	if !ok {
		return nil, false
	}
	number, message, _ := strings.Cut(rest, ":")
	code, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return nil, false
	}
	if i := strings.LastIndex(message, " ("); i > 0 && strings.HasSuffix(message, ")") { // SQLite's result code
		if _, err := strconv.Atoi(message[i+2 : len(message)-1]); err == nil {
			message = message[:i]
		}
	}
	return &runner.QueryError{Code: uint16(code), Message: message}, true
}

// refused is a refusal that only the values show.
func refused(format string, args ...any) error {
	return runtimeError{0, Refusal(fmt.Sprintf(format, args...))}
}
