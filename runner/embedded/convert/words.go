package convert

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordsText string

// known are the words of words.txt by their kinds.
var known = func() map[string]map[string]bool {
	kinds := map[string]map[string]bool{}
	for line := range strings.Lines(wordsText) {
		kind, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if kinds[kind] == nil {
			kinds[kind] = map[string]bool{}
		}
		for word := range strings.SplitSeq(words, "|") {
			kinds[kind][word] = true
		}
	}
	return kinds
}()

// Words of weakWords are NULL beside numbers alone; those of nullWords, among which they are, beside texts too.
var (
	units, measures, weekdays = known["currency"], known["measure"], known["weekday"]
	nullWords, weakWords      = known["nothing"], known["nothing beside numbers"]
)
