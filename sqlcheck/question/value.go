package question

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// synonyms are groups of names for one thing, lower case, letters and digits only. They replace a literal only
// if the column is known to hold exactly one of the group and not the literal.
var synonyms = [][]string{
	{"usa", "us", "unitedstates", "unitedstatesofamerica", "america"},
	{"uk", "unitedkingdom", "greatbritain", "britain", "gb", "gbr"},
	{"uae", "unitedarabemirates"},
	{"korea", "southkorea", "republicofkorea"},
	{"czechrepublic", "czechia"},
	{"netherlands", "thenetherlands", "holland"},
	{"russia", "russianfederation"},
	{"germany", "deutschland", "de", "ger"},
	{"france", "fr", "fra"},
	{"nyc", "newyorkcity", "newyork"},
	{"la", "losangeles"},
	{"sf", "sanfrancisco"},
	{"canceled", "cancelled"},
	{"f", "female", "woman"},
	{"m", "male", "man"},
	{"yes", "y", "true"},
	{"no", "n", "false"},
}

func bare(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NearestValue finds the one value that text must mean. typo allows for a slip of one letter: only where the question
// does not have the text, so that the model and not the user made it. It finds none if the values hold text, whatever its case.
func NearestValue(text string, values []string, typo bool) (string, bool) {
	for _, v := range values {
		if strings.EqualFold(v, text) {
			return "", false
		}
	}
	key := bare(text)
	if key == "" {
		return "", false
	}
	tests := []func(v string) bool{
		func(v string) bool { return bare(v) == key },
		func(v string) bool { return areSynonyms(bare(v), key) },
		func(v string) bool { return Stem(strings.TrimSpace(v)) == Stem(strings.TrimSpace(text)) },
		func(v string) bool { return typo && len(key) >= 5 && !hasDigit(key) && syntax.OneEdit(bare(v), key) },
	}
	for _, test := range tests {
		var hit []string
		for _, v := range values {
			if test(v) {
				hit = append(hit, v)
			}
		}
		if len(hit) == 1 {
			return hit[0], true
		}
		if len(hit) > 1 {
			return "", false
		}
	}
	return "", false
}

// ValuesWith are the values that have text as a part, from word to word: London Heathrow for Heathrow. There are none where one is the text itself.
func ValuesWith(text string, values []string) (whole []string) {
	low, part := strings.ToLower(text), NewBag(text).Phrase()
	for _, v := range values {
		if SameText(v, text) {
			return nil
		}
		if strings.Contains(strings.ToLower(v), low) && strings.Contains(NewBag(v).Phrase(), part) {
			whole = append(whole, v)
		}
	}
	return whole
}

// SameText reports whether MySQL's usual collations take two texts for the same: case, accents and blanks at the end do not count.
func SameText(a, b string) bool {
	plain := func(s string) string { return plainLetters.Replace(strings.ToLower(strings.TrimRight(s, " "))) }
	return strings.EqualFold(a, b) || plain(a) == plain(b)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func areSynonyms(a, b string) bool {
	for _, group := range synonyms {
		var hasA, hasB bool
		for _, w := range group {
			hasA = hasA || w == a
			hasB = hasB || w == b
		}
		if hasA && hasB {
			return true
		}
	}
	return false
}

// groupOf are the groups of synonyms by their words. Yes and no need a context, and "us" or "la" are other words as well.
var groupOf = func() map[string][]string {
	groups := map[string][]string{}
	for _, group := range synonyms {
		for _, w := range group {
			if len(w) > 1 && !IsStopWord(w) && !slices.Contains(group, "yes") && !slices.Contains(group, "no") {
				groups[w] = group
			}
		}
	}
	return groups
}()

// ValueMeant is the one value of a column that a word in lower case stands for: female for F. Single letters are codes for much:
// F is female where half of the column's values are of that kind.
func ValueMeant(word string, values []string) (value string, ok bool) {
	group := groupOf[word]
	if group == nil {
		return "", false
	}
	hits, letters := 0, 0
	for _, v := range values {
		key := bare(v)
		if slices.Contains(group, key) {
			value, hits = v, hits+1
		}
		if key == "m" || key == "f" {
			letters++
		}
	}
	return value, hits == 1 && (len(bare(value)) > 1 || 2*letters >= len(values))
}
