// Package must is for tests: what a test needs before it can begin, or else ends. It imports nothing of ours.
package must

import "io"

// T is the part of a test that a step needs: *testing.T, *testing.B, *testing.F or *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
	Error(args ...any)
	Cleanup(func())
}

// Do ends a test that cannot go on.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get is what a call gives, for a test that cannot go on without: must.Get(os.ReadFile(name))(t).
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Close closes what a test opened, at its end.
func Close(t T, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
