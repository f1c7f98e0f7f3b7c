package words

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"

	"nl2sql/assets"
)

// A Concept is one of the things that words of a language mean: a synset of WordNet.
type Concept int32

// wordNet is the text that was cut from WordNet 3.0: how many words there are, then a line each, sorted: "word", a tab,
// and its senses, the most usual first, as "nCONCEPT,SHARE", or "=word" for an irregular form of another; then a line
// for each concept, with what it leads to: "@" and the number of what it is a kind of, "+" what is derived from it, "="
// what it is a measure of, "&" what is much the same, "\" what it pertains to. Numbers are of base 36, shares of 100.
type wordNet struct {
	words, concepts []string
}

var wordNetOf = sync.OnceValue(func() wordNet {
	text, err := assets.WordNet()
	var count int
	if err == nil {
		head, rest, _ := strings.Cut(text, "\n")
		text = rest
		count, err = strconv.Atoi(head)
	}
	lines := strings.Split(text, "\n")
	if err != nil || count > len(lines) {
		panic(fmt.Sprintf("words: WordNet: %d words, %v", count, err))
	}
	return wordNet{lines[:count], lines[count:]}
})

// line is what stands behind a word; "" for one that is not known.
func (n wordNet) line(word string) string {
	i := sort.Search(len(n.words), func(i int) bool {
		w, _, _ := strings.Cut(n.words[i], "\t")
		return w >= word
	})
	if i == len(n.words) {
		return ""
	}
	w, senses, _ := strings.Cut(n.words[i], "\t")
	if w != word {
		return ""
	}
	return senses
}

const (
	allParts = "nva" // of speech, that are kept: nouns, verbs, adjectives
	verb     = 'v'
)

// inflections are endings, what stands for them in the word without, and the parts of speech that the word then is:
// plurals, forms of verbs, comparisons, and what [Stem] leaves of movies and houses. Source: morphy(7WN).
var inflections = []struct{ ending, instead, parts string }{
	{"", "", allParts},
	{"s", "", "nv"}, {"ses", "s", "n"}, {"xes", "x", "nv"}, {"zes", "z", "nv"}, {"ches", "ch", "nv"},
	{"shes", "sh", "nv"}, {"men", "man", "n"}, {"ies", "y", "nv"},
	{"es", "e", "v"}, {"es", "", "v"}, {"ed", "e", "v"}, {"ed", "", "v"}, {"ing", "e", "v"}, {"ing", "", "v"},
	{"er", "", "a"}, {"est", "", "a"}, {"er", "e", "a"}, {"est", "e", "a"}, {"ier", "y", "a"}, {"iest", "y", "a"},
	{"y", "ie", "n"}, {"s", "se", "n"},
}

// What is left of a meaning behind an edge, by its sign.
var edges = map[byte]float64{'@': 0.65, '+': 0.8, '=': 0.85, '&': 0.8, '\\': 0.8}

const (
	senseShare = 0.25 // the power to which the share of a sense weighs: a rare one is meant where another fits nothing
	verbs      = 0.7  // of a verb: it says what is done, and seldom which name is meant, but joins nouns
	reachSteps = 2    // edges from a word
)

// A Reach is what a word means, and what that leads to: how strongly, in (0,1].
type Reach map[Concept]float64

// ReachOf is that of a word, or a phrase, in lower case, in any of its forms; nil for one that is not known.
func ReachOf(word string) (reach Reach) {
	n := wordNetOf()
	for _, e := range inflections {
		stem, cut := strings.CutSuffix(word, e.ending)
		if !cut || len(stem) < 2 {
			continue
		}
		senses, parts := n.line(stem+e.instead), e.parts
		if base, form := strings.CutPrefix(senses, "="); form {
			senses, parts = n.line(base), allParts
		}
		for s := range strings.FieldsSeq(senses) {
			id, share, _ := strings.Cut(s, ",")
			if !strings.Contains(parts, id[:1]) {
				continue
			}
			if reach == nil {
				reach = Reach{}
			}
			percent, _ := strconv.Atoi(share)
			weight := math.Pow(float64(percent)/100, senseShare)
			if id[0] == verb {
				weight *= verbs
			}
			n.spread(reach, concept(id[1:]), weight, reachSteps)
		}
	}
	return reach
}

func concept(number string) Concept {
	c, _ := strconv.ParseInt(number, 36, 32)
	return Concept(c)
}

func (n wordNet) spread(reach Reach, c Concept, weight float64, steps int) {
	if reach[c] >= weight {
		return
	}
	reach[c] = weight
	if steps == 0 {
		return
	}
	for edge := range strings.FieldsSeq(n.concepts[c]) {
		n.spread(reach, concept(edge[1:]), weight*edges[edge[0]], steps-1)
	}
}

// Sure is how strongly two words mean the same that surely do.
const Sure = 0.6

// Meets is how strongly two words mean the same, in [0,1].
func (r Reach) Meets(o Reach) (most float64) {
	for c, w := range r {
		most = max(most, w*o[c])
	}
	return most
}

// ReachOfAll is that of several words together: the strongest of each.
func ReachOfAll(words iter.Seq[string]) Reach {
	all := Reach{}
	for word := range words {
		for c, w := range ReachOf(word) {
			all[c] = max(all[c], w)
		}
	}
	return all
}

// Meaning is what known stems mean together. The zero value is nothing.
type Meaning struct {
	reach Reach
	asked map[string]bool // what our list says that questions say for them
}

// MeaningOf is that of known stems.
func MeaningOf(known map[string]bool) Meaning {
	m := Meaning{ReachOfAll(maps.Keys(known)), map[string]bool{}}
	for k := range known {
		for _, s := range Senses(Asked, English, k) {
			for _, w := range s.Words[English] {
				m.asked[w] = true
			}
		}
	}
	return m
}

// Has reports whether one of the stems surely means what a word does: customer for client, singer for vocalist.
func (m Meaning) Has(word string) bool { return m.asked[word] || m.reach.Meets(ReachOf(word)) >= Sure }
