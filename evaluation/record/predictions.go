package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"nl2sql/loop/item"
)

// ReadPredictions reads one query for each of n gold queries, in their order: a run of ours or of the original; JSON,
// an object of numbered texts (BIRD) or an array of texts or of objects with pred_sql, predicted_sql or sql; or text, a
// query a line (Spider). What BIRD and Spider put behind a query, its database, is left out.
func ReadPredictions(file string, n int) ([]string, error) {
	preds, err := readPredictions(file, n)
	if err != nil {
		return nil, err
	}
	if len(preds) != n {
		return nil, fmt.Errorf("%s: %d predictions for %d gold queries: one for each is wanted, in their order",
			file, len(preds), n)
	}
	return preds, nil
}

func readPredictions(file string, n int) ([]string, error) {
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		return predictionsOf(file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("%s: no predictions", file)
	case data[0] == '[':
		preds, err := arrayOfPredictions(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return preds, nil
	case data[0] == '{':
		var numbered map[string]string
		if err := json.Unmarshal(data, &numbered); err == nil {
			preds, err := numberedPredictions(numbered)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return preds, nil
		}
		return predictionsOf(file)
	}
	lines, err := item.Lines(file)
	if err != nil {
		return nil, err
	}
	if len(lines) != n { // then an empty line is no prediction
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	for i, line := range lines {
		lines[i] = item.WithoutDatabase(line)
	}
	return lines, nil
}

// predictionsOf are those of a run.
func predictionsOf(path string) ([]string, error) {
	run, err := ReadRun(path)
	if err != nil {
		return nil, err
	}
	preds := make([]string, len(run.Records))
	for i, r := range run.Records {
		preds[i] = r.SQL
	}
	return preds, nil
}

func arrayOfPredictions(data []byte) ([]string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	preds := make([]string, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &preds[i]) == nil {
			preds[i] = item.WithoutDatabase(preds[i])
			continue
		}
		var object struct {
			Pred      *string `json:"pred_sql"`
			Predicted *string `json:"predicted_sql"`
			SQL       *string `json:"sql"`
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, fmt.Errorf("prediction %d: a text or an object is wanted: %w", i+1, err)
		}
		found := slices.IndexFunc([]*string{object.Pred, object.Predicted, object.SQL},
			func(s *string) bool { return s != nil })
		if found < 0 {
			return nil, fmt.Errorf("prediction %d has no pred_sql, predicted_sql or sql", i+1)
		}
		preds[i] = *[]*string{object.Pred, object.Predicted, object.SQL}[found]
	}
	return preds, nil
}

// numberedPredictions puts {"0": …, "1": …} in order.
func numberedPredictions(numbered map[string]string) ([]string, error) {
	preds := make([]string, len(numbered))
	for i := range preds {
		sql, ok := numbered[strconv.Itoa(i)]
		if !ok {
			return nil, fmt.Errorf("predictions are numbered from 0, and there is no %d", i)
		}
		preds[i] = item.WithoutDatabase(sql)
	}
	return preds, nil
}
