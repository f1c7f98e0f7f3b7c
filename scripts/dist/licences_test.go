package main

import (
	"regexp"
	"slices"
	"testing"

	"nl2sql/assets"
	"nl2sql/scripts/must"
)

// Every module that is linked into a release has its licence in the program, and no other has.
func TestLicencesOfRelease(t *testing.T) {
	t.Chdir("../..")
	want := []string{"nl2sql", "go", "llama.cpp", "wordnet", "glibc", "libstdc++", "libgcc"}
	for _, m := range must.Get(releaseModules())(t) {
		want = append(want, m.Path)
	}
	var got []string
	text := must.Get(assets.Licences())(t)
	for _, m := range regexp.MustCompile(`(?m)^==== (\S+): `).FindAllStringSubmatch(text, -1) {
		got = append(got, m[1])
	}
	got = slices.Compact(got)
	slices.Sort(got)
	slices.Sort(want)
	must.Be(t, slices.Equal(got, want),
		"the licences in assets are of", got, want, "go run ./scripts/dist licences writes them")
}
