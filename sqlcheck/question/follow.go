package question

import (
	"slices"

	"nl2sql/sqlcheck/words"
)

// FollowsUp says that the text goes on from another question, as "And in March?" does, and "sort that by price please":
// alone it does not say what is asked. Its first sentence tells: "List the names. Sort them by age." has all.
func (q *Question) FollowsUp() bool {
	for sentence := range sentences(q.tokens) {
		ws := slices.DeleteFunc(slices.Clone(sentence), func(t words.Token) bool { return t.Kind == words.Sign })
		if len(ws) == 0 {
			continue
		}
		return followsUp(ws) || followsUp(withoutOpeners(ws))
	}
	return false
}

// followsUp reports whether words begin as those that follow up do, and are no more than that, polite ones at their end
// aside.
func followsUp(ws []words.Token) bool {
	for len(ws) > 1 && !goesOn(ws) && words.Is(ws[len(ws)-1].Fold, words.Opener) { // "…, please"
		ws = ws[:len(ws)-1]
	}
	return goesOn(ws)
}

func goesOn(ws []words.Token) bool {
	if len(ws) == 0 {
		return false
	}
	return slices.ContainsFunc(words.FollowUps(ws[0].Fold), func(f words.FollowUp) bool {
		if len(ws) < len(f.Words) || f.Most > 0 && len(ws) > f.Most {
			return false
		}
		for i, some := range f.Words {
			if some[0] != words.Any && !slices.Contains(some, ws[i].Fold) {
				return false
			}
		}
		return true
	})
}
