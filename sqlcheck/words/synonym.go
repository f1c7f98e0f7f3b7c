package words

import (
	"slices"
	"strings"
	"sync"
)

// Kind says how words mean the same: it is a section of synonyms.txt or of translations.txt.
type Kind uint8

// The kinds of concepts.
const (
	Thing        Kind = iota // what questions ask about: connects a question in another language than English to names
	Quality                  // what values and comments say of things: connects such a question to values too
	Name                     // words of names and values in another language: connects them to questions in English
	Near                     // one in a question often stands for another in a name, as the oldest for the age
	Asked                    // what questions say for the first, a word of a name
	Value                    // spellings of one value
	Flag                     // values for yes, or for no
	Abbreviation             // inside names, the first written short
	kinds        = iota
)

// A kindInfo is what the reader must know of a kind.
type kindInfo struct {
	name    string
	foreign bool // it is in translations.txt and has all languages; else it has English alone
}

var kindTable = [kinds]kindInfo{
	Thing: {"thing", true}, Quality: {"quality", true}, Name: {"name", true}, Near: {"near", false},
	Asked: {"asked", false}, Value: {"value", false}, Flag: {"flag", false}, Abbreviation: {"abbreviation", false},
}

// A Sense is a concept that a word may mean.
type Sense struct {
	Kind   Kind
	Weight float64         // how likely it is meant, in (0,1]: 1 for all of our files
	Words  [Langs][]string // by language, the usual one first; they may have blanks
	Keys   []string        // all of them without blanks, each once; nil for Name, of which there are many
}

// lexicon has senses by the keys of their words.
type lexicon struct {
	of   [kinds]map[string][]*Sense
	name [Langs]map[string][]*Sense // of Name, by [nameKeys]; English ones by their stems
}

var (
	synonyms     = sync.OnceValue(func() *lexicon { return mustLoad("synonyms.txt", readSenses) })
	translations = sync.OnceValue(func() *lexicon { return mustLoad("translations.txt", readSenses) })
)

// lexiconOf is the one that has a kind.
func lexiconOf(kind Kind) *lexicon {
	if kindTable[kind].foreign {
		return translations()
	}
	return synonyms()
}

func readSenses(lines []line) (*lexicon, error) {
	x := &lexicon{}
	for k := range x.of {
		x.of[k] = map[string][]*Sense{}
	}
	for l := range x.name {
		x.name[l] = map[string][]*Sense{}
	}
	for _, l := range lines {
		kind := Kind(slices.IndexFunc(kindTable[:], func(k kindInfo) bool { return k.name == l.section }))
		if kind >= kinds {
			return nil, l.errorf("[%s] is no kind of meaning", l.section)
		}
		info := kindTable[kind]
		if want := map[bool]int{true: int(Langs), false: 1}[info.foreign]; len(l.cells) != want {
			return nil, l.errorf("%d cells: [%s] has %d", len(l.cells), l.section, want)
		}
		s := &Sense{Kind: kind, Weight: 1}
		for lang := range l.cells {
			s.Words[lang] = terms(l.cell(lang))
			for _, w := range s.Words[lang] {
				if err := l.folded(w); err != nil {
					return nil, err
				}
			}
		}
		all := slices.Concat(s.Words[:]...)
		if len(s.Words[English]) == 0 || len(all) < 2 {
			return nil, l.errorf("want an English word, and one that means the same")
		}
		for _, w := range all {
			if key := strings.ReplaceAll(w, " ", ""); kind != Name && !slices.Contains(s.Keys, key) {
				s.Keys = append(s.Keys, key)
			}
		}
		x.add(s)
	}
	return x, nil
}

// add puts a sense where its words are looked up.
func (x *lexicon) add(s *Sense) {
	if s.Kind == Name {
		for _, w := range s.Words[English] {
			put(x.name[English], Stem(w), s)
		}
		for lang := German; lang < Langs; lang++ {
			for _, w := range s.Words[lang] {
				for _, key := range nameKeys(lang, strings.ReplaceAll(w, " ", "")) {
					put(x.name[lang], key, s)
				}
			}
		}
		return
	}
	keys := s.Keys
	switch s.Kind {
	case Asked:
		keys = []string{Stem(keys[0])}
	case Abbreviation:
		keys = keys[1:]
	}
	for _, key := range keys {
		put(x.of[s.Kind], key, s)
	}
}

func put(of map[string][]*Sense, key string, s *Sense) {
	if list := of[key]; len(list) == 0 || list[len(list)-1] != s {
		of[key] = append(list, s)
	}
}

// Senses are what a word of a language may mean, of one kind. The word is in lower case and without blanks.
func Senses(kind Kind, lang Lang, word string) []*Sense {
	switch x := lexiconOf(kind); {
	case kind == Name && lang == English:
		return x.name[English][Stem(word)]
	case kind == Name:
		for _, key := range nameKeys(lang, word) {
			if list := x.name[lang][key]; list != nil {
				return list
			}
		}
		return nil
	case lang == English:
		return x.of[kind][word]
	default:
		var list []*Sense
		for _, form := range Forms(lang, word) {
			list = append(list, x.of[kind][form]...)
		}
		return list
	}
}

// Meanings are the words, in all languages, for the things and qualities that a word of another language than English
// may mean.
func Meanings(lang Lang, word string) []string {
	return append(MeaningsOf(Thing, lang, word), MeaningsOf(Quality, lang, word)...)
}

// MeaningsOf is [Meanings] of one kind.
func MeaningsOf(kind Kind, lang Lang, word string) (list []string) {
	if lang == English {
		return nil
	}
	for _, s := range Senses(kind, lang, word) {
		list = append(list, s.Keys...)
	}
	return list
}

// EnglishFor are the English words for a word of a name, and, less sure, those for the end of a German compound.
func EnglishFor(lang Lang, word string) (sure, unsure []string) {
	sure = inEnglish(Senses(Name, lang, word))
	forms := nameKeys(lang, word)
	for i := 3; lang == German && len(forms[0])-i >= 4 && unsure == nil; i++ {
		for _, key := range forms {
			if unsure == nil {
				unsure = inEnglish(translations().name[lang][key[i:]])
			}
		}
	}
	return sure, unsure
}

func inEnglish(senses []*Sense) (list []string) {
	for _, s := range senses {
		list = append(list, s.Words[English]...)
	}
	return list
}

// Unabbreviated are the words that a part of a name is short for; nil if it is none.
func Unabbreviated(part string) []string {
	list := Senses(Abbreviation, English, part)
	if len(list) == 0 {
		return nil
	}
	return strings.Fields(list[0].Words[English][0])
}
