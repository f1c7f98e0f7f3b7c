package sqlcheck

// Reason names why a check rejected a query. The strings are part of the trace
// format: add new ones, never rename old ones.
type Reason string

// Verdict is what one check says about one query. A rejected query is an expected
// outcome, so it is a value; an error means that the check itself could not run.
type Verdict struct {
	Check  string `json:"check"`            // "clean", "parse", "policy", "refs", "constraints", "intent"
	OK     bool   `json:"ok"`               // true also for an unsure finding, which blocks nothing
	Reason Reason `json:"reason,omitempty"` // zero if and only if there is no finding
	Detail string `json:"detail,omitempty"` // the offender as written, e.g. "orders.foo"
	Hint   string `json:"hint,omitempty"`   // what to do about it, for the repair prompt, one line
	Code   uint16 `json:"code,omitempty"`   // MySQL's number for the same error, e.g. 1054; 0 if it has none
	Pos    int    `json:"pos,omitempty"`    // byte offset of the offender in the checked text; 0 is also unknown
	Unsure bool   `json:"unsure,omitempty"` // a finding that a reader should see and that forces nothing
}

// Pass returns the accepting verdict of check.
func Pass(check string) Verdict { return Verdict{Check: check, OK: true} }

// Reject returns a rejecting verdict of check.
func Reject(check string, why Reason, detail string) Verdict {
	return Verdict{Check: check, Reason: why, Detail: detail}
}

// Advice is what a model that is to repair the query is told: the finding and what to do about it.
func (v Verdict) Advice() string {
	if v.Hint == "" {
		return v.String()
	}
	return v.String() + ". " + v.Hint
}

// String is the form shown to the model and in the decision log: "unknown_column:orders.foo".
func (v Verdict) String() string {
	switch {
	case v.Reason == "":
		return "ok"
	case v.Detail == "":
		return string(v.Reason)
	default:
		return string(v.Reason) + ":" + v.Detail
	}
}
