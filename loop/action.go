package loop

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"nl2sql/tools"
)

// actionLine finds the head of an action; its arguments reach to the bracket that closes it.
var actionLine = regexp.MustCompile(`(?m)^[ \t>*]*Action[ \t]*:[ \t*]*([A-Za-z_]+)[ \t]*`)

// parseAction reads the last action of a reply (tech. ref. §7.2). Arguments that are no JSON object
// become an empty one, never an error; ok is false where the reply holds no action.
func parseAction(text string) (call tools.Call, ok bool) {
	all := actionLine.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return tools.Call{}, false
	}
	m := all[len(all)-1]
	return tools.Call{
		Tool: tools.Name(strings.ToLower(text[m[2]:m[3]])),
		Args: Arguments(text[m[1]:]),
	}, true
}

// NoArgs is what an action without arguments has.
var NoArgs = json.RawMessage("{}")

// Arguments decodes the object that follows the opening bracket of an action; NoArgs where there is none.
func Arguments(rest string) json.RawMessage {
	rest, ok := strings.CutPrefix(rest, "[")
	if !ok {
		return NoArgs
	}
	var raw json.RawMessage
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw); err != nil {
		return NoArgs
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return NoArgs
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return NoArgs
	}
	return b.Bytes()
}
