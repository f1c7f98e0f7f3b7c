package serve

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/syntax"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// The description is that of the routes.
func TestDescription(t *testing.T) {
	text := append(must.Get(json.MarshalIndent(description(), "", " "))(t), '\n')
	if *update {
		must.Do(t, os.WriteFile("openapi.json", text, 0o644))
		return
	}
	must.Be(t, string(text) == string(openapi), "openapi.json is not of these routes: go test ./cli/serve -run Description -update")
}

// said is what the description says of a route in a line, by its method and path; with a ? behind them, the parameter
// that it takes there, and what that means.
func said(of string) string {
	text, _ := os.ReadFile("testdata/routes.txt")
	return syntax.Table(string(text))[of]
}

// object is a piece of the description.
type object = map[string]any

// description is an OpenAPI document. Source: OpenAPI Specification 3.0.3.
func description() object {
	t := types{object{}, map[string]reflect.Type{}}
	paths := object{}
	wrong := content("application/json", t.of(reflect.TypeFor[failed]()))
	for _, r := range routes {
		answers, wrong := content("text/plain", object{"type": "string"}), wrong
		if r.out != nil {
			answers = content("application/json", t.of(reflect.TypeOf(r.out)))
		}
		if r.path == "/mcp" { // it has its own errors
			wrong = content("application/json", object{})
		}
		if r.streams {
			answers["text/event-stream"] = object{"schema": object{"type": "string"}}
		}
		operation := object{
			"summary": said(r.method + r.path), "operationId": strings.NewReplacer("/", "_", ".", "_", "{", "", "}", "").Replace(strings.Trim(r.path, "/")),
			"responses": object{
				"200":     object{"description": "It was done.", "content": answers},
				"default": object{"description": "It was not done; Retry-After says when it may be.", "content": wrong},
			},
		}
		if !r.open {
			operation["security"] = []any{object{"token": []any{}}, object{}}
		}
		if r.in != nil {
			body := content("application/json", t.of(reflect.TypeOf(r.in)))
			operation["requestBody"] = object{"required": true, "content": body}
		}
		if name, is, ok := strings.Cut(said(r.method+r.path+"?"), ": "); ok {
			text := object{"type": "string"}
			operation["parameters"] = []any{object{"name": name, "in": "query", "description": is, "schema": text}}
		}
		if strings.HasSuffix(r.path, "/{id}") {
			text := object{"type": "string"}
			operation["parameters"] = []any{object{"name": "id", "in": "path", "required": true, "schema": text}}
		}
		at, known := paths[r.path].(object)
		if !known {
			at = object{}
			paths[r.path] = at
		} else {
			operation["operationId"] = operation["operationId"].(string) + "_" + strings.ToLower(r.method)
		}
		at[strings.ToLower(r.method)] = operation
	}
	for _, f := range neutral() {
		t.schemas["ChatRequest"].(object)["properties"].(object)[f.Name] = object{"description": f.Is}
	}
	t.of(reflect.TypeFor[loop.Event]()) // what streams tell
	return object{
		"openapi": "3.0.3",
		"info": object{
			"title": "nl2sql", "version": "0",
			"description": "A stream of /api/ask has an event for each step, named by its kind, with an Event as data; " +
				"queue, with the place of a question that waits; and at the end answer, or failed with the body of an error.",
		},
		"paths": paths,
		"components": object{
			"schemas":         t.schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
	}
}

func content(kind string, schema any) object { return object{kind: object{"schema": schema}} }

// types are the schemas of Go's types as encoding/json writes them, by name.
type types struct {
	schemas object
	are     map[string]reflect.Type
}

// of is the schema of a type; that of a named struct is a reference.
func (t types) of(is reflect.Type) object {
	switch {
	case is == reflect.TypeFor[answer.Rows]():
		return object{
			"type": "object", "required": []any{"columns", "rows", "truncated"}, "nullable": true,
			"properties": object{
				"columns": object{"type": "array", "items": object{"type": "string"}},
				"rows": object{"type": "array", "items": object{"type": "array",
					"items": object{"nullable": true}}},
				"truncated": object{"type": "boolean"},
			},
		}
	case is == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case is == reflect.TypeFor[json.RawMessage]():
		return object{}
	}
	switch is.Kind() {
	case reflect.Pointer:
		s := t.of(is.Elem())
		if _, named := s["$ref"]; named {
			return object{"nullable": true, "allOf": []any{s}}
		}
		s["nullable"] = true
		return s
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "nullable": true, "items": t.of(is.Elem())}
	case reflect.Map:
		return object{"type": "object", "nullable": true, "additionalProperties": t.of(is.Elem())}
	case reflect.Interface:
		return object{"nullable": true}
	case reflect.Struct:
		return t.structure(is)
	}
	return object{"type": "integer"}
}

// structure is the schema of a struct. Fields of embedded ones are its own.
func (t types) structure(is reflect.Type) object {
	name := is.Name()
	if name != "" {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	ref := object{"$ref": "#/components/schemas/" + name}
	if _, known := t.schemas[name]; known {
		if t.are[name] != is {
			panic("two types have one name: " + name) // a test reads all
		}
		return ref
	}
	properties, required := object{}, []any{}
	s := object{"type": "object", "properties": properties}
	if name != "" { // before its fields: it may hold itself
		t.schemas[name], t.are[name] = s, is
	}
	for _, f := range reflect.VisibleFields(is) {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || tag == "-" {
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		properties[tag] = t.of(f.Type)
		if !strings.Contains(options, "omitempty") {
			required = append(required, tag)
		}
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if name == "" {
		return s
	}
	return ref
}
