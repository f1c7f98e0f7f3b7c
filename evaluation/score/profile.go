package score

import (
	"fmt"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// Profile is one way to score a prediction.
type Profile struct {
	Name  string
	What  string // one line for people
	Score func(Case) Score
}

// Profiles in the order in which reports show them.
var Profiles = []Profile{
	{"strict", "the same values in the same columns; the order of rows as far as the gold query settles it",
		scoreStrict},
	{"reader", "as strict, with the columns in any order and others beside them, and quotients at the shorter scale", scoreReader},
	{"dissertation", "exactly as the dissertation scored: column order and count matter, row order never does",
		scoreDissertation},
	{"spider", "Spider's exact set match, and the same rows in some order of the columns", scoreSpider},
	{"test-suite", "as spider, and on every replica too", scoreTestSuite},
	{"bird", "BIRD's: the same set of rows; soft F1 of the cells", scoreBird},
}

// ProfilesNamed returns profiles by their names.
func ProfilesNamed(names ...string) (out []Profile, err error) {
	for _, name := range names {
		i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == name })
		if i < 0 {
			all := syntax.Map(Profiles, func(p Profile) string { return p.Name })
			return nil, fmt.Errorf("no profile %q: there are %s", name, strings.Join(all, ", "))
		}
		out = append(out, Profiles[i])
	}
	return out, nil
}
