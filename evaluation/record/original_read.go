package record

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
)

// ReadDissertationRun reads a run as the original recorded it, in either of its two shapes (dissertation.md §5.10).
// The condition is in the file's name: llama_base_k3_seed7.json.
func ReadOriginal(file string) (Run, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Run{}, err
	}
	type record struct {
		I    *int   `json:"i"`
		NLQ  string `json:"nlq"`
		Gold string `json:"gold_sql"`
		Raw  string `json:"raw_sql"`
		Pred string `json:"pred_sql"`

		VA    bool              `json:"va"`
		EM    bool              `json:"em"`
		EX    bool              `json:"ex"`
		TS    *int              `json:"ts"`
		Err   *string           `json:"error"`
		GErr  *string           `json:"gold_error"`
		Trace []json.RawMessage `json:"trace"`
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
		Results, Items []record
		Metadata       struct {
			Commit, Method string
			Model          string `json:"model_id"`
			Replicas       int    `json:"ts_n"`
		} `json:"run_metadata"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return Run{}, fmt.Errorf("read run %s: %w", file, err)
	}
	records := append(in.Results, in.Items...)
	if len(records) == 0 {
		return Run{}, fmt.Errorf("read run %s: no results", file)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	condition, seed, _ := strings.Cut(name, "_seed")
	run := Run{Name: name, Card: Card{
		Version: 1, Condition: condition, Seed: seed, Agent: in.Method, Pool: "test", Guards: "none",
		Commit: in.Metadata.Commit, Model: in.Metadata.Model, ItemCount: len(records), Replicas: in.Metadata.Replicas, Started: in.Timestamp,
	}}
	if run.Card.Agent == "" {
		run.Card.Agent = in.Metadata.Method
	}
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
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for n, r := range records {
		if r.I == nil {
			return Run{}, fmt.Errorf("read run %s: result %d has no number i", file, n+1)
		}
		s := score.Score{VA: r.VA, EM: r.EM, EX: r.EX}
		if r.TS != nil {
			same := *r.TS == 1
			s.TS = &same
		}
		run.Records = append(run.Records, Record{
			ID: strconv.Itoa(*r.I), Question: r.NLQ, Gold: r.Gold, Raw: r.Raw, SQL: r.Pred,
			Error: text(r.Err), GoldError: text(r.GErr), Steps: len(r.Trace),
			Scores: map[string]score.Score{"dissertation": s},
		})
	}
	return run, nil
}
