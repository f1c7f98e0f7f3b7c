// Package evaluation scores what the loop answers.
package evaluation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Item is one benchmark question and its gold query.
type Item struct {
	ID       string   `json:"id,omitempty"`       // names it in a run; "" means its place in the list, from 0
	Database string   `json:"database,omitempty"` // "" means the one database of all items
	Question string   `json:"nlq"`
	SQL      string   `json:"sql"`
	Family   string   `json:"family,omitempty"` // items of one family share a query shape
	Accept   []string `json:"accept,omitempty"` // other gold queries
}

// ReadItems reads a JSON array of items or one item a line.
func ReadItems(r io.Reader) ([]Item, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	var items []Item
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '[' {
		if err := json.Unmarshal(data, &items); err != nil {
			return nil, fmt.Errorf("read items: %w", err)
		}
	} else {
		for dec := json.NewDecoder(bytes.NewReader(data)); ; {
			var it Item
			if err := dec.Decode(&it); err == io.EOF {
				break
			} else if err != nil {
				return nil, fmt.Errorf("read items: item %d: %w", len(items)+1, err)
			}
			items = append(items, it)
		}
	}
	for i, it := range items {
		if it.Question == "" || it.SQL == "" {
			return nil, fmt.Errorf("read items: item %d lacks nlq or sql", i+1)
		}
	}
	return items, nil
}
