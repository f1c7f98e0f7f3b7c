package question

import (
	_ "embed"
	"slices"
	"strings"

	"nl2sql/sqlcheck/words"
)

// talks is what small talk does, and about what a question to an answer does.
const (
	talks = "asks nothing about the data"
	about = "asks about an answer, and nothing about the data"
)

// replies are what to say where one of the words is said, the first that is: a line each.
//
//go:embed replies.txt
var replies string

// Reply is what to say to small talk; "" to all else.
func (q *Question) Reply() string {
	switch q.Nothing() {
	case about:
		return "There is no answer to speak of yet. Ask for what the database holds."
	case talks:
		for line := range strings.Lines(replies) {
			said, reply, _ := strings.Cut(line, ": ")
			heard := func(t words.Token) bool { return slices.Contains(strings.Fields(said), t.Fold) }
			if said == "*" || slices.ContainsFunc(q.tokens, heard) {
				return strings.TrimSpace(reply)
			}
		}
	}
	return ""
}

// Nothing says why the question asks nothing about data: it has no words, greets, is random letters, or only begins as
// questions do; "" if it may be one, as it is in doubt.
func (q *Question) Nothing() string {
	said, small, random, counted := q.said(), 0, 0, 0
	letters := slices.ContainsFunc(q.tokens, func(t words.Token) bool { return t.Kind == words.Word })
	for _, w := range said {
		if words.Is(w, words.SmallTalk) {
			small++
		}
		if isRandom(w) {
			random++
		}
		if isCount(w) {
			counted++
		}
	}
	switch {
	case !letters && !q.FollowsUp():
		return "has no words"
	case small > 0 && small+counted == len(said), q.IsWhole(words.Talk):
		return talks
	case words.Is(said[0], words.Program) && len(said) < 6 && len(q.Known()) == 0 && !q.Voc.stems[words.Stem(said[0])]:
		return "is a command to another program"
	case q.IsWhole(words.Meta):
		return about
	case random == len(said):
		return "has no words that can be read"
	case !slices.ContainsFunc(said, whole) && !q.Asks(^(words.Count-1)&^words.Compares) &&
		!q.Has("all", "many", "much") && !q.FollowsUp() && !q.IsWhole(words.Further) && (q.Schema == nil || q.leans()):
		return "is no whole question"
	}
	return ""
}

// whole reports whether a word says more than how a question begins.
func whole(w string) bool {
	return !isCount(w) && !words.Is(w, words.Stop|words.Request|words.Opener|words.SmallTalk)
}

// isCount reports whether a word is a number, and no year.
func isCount(w string) bool { return len(w) < 4 && strings.Trim(w, "0123456789") == "" }

// said are the words, each with what touches it: "what's" and "I'm", and not "l'autre".
func (q *Question) said() (said []string) {
	for i, t := range q.tokens {
		switch {
		case t.Kind == words.Sign:
		case (q.touches(i-1, "'") || q.touches(i-1, "’")) && (said[len(said)-1] == "i" || len(said[len(said)-1]) > 2):
			said[len(said)-1] += t.Fold
		case q.touches(i-1, "_"):
			said[len(said)-1] += "_" + t.Fold
		default:
			said = append(said, t.Fold)
		}
	}
	return said
}

// IsWhole reports whether the whole text, but for small talk and polite words around it, has one of the uses: "ok, the
// other way round please".
func (q *Question) IsWhole(u words.Use) bool {
	text := strings.Join(q.said(), " ")
	aside := func(w string) bool { return strings.HasPrefix(text, w+" ") || strings.HasSuffix(text, " "+w) }
	for !words.Is(text, u) {
		i := slices.IndexFunc(polite(), aside)
		if i < 0 {
			return false
		}
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(text, " "+polite()[i]), polite()[i]+" "))
	}
	return text != ""
}

// rows of keyboards, which fingers run along.
var rows = strings.Fields("qwertyuiop qwertzuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm yxcvbnm 1234567890 " +
	"poiuytrewq poiuztrewq poiuytreza lkjhgfdsa mlkjhgfdsq mnbvcxz mnbvcxy 0987654321")

// isRandom reports whether a word, which no name or abbreviation is as long as, is letters without sense: a run of
// keys, one letter again and again, or six letters and more without a vowel.
func isRandom(w string) bool {
	if len(w) < 4 || strings.ContainsRune(w, '_') {
		return false
	}
	if strings.Count(w, w[:1]) == len(w) {
		return true
	}
	for _, row := range rows {
		ends := len(w) >= 6 && strings.Contains(row, w[:4]) && strings.Contains(row, w[len(w)-2:])
		if ends || strings.Contains(row, w) {
			return true
		}
	}
	return len(w) >= 6 && strings.Trim(w, "bcdfghjklmnpqrstvwxz") == ""
}
