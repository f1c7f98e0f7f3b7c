package catalog

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// ErrNotFound is in the error of Find when nothing has the name.
var ErrNotFound = errors.New("no model of that name")

// Find returns the file that a name means: the whole name, else the end of it after a slash, else the beginning of its
// last part up to a sign. Letter case does not matter, nor does ".gguf", and ":latest" can be left out. It fails in one
// line for a name that means several files or none.
func (p Places) Find(ctx context.Context, name string) (File, error) {
	files, err := p.Files(ctx)
	if ctx.Err() != nil {
		return File{}, ctx.Err()
	}
	want := canonical(name)
	for _, means := range []func(have string) bool{
		func(have string) bool { return have == want },
		func(have string) bool { return strings.HasSuffix(have, "/"+want) },
		func(have string) bool {
			rest, ok := strings.CutPrefix(path.Base(have), want)
			return ok && want != "" && strings.ContainsAny(rest[:min(1, len(rest))], "-._:")
		},
	} {
		var hits []File
		for _, f := range files {
			same := func(g File) bool { return resolved(g.Path) == resolved(f.Path) }
			if means(canonical(f.Name)) && !slices.ContainsFunc(hits, same) {
				hits = append(hits, f)
			}
		}
		switch {
		case len(hits) == 1 && hits[0].Problem != "":
			return File{}, fmt.Errorf("model %s %s", hits[0].Name, hits[0].Problem)
		case len(hits) == 1:
			return hits[0], nil
		case len(hits) > 1:
			return File{}, fmt.Errorf("model %q can be %s: name one of the files, or more of the name",
				name, list(hits, true))
		}
	}
	hint := "`nl2sql model list` shows what there is"
	if others := near(files, want); len(others) > 0 {
		hint = "did you mean " + list(others, false) + "?"
	}
	if err != nil { // where it might have been
		hint += "; " + err.Error()
	}
	return File{}, fmt.Errorf("model %q: no such file, and %w: %s", name, ErrNotFound, hint)
}

func canonical(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".gguf")
	return strings.TrimSuffix(name, ":latest")
}

// list names some files, with their paths where names may be equal.
func list(files []File, paths bool) string {
	const most = 4
	var names []string
	for _, f := range files[:min(most, len(files))] {
		name := f.Name
		if paths && slices.ContainsFunc(files, func(g File) bool { return g != f && g.Name == f.Name }) {
			name = f.Path
		}
		names = append(names, name)
	}
	text := strings.Join(names, " or ")
	if n := len(files) - most; n > 0 {
		text += fmt.Sprintf(" or %d more", n)
	}
	return text
}

// near returns the files that share most words with a name, best first, and none that shares no more than a number.
func near(files []File, want string) []File {
	words := split(want)
	shared := make(map[string]int)
	var out []File
	for _, f := range files {
		for _, w := range split(canonical(f.Name)) {
			if slices.ContainsFunc(words, func(v string) bool {
				return strings.HasPrefix(v, w) ||
					strings.HasPrefix(w, v)
			}) {
				shared[f.Name] += len(w)
			}
		}
		if shared[f.Name] > 2 {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b File) int { return shared[b.Name] - shared[a.Name] })
	return out[:min(3, len(out))]
}

func split(name string) []string {
	return strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
