package loop

import "nl2sql/tools"

// GateID names a gate in traces.
type GateID string

// Ruling is a gate's answer. The zero value lets the action through.
type Ruling struct {
	Force tools.Name // run this tool instead
	Block string     // shown to the model instead of running the tool
	Why   string     // for the trace
}

// Gate is one row of the reference's table of gates and overrides.
type Gate struct {
	ID   GateID
	Rule func(s State, asked tools.Name) Ruling
}

// gates in force (tech. ref. §2.3). Each row sees the action that the rows above left: the overrides come
// first, a later one outranks an earlier one, and so a missing extraction wins on the first step; a block ends the row.
var gates = []Gate{
	{"forced_repair", func(s State, asked tools.Name) Ruling {
		if s.PendingRepair != "" && asked != tools.RepairSQL {
			return Ruling{Force: tools.RepairSQL, Why: s.PendingRepair}
		}
		return Ruling{}
	}},
	{"forced_regenerate", func(s State, asked tools.Name) Ruling {
		if s.PendingRegenerate != "" && asked != tools.GenerateSQL {
			return Ruling{Force: tools.GenerateSQL, Why: s.PendingRegenerate}
		}
		return Ruling{}
	}},
	{"forced_constraints", func(s State, asked tools.Name) Ruling {
		if s.Constraints == nil && !s.Without.offTool(tools.ExtractConstraints) && asked != tools.ExtractConstraints &&
			asked != tools.RepairSQL {
			return Ruling{Force: tools.ExtractConstraints, Why: "constraints missing"}
		}
		return Ruling{}
	}},
	{"candidate_gate", func(s State, asked tools.Name) Ruling { // ours: there is nothing to check or repair yet
		if s.SQL == "" && (asked == tools.ValidateSQL || asked == tools.ValidateConstraints ||
			asked == tools.RepairSQL) {
			return Ruling{Block: string(asked) + ": there is no SQL yet: generate_sql first"}
		}
		return Ruling{}
	}},
	{"run_gate", func(s State, asked tools.Name) Ruling {
		if asked != tools.RunSQL {
			return Ruling{}
		}
		switch {
		case s.SQL == "":
			return Ruling{Block: "run_sql: there is no SQL yet: generate_sql first"}
		case s.Valid == Unknown:
			return Ruling{Block: "run_sql: validate_sql first"}
		case s.Valid == Failed:
			return Ruling{Block: "run_sql: validate_sql failed: repair_sql first"}
		case s.Without.offTool(tools.ValidateConstraints):
		case s.ConstraintsOK == Unknown:
			return Ruling{Block: "run_sql: validate_constraints first"}
		case s.ConstraintsOK == Failed:
			return Ruling{Block: "run_sql: validate_constraints failed: repair_sql first"}
		}
		return Ruling{}
	}},
	{"finish_gate", func(s State, asked tools.Name) Ruling {
		if asked == tools.Finish && s.Ran != Passed {
			return Ruling{Block: "finish: the last run_sql must have succeeded"}
		}
		return Ruling{}
	}},
}

// fired is a gate that did something.
type fired struct {
	id     GateID
	ruling Ruling
	asked  tools.Name
}

// rule sends asked through the gates and returns what may run, "" if it is blocked, and every gate that fired.
func rule(gates []Gate, s State, asked tools.Name) (tools.Name, []fired) {
	var log []fired
	for _, g := range gates {
		r := g.Rule(s, asked)
		if r == (Ruling{}) {
			continue
		}
		log = append(log, fired{g.ID, r, asked})
		if r.Block != "" {
			return "", log
		}
		asked = r.Force
	}
	return asked, log
}
