//go:build cgo && llamacpp

package engine

import (
	"reflect"
	"testing"

	"github.com/ollama/ollama/llama"

	"nl2sql/scripts/must"
)

// The Go package hides llama.cpp's pointers in fields named c. Whoever finds this test failing names the new ones in
// pointer.
func TestPointers(t *testing.T) {
	for of, want := range map[reflect.Type]string{
		reflect.TypeFor[llama.Model]():   "_Ctype_struct_llama_model",
		reflect.TypeFor[llama.Context](): "_Ctype_struct_llama_context",
	} {
		field, ok := of.FieldByName("c")
		must.Be(t, ok && field.Type.Kind() == reflect.Pointer && field.Type.Elem().Name() == want,
			of, "has no field c that points to a", want, field.Type)
	}
}
