package tools

// Kind is the type of an argument.
type Kind string

const (
	KindText  Kind = "text"
	KindTable Kind = "table" // a table of the schema
	KindCount Kind = "count" // 1 to maxSamples
)

// Arg is an argument that a tool takes.
type Arg struct {
	Name     string
	Kind     Kind
	Optional bool // optional ones come last
}

// args lists the tools that take arguments; the others read the Env alone (tech. ref. §3).
var args = map[Name][]Arg{
	GetTableSamples: {{Name: "table", Kind: KindTable}, {Name: "n", Kind: KindCount, Optional: true}},
	Finish:          {{Name: "answer", Kind: KindText, Optional: true}}, // models write one; it is not read
}

// Args returns the arguments that a tool takes, in the order in which prompts show them.
func Args(n Name) []Arg { return args[n] }
