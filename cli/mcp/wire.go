package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/sqlcheck/batch"
)

// withBatches is the one version of the protocol in which several messages may come at once.
const withBatches = "2025-03-26"

// wire is lines of JSON between a client and the SDK. It answers what is no message, with the error of JSON-RPC for
// it, keeps IDs as they were written, and ends when all that was asked is answered. To the SDK an ID is its own JSON
// as a text.
type wire struct {
	lines  chan []byte // nil is one that is too long
	out    io.WriteCloser
	queue  []jsonrpc.Message // of a batch that came
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex // of what follows
	waiting  map[jsonrpc.ID]*pending
	answered chan struct{} // gets a value where none is waiting any more
	batches  bool
}

// pending is a request that waits for its answer.
type pending struct {
	method    string
	cancelled bool
	among     *several // nil where it came alone
}

// several are the answers to a batch.
type several struct {
	left int
	said []json.RawMessage
}

func newWire(in io.Reader, out io.WriteCloser) *wire {
	w := &wire{lines: make(chan []byte), out: out, closed: make(chan struct{}), waiting: map[jsonrpc.ID]*pending{},
		answered: make(chan struct{}, 1)}
	go func() {
		defer close(w.lines)
		for r := bufio.NewReaderSize(in, 64<<10); ; {
			line, tooLong, err := batch.ReadLine(r)
			if err != nil {
				return
			}
			if line = bytes.Clone(line); tooLong {
				line = nil
			} else if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			select {
			case w.lines <- line:
			case <-w.closed:
				return
			}
		}
	}()
	return w
}

// Connect implements [sdk.Transport].
func (w *wire) Connect(context.Context) (sdk.Connection, error) { return w, nil }

// SessionID implements [sdk.Connection].
func (w *wire) SessionID() string { return "" }

