package question

import (
	"slices"
	"strings"
	"unicode"
)

// changing is a row of verbs that change data where a request begins with one.
type changing struct {
	verbs string // imperatives and infinitives, without accents
	never string // next words with which the verb, or noun, asks for something else; "" forbids none
	next  string // words of which one must come next; "" demands none
	later string // words of which one must come later; "" demands none
}

// determiners stand before what is to be changed, and not between a noun and its own noun: "book the room", "book titles".
const determiners = "the a an all any every each this that these those it them my our your his her their its one another new two three four five six seven eight nine ten"

// changers are the verbs of English, German, Spanish and French requests to change data.
var changers = []changing{
	{verbs: "delete erase insert truncate rename overwrite purge wipe deactivate", never: "operations requests statements"},
	{verbs: "remove", never: "duplicates duplicate"},
	{verbs: "update modify", never: "on me date dates time times count frequency history"},
	{verbs: "add", never: "up together"},
	{verbs: "change", never: "in of over since between from per by against"},
	{verbs: "drop", next: determiners + " table tables column columns database index view"},
	{verbs: "set assign", later: "to as = null"},
	{verbs: "mark", later: "as", never: "each every"},
	{verbs: "grant revoke", later: "to from"},
	{verbs: "alter", next: determiners + " table column database user view"},
	{verbs: "create", next: "table database index view user trigger procedure schema a an the new", later: "table database index view user trigger procedure schema order customer record row entry account new", never: "list report ranking overview summary chart"},
	{verbs: "cancel move transfer increase decrease raise lower reduce double replace correct fix register enroll enrol book schedule archive merge reset clear empty edit " +
		"reassign swap discontinue close reopen activate promote demote fire hire ship refund restock upgrade downgrade " +
		"approve reject accept decline confirm sell buy purchase stop start launch close open send mail deliver pay charge lock unlock block unblock ban hide publish withdraw release retire suspend extend renew enable disable appoint dismiss expel admit discharge " +
		"cut boost adjust rebook reschedule postpone", next: determiners},
	{verbs: "prescribe", later: "to for"},
	{verbs: "get", next: "rid"},
	{verbs: "make", never: "a an and or me sure the table list report chart up"},

	{verbs: "losche losch loschen entferne entfernen andere andern aktualisiere aktualisieren uberschreibe uberschreiben storniere stornieren umbenennen leere leeren loesche loesch loeschen aendere aendern ueberschreibe " +
		"kundige kuendige sperre verschiebe archiviere korrigiere markiere verringere ersetze lege streiche"},
	{verbs: "erstelle erzeuge", next: "eine einen ein die neue neuen", later: "tabelle index kunden kunde bestellung datensatz benutzer ansicht view", never: "liste ubersicht bericht rangliste"},
	{verbs: "erhohe erhohen erhoehe erhoehen senke senken verdopple setze setzen", later: "auf um"},
	{verbs: "fuge fugen fuege fuegen trage tragen lege legen benenne buche", later: "hinzu ein an um"},
	{verbs: "hinzufugen einfugen hinzufuegen einfuegen eintragen anlegen"},

	{verbs: "borra borrar borre borrame elimina eliminar elimine actualiza actualizar actualice inserta insertar inserte modifica modificar modifique anade anadir anada agrega agregar agregue anula anular quita quitar cancela cancelar cancele reemplaza reemplazar sustituye actualizad borrad eliminad"},
	{verbs: "crea crear cree", next: "una un la el nuevo nueva", later: "tabla indice vista usuario cliente pedido registro", never: "lista informe resumen"},
	{verbs: "pon poner ponga", later: "a en como"},
	{verbs: "cambia cambiar cambie sube subir baja bajar aumenta aumentar pon poner reemplaza", next: "el la los las un una al todo todos todas"},

	{verbs: "supprime supprimer supprimez efface effacer effacez modifie modifier modifiez ajoute ajouter ajoutez insere inserer inserez annule annuler annulez remplace remplacer remplacez vide vider videz corrige corriger corrigez"},
	{verbs: "cree creer creez", next: "une un la le", later: "table index vue utilisateur client commande", never: "liste rapport resume"},
	{verbs: "mets mettez mettre", next: "a"},
	{verbs: "change changer changez augmente augmenter augmentez reduis reduire renomme renommez", next: "le la les l un une tous toutes ce cette"},
}

// openers may come before the verb of a request, the longest first.
var openers = strings.Split("i want you to|i would like you to|i would like to|i d like you to|i d like to|go ahead and|could you please|can you please|would you please|will you please|i want to|i need you to|i need to|we need to|"+
	"we want to|you should|you must|could you|can you|would you|will you|help me to|help me|let us|let s|please|kindly|now|then|also|just|first|next|ok|okay|hi|hello|and|"+
	"konntest du bitte|konnten sie bitte|kannst du bitte|konnten sie|konntest du|kannst du|konnen sie|ich mochte|ich will|wir mussen|bitte|"+
	"por favor|puedes|podrias|puede|quiero que|quiero|necesito|s il te plait|s il vous plait|peux tu|pouvez vous|pourriez vous|veuillez|je veux|je voudrais|il faut", "|")

