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
	"first second third last next top bottom highest lowest largest smallest biggest greatest newest latest earliest best worst maximum minimum max min average avg mean sum total number count amount list show find give get display tell return " +
	"return print select name names output report provide state identify determine calculate compute search look see know want need please answer question sort sorted order ordered descending ascending alphabetical alphabetically decreasing increasing lexicographic group grouped " +
	"by at least exactly equal equals greater higher lower larger smaller bigger fewer newer earlier later contain contains containing include includes including included start starts starting begin begins beginning end ends ending " +
	"belong belongs belonging associate associated relate related use used using make made take taken come comes occur occurs appear appears exist exists existing available record records recorded row rows table tables column columns data database information info detail details value values entry entries item items " +
	"letter letters substring word words string case percentage percent ratio share difference proportion rate common commonly popular frequent frequently time times year years month months day days date dates today now current currently recent recently " +
	"too very let like while because whether else instead except excluding besides regardless kind kinds type types sort sorts man men woman women people person persons locate located location call called named title titled specific given particular certain specified " +
	"are there any have also been done does say says said put puts give gives given got gets went goes going gone full listed result results often once twice involved correspond presently received yearly monthly daily approximately everybody everyone everything somebody someone something anybody anyone anything nobody nothing having able trying cannot don didn according basis " +
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
		if w.Masked || name || w.cue != "" || tongues[q.Lang].telling[low] || len(low) < 3 || plain[low] || plain[Stem(low)] || looks[low] || strings.ContainsFunc(low, unicode.IsDigit) || slices.Contains(stems, w.stem) {
			continue
		}
		stems = append(stems, w.stem)
	}
	return stems
}

// Unlinked returns the content words of a question that no name and no known value of its schema, and none of the texts beside,
// stands for.
func (q *Question) Unlinked(s *schema.Schema, beside ...string) []string {
	known, values := map[string]bool{}, map[string]bool{}
	for w := range q.Voc.stems {
		known[w] = true
	}
	for _, w := range q.Words { // in another language
		if slices.ContainsFunc(Meanings(q.Lang, w.Low), func(m string) bool { return Stands(known, m) }) {
			known[w.stem] = true
		}
	}
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			if c.Kind() == schema.Date {
				known["date"], known["year"] = true, true
			}
			for _, v := range c.Values {
				for _, w := range lowerWords(v) {
					values[singular(Stem(w))] = true
				}
			}
		}
	}
	for _, text := range beside {
		for _, w := range lowerWords(text) {
			known[Stem(w)] = true
		}
	}
	return slices.DeleteFunc(q.Content(), func(w string) bool { return values[singular(w)] || StandsFor(known, w) })
}

// related are groups of words of which one in a question may stand for another in a name. Each is a stem.
var related = func() map[string][]string {
	of := map[string][]string{}
	for group := range strings.SplitSeq("cost price expensive cheap amount fee charge charged rate|old oldest older young youngest younger age birth born birthday founded built opened year|"+
		"salary pay paid payed wage earn earned income|live lived living address city resident residence home origin hometown from|film movie picture|school college university|"+
		"teach taught teacher instructor professor course class lesson|enroll enrolled enrollment enrolment register registered registration attend attended take taken|buy bought purchase purchased order ordered sale|"+
		"sell sold sale seller|work job employ employee employer staff worker career position|company organization organisation firm business manufacturer maker corporation|phone telephone cell mobile|email mail|"+
		"long longest longer short shortest length duration hour minute time period|tall tallest taller height high|heavy heaviest weight light|fast fastest speed slow|large largest size area population capacity square|"+
		"win won winner winning champion|rate rated rating score scored star grade mark point|department dept|student stu pupil|member membership|car vehicle automobile|doctor physician|medicine medication drug prescription|"+
		"shop store branch|client customer buyer|boss manager supervisor head|country nation nationality foreign|male female gender sex man woman|photo picture image|begin start begun started starting from|end ended finish finished to|"+
		"happen happened occur occurred event held|sing sang sung singer song artist|play played player game|write wrote written writer author|direct directed director|make made produce produced producer production manufacture|"+
		"drive drove driver driven|fly flew flown flight pilot|own owned owner|lead led leader leading|train trained trainer coach|visit visited visitor|married marriage spouse wedding|kid child children|family|"+
		"use used usage user|open opened opening|close closed closing|create created creation|publish published publication publisher|serve served service|stay stayed reservation booking room|bank banking account|balance saving checking|party democratic republican", "|") {
		words := strings.Fields(group)
		for _, w := range words {
			of[w] = append(of[w], words...)
		}
	}
	return of
}()

// StandsFor is [Stands], and true also of a known word that often stands for another: the age for the oldest.
func StandsFor(known map[string]bool, word string) bool {
	return Stands(known, word) || slices.ContainsFunc(related[word], func(w string) bool { return Stands(known, w) })
}

// Stands reports whether one of the known stems stands for a word: it is the same, the two begin alike, as "employee" and "employed"
// do, or one holds the other, as "birthday" and "birth" or abbreviations do.
func Stands(known map[string]bool, word string) bool {
	if known[word] {
		return true
	}
	word = singular(word)
	for k := range known {
		short, long := singular(k), word
		if short == long {
			return true
		}
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= 4 && (strings.Contains(long, short) || len(short) >= 5 && commonPrefix(short, long) >= max(4, len(short)-3)) {
			return true
		}
	}
	return false
}

// singular makes one of the two stems that "movie" and "movies" have.
func singular(stem string) string {
	if s, cut := strings.CutSuffix(stem, "ie"); cut {
		return s + "y"
	}
	return stem
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
