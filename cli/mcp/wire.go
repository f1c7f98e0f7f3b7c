package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/runner/render"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/syntax"
)

// withBatches is the one version of the protocol in which several messages may come at once.
const withBatches = "2025-03-26"

// longest says that a message is too long: [batch.ReadLine] has this bound, and who serves HTTP.
const longest = "the message is longer than 2097152 bytes"

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
	begun    bool          // by an initialize; another one changes nothing
	batches  bool
}

// pending is a request that waits for its answer.
type pending struct {
	method    string
	cancelled bool
	among     *several
}

// several are the answers to a batch, or to one message.
type several struct {
	many bool // it is a batch
	left int
	said [][]byte
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
		return w.write(wrong(nil, jsonrpc.CodeInvalidRequest, longest))
	}
	list, many := sorted("line", line, w.batches)
	among := &several{many: many}
	for _, one := range list {
		if one.Message != nil {
			one.refusal = w.begin(one, among)
		}
		if one.refusal != nil {
			among.said = append(among.said, one.refusal)
		} else if one.Message != nil {
			w.queue = append(w.queue, one.Message)
		}
	}
	return w.whole(among)
}

// methods are what a client may ask and tell, and whether it brings parameters. What is not here the SDK does not know.
var methods = map[string]bool{
	"initialize": true, "ping": false, "server/discover": false, "subscriptions/listen": true, "logging/setLevel": true,
	"tools/list": false, "tools/call": true, "prompts/list": false, "prompts/get": true, "completion/complete": true,
	"resources/list": false, "resources/templates/list": false, "resources/read": true,
	"resources/subscribe": true, "resources/unsubscribe": true,
	"notifications/initialized": false, "notifications/cancelled": false, "notifications/progress": true,
	"notifications/roots/list_changed": false,
}

// read is one message: what the SDK gets, or why it gets none. Of a notification that nobody knows there is neither.
type read struct {
	jsonrpc.Message
	id      json.RawMessage // as it was written; nil is none
	kept    []byte          // the message with its IDs as texts
	code    int64           // of the refusal
	refusal []byte
}

