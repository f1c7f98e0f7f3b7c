package sqlcheck

// Input is what guards may look at besides the SQL.
type Input struct {
	Question string
	Schema   *Schema
}

// Change is what one guard did to one query.
type Change struct {
	Guard string `json:"guard"`
	Why   string `json:"why"`
	SQL   string `json:"sql"` // after the change
}

// Guard is one small named rule that rewrites a query, or rejects model text that holds none.
type Guard struct {
	Name string
	// Apply returns the new text and why it changed, or sql unchanged with an empty why.
	// A rejecting verdict ends the pipeline.
	Apply func(sql string, in Input) (out, why string, v Verdict)
}

// Guards run in order.
type Guards []Guard

// GuardSet returns a named set ("default", "seed", "none"), or the guards of a comma-separated
// list of names; "-name" after a set takes one out ("default,-projection").
func GuardSet(spec string) (Guards, error) { return nil, nil }

// Apply sends raw model text through the guards. A rejecting verdict means that no candidate is left.
func (g Guards) Apply(raw string, in Input) (sql string, changes []Change, v Verdict) {
	sql = raw
	for _, guard := range g {
		out, why, v := guard.Apply(sql, in)
		if !v.OK {
			return "", changes, v
		}
		if why != "" {
			changes = append(changes, Change{Guard: guard.Name, Why: why, SQL: out})
		}
		sql = out
	}
	return sql, changes, Pass("clean")
}
