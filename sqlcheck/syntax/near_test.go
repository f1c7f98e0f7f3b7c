package syntax

import (
	"testing"

	"nl2sql/scripts/must"
)

// Names that are mistyped in one of the ways fingers mistype are found, the nearest first, and others are not.
func TestNearNames(t *testing.T) {
	for name, want := range map[string]string{
		"nmae": "name", "emial": "email", "naem": "name", "mane": "", "nam": "name", "namee": "name", "nume": "name",
		"brithday": "birthday", "birthdya": "birthday", "birth_day": "birthday", "phone": "", "ibrthday": "birthday",
	} {
		near := append(NearNames(name, []string{"email", "name", "birthday"}), "")
		must.Equal(t, near[0], want, name)
	}
	for pair, want := range map[[2]string]bool{{"abc", "acb"}: true, {"abc", "abc"}: false, {"abcd", "badc"}: false,
		{"ab", "ba"}: true, {"abc", "ab"}: true, {"abc", "cba"}: false, {"", "a"}: true} {
		must.Equal(t, OneEdit(pair[0], pair[1]), want, pair)
	}
}