// Close implements [sdk.Connection].
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// Read implements [sdk.Connection].
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(w.queue) == 0 {
		select {
		case line, more := <-w.lines:
			if !more {
				return nil, w.end(ctx)
			}
			if err := w.take(line); err != nil {
				return nil, err
			}
		case <-w.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	next := w.queue[0]
	w.queue = w.queue[1:]
	return next, nil
}

// end waits until all that was asked is answered.
func (w *wire) end(ctx context.Context) error {
	for {
		w.mu.Lock()
		left := len(w.waiting)
		w.mu.Unlock()
		if left == 0 {
			return io.EOF
		}
		select {
		case <-w.answered:
		case <-w.closed:
			return io.EOF
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take queues what came in a line, and answers what is no message.
func (w *wire) take(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if line == nil {
		return w.write(wrong(nil, jsonrpc.CodeInvalidRequest, "the message is too long"))
	}
	list, refusal := batched("line", line, w.batches)
	switch {
	case refusal != nil:
		return w.write(refusal)
	case list == nil:
		if message, answer := w.message(line, nil); answer != nil {
			return w.write(answer)
		} else if message != nil {
			w.queue = append(w.queue, message)
		}
		return nil
	}
	among := &several{}
	for _, one := range list {
		message, answer := w.message(one, among)
		if answer != nil {
			among.said = append(among.said, answer)
		} else if message != nil {
			w.queue = append(w.queue, message)
		}
	}
	return w.whole(among)
}

// read is one message: what the SDK gets, or why it gets none.
type read struct {
	jsonrpc.Message
	id      json.RawMessage // as it was written; nil is none
	kept    []byte          // the message with its IDs as texts
	refusal []byte
}

// legible reads a message, or says what is wrong with it.
func legible(text []byte) (is read) {
	var part map[string]json.RawMessage
	if json.Unmarshal(text, &part) != nil || part == nil {
		is.refusal = wrong(nil, jsonrpc.CodeInvalidRequest, "a message is a JSON object")
		return is
	}
	id, has := part["id"]
	if has && !isID(id) {
		is.refusal = wrong(nil, jsonrpc.CodeInvalidRequest, "an id is a string or a number")
		return is
	}
	is.id, is.kept = id, kept(part)
	var err error
	if is.Message, err = jsonrpc.DecodeMessage(is.kept); err != nil {
		is.kept = nil
		is.refusal = wrong(id, jsonrpc.CodeInvalidRequest, `a message has "jsonrpc": "2.0", and a method or a result`)
	}
	return is
}

// batched are the messages of a batch, or what is wrong with the text, which is called a line or a body; nil and nil is
// one message.
func batched(what string, text []byte, allowed bool) (list []json.RawMessage, refusal []byte) {
	switch {
	case !json.Valid(text):
		return nil, wrong(nil, jsonrpc.CodeParseError, "the "+what+" is not JSON")
	case text[0] != '[':
		return nil, nil
	case !allowed:
		return nil, wrong(nil, jsonrpc.CodeInvalidRequest, "this version of the protocol has no batches")
	case json.Unmarshal(text, &list) != nil || len(list) == 0:
		return nil, wrong(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
	}
	return list, nil
}

// message reads one, or says what is wrong with it.
func (w *wire) message(text []byte, among *several) (jsonrpc.Message, []byte) {
	one := legible(text)
	message, id := one.Message, one.id
	if one.refusal != nil {
		return nil, one.refusal
	}
	r, is := message.(*jsonrpc.Request)
	var begins struct{ ProtocolVersion string }
	if is && r.Method == "initialize" && json.Unmarshal(r.Params, &begins) == nil {
		w.batches = begins.ProtocolVersion == withBatches
	}
	switch {
	case is && r.IsCall():
		if w.waiting[r.ID] != nil {
			return nil, wrong(id, jsonrpc.CodeInvalidRequest, "a request with this id is at work")
		}
		w.waiting[r.ID] = &pending{method: r.Method, among: among}
		if among != nil {
			among.left++
		}
	case is && r.Method == "notifications/cancelled":
		var what sdk.CancelledParams
		if json.Unmarshal(r.Params, &what) != nil {
			return nil, nil
		}
		if id, err := jsonrpc.MakeID(what.RequestID); err != nil {
			return nil, nil
		} else if c := w.waiting[id]; c != nil && c.method != "initialize" {
			c.cancelled = true
		}
	}
	return message, nil
}

// isID says that a value may be one.
func isID(v json.RawMessage) bool { return v[0] == '"' || v[0] == '-' || v[0] >= '0' && v[0] <= '9' }

// kept is a message whose IDs of the client's are texts.
func kept(part map[string]json.RawMessage) []byte {
	text := func(in map[string]json.RawMessage, key string) {
		if v, has := in[key]; has && isID(v) {
			in[key], _ = json.Marshal(string(v)) // a string is always written
		}
	}
	if _, asks := part["method"]; asks {
		text(part, "id")
	}
	var params map[string]json.RawMessage
	if string(part["method"]) == `"notifications/cancelled"` && json.Unmarshal(part["params"], &params) == nil {
		text(params, "requestId")
		part["params"], _ = json.Marshal(params)
	}
	out, _ := json.Marshal(part)
	return out
}

// wrong is the answer to what is no message, or no request.
func wrong(id json.RawMessage, code int64, why string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	said, _ := json.Marshal(jsonrpc.Error{Code: code, Message: why})
	return append([]byte(`{"jsonrpc":"2.0","id":`+string(id)+`,"error":`+string(said)), '}')
}

// Write implements [sdk.Connection].
func (w *wire) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r, is := message.(*jsonrpc.Response)
	if !is {
		return w.write(text)
	}
	c := w.waiting[r.ID]
	if c == nil {
		return nil
	}
	delete(w.waiting, r.ID)
	if len(w.waiting) == 0 {
		defer func() {
			select {
			case w.answered <- struct{}{}:
			default:
			}
		}()
	}
	if text, err = asWritten(text, r.ID); err != nil {
		return err
	}
	switch {
	case c.among == nil && c.cancelled:
		return nil
	case c.among == nil:
		return w.write(text)
	case !c.cancelled:
		c.among.said = append(c.among.said, text)
	}
	c.among.left--
	return w.whole(c.among)
}

// asWritten is an answer with the ID that the client wrote.
func asWritten(text []byte, id jsonrpc.ID) ([]byte, error) {
	raw, is := id.Raw().(string)
	if !is {
		return nil, errors.New("mcp: an answer without a request")
	}
	var part struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   json.RawMessage `json:"error,omitempty"`
	}
	if err := json.Unmarshal(text, &part); err != nil {
		return nil, err
	}
	part.ID = json.RawMessage(raw)
	var said jsonrpc.Error
	if json.Unmarshal(part.Error, &said) == nil { // without what the SDK calls its types
		said.Message, _, _ = strings.Cut(said.Message, ": unmarshaling ")
		said.Code = cmp.Or(said.Code, jsonrpc.CodeInvalidRequest)
		if strings.Contains(said.Message, `required "params"`) {
			said.Code = jsonrpc.CodeInvalidParams
		}
		part.Error, _ = json.Marshal(said)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(part)
	return bytes.TrimSpace(b.Bytes()), err
}

// whole writes the answers to a batch when the last is there. It is called with mu held, as write is.
func (w *wire) whole(of *several) error {
	if of.left > 0 || len(of.said) == 0 {
		return nil
	}
	text, err := json.Marshal(of.said)
	if err != nil {
		return err
	}
	of.said = nil
	return w.write(text)
}

func (w *wire) write(text []byte) error {
	_, err := w.out.Write(append(bytes.Clone(text), '\n'))
	return err
}
