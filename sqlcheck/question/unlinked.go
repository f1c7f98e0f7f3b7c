package question

import (
	"slices"
	"strings"
	"unicode"

	"nl2sql/sqlcheck/schema"
)

// plain are words that say how to look, and not at what: they stand in questions to any database. English first, then the commonest of German,
// Spanish and French.
var plain = setOf("the and for with from that this these those which what who whose whom where when why how are was were been being have has had does did not nor but all any each every both either neither some " +
	"none other another their there they them its his her our your you can could will would shall should may might must more most less least than then also only just ever never always still yet into onto over under above below between among " +
	"within without about across after before during since until till per via out off such same different distinct unique various respective respectively corresponding together along well many much few several own one ones two three four five six seven eight nine ten " +
	"first second third last next top bottom highest lowest largest smallest biggest greatest longest shortest oldest youngest newest latest earliest best worst maximum minimum max min average avg mean sum total number count amount list show find give get display tell return " +
	"return print select name names output report provide state identify determine calculate compute search look see know want need please answer question sort sorted order ordered descending ascending alphabetical alphabetically decreasing increasing lexicographic group grouped " +
	"by at least exactly equal equals greater higher lower larger smaller bigger fewer longer shorter older younger newer earlier later contain contains containing include includes including included start starts starting begin begins beginning end ends ending " +
	"belong belongs belonging associate associated relate related use used using make made take taken come comes occur occurs appear appears exist exists existing available record records recorded row rows table tables column columns data database information info detail details value values entry entries item items " +
	"letter letters substring word words string case percentage percent ratio share difference proportion rate common commonly popular frequent frequently time times year years month months day days date dates today now current currently recent recently " +
	"too very let like while because whether else instead except excluding besides regardless kind kinds type types sort sorts man men woman women male female people person persons live lives living locate located location call called named title titled specific given particular certain specified " +
	"are there any have also been done does say says said put puts give gives given got gets went goes going gone work works working " +
	"und oder der die das den dem des ein eine einen einem einer mit von aus bei nach zu zum zur auf fur ist sind war waren hat haben wird wurden welche welcher welches wie viele viel wer was wann alle jede jeder jedes pro gib zeige liste nenne nicht mehr weniger als meisten wenigsten anzahl summe durchschnitt es gibt " +
	"los las del una unos unas con por para que cual cuales quien cuantos cuantas cuanto como donde son fue fueron tiene tienen hay mas menos todos todas cada muestra lista dame numero total promedio " +
	"les des une dans sur avec pour par quel quelle quels quelles combien qui est sont ont plus moins tous toutes chaque donne montre affiche liste nombre moyenne somme il elle")

// Content returns the stems of a question's words that say what it is about: no plain words, numbers, quoted texts, known
// values, and no names, which are values that need not be known.
func (q *Question) Content() []string {
	var stems []string
	for i, w := range q.Words {
		low := plainLetters.Replace(w.Low)
		name := w.upper && i > 0 && !q.Words[i-1].stop
		if w.Masked || name || len(low) < 3 || plain[low] || plain[Stem(low)] || looks[low] || strings.ContainsFunc(low, unicode.IsDigit) || slices.Contains(stems, w.stem) {
			continue
		}
		stems = append(stems, w.stem)
	}
	return stems
}

// Unlinked returns the content words of a question that no name and no known value of its schema, and none of the texts beside,
// stands for.
func (q *Question) Unlinked(s *schema.Schema, beside ...string) []string {
	known := map[string]bool{}
	for w := range q.Voc.stems {
		known[w] = true
	}
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			for _, v := range c.Values {
				for _, w := range lowerWords(v) {
					known[Stem(w)] = true
				}
			}
		}
	}
	for _, text := range beside {
		for _, w := range lowerWords(text) {
			known[Stem(w)] = true
		}
	}
	return slices.DeleteFunc(q.Content(), func(w string) bool { return Stands(known, w) })
}

// Stands reports whether one of the known stems stands for a word: it is the same, the two begin alike, as "employee" and "employed"
// do, or one holds the other, as "birthday" and "birth" or abbreviations do.
func Stands(known map[string]bool, word string) bool {
	if known[word] {
		return true
	}
	for k := range known {
		short, long := k, word
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= 4 && (strings.Contains(long, short) || len(short) >= 5 && commonPrefix(short, long) >= max(4, len(short)-3)) {
			return true
		}
	}
	return false
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
