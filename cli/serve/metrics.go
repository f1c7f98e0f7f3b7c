package serve

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"nl2sql/loop"
)

// metrics are what Prometheus reads of a server.
type metrics struct {
	requests *prometheus.CounterVec
	outcomes *prometheus.CounterVec
	took     prometheus.Histogram
	tokens   *prometheus.CounterVec
	page     http.Handler
}

func newMetrics(h *handler) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		requests: counter("nl2sql_requests_total", "Requests; 499 is a client that went away.", "path", "status"),
		outcomes: counter("nl2sql_questions_total", "Questions, by what became of them.", "outcome"),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "nl2sql_question_seconds", Help: "Time of an answer, its wait excluded.",
			Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 25, 50, 100, 250},
		}),
		tokens: counter("nl2sql_tokens_total", "Tokens of prompts, those of them that were kept, of answers.", "kind"),
	}
	gauge := func(name, help string, of func(inside, waits int) int) prometheus.Collector {
		o := prometheus.GaugeOpts{Name: name, Help: help}
		return prometheus.NewGaugeFunc(o, func() float64 { return float64(of(h.Questions())) })
	}
	all := prometheus.NewRegistry()
	all.MustRegister(
		m.requests, m.outcomes, m.took, m.tokens,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("nl2sql_questions_working", "Questions that are being answered.",
			func(inside, _ int) int { return inside }),
		gauge("nl2sql_questions_waiting", "Questions that wait.", func(_, waits int) int { return waits }),
	)
	m.page = promhttp.HandlerFor(all, promhttp.HandlerOpts{})
	return m
}

// count counts a question that took so long.
func (m *metrics) count(outcome string, took time.Duration, ans loop.Answer) {
	m.outcomes.WithLabelValues(outcome).Inc()
	if took > 0 {
		m.took.Observe(took.Seconds())
	}
	_, cost := ans.Trace.Cost()
	m.tokens.WithLabelValues("prompt").Add(float64(cost.PromptTokens))
	m.tokens.WithLabelValues("cached").Add(float64(cost.CachedTokens))
	m.tokens.WithLabelValues("output").Add(float64(cost.OutputTokens))
}

// showMetrics serves /metrics.
func (h *handler) showMetrics(w http.ResponseWriter, r *http.Request) error {
	h.metrics.page.ServeHTTP(w, r)
	return nil
}

// openapi is the description of the routes, without the version. A test makes it of them.
//
//go:embed openapi.json
var openapi []byte

// describe serves /api/openapi.json.
func (h *handler) describe(w http.ResponseWriter, _ *http.Request) error {
	var all map[string]any
	if err := json.Unmarshal(openapi, &all); err != nil {
		return err
	}
	all["info"].(map[string]any)["version"] = h.Version
	return write(w, http.StatusOK, all)
}
