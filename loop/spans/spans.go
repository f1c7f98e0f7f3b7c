// Package spans tells OpenTelemetry what happened: a span for each question, and within it one for each call of the
// model and each action, named and described by the conventions for generative AI. They are made from the events of an
// answer, which knows nothing of them, and sent to a collector over HTTP or written to a file (OTLP). Texts stay out
// unless they are wished: question, SQL and what the model wrote. Begin with Open.
//
// It writes OTLP's messages itself (go.opentelemetry.io/proto/otlp): the SDK's exporter brings gRPC, also where it
// sends over HTTP. Sources: OTLP 1.9 ("OTLP/HTTP", "JSON Protobuf Encoding"; a TracesData has the bytes of an
// ExportTraceServiceRequest), OpenTelemetry Semantic Conventions for GenAI agents and spans.
package spans

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"nl2sql/loop"
	"nl2sql/loop/answer"
)

// About is what all spans say of who answers.
type About struct {
	Version string // of the program
	Agent   string
	Model   string
	Texts   bool // question, SQL and the model's texts too
}

// Exporter sends spans. It is safe for concurrent use, and an [answer.Watcher].
type Exporter struct {
	About
	url  string
	file *os.File
	send chan *trace.TracesData
	done chan error // what the sender failed with first
}

// waiting and sendTime bound what a collector that does not answer costs: traces that wait, and the time of one.
const waiting, sendTime = 256, 10 * time.Second

// Open begins to export to a URL of a collector (its path is /v1/traces where it has none), or to a file, to which a
// line of JSON is added for each question. What cannot be sent is told as a warning and by Close, and stops nothing.
func Open(target string, about About) (*Exporter, error) {
	e := &Exporter{About: about, send: make(chan *trace.TracesData, waiting), done: make(chan error, 1)}
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		u, err := url.Parse(target)
		if err != nil || u.Host == "" {
			return nil, fmt.Errorf("%s is no URL of a collector: http://HOST:4318 is one", target)
		}
		if strings.Trim(u.Path, "/") == "" {
			u.Path = "/v1/traces"
		}
		e.url = u.String()
	} else {
		var err error
		if e.file, err = os.OpenFile(target, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
			return nil, err
		}
	}
	go e.sender()
	return e, nil
}

// sender sends one trace after the other.
func (e *Exporter) sender() {
	var first error
	for data := range e.send {
		if err := e.export(data); err != nil && first == nil {
			first = fmt.Errorf("export spans: %w", err)
			slog.Warn("spans are not exported", "err", err)
		}
	}
	if e.file != nil {
		first = errors.Join(first, e.file.Close())
	}
	e.done <- first
}

func (e *Exporter) export(data *trace.TracesData) error {
	if e.file != nil {
		line, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(data)
		if err == nil {
			_, err = e.file.Write(append(ids.ReplaceAllFunc(line, hexadecimal), '\n'))
		}
		return err
	}
	body, err := proto.Marshal(data)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)); err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", e.url, resp.Status)
	}
	return nil
}

// ids are those of traces and spans in JSON, which OTLP wants in hexadecimal and protojson writes in base 64. No
// attribute looks so: a quote in a text is escaped.
var ids = regexp.MustCompile(`"(?:traceId|spanId|parentSpanId)": ?"[A-Za-z0-9+/=]+"`)

func hexadecimal(field []byte) []byte {
	parts := strings.Split(string(field), `"`)
	id, err := base64.StdEncoding.DecodeString(parts[3])
	if err != nil {
		return field // none of ours
	}
	return []byte(`"` + parts[1] + `":"` + hex.EncodeToString(id) + `"`)
}

// Close sends what waits, and returns what went wrong first. No question may be at work.
func (e *Exporter) Close() error {
	close(e.send)
	return <-e.done
}

// Begin implements [answer.Watcher].
func (e *Exporter) Begin(q answer.Question) (event func(loop.Event), end func(loop.Answer, error)) {
	t := &telling{Exporter: e, id: random(16), root: random(8), began: time.Now()}
	return t.event, func(ans loop.Answer, err error) { t.end(q, ans, err) }
}

