package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// tongue is what reading a question needs to know of a language besides English. All words are folded: lower case, without accents.
type tongue struct {
	telling map[string]bool   // words that build its sentences and are no English words
	cues    map[string]string // words that carry structure, by the English ones; a star stands for any ending
	ends    []string          // endings of plurals and cases, the longest first
}

// tongues are the languages by their codes. English is none of them: its words are those of the rules.
var tongues = map[string]tongue{
	"de": {
		telling: setOf("aller als auf aus bei beim bis bitte damit dass das dem den denen der deren des diese diesem diesen dieser durch ein eine einem einen einer fur gab gehoren gib gibt haben hatte " +
			"insgesamt ist jede jeden jeder jedes je kein keine keinen mehr mindestens mit nach nenne nicht noch nur oder ohne seit sind sortiert uber und unter viele viel vom von vor wann war waren " +
			"welche welchem welchen welcher welches wem wer werden wessen wie wieviele wieviel wird wo wurde wurden zeig zeige zu zum zur zwischen anzahl durchschnitt summe alle bzw liste im"),
		cues: cueTable("how:wie many:viele,viel count:anzahl,wieviel* average:durchschnitt*,mittelwert,schnitt total:summe,gesamt* highest:hochste,hochsten,hochster,hochstes,hochstem,grosste*,teuerste*,alteste*,langste* " +
			"most:meisten,meiste,haufigste* lowest:niedrigste*,kleinste*,geringste*,billigste*,jungste*,kurzeste* least:wenigsten per:pro,je by:nach each:jede* sorted:sortier*,geordnet,absteigend,aufsteigend,alphabetisch* " +
			"different:verschieden*,unterschiedlich* first:erste,ersten,erster last:letzt* not:nicht,kein* " +
			"two:zwei three:drei four:vier five:funf six:sechs seven:sieben eight:acht nine:neun ten:zehn"),
		ends: strings.Fields("innen ern en em er es n e s"),
	},
	"es": {
		telling: setOf("algun ano anos cada con cual cuales cuando cuanta cuantas cuanto cuantos dame del desde donde el ellos en entre esta estan hasta hay las los mas menos mayor menor muestra ningun " +
			"por promedio que quien quienes segun sin sobre sus tiene tienen todas todos una unas unos y numero cuenta lista"),
		cues: cueTable("count:cuanto*,cuanta*,numero average:promedio,media,medio total:suma highest:mayor*,maxim* lowest:menor*,minim* most:mas least:menos by:por,segun each:cada " +
			"sorted:ordena*,orden,descendente,ascendente,alfabetico different:distint*,diferente*,unico*,unica* first:primeros,primeras,primer last:ultim* not:no,sin,ningun* " +
			"two:dos three:tres four:cuatro five:cinco six:seis seven:siete eight:ocho nine:nueve ten:diez"),
		ends: strings.Fields("es as os s a o"),
	},
	"fr": {
		telling: setOf("affiche ailleurs annee aux avec chaque combien dans depuis dernier derniere des donne du elle elles entre est et ete il jusqu leur leurs les liste moins montre moyenne nombre ont ou parmi " +
			"pas pour quand que quel quelle quelles quels qui sans selon ses sont sous toutes tous une y avons"),
		cues: cueTable("count:combien,nombre average:moyen* total:somme highest:maximal*,maximum lowest:minimal*,minimum most:plus least:moins by:par,selon each:chaque " +
			"sorted:trie*,decroissant*,croissant*,alphabetique different:differents,differentes,distinct* first:premiers,premieres last:dernier* not:pas,sans,aucun* " +
			"two:deux three:trois four:quatre five:cinq seven:sept eight:huit nine:neuf ten:dix"),
		ends: strings.Fields("euses eaux aux eux es s x e"),
	},
}

func cueTable(text string) map[string]string {
	cues := map[string]string{}
	for row := range strings.FieldsSeq(text) {
		cue, words, _ := strings.Cut(row, ":")
		for w := range strings.SplitSeq(words, ",") {
			cues[w] = cue
		}
	}
	return cues
}

// english are words that tell of an English question.
var english = setOf("the of how what which who whose is are was were and with for from by in to many all each every that have has do does did list show find give their than or not there on at least most whats when where total between per our")

// fold lowers a word and takes its accents off.
func fold(word string) string { return plainLetters.Replace(strings.ToLower(word)) }

// LanguageOf is the language of a question: "de", "es" or "fr"; "" for English, and where nothing tells. Words in capitals may be names, and
// tell nothing but at the beginning.
func LanguageOf(text string) (lang string) {
	hits, own := map[string]int{}, 0
	var quoted rune
	first := true
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { // outside of quotes
		if quoted != 0 {
			if r == quoted {
				quoted = 0
			}
			return true
		}
		if r == '"' || r == '`' {
			quoted = r
		}
		return !unicode.IsLetter(r)
	}) {
		if name := unicode.IsUpper([]rune(word)[0]) && !first; name {
			continue
		}
		first = false
		low := fold(word)
		if english[low] {
			own++
		}
		for l, t := range tongues {
			if t.telling[low] {
				hits[l]++
			}
		}
	}
	if strings.ContainsAny(text, "¿¡") {
		hits["es"] += 2
	}
	for _, l := range []string{"de", "es", "fr"} {
		if hits[l] > max(own, hits[lang]) {
			lang = l
		}
	}
	return lang
}

