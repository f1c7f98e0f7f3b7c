package question

import "strings"

// allOf are the words that ask for all that a row has, before the thing itself.
var allOf = strings.Split("everything about,everything on,everything we know about,everything we have on,everything known about,all we know about,what do we know about,what is known about,"+
	"all details of,all details about,all details on,all details for,all the details of,all the details about,all information about,all information on,all the information about,all the information on,"+
	"all data of,all data about,all data on,all the data of,all the data about,all columns of,all fields of,"+
	"todos los datos de,todos los datos del,toda la informacion de,toda la informacion sobre,todo sobre,alle daten von,alle daten zu,alle daten des,alle daten der,alle angaben zu,alles uber,"+
	"toutes les donnees de,toutes les donnees du,toutes les informations sur,tout sur", ",")

// Everything reports whether the question asks for all that is known of something.
func (q *Question) Everything() bool {
	var words []string
	for _, w := range q.Words {
		words = append(words, fold(w.Low))
	}
	text := strings.Join(words, " ")
	for _, verb := range []string{"show ", "give ", "list ", "tell ", "display ", "me ", "us "} {
		text = strings.TrimPrefix(text, verb)
	}
	for _, phrase := range allOf {
		if strings.HasPrefix(text, phrase+" ") {
			return true
		}
	}
	return false
}
