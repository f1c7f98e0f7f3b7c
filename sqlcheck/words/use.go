package words

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Use says what a word is for in a question: bits, as a word may be for several things. Each bit is a section of
// uses.txt or a use of cues.txt.
type Use uint64

// What words build and say, of uses.txt.
const (
	Stop          Use = 1 << iota // builds sentences and names nothing: no value that is spelled so ("on", "us")
	Plain                         // says how to look, and not at what: it stands in questions to any database
	Structural                    // never the one word of a value
	NoSuperlative                 // ends in "est" and is none
	Date                          // has a capital, and tells when or in which language, not who or where
	Key                           // ends the names of columns that identify
	Answer                        // a value for yes or no, which a question has other words for
	Part                          // before a text: it is a part of values (a stem)
	Period                        // behind "last" it ranks nothing: the last month
	TimeUnit                      // the same in other languages, before it too
	Amount                        // what is measured and added up, where other things are counted: how many euros
	SortsFirst                    // behind what comes first of all rows
	Done                          // before "by", which then says who did it, and not what to group by
	Restricts                     // before the name of a table: it says which rows, and does not ask to see them
	SmallTalk                     // greets, thanks, agrees or tries out
	Talk                          // a whole question to a program about itself
	Meta                          // a whole question about the last answer
	Program                       // begins a command to another program
	Reverses                      // a whole request for the last rows in the other order
	Further                       // a whole request for the rows behind the last ones
	Beside                        // wants what was found before beside what is asked now
	Request                       // begins a request to see something
	Opener                        // may come before the verb of a request
	Determiner                    // before what is to be changed: "book the room", but not "book titles"
	Infinitive                    // ends a German request to change data
	Changed                       // the participle of a change that somebody wants: "order 7 must be deleted"
	Demand                        // before "be" and a participle it demands
	Relative                      // before these it says what is asked for, and demands nothing
	Able                          // before a verb: it says what can be done, and does not ask for it
	Takes                         // edits the query before with a column or a condition, in or out
	Varies                        // edits a value or another part of the query before
	QueryPart                     // speaks of a part of a query, or of its result
	AnyRow                        // speaks of rows that there are or shall be, and of no part of a query
	Denies                        // says that something is not so
	Refers                        // a pronoun of what was spoken of before
	Unit                          // ends the name of a column of numbers, or stands in its comment: what they count
	TellsEnglish                  // builds the sentences of that language, and of no other
	TellsGerman
	TellsSpanish
	TellsFrench

	// Of cues.txt: what a query must do.
	Count // the aggregate functions that a word asks for
	Avg
	Sum
	Max
	Min
	MayCount // it may ask for one, as all words do that surely do
	MayAvg
	MaySum
	MayMax
	MayMin
	Distinct    // different rows
	Each        // a row for each of a group
	Order       // an order, or a part of the rows
	Ranks       // an order, surely
	Top         // the first rows of an order
	Best        // a superlative, but behind "at"
	Sorts       // all rows in an order, or it compares: not the first of each group
	High        // the high end of an order comes first
	Low         // the low end comes first
	Compares    // behind a column: it filters
	Bounds      // before a number: it is compared with
	Superlative // ends in "est", as "oldest": no word of the files has it
)

// useNames are the bits as the files call them.
var useNames = map[string]Use{
	"stop": Stop, "plain": Plain, "structure": Structural, "no superlative": NoSuperlative, "date": Date, "key": Key, "answer": Answer,
	"part": Part, "period": Period, "time unit": TimeUnit, "amount": Amount, "sorts first": SortsFirst, "done": Done,
	"restricts": Restricts, "small talk": SmallTalk, "talk": Talk, "meta": Meta, "reverses": Reverses, "further": Further, "program": Program,
	"beside": Beside, "request": Request, "opener": Opener,
	"determiner": Determiner, "infinitive": Infinitive, "changed": Changed, "demand": Demand, "relative": Relative,
	"able": Able, "takes": Takes, "varies": Varies, "query part": QueryPart, "any row": AnyRow,
	"denies": Denies, "refers": Refers, "unit": Unit,
	"tells en": TellsEnglish, "tells de": TellsGerman, "tells es": TellsSpanish, "tells fr": TellsFrench,
	"count": Count | MayCount, "avg": Avg | MayAvg, "sum": Sum | MaySum, "max": Max | MayMax, "min": Min | MayMin,
	"count?": MayCount, "avg?": MayAvg, "sum?": MaySum, "max?": MayMax, "min?": MayMin,
	"distinct": Distinct, "each": Each, "order": Order, "ranks": Ranks, "top": Top, "best": Best, "sorts": Sorts,
	"high": High, "low": Low, "compares": Compares, "bounds": Bounds,
}

