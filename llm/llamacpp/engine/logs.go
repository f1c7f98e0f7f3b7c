//go:build cgo && llamacpp

package engine

import "C"

import (
	"strings"
	"sync"
)

// logs collects what llama.cpp says. It is global because llama.cpp's log is: it knows no models.
var logs struct {
	sync.Mutex
	sink  func(string) // nil drops the lines
	part  string       // of a line whose end has not come
	error string       // first line of level error: what follows is less exact
}

const levelError = 4 // GGML_LOG_LEVEL_ERROR

//export goLlamaLog
func goLlamaLog(level C.int, text *C.char) {
	logs.Lock()
	defer logs.Unlock()
	logs.part += C.GoString(text)
	for {
		line, rest, whole := strings.Cut(logs.part, "\n")
		if !whole {
			return
		}
		logs.part = rest
		if line = strings.TrimSpace(line); line == "" || strings.Trim(line, ".") == "" {
			continue
		}
		if level == levelError && logs.error == "" {
			logs.error = line
		}
		if logs.sink != nil {
			logs.sink(line)
		}
	}
}

// Listen sends later log lines, from any thread, to sink and forgets earlier errors; nil drops the lines.
func (library) Listen(sink func(string)) {
	logs.Lock()
	defer logs.Unlock()
	logs.sink, logs.part, logs.error = sink, "", ""
}

// forgetErrors makes because tell of later errors only.
func forgetErrors() {
	logs.Lock()
	defer logs.Unlock()
	logs.error = ""
}

// because returns llama.cpp's first error line as ": line", without the name of its function; or "".
func because() string {
	logs.Lock()
	defer logs.Unlock()
	if logs.error == "" {
		return ""
	}
	line := logs.error
	if _, after, ok := strings.Cut(line, ": "); ok {
		line = after
	}
	return ": " + line
}
