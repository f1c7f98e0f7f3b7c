package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// posted is the answer to what came over HTTP as a wire has it: with the IDs that the client wrote, and the errors of
// JSON-RPC in the place of the SDK's words. The zero value but for its writer answers one message.
type posted struct {
	http.ResponseWriter
	id    json.RawMessage // of the one request; nil is none, or a batch
	said  [][]byte        // answers to what is no message of a batch, not sent yet
	held  *bytes.Buffer   // the SDK's words; nil where it answers itself
	state int
}

// sort is what the SDK gets of a body, with the answers that it need not know; where there is nothing for it, text is
// nil.
func (p *posted) sort(body []byte, batches bool) (text []byte) {
	list, refusal := batched("body", body, batches)
	switch {
	case refusal != nil:
		p.said = [][]byte{refusal}
		return nil
	case list == nil:
		is := legible(body)
		if p.id = is.id; is.refusal != nil {
			p.said = [][]byte{is.refusal}
		}
		return is.kept
	}
	var kept [][]byte
	for _, one := range list {
		if is := legible(one); is.refusal != nil {
			p.said = append(p.said, is.refusal)
		} else {
			kept = append(kept, is.kept)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return array(kept)
}

func array(list [][]byte) []byte { return []byte("[" + string(bytes.Join(list, []byte(","))) + "]") }

// refuse answers a body that has nothing for the SDK.
func (p *posted) refuse(many bool) error {
	text := p.said[0]
	if many && len(p.said) > 1 {
		text = array(p.said)
	}
	p.Header().Set("Content-Type", "application/json")
	p.ResponseWriter.WriteHeader(http.StatusBadRequest)
	_, err := p.ResponseWriter.Write(append(text, '\n'))
	return err
}

// Unwrap is for [http.ResponseController].
func (p *posted) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (p *posted) WriteHeader(status int) {
	if p.state = status; status >= 400 && !p.is("application/json") || status == http.StatusAccepted && p.said != nil {
		p.held = &bytes.Buffer{}
		return
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *posted) is(kind string) bool { return strings.HasPrefix(p.Header().Get("Content-Type"), kind) }

// Write implements [http.ResponseWriter]: the SDK writes whole events, and whole values.
func (p *posted) Write(text []byte) (int, error) {
	n := len(text)
	if p.held != nil {
		return p.held.Write(text)
	}
	var out []byte
	if p.is("application/json") {
		out = answered(text)
	} else {
		for _, said := range p.said {
			out = append(out, "event: message\ndata: "+string(said)+"\n\n"...)
		}
		p.said = nil
		for line := range bytes.Lines(text) {
			if data, is := bytes.CutPrefix(line, []byte("data: ")); is && len(data) > 1 {
				line = append([]byte("data: "), append(answered(bytes.TrimSpace(data)), '\n')...)
			}
			out = append(out, line...)
		}
	}
	_, err := p.ResponseWriter.Write(out)
	return n, err
}

// end sends what is held: an error of JSON-RPC, and of a method that there is not one that clients read as such.
func (p *posted) end() error {
	switch {
	case p.held == nil:
		return nil
	case p.state == http.StatusAccepted:
		return p.refuse(true)
	}
	why, code := strings.TrimSpace(p.held.String()), int64(jsonrpc.CodeInvalidRequest)
	if p.id != nil && strings.HasPrefix(why, "JSON RPC not handled") {
		why, code, p.state = "there is no such method", jsonrpc.CodeMethodNotFound, http.StatusOK
	}
	p.Header().Del("Content-Length")
	p.Header().Set("Content-Type", "application/json")
	p.ResponseWriter.WriteHeader(p.state)
	_, err := p.ResponseWriter.Write(append(wrong(p.id, code, why), '\n'))
	return err
}

// answered is a message of the SDK's as the client gets it.
func answered(text []byte) []byte {
	message, err := jsonrpc.DecodeMessage(text)
	if r, is := message.(*jsonrpc.Response); err == nil && is {
		if out, err := asWritten(text, r.ID); err == nil {
			return out
		}
	}
	return text
}