// dictionary is what uses.txt and cues.txt say.
type dictionary struct {
	uses    map[string]Use
	numbers map[string]int
	cues    [Langs]map[string]string // English words by those that stand for them; a star at the end is any ending
}

var known = sync.OnceValue(func() *dictionary {
	d := &dictionary{uses: map[string]Use{}, numbers: map[string]int{}}
	for lang := range d.cues {
		d.cues[lang] = map[string]string{}
	}
	mustLoad("uses.txt", d.readUses)
	mustLoad("cues.txt", d.readCues)
	return d
})

// readUses adds the words of sections "USE" and "USE LANGUAGE".
func (d *dictionary) readUses(lines []line) (*dictionary, error) {
	section, last := "", ""
	for _, l := range lines {
		if l.section != section {
			section, last = l.section, ""
		}
		use, known := useNames[section]
		if name, lang, cut := cutLast(section, " "); !known && cut && slices.Contains(langCodes[:], lang) {
			use, known = useNames[name]
		}
		if !known || len(l.cells) != 1 {
			return nil, l.errorf("[%s] is no use of words, or has bars", section)
		}
		for word := range strings.FieldsSeq(l.cells[0]) {
			word = strings.ReplaceAll(word, "_", " ")
			if word <= last {
				return nil, l.errorf("%q stands behind %q: sort the section, each word once", word, last)
			}
			last = word
			if err := l.folded(word); err != nil && use != Stop {
				return nil, err
			}
			d.uses[word] |= use
		}
	}
	return d, nil
}

// cutLast cuts a text around the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// readCues adds rows of a word, its uses or number, and what stands for it in other languages.
func (d *dictionary) readCues(lines []line) (*dictionary, error) {
	for _, l := range lines {
		word := l.cell(0)
		if err := l.folded(word); err != nil || len(l.cells) < 2 || len(l.cells) > 1+int(Langs) {
			return nil, l.errorf("want a word, its uses and what it is in at most %d languages", Langs-1)
		}
		for name := range strings.FieldsSeq(l.cell(1)) {
			use, known := useNames[name]
			if n, err := strconv.Atoi(name); err == nil {
				d.numbers[word], known = n, true
			}
			if !known {
				return nil, l.errorf("there is no use %q", name)
			}
			d.uses[word] |= use
		}
		for lang := German; lang < Langs; lang++ {
			for _, form := range terms(l.cell(1 + int(lang))) {
				if err := l.folded(form); err != nil {
					return nil, err
				}
				if other, twice := d.cues[lang][form]; twice {
					return nil, l.errorf("%q stands for %q already", form, other)
				}
				d.cues[lang][form] = word
			}
		}
	}
	return d, nil
}

// Uses are those of a word in lower case.
func Uses(word string) Use {
	u := known().uses[word]
	if len(word) > 4 && strings.HasSuffix(word, "est") && u&NoSuperlative == 0 {
		u |= Superlative
	}
	return u
}

// Is reports whether a word in lower case has one of the uses.
func Is(word string, u Use) bool { return Uses(word)&u != 0 }

// IsStop reports whether a word in lower case builds sentences and names nothing.
func IsStop(word string) bool { return Is(word, Stop) }

// With are the words and phrases that have one of the uses, sorted; not those that their ending makes superlatives.
func With(u Use) (list []string) {
	for word, uses := range known().uses {
		if uses&u != 0 {
			list = append(list, word)
		}
	}
	slices.Sort(list)
	return list
}

// Numeral is what a word in lower case counts, from two on; 0 if it does not.
func Numeral(word string) int { return known().numbers[word] }

// Cue is the English word of structure that a word of another language stands for; "" if it stands for none.
func Cue(lang Lang, word string) string {
	if lang == English {
		return ""
	}
	cues := known().cues[lang]
	for _, w := range Spellings(word) {
		if c := cues[w]; c != "" {
			return c
		}
		for n := len(w); n >= 4; n-- {
			if c := cues[w[:n]+"*"]; c != "" {
				return c
			}
		}
	}
	return ""
}
