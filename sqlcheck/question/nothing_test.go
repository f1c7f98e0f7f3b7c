package question

import (
	"testing"

	"nl2sql/scripts/must"
)

func TestNothing(t *testing.T) {
	for _, text := range []string{"hello", "Hello!", "Hi there", "Hallo", "Guten Morgen!", "thanks",
		"Thank you very much.", "¡Gracias!", "Bonjour", "merci beaucoup", "???", "…", "42", "asdf", "asdfgh", "qwertz",
		"aaaaaa", "sdfghjk lkjhgf",
		"How are you?", "Wie geht's?", "¿Qué puedes hacer?", "Who are you?", "ok", "test", "xkcdqwrt"} {
		must.Be(t, Read(text, nil).Nothing() != "", text, "is taken for a question")
	}
	for _, text := range []string{"orders", "Umsatz 2023", "Hello, how many customers are there?", "SKU", "GmbH",
		"how many", "all customers", "top 3", "2023 sales", "Wie geht es den Tieren?", "customer 112", "list all",
		"help desk agents", "test results",
		"good customers", "night flights", "day with most orders", "¿Cuántos clientes hay?", "客户有多少",
		"Сколько клиентов?", "rhythm", "Schmidt", "brrr", "tschechische Kunden", "no orders"} {
		must.Equal(t, Read(text, nil).Nothing(), "", text)
	}
}
