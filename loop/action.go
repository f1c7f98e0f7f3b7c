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
		Args: arguments(text[m[1]:]),
	}, true
}

var noArgs = json.RawMessage("{}")

// arguments decodes the object that follows the opening bracket of an action.
func arguments(rest string) json.RawMessage {
	rest, ok := strings.CutPrefix(rest, "[")
	if !ok {
		return noArgs
	}
	var raw json.RawMessage
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw); err != nil {
		return noArgs
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return noArgs
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return noArgs
	}
	return b.Bytes()
}
