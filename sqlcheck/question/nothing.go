package question

import (
	"strings"
	"unicode"
)

// small are words that people greet, thank, agree and try out with. A text of nothing else asks for no data.
var small = setOf("hello hi hey howdy greetings hallo hola bonjour bonsoir salut ciao servus moin hoi good morning afternoon evening night day guten tag morgen abend gruss grusse buenos buenas dias tardes noches bonne journee " +
	"thanks thank you thx ty danke dankeschon vielen dank schon gracias muchas merci beaucoup please bitte por favor bye goodbye tschuss wiedersehen adios revoir au auf hasta luego so sehr very much many " +
	"ok okay yes no yeah nope ja nein si oui non cool great nice super fine well gut bien genial parfait perfect lol haha hm hmm um oh ah wow " +
	"test testing help hilfe ayuda aide there world again dear everybody all nl2sql bot ai assistant computer friend mate sir madam")

// talk are questions to a program about itself, as they are typed without accents and marks.
var talk = setOf("how_are_you who_are_you what_are_you what_can_you_do what_do_you_do what_is_this are_you_there how_do_you_do whats_up what_is_up how_is_it_going what_is_your_name can_you_help_me help_me tell_me_a_joke " +
	"wie_geht_es_dir wie_geht_es wie_gehts wer_bist_du was_kannst_du was_bist_du como_estas que_tal quien_eres que_puedes_hacer comment_ca_va ca_va qui_es_tu que_sais_tu_faire comment_vas_tu comment_allez_vous who_made_you i_love_you")

// Nothing says why a text asks nothing about data: it has no words, greets, or is random letters; "" if it may be a question. It knows no database, and in doubt it is a question.
func Nothing(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '_' && !unicode.IsDigit(r)
	})
	letters, plain, random := 0, 0, 0
	for i, w := range words {
		w = strings.NewReplacer("'", "", "’", "").Replace(fold(w))
		words[i] = w
		letters += strings.IndexFunc(w, unicode.IsLetter) + 1
		if small[w] {
			plain++
		}
		if isRandom(w) {
			random++
		}
	}
	switch {
	case letters == 0:
		return "has no words"
	case plain == len(words), talk[strings.Join(words, "_")]:
		return "asks nothing about the data"
	case random == len(words):
		return "has no words that can be read"
	}
	return ""
}

// rows of keyboards, which fingers run along.
var rows = []string{"qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "1234567890"}

// isRandom reports whether a word, which no name or abbreviation is as long as, is letters without sense: a run of keys, one letter again and again,
// or six letters and more without a vowel.
func isRandom(w string) bool {
	if len(w) < 4 || strings.ContainsRune(w, '_') {
		return false
	}
	if strings.Count(w, w[:1]) == len(w) {
		return true
	}
	for _, row := range rows {
		for n := 0; n < 2; n++ {
			if strings.Contains(row, w) || len(w) >= 6 && strings.Contains(row, w[:4]) && strings.Contains(row, w[len(w)-2:]) {
				return true
			}
			row = reversed(row)
		}
	}
	return len(w) >= 6 && isASCII(w) && !strings.ContainsAny(w, "aeiouy0123456789")
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