// Changes returns the verb, as written, with which text asks to change data, in one of its sentences or after an "and" or "then"; "" if
// it does not. A verb counts at the head of a request, and in German at its end: "How many orders were deleted" asks to see.
func Changes(text string) string {
	verb := changes(text)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if plainLetters.Replace(strings.ToLower(word)) == verb {
			return word
		}
	}
	return verb
}

// changes returns that verb without accents.
func changes(text string) string {
	for sentence := range strings.FieldsFuncSeq(plainLetters.Replace(strings.ToLower(text)), func(r rune) bool { return strings.ContainsRune(".!?;:\n", r) }) {
		words := strings.FieldsFunc(sentence, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '=' && r != '%' && r != '_'
		})
		rest := withoutOpeners(words)
		if verb := order(rest); verb != "" && !strings.Contains(sentence, verb+",") { // "make, model and plate" are nouns
			return verb
		}
		if len(rest) == 0 || looks[rest[0]] {
			if i := slices.IndexFunc(words, func(w string) bool { return w == "then" || w == "and" }); i >= 0 && i+2 < len(words) && !slices.ContainsFunc(words[:i], func(w string) bool { return may[w] }) {
				if determined(words[i+2]) && !strings.HasPrefix(words[i+1], "change") {
					if verb := order(withoutOpeners(words[i:])); verb != "" {
						return verb
					}
				}
			}
			continue
		}
		if last := rest[len(rest)-1]; len(rest) > 1 && infinitives[last] {
			return last
		}
		if verb := demanded(rest); verb != "" {
			return verb
		}
	}
	return ""
}

// plainLetters takes accents off.
var plainLetters = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ä", "a", "é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "î", "i", "ï", "i",
	"ó", "o", "ô", "o", "ö", "o", "ú", "u", "û", "u", "ù", "u", "ü", "u", "ñ", "n", "ç", "c", "ß", "ss")

// infinitives end German requests.
var infinitives = setOf("loschen entfernen andern aktualisieren uberschreiben stornieren umbenennen leeren hinzufugen einfugen eintragen anlegen erhohen senken loeschen aendern ueberschreiben hinzufuegen einfuegen erhoehen kundigen sperren archivieren")

// changed are the participles of what somebody wants done, in a sentence that is no question: "order 7 must be deleted".
var changed = setOf("deleted erased removed dropped cancelled canceled updated changed modified added inserted renamed increased decreased raised lowered reset cleared")

// demanded returns the participle with which a sentence demands a change. It is said of something, and not of what is asked for, as in
// "customers that should be deleted".
func demanded(words []string) string {
	for i, w := range words {
		if i < 2 || !changed[w] || words[i-1] != "be" {
			continue
		}
		k := i - 2
		if words[k] == "to" && k > 0 {
			k--
		}
		if must[words[k]] && (k == 0 || !relative[words[k-1]]) {
			return w
		}
	}
	return ""
}

var (
	must     = setOf("should must has have need needs")
	relative = setOf("that which who and or")
)

// looks are words with which a request to see something begins.
var looks = setOf("how what which who whose where when why is are was were do does did list show find give display count tell get return print name compute calculate select " +
	"wie was welche welcher welches wer wo wann wieviel zeige liste nenne gib finde zahle cuantos cuantas cual cuales que quien donde muestra lista dame encuentra cuenta " +
	"combien quel quelle quels quelles qui ou quand montre affiche donne trouve compte")

// may are words after which a verb says what can be done, and does not ask for it.
var may = setOf("can may could to allowed who that which should must might able how")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

func determined(word string) bool { return slices.Contains(strings.Fields(determiners), word) }

// withoutOpeners takes polite words off the head of a sentence.
func withoutOpeners(words []string) []string {
	for cut := true; cut; {
		cut = false
		for _, o := range openers {
			if ws := strings.Fields(o); len(ws) <= len(words) && slices.Equal(ws, words[:len(ws)]) {
				words, cut = words[len(ws):], true
				break
			}
		}
	}
	return words
}

// order returns the verb if words begin with one of those that change data, and go on as it demands.
func order(words []string) string {
	if len(words) < 2 {
		return ""
	}
	has := func(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
	for _, c := range changers {
		if !has(c.verbs, words[0]) {
			continue
		}
		later := c.later == "" || slices.ContainsFunc(words[1:], func(w string) bool { return has(c.later, w) })
		never := slices.ContainsFunc(words[1:min(3, len(words))], func(w string) bool { return has(c.never, w) })
		if later && !never && (c.next == "" || has(c.next, words[1])) {
			return words[0]
		}
	}
	return ""
}
