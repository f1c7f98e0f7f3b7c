package schema

import (
	"bytes"
	"errors"
	"fmt"

	"nl2sql/sqlcheck/syntax"
)

// Parse reads a schema as people keep it: CREATE TABLE statements, see [ParseDDL], or the JSON of a [Schema].
// One without tables is an error: the text is something else.
func Parse(text []byte) (*Schema, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	s := &Schema{}
	var err error
	if start := bytes.TrimSpace(text); bytes.HasPrefix(start, []byte("{")) {
		err = syntax.JSON(start, s)
	} else {
		s, err = ParseDDL("", string(text))
	}
	if err != nil {
		return nil, err
	}
	for i, t := range s.Tables {
		if t.Name == "" || len(t.Columns) == 0 {
			return nil, fmt.Errorf("table %d has no name or no columns", i+1)
		}
	}
	if len(s.Tables) == 0 {
		return nil, errors.New("there is no table in it: CREATE TABLE statements, or what `nl2sql schema --format json` prints, will do")
	}
	return s, nil
}
