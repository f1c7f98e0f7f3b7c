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
	least int             // the status of a response that has no more than these
	held  *bytes.Buffer   // the SDK's words; nil where it answers itself
	state int
}

// sort is what the SDK gets of a body, with the answers that it need not know; where there is nothing for it, text is
// nil.
func (p *posted) sort(body []byte, version string) (text []byte) {
	list, many := sorted("body", body, version == withBatches)
	p.least = http.StatusBadRequest
	var kept [][]byte
	ids := map[string]bool{}
	for _, one := range list {
		if _, asks := one.Message.(*jsonrpc.Request); asks && one.id != nil && ids[string(one.id)] {
			one.refusal = wrong(one.id, jsonrpc.CodeInvalidRequest, "a request with this id is at work")
		}
		if ids[string(one.id)] = true; one.refusal != nil {
			p.said = append(p.said, one.refusal)
		} else if one.kept != nil {
			kept = append(kept, one.kept)
		}
	}
	switch {
	case many && kept != nil:
		return array(kept)
	case !many && list[0].code == jsonrpc.CodeMethodNotFound && version < withoutSessions:
		p.least = http.StatusOK
	case !many && list[0].code == jsonrpc.CodeMethodNotFound:
		p.least = http.StatusNotFound
	case kept != nil:
		p.id = list[0].id
		return kept[0]
	}
	return nil
}

func array(list [][]byte) []byte { return []byte("[" + string(bytes.Join(list, []byte(","))) + "]") }

// refuse answers a body that has nothing for the SDK.
func (p *posted) refuse() error {
	if len(p.said) == 0 {
		p.ResponseWriter.WriteHeader(http.StatusAccepted)
		return nil
	}
	text := p.said[0]
	if len(p.said) > 1 {
		text = array(p.said)
	}
	p.Header().Set("Content-Type", "application/json")
	p.ResponseWriter.WriteHeader(p.least)
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

// end sends what is held: an error of JSON-RPC.
func (p *posted) end() error {
	if p.held == nil {
		return nil
	}
	if p.state != http.StatusAccepted {
		p.Header().Del("Content-Length")
		p.least, p.said = p.state, [][]byte{wrong(p.id, jsonrpc.CodeInvalidRequest, strings.TrimSpace(p.held.String()))}
	}
	return p.refuse()
}

// answered is a message of the SDK's as the client gets it.
func answered(text []byte) []byte {
	if message, err := jsonrpc.DecodeMessage(text); err == nil {
		if out, err := asWritten(text, message); err == nil {
			return out
		}
	}
	return text
}
