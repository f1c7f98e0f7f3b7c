package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// ReadOriginal reads a run as the original recorded it, in either of its two shapes (dissertation.md §5.10).
// The condition is in the file's name: llama_base_k3_seed7.json.
func ReadOriginal(file string) (Run, error) {
	data, err := files.Read(file, files.Large)
	if err != nil {
		return Run{}, err
	}
	var in struct {
		Timestamp time.Time
		Method    string
		K         *int
		Seed      *json.Number
		Config    struct {
			K    *int         `json:"few_shot_k"`
			Seed *json.Number `json:"few_shot_seed"`
		}
		Results, Items []originalAnswer[json.RawMessage]
		Metadata       struct {
			Commit, Method string
			Model          string `json:"model_id"`
			Replicas       int    `json:"ts_n"`
		} `json:"run_metadata"`
	}
	if err := syntax.JSON(data, &in); err != nil {
		return Run{}, fmt.Errorf("read run %s: %w", file, err)
	}
	records := append(in.Results, in.Items...)
	if n := len(records); n == 0 || n > maxResults {
		return Run{}, fmt.Errorf("read run %s: %d results, but a run has from 1 to %d", file, n, maxResults)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	condition, seed, _ := strings.Cut(name, "_seed")
	run := Run{Name: name, Card: Card{
		Version: 1, Condition: condition, Seed: seed, Agent: in.Method, Pool: "test", Guards: "none",
		Commit: in.Metadata.Commit, Model: in.Metadata.Model, ItemCount: len(records), Replicas: in.Metadata.Replicas,
		Started: in.Timestamp,
	}}
	run.Card.Agent = cmp.Or(run.Card.Agent, in.Metadata.Method)
	for _, k := range []*int{in.K, in.Config.K} {
		if k != nil {
			run.Card.Shots = *k
		}
	}
	for _, s := range []*json.Number{in.Seed, in.Config.Seed} {
		if s != nil {
			run.Card.Seed = s.String()
		}
	}
	for n, r := range records {
		if r.I == nil {
			return Run{}, fmt.Errorf("read run %s: result %d has no number i", file, n+1)
		}
		run.Records = append(run.Records, r.record())
	}
	return run, nil
}

// originalAnswer is one item in either shape. What a step S of a trace holds matters only where it is written.
type originalAnswer[S any] struct {
	I        *int    `json:"i"` // counts from 0, in the order of the run; nil: it is none
	Question string  `json:"nlq"`
	Gold     string  `json:"gold_sql"`
	Raw      string  `json:"raw_sql"`
	SQL      string  `json:"pred_sql"`
	VA       bool    `json:"va"`
	EM       bool    `json:"em"`
	EX       bool    `json:"ex"`
	TS       *int    `json:"ts"`
	Error    *string `json:"error"`
	GoldErr  *string `json:"gold_error"`
	Trace    []S     `json:"trace,omitempty"`
}

func (a originalAnswer[S]) record() Record {
	s := score.Score{VA: a.VA, EM: a.EM, EX: a.EX}
	if a.TS != nil {
		same := *a.TS == 1
		s.TS = &same
	}
	out := Record{
		ID: strconv.Itoa(*a.I), Question: a.Question, Gold: a.Gold, Raw: a.Raw, SQL: a.SQL, Steps: len(a.Trace),
		Scores: map[string]score.Score{"dissertation": s},
	}
	if a.Error != nil {
		out.Error = *a.Error
	}
	if a.GoldErr != nil {
		out.GoldError = *a.GoldErr
	}
	return out
}