// cue is the English word of structure that a word of a language stands for; "" if it stands for none.
func cue(lang, word string) string {
	cues := tongues[lang].cues
	for _, w := range spellings(word) {
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

// spellings are the ways to write a word without accents: "Straße" and "Köln" as strasse, and koln or koeln. A word without accents has one.
func spellings(word string) []string {
	low := strings.ToLower(word)
	list := []string{fold(low)}
	if long := fold(umlauts.Replace(low)); long != list[0] {
		list = append(list, long)
	}
	return list
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")

// alike reports whether two words are the same but for accents and umlauts written as two letters.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if isASCII(a) && isASCII(b) {
		return false
	}
	return slices.ContainsFunc(spellings(a), func(s string) bool { return slices.Contains(spellings(b), s) })
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// stems are what a word of a language may be without the endings of plurals and cases, itself first. At least three letters stay.
func stems(lang, word string) []string {
	var list []string
	for _, low := range spellings(word) {
		list = append(list, low)
		for _, end := range tongues[lang].ends {
			if stem, cut := strings.CutSuffix(low, end); cut && len(stem) >= 3 {
				list = append(list, stem)
			}
		}
	}
	return list
}

// sameStem reports whether two words of a language are one without their endings.
func sameStem(lang, a, b string) bool {
	return slices.ContainsFunc(stems(lang, a), func(s string) bool { return len(s) >= 4 && slices.Contains(stems(lang, b), s) })
}

// grouped are numbers with points between thousands.
var grouped = regexp.MustCompile(`^\d{1,3}(\.\d{3})+$`)

// digits is a word that is a number as a program writes it: without the points that other languages put between thousands.
func (w Word) digits(lang string) string {
	if lang != "" && grouped.MatchString(w.Low) {
		return strings.ReplaceAll(w.Low, ".", "")
	}
	return w.Low
}

// timeUnits stand beside first and last where these rank nothing: the last month, el último año.
var timeUnits = setOf("tag tage tagen monat monate monaten monats jahr jahre jahren jahrs quartal woche wochen dia dias mes meses ano anos semana semanas trimestre jour jours mois an ans annee annees semaine semaines")

// readCues gives the words of a question the English words of structure that they stand for.
func (q *Question) readCues() {
	if q.Lang == "" {
		return
	}
	sorted, first := false, false
	for i := range q.Words {
		if w := &q.Words[i]; !w.Masked {
			w.cue = cue(q.Lang, w.Low)
			sorted, first = sorted || w.cue == "sorted", first || sortsFirst[fold(w.Low)]
		}
	}
	for i := range q.Words {
		if w := &q.Words[i]; !q.means(i, w.cue, sorted) {
			w.cue = ""
		} else if first && ranking[w.cue] || w.cue == "highest" && q.near(i+1, "a") {
			w.cue = "sorted" // the highest first, de mayor a menor
		}
	}
}

// sortsFirst are words behind what comes first of all rows, ranking the cues that then ask for an order and not for the first rows.
var sortsFirst, ranking = setOf("zuerst primero primeros primeras abord"), setOf("highest lowest most least")

// near reports whether word i is one of a language's words, without accents.
func (q *Question) near(i int, words ...string) bool {
	return i >= 0 && i < len(q.Words) && slices.Contains(words, fold(q.Words[i].Low))
}

// means reports whether word i stands for its cue where it is. sorted: the question asks for an order.
func (q *Question) means(i int, cue string, sorted bool) bool {
	unit := func(k int, of map[string]bool) bool { return k >= 0 && k < len(q.Words) && of[fold(q.Words[k].Low)] }
	word := q.Words[i].Low
	switch cue {
	case "first", "last": // the last month
		return !unit(i-1, timeUnits) && !unit(i+1, timeUnits) && !unit(i+2, timeUnits)
	case "many":
		return !unit(i+1, amounts)
	case "count": // "name and number" counts nothing, nor does "how many euros"
		if q.near(i, "anzahl", "numero", "nombre") {
			return i <= 2 && q.near(i+1, "der", "von", "de", "d", "des", "aller") || i == 0 && q.Lang == "de"
		}
		return !unit(i+1, amounts) && !unit(i+2, amounts)
	case "highest", "lowest": // more than, at most
		return !q.near(i+1, "que") && !q.near(i-1, "como", "au") && !(q.near(i, "menor") && q.near(i-1, "a"))
	case "most", "least":
		if q.Lang == "fr" {
			return q.near(i-1, "le", "la", "les")
		}
		return !q.near(i+1, "de", "que") && !q.near(i-1, "no", "por", "al")
	case "by": // by what the schema has
		if i+1 == len(q.Words) || q.Lang == "de" && sorted {
			return false
		}
		next := q.Words[i+1]
		_, named := q.Voc.stems[next.stem]
		return named || slices.ContainsFunc(Meanings(q.Lang, next.Low), func(m string) bool { _, ok := q.Voc.stems[m]; return ok })
	case "average":
		return !q.near(i-1, "dem") && word != "media" || q.near(i-1, "de") || i > 0 && !q.near(i-1, "la")
	}
	return true
}

// amounts are measured and added up, where other things are counted: how many euros, cuántas horas.
var amounts = setOf("euro euros dollar dollars dolares peso pesos pfund franken francs stunde stunden tage tagen prozent kilometer hora horas dias dinero porcentaje heure heures jours argent minuten minutos minutes meter kilo kilos kg")

// Meanings are the English words that a word of a question in another language may stand for, and those of the others that mean the same, as stems; none
// for English.
func Meanings(lang, word string) []string {
	return append(meanings(lang, word, things), meanings(lang, word, qualities)...)
}

func meanings(lang, word string, of map[string][][]string) (list []string) {
	if lang == "" {
		return nil
	}
	for _, s := range stems(lang, word) {
		for _, g := range of[s] {
			list = append(list, g...)
		}
	}
	return list
}
