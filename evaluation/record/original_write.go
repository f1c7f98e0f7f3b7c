package record

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
	"nl2sql/loop"
)

// WriteOriginal writes a run as the original recorded its own, in both of its shapes: DIR/results/NAME.json as
// the few-shot runs, DIR/items/NAME.json as the ReAct runs, with what each query returned, which dbs tell. NAME is
// CONDITION_seedSEED, where the original's readers look for both. It returns the files.
// Source: dissertation.md §5.10.
func WriteOriginal(ctx context.Context, dir string, run Run, dbs *score.Databases) ([]string, error) {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < ' ' {
			return '-'
		}
		return r
	}, fmt.Sprintf("%s_seed%s.json", run.Card.Condition, run.Card.Seed))
	few, err := originalResults(run)
	if err != nil {
		return nil, err
	}
	react, err := originalItems(ctx, run, dbs)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, shape := range []struct {
		folder string
		run    any
	}{{"results", few}, {"items", react}} {
		text, err := json.MarshalIndent(shape.run, "", " ")
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, shape.folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, err
		}
		if err := writeFile(file, append(text, '\n')); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

type originalStep struct {
	Step        int                  `json:"step"`
	Thought     string               `json:"thought"`
	Action      string               `json:"action"`
	SQL         string               `json:"sql"`
	Observation *originalObservation `json:"observation,omitempty"`
}

type originalObservation struct {
	Success   bool     `json:"success"`
	Text      string   `json:"text"`
	Rows      *int     `json:"rowcount,omitempty"`
	Columns   []string `json:"columns,omitempty"`
	Truncated *bool    `json:"truncated,omitempty"`
	Preview   [][]any  `json:"preview_rows,omitempty"`
}

// originalRates are over the items that a measure counts; none is null.
type originalRates struct {
	N  int      `json:"n"`
	VA *float64 `json:"va_rate"`
	EM *float64 `json:"em_rate"`
	EX *float64 `json:"ex_rate"`
	TS *float64 `json:"ts_rate"`
	// TSN is how many items have a TS.
	TSN int `json:"ts_n"`
}

type originalMetadata struct {
	Commit   string `json:"commit"`
	Model    string `json:"model_id"`
	Adapter  string `json:"adapter_sha256,omitempty"`
	Method   string `json:"method"`
	Tag      string `json:"run_tag"`
	K        int    `json:"k"`
	Seed     any    `json:"seed"`
	PoolName string `json:"exemplar_pool,omitempty"`
	HasTS    bool   `json:"ts_enabled"`
	Replicas int    `json:"ts_n"`
}

type originalFewShot struct {
	Timestamp time.Time `json:"timestamp"`
	K         int       `json:"k"`
	Seed      any       `json:"seed"`
	Limit     *int      `json:"limit"`
	originalRates
	Policy   string                         `json:"exemplar_policy"`
	Avoid    bool                           `json:"avoid_exemplar_leakage"`
	Results  []originalAnswer[originalStep] `json:"results"`
	Metadata originalMetadata               `json:"run_metadata"`
}

type originalReact struct {
	Timestamp time.Time      `json:"timestamp"`
	Method    string         `json:"method"`
	Config    map[string]any `json:"config"`
	originalRates
	Items    []originalAnswer[originalStep] `json:"items"`
	Metadata originalMetadata               `json:"run_metadata"`
}

func originalResults(run Run) (originalFewShot, error) {
	c := run.Card
	out := originalFewShot{
		Timestamp: c.Started, K: c.Shots, Seed: originalSeed(c.Seed), originalRates: ratesOf(run),
		Policy: "benchmark_pool", Avoid: c.Pool != "test", Metadata: metadataOf(c),
	}
	if c.Pool != "" && c.Pool != "test" {
		out.Policy = "custom_pool"
	}
	for i, r := range run.Records {
		rec, err := originalOf(i, r)
		if err != nil {
			return out, err
		}
		out.Results = append(out.Results, rec)
	}
	return out, nil
}