// telling makes the spans of one question.
type telling struct {
	*Exporter
	mu       sync.Mutex
	id, root []byte
	began    time.Time
	spans    []*trace.Span
}

// event adds the span of an event that took time: it ends now.
func (t *telling) event(e loop.Event) {
	name, kind := "", trace.Span_SPAN_KIND_INTERNAL
	var is []*common.KeyValue
	switch {
	case e.Cost != nil:
		name, kind = strings.TrimSpace("chat "+t.Model), trace.Span_SPAN_KIND_CLIENT
		is = []*common.KeyValue{
			text("gen_ai.operation.name", "chat"), text("gen_ai.request.model", t.Model),
			number("gen_ai.usage.input_tokens", e.Cost.PromptTokens),
			number("gen_ai.usage.output_tokens", e.Cost.OutputTokens),
			text("nl2sql.event", string(e.Kind)),
		}
	case e.Kind == loop.KindTool && e.Tool != "":
		name = "execute_tool " + string(e.Tool)
		is = []*common.KeyValue{text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", string(e.Tool))}
	default:
		return
	}
	if t.Texts {
		is = append(is, text("nl2sql.text", e.Text), text("nl2sql.sql", e.SQL))
	}
	now, took := time.Now(), e.Took
	if e.Cost != nil && e.Cost.Took > 0 {
		took = e.Cost.Took
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spans = append(t.spans, &trace.Span{
		TraceId: t.id, SpanId: random(8), ParentSpanId: t.root, Name: name, Kind: kind,
		StartTimeUnixNano: uint64(now.Add(-took).UnixNano()), EndTimeUnixNano: uint64(now.UnixNano()),
		Attributes: told(is),
	})
}

// end sends the spans, with that of the question around them.
func (t *telling) end(q answer.Question, ans loop.Answer, err error) {
	how := ans.How
	if ans.Refused != "" {
		how = "refused"
	}
	is := []*common.KeyValue{
		text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.agent.name", t.Agent),
		text("gen_ai.request.model", t.Model), text("nl2sql.how", how),
		{Key: "nl2sql.confidence", Value: &common.AnyValue{Value: &common.AnyValue_DoubleValue{
			DoubleValue: ans.Confidence}}},
	}
	if ans.Result != nil {
		is = append(is, number("nl2sql.rows", len(ans.Result.Rows)))
	}
	if t.Texts {
		is = append(is, text("nl2sql.question", q.Text), text("nl2sql.sql", ans.SQL))
	}
	root := &trace.Span{
		TraceId: t.id, SpanId: t.root, Name: "invoke_agent nl2sql", Kind: trace.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: uint64(t.began.UnixNano()), EndTimeUnixNano: uint64(time.Now().UnixNano()),
		Attributes: told(is),
	}
	if err != nil {
		root.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR}
		if t.Texts {
			root.Status.Message = err.Error()
		}
	}
	data := &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{
		Resource: &resource.Resource{Attributes: told([]*common.KeyValue{
			text("service.name", "nl2sql"), text("service.version", t.Version),
		})},
		ScopeSpans: []*trace.ScopeSpans{{
			Scope: &common.InstrumentationScope{Name: "nl2sql", Version: t.Version},
			Spans: append([]*trace.Span{root}, t.spans...),
		}},
	}}}
	select {
	case t.send <- data:
	default:
		slog.Warn("spans of a question are lost: the collector is slower than the questions")
	}
}

func text(key, value string) *common.KeyValue {
	value = strings.ToValidUTF8(value, "\uFFFD")
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func number(key string, value int) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: int64(value)}}}
}

// told leaves out texts that are empty.
func told(is []*common.KeyValue) (out []*common.KeyValue) {
	for _, kv := range is {
		if s, is := kv.Value.Value.(*common.AnyValue_StringValue); !is || s.StringValue != "" {
			out = append(out, kv)
		}
	}
	return out
}

// random is the id of a trace or a span, n bytes.
func random(n int) []byte {
	id := make([]byte, n)
	rand.Read(id) // never fails (Go 1.24)
	return id
}