// legible reads a message, or says what is wrong with it. The SDK would answer some of it with nothing, or for a whole
// batch.
func legible(text json.RawMessage) (is read) {
	var part map[string]json.RawMessage
	if json.Unmarshal(text, &part) != nil || part == nil {
		return refused(nil, jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	}
	id, has := part["id"]
	answers := part["method"] == nil && (part["result"] != nil || part["error"] != nil)
	if has && !isID(id) && !answers {
		return refused(nil, jsonrpc.CodeInvalidRequest, "an id is a string or a number")
	}
	is.id, is.kept = id, kept(part)
	var err error
	is.Message, err = jsonrpc.DecodeMessage(is.kept)
	r, asks := is.Message.(*jsonrpc.Request)
	switch {
	case answers && (err != nil || !has || !isID(id)): // an answer is never answered
		return read{}
	case err != nil || !asks && !answers || asks && r.Method == "":
		return refused(id, jsonrpc.CodeInvalidRequest,
			`a message has "jsonrpc": "2.0", and a method, a result or an error, in 1000 levels at most`)
	case answers:
		return is
	}
	brings, known := methods[r.Method]
	lacks := brings && (len(r.Params) == 0 || string(r.Params) == "null")
	switch tells := strings.HasPrefix(r.Method, "notifications/"); {
	case !has && (!tells || !known || lacks):
		return read{}
	case has && !known:
		return refused(id, jsonrpc.CodeMethodNotFound, "there is no such method")
	case has && tells:
		return refused(id, jsonrpc.CodeInvalidRequest, "a notification has no id")
	case lacks:
		return refused(id, jsonrpc.CodeInvalidParams, r.Method+" needs params")
	}
	return is
}

func refused(id json.RawMessage, code int64, why string) read {
	return read{code: code, refusal: wrong(id, code, why)}
}

// sorted are the messages of a text, which is called a line or a body, and whether it is a batch; or what is wrong with
// it.
func sorted(what string, text []byte, batches bool) (list []read, many bool) {
	all := []json.RawMessage{text}
	switch many = text != nil && text[0] == '['; {
	case !utf8.Valid(text) || !json.Valid(text):
		return []read{refused(nil, jsonrpc.CodeParseError, "the "+what+" is no JSON in UTF-8, or too deep")}, false
	case many && !batches:
		return []read{refused(nil, jsonrpc.CodeInvalidRequest, "this version of the protocol has no batches")}, false
	case many && (json.Unmarshal(text, &all) != nil || len(all) == 0):
		return []read{refused(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")}, false
	}
	return syntax.Map(all, legible), many
}

// begin notes what a message begins or ends; a refusal says what is wrong with it.
func (w *wire) begin(one read, among *several) (refusal []byte) {
	r, is := one.Message.(*jsonrpc.Request)
	var begins sdk.InitializeParams
	if is && r.Method == "initialize" && !w.begun && json.Unmarshal(r.Params, &begins) == nil {
		w.begun, w.batches = true, begins.ProtocolVersion == withBatches
	}
	switch {
	case is && r.IsCall():
		if w.waiting[r.ID] != nil {
			return wrong(one.id, jsonrpc.CodeInvalidRequest, "a request with this id is at work")
		}
		w.waiting[r.ID] = &pending{method: r.Method, among: among}
		among.left++
	case is && r.Method == "notifications/cancelled":
		var what sdk.CancelledParams
		id, err := jsonrpc.ID{}, json.Unmarshal(r.Params, &what)
		if err == nil {
			id, err = jsonrpc.MakeID(what.RequestID)
		}
		if c := w.waiting[id]; err == nil && c != nil && c.method != "initialize" {
			c.cancelled = true
		}
	}
	return nil
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
	text, _ := render.JSONText(jsonrpc.Error{Code: code, Message: render.Visible(why)}) // it is always written
	return answerOf(id, "error", text)
}

// answerOf is an answer with the ID that the client wrote; nil is none.
func answerOf(id json.RawMessage, key string, value []byte) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"`+key+`":`), value, []byte("}"))
}

// Write implements [sdk.Connection].
func (w *wire) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if text, err = asWritten(text, message); err != nil {
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
	if !c.cancelled {
		c.among.said = append(c.among.said, text)
	}
	c.among.left--
	return w.whole(c.among)
}

// asWritten is a message of the SDK's with the ID that the client wrote. Here all texts leave for clients, whatever the
// transport: what a reader would not see is escaped. In the value of a tool it is escaped as JSON has it, so that a
// program reads what there is.
func asWritten(text []byte, of jsonrpc.Message) ([]byte, error) {
	r, answers := of.(*jsonrpc.Response)
	if !answers {
		return render.JSONText(json.RawMessage(text))
	}
	raw, is := r.ID.Raw().(string)
	if !is {
		return nil, errors.New("mcp: an answer without a request")
	}
	var part struct {
		Result map[string]json.RawMessage
		Error  *jsonrpc.Error
	}
	if err := json.Unmarshal(text, &part); err != nil {
		return nil, err
	}
	key, value := "result", any(part.Result)
	if said := part.Error; said != nil {
		if what, _, cut := strings.Cut(said.Message, ": unmarshaling "); cut { // what the SDK calls its types
			said.Code = jsonrpc.CodeInvalidParams
			said.Message = strings.TrimSuffix(what, ": invalid params") + ": invalid params"
		}
		said.Code, said.Message = cmp.Or(said.Code, jsonrpc.CodeInvalidRequest), render.Visible(said.Message)
		key, value = "error", said
	}
	for name, of := range part.Result {
		if name != "structuredContent" {
			part.Result[name] = jsonText.ReplaceAllFunc(of, seen)
		}
	}
	body, err := render.JSONText(value)
	return answerOf(json.RawMessage(raw), key, body), err
}

// jsonText is a text in JSON, and shownLine what a line of one holds.
var jsonText, shownLine = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`), regexp.MustCompile(`[^\n\t]+`)

// seen is a text in JSON in which all is seen.
func seen(quoted []byte) []byte {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return quoted // which JSON of ours is not
	}
	shown, _ := render.JSONText(shownLine.ReplaceAllStringFunc(text, render.Visible)) // a text is always written
	return shown
}

// whole writes the answers to a batch when the last is there. It is called with mu held, as write is.
func (w *wire) whole(of *several) error {
	if of.left > 0 || len(of.said) == 0 {
		return nil
	}
	text := of.said[0]
	if of.many {
		text = array(of.said)
	}
	of.said = nil
	return w.write(text)
}

func (w *wire) write(text []byte) error {
	_, err := w.out.Write(append(bytes.Clone(text), '\n'))
	return err
}
