package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"nl2sql/loop/item"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// ReadPredictions reads one query for each gold query, in their order or by the IDs of golds, where all have one: a run
// of ours or of the original; JSON, an object of numbered texts (BIRD), an array of texts or of objects with pred_sql,
// predicted_sql or sql, or such an object a line, as ask --file writes them; CSV with such a column; or text, a query a
// line (Spider). What BIRD and Spider put behind a query, its database, is left out.
func ReadPredictions(file string, golds []item.Item) ([]string, error) {
	n := len(golds)
	list, err := readPredictions(file, n)
	if err != nil {
		return nil, err
	}
	preds, err := inOrder(list, golds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(preds) != n {
		return nil, fmt.Errorf("%s: %d predictions for %d gold queries: one for each is wanted, in their order",
			file, len(preds), n)
	}
	return preds, nil
}

// prediction is a query, with the ID of its gold query where the file has one.
type prediction struct{ id, sql string }

// inOrder are predictions in the order of their golds, if all have an ID, else in their own.
func inOrder(list []prediction, golds []item.Item) ([]string, error) {
	preds := make([]string, len(list))
	byID := map[string]string{}
	for i, p := range list {
		preds[i] = p.sql
		if _, twice := byID[p.id]; twice && p.id != "" {
			return nil, fmt.Errorf("two predictions have the id %s", p.id)
		}
		byID[p.id] = p.sql
	}
	if slices.ContainsFunc(list, func(p prediction) bool { return p.id == "" }) || len(list) != len(golds) {
		return preds, nil
	}
	for i, gold := range golds {
		sql, there := byID[gold.ID]
		if !there {
			return nil, fmt.Errorf("no prediction has the id %s", gold.ID)
		}
		preds[i] = sql
	}
	return preds, nil
}

// inLines are texts without IDs.
func inLines(texts []string) []prediction {
	return syntax.Map(texts, func(text string) prediction { return prediction{sql: item.WithoutDatabase(text)} })
}

func readPredictions(file string, n int) ([]prediction, error) {
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		return predictionsOf(file)
	}
	data, err := files.Read(file, files.Large)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("%s: no predictions", file)
	case bytes.Count(data, []byte("\n")) > maxLines:
		return nil, fmt.Errorf("%s: more than %d lines, the most that is read", file, maxLines)
	case data[0] == '[':
		preds, err := arrayOfPredictions(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return preds, nil
	case data[0] == '{' && isPrediction(bytes.SplitN(data, []byte("\n"), 2)[0]):
		var list []prediction
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			p, err := readPrediction(line, len(list)+1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			list = append(list, p)
		}
		return list, nil
	case data[0] == '{':
		var numbered map[string]string
		if err := syntax.JSON(data, &numbered); err == nil {
			preds, err := numberedPredictions(numbered)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return inLines(preds), nil
		}
		return predictionsOf(file)
	}
	if list, is, err := tableOfPredictions(data); is {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return list, nil
	}
	lines, err := item.Lines(file)
	if err != nil {
		return nil, err
	}
	if len(lines) != n { // then an empty line is no prediction
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	return inLines(lines), nil
}

// predictionsOf are those of a run.
func predictionsOf(path string) ([]prediction, error) {
	run, err := ReadRun(path)
	return syntax.Map(run.Records, func(r Record) prediction { return prediction{sql: r.SQL} }), err
}

func arrayOfPredictions(data []byte) ([]prediction, error) {
	var list []json.RawMessage
	if err := syntax.JSON(data, &list); err != nil {
		return nil, err
	}
	preds := make([]prediction, len(list))
	var err error
	for i, raw := range list {
		if preds[i], err = readPrediction(raw, i+1); err != nil {
			return nil, err
		}
	}
	return preds, nil
}

// predictedNames are what files call a prediction, and idNames what they call its gold query.
var predictedNames, idNames = []string{"pred_sql", "predicted_sql", "sql"}, []string{"id", "i"}

// isPrediction says that a line is an object with a prediction: none of BIRD's, and not the head of a run.
func isPrediction(line []byte) bool {
	var object map[string]json.RawMessage
	return syntax.JSON(line, &object) == nil &&
		slices.ContainsFunc(predictedNames, func(name string) bool { return object[name] != nil })
}

// readPrediction reads a text, or an object.
func readPrediction(raw json.RawMessage, n int) (p prediction, err error) {
	if json.Unmarshal(raw, &p.sql) == nil {
		p.sql = item.WithoutDatabase(p.sql)
		return p, nil
	}
	var object map[string]json.RawMessage
	if err := syntax.JSON(raw, &object); err != nil {
		return p, fmt.Errorf("prediction %d: a text or an object is wanted: %w", n, err)
	}
	for _, name := range idNames {
		if id := object[name]; id != nil && p.id == "" {
			p.id = strings.Trim(string(id), `"`)
		}
	}
	for _, name := range predictedNames {
		if text := object[name]; text != nil {
			if err := json.Unmarshal(text, &p.sql); err != nil {
				return p, fmt.Errorf("prediction %d: %s must be a text", n, name)
			}
			return p, nil
		}
	}
	return p, fmt.Errorf("prediction %d has no pred_sql, predicted_sql or sql", n)
}

// tableOfPredictions reads CSV. It is some where its first line names columns, each in one word, and one of them is of
// predictions.
func tableOfPredictions(data []byte) (list []prediction, is bool, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	head, err := r.Read()
	column := func(names []string) int {
		return slices.IndexFunc(head, func(cell string) bool { return slices.Contains(names, strings.ToLower(cell)) })
	}
	sql, id := column(predictedNames), column(idNames)
	if err != nil || sql < 0 || slices.ContainsFunc(head, func(cell string) bool { return strings.ContainsAny(cell, " *(") }) {
		return nil, false, nil
	}
	rows, err := r.ReadAll()
	for _, row := range rows {
		p := prediction{sql: row[sql]}
		if id >= 0 {
			p.id = row[id]
		}
		list = append(list, p)
	}
	return list, true, err
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