func originalItems(ctx context.Context, run Run, dbs *score.Databases) (originalReact, error) {
	c := run.Card
	out := originalReact{
		Timestamp: c.Started, Method: c.Agent, originalRates: ratesOf(run), Metadata: metadataOf(c),
		Config: map[string]any{"name": c.Condition, "few_shot_k": c.Shots, "few_shot_seed": originalSeed(c.Seed),
			"do_sample": false},
	}
	for i, r := range run.Records {
		rec, err := originalOf(i, r)
		if err != nil {
			return out, err
		}
		x, err := dbs.Executor(ctx, r.Database)
		if err != nil {
			return out, err
		}
		if rec.Trace, err = originalTrace(ctx, r.Trace, x); err != nil {
			return out, err
		}
		out.Items = append(out.Items, rec)
	}
	return out, nil
}

// originalTrace tells each tool call of a trace as a step: what the model said before it, and what came of it.
func originalTrace(ctx context.Context, trace loop.Trace, x *score.Executor) ([]originalStep, error) {
	var steps []originalStep
	thought := ""
	for _, e := range trace {
		if e.Kind == loop.KindModel {
			thought = thoughtOf(e.Text)
		}
		if e.Kind != loop.KindTool || e.Step < 0 {
			continue
		}
		s := originalStep{Step: len(steps), Thought: thought, Action: string(e.Tool), SQL: e.SQL}
		s.Observation = &originalObservation{Success: e.OK, Text: e.Text}
		thought = ""
		if e.OK && e.SQL != "" {
			o, err := x.Run(ctx, e.SQL)
			if err != nil {
				return nil, err
			}
			if o.OK() {
				n := len(o.Result.Rows)
				s.Observation.Rows, s.Observation.Truncated = &n, &o.Result.Truncated
				s.Observation.Columns, s.Observation.Preview = o.Result.Columns, o.Result.Rows[:min(2, n)]
			}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func thoughtOf(text string) string {
	for line := range strings.Lines(text) {
		if t, ok := strings.CutPrefix(strings.TrimSpace(line), "Thought:"); ok {
			return strings.TrimSpace(t)
		}
	}
	return ""
}

func originalOf(i int, r Record) (originalAnswer[originalStep], error) {
	s, ok := r.Scores["dissertation"]
	if !ok {
		return originalAnswer[originalStep]{}, fmt.Errorf("item %s was not scored with the profile dissertation", r.ID)
	}
	out := originalAnswer[originalStep]{I: &i, Question: r.Question, Gold: r.Gold, Raw: r.Raw, SQL: r.SQL, VA: s.VA,
		EM: s.EM, EX: s.EX}
	if s.TS != nil {
		ts := 0
		if *s.TS {
			ts = 1
		}
		out.TS = &ts
	}
	for _, e := range []struct {
		text string
		to   **string
	}{{r.Error, &out.Error}, {r.GoldError, &out.GoldErr}} {
		if e.text != "" {
			*e.to = &e.text
		}
	}
	return out, nil
}

func ratesOf(run Run) originalRates {
	out := originalRates{N: len(run.Records)}
	scores := run.Scores("dissertation")
	for _, measure := range []struct {
		of score.Metric
		to **float64
	}{{score.VA, &out.VA}, {score.EM, &out.EM}, {score.EX, &out.EX}, {score.TS, &out.TS}} {
		if rate := measure.of.Rate(scores); rate.N > 0 {
			v := rate.Value()
			*measure.to = &v
		}
	}
	out.TSN = score.TS.Rate(scores).N
	return out
}

func metadataOf(c Card) originalMetadata {
	return originalMetadata{
		Commit: c.Commit, Model: c.Model, Adapter: c.Adapter, Method: c.Agent, Tag: c.Condition, K: c.Shots,
		Seed:     originalSeed(c.Seed),
		PoolName: c.Pool, HasTS: c.Replicas > 0, Replicas: c.Replicas,
	}
}

// originalSeed is a number where it is written as one.
func originalSeed(seed string) any {
	if n, err := strconv.ParseInt(seed, 10, 64); err == nil {
		return n
	}
	return seed
}
