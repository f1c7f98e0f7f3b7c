//go:build !(cgo && llamacpp)

package engine

// Open fails: this build has no engine.
func Open() (Engine, error) { return nil, ErrNotBuilt }
