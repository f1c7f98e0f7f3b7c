package question

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/words"
)

// Small talk has a reply, and what asks has none.
func TestReply(t *testing.T) {
	const itself = "I turn a question into one SELECT, run it, and show what it finds."
	const tables = `nl2sql schema lists the tables and their columns, and so does \schema in a chat. Ask for what they hold.`
	const anew = `Ask the next question in whole: it stands alone then. In a chat \new starts over.`
	const wrong = `Say what you want to see, or what is to change. In a chat \why tells how it was found, and \bad notes that it is wrong.`
	const back = `Say in whole what you want to see. A chat goes back with \undo, and an API by sending the answer before ` +
		`the last as behind.`
	for text, want := range map[string]string{
		"thanks": "You are welcome.", "Thanks a lot, that is great!": "You are welcome.", "ok": "All right. Ask for what " +
			"the database holds.", "hello": "Hello. Ask for what the database holds.", "bye": "Goodbye.",
		"Danke, das war super": "", "that's it, thank you": "You are welcome.", "asdfgh": "", "orders": "",
		"what tables are there?": tables, "Welche Tabellen gibt es?": tables, "what can I ask?": tables,
		"which tables are free?": "", "who are you?": itself, "Was kannst du?": itself, "sorry": "All right. Ask for what the database holds.",
		"Guten Tag": "Hello. Ask for what the database holds.", "Salut !": "Hello. Ask for what the database holds.", "Bonsoir": "Hello. Ask for what the database holds.", "Tschüss!": "Goodbye.", "😀": "",
		"start over": anew, "clear": anew, "von vorne bitte": anew, "wrong": wrong, "ok, that's wrong": wrong, "thank u": "You are welcome.",
		"can you show me the sql": "There is no answer to speak of yet. Ask for what the database holds.",
		"why?":                    "There is no answer to speak of yet. Ask for what the database holds.", "why are orders open": "",
		"c'est faux": wrong, "ce n'est pas correct": wrong, "d'accord": "All right. Ask for what the database holds.",
		"I don't know":       "All right. Ask for what the database holds.",
		"undo the last step": back, "rückgängig": back, "annuler": back,
		"Thanks. How many orders are there?": "", "ok, and by month?": "", "is it open": "", "how many is it": "",
	} {
		must.Equal(t, Read(text, nil).Reply(), want, text)
	}
}

// What is a whole text is so with small talk around it, and not within another question.
func TestIsWhole(t *testing.T) {
	for text, want := range map[string]words.Use{
		"why?": words.Meta, "ok, and how do you know that?": words.Meta, "Show me the SQL, please": words.Meta,
		"warum": words.Meta, "the other way round": words.Reverses, "now the other way around please": words.Reverses,
		"umgekehrt bitte": words.Reverses, "Reverse the order.": words.Reverses, "why are orders late?": 0,
		"dans l'autre sens": words.Reverses, "à l’envers": words.Reverses,
		"reverse charge invoices": 0, "": 0, "thanks": 0, "the other way of payment": 0,
	} {
		q := Read(text, nil)
		must.Equal(t, q.IsWhole(words.Meta), want == words.Meta, text)
		must.Equal(t, q.IsWhole(words.Reverses), want == words.Reverses, text)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"hello", "Hello!", "Hi there", "Hallo", "Guten Morgen!", "thanks",
		"Thank you very much.", "¡Gracias!", "Bonjour", "merci beaucoup", "???", "…", "42", "asdf", "asdfgh", "qwertz",
		"aaaaaa", "sdfghjk lkjhgf",
		"How are you?", "Wie geht's?", "¿Qué puedes hacer?", "Who are you?", "ok", "test", "xkcdqwrt",
		"Hey there, how are you?", "danke schön, das war's", "Salut, ça va ?", "Guten Tag, wie geht's?", "show me", "the",
		"what", "which of", "and", "und", "what can you do for me?", "continue", "Kannst du mir helfen?", "test test 1 2 3", "what is 2+2?", "show it as a bar chart", "export this", "hello 12", "git status", "ls -la", "sudo rm -rf",
		"git commit -m x"} {
		must.Be(t, Read(text, nil).Nothing() != "", text, "is taken for a question")
	}
	for _, text := range []string{"orders", "Umsatz 2023", "Hello, how many customers are there?", "SKU", "GmbH",
		"how many", "all customers", "top 3", "python developers of the team", "which git users?", "ok 2004", "2023 sales", "Wie geht es den Tieren?", "customer 112", "list all",
		"help desk agents", "test results",
		"good customers", "night flights", "day with most orders", "¿Cuántos clientes hay?", "客户有多少",
		"Сколько клиентов?", "rhythm", "Schmidt", "brrr", "tschechische Kunden", "no orders",
		"which ones?", "plots", "export", "all of them", "wie viele?", "and in France?", "when?", "more", "top 3", "per country", "everything"} {
		must.Equal(t, Read(text, nil).Nothing(), "", text)
	}
	club := examples.MustParse(t, "club", "CREATE TABLE people (id int PRIMARY KEY, name varchar(9))")
	must.Equal(t, Read("show me the people", club).Nothing(), "")
	must.Be(t, Read("show me the", club).Nothing() != "", "it names nothing")
}
