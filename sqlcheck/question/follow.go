package question

import (
	"slices"

	"nl2sql/sqlcheck/words"
)

// FollowsUp says that the text goes on from another question, as "And in March?" does, and "sort that by price please":
// alone it does not say what is asked. Its first sentence tells: "List the names. Sort them by age." has all.
func (q *Question) FollowsUp() bool {
	ws := q.firstSentence()
	for rest := withoutOpener(ws); !followsUp(ws) && len(rest) < len(ws); rest = withoutOpener(ws) {
		ws = rest
	}
	return followsUp(ws)
}

// GoesOn says that the text goes on from another question where one was asked before.
func (q *Question) GoesOn() bool { return q.Refers() || q.leans() }

// Refers is GoesOn of a text that begins or ends as such texts do: "by name", "the price of those".
func (q *Question) Refers() bool {
	begins := func(f words.FollowUp) bool { return stand(f.Words[1:], withoutOpeners(q.firstSentence()), f.Most) }
	return q.FollowsUp() || q.Ends() || slices.ContainsFunc(words.FollowUps(words.Behind), begins)
}

// Ends says that the text ends in "of those", which speaks of what a question before it found, if there is one.
func (q *Question) Ends() bool {
	ws := q.firstSentence()
	return slices.ContainsFunc(words.FollowUps(words.Ends), func(f words.FollowUp) bool {
		n := len(f.Words) - 1
		return len(ws) > n && len(ws) <= f.Most && stand(f.Words[1:], ws[len(ws)-n:], 0)
	})
}

// leans reports whether a text names nothing of the schema that it could ask about, or has a pronoun before the first
// table that it names: "how many without?", "show me their names".
func (q *Question) leans() bool {
	if q.Schema == nil {
		return false
	}
	for i := range q.Words {
		if t, _ := q.TableAt(i); t != nil {
			return false
		}
		if !q.Words[i].Masked && words.Is(q.Words[i].Low, words.Refers) {
			return true
		}
	}
	named := func(c ColumnWords) bool { return q.Mention(0, c.Words) >= 0 || q.Mention(0, c.Own) >= 0 }
	return !slices.ContainsFunc(q.Voc.Columns, named) && !slices.ContainsFunc(q.Words, q.translated) &&
		len(q.Translations()) == 0
}

// firstSentence is the words of the first one that is more than polite: "Thanks! And in March?"
func (q *Question) firstSentence() (ws []words.Token) {
	for sentence := range sentences(q.tokens) {
		ws = slices.DeleteFunc(slices.Clone(sentence), func(t words.Token) bool { return t.Kind == words.Sign })
		if len(withoutOpeners(ws)) > 0 {
			return ws
		}
	}
	return ws
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
	year := len(ws) == 1 && len(ws[0].Fold) == 4 && ws[0].Kind == words.Number // "2004?"
	return year || len(ws) > 0 && slices.ContainsFunc(words.FollowUps(ws[0].Fold),
		func(f words.FollowUp) bool { return stand(f.Words, ws, f.Most) })
}

// stand reports whether words begin with some of each place, and are no more than most; 0 sets no limit.
func stand(places [][]string, ws []words.Token, most int) bool {
	if len(ws) < len(places) || most > 0 && len(ws) > most {
		return false
	}
	for i, some := range places {
		number := ws[i].Kind == words.Number && slices.Contains(some, words.AnyNumber)
		if some[0] != words.Any && !number && !slices.Contains(some, ws[i].Fold) {
			return false
		}
	}
	return true
}
