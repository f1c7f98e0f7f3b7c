package question

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/words"
)

func TestChanges(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Delete all orders of 2003.", "delete"},
		{"Please delete the customer Alpha Cognac!", "delete"},
		{"Could you please remove every product that was never ordered?", "remove"},
		{"I want you to update the price of all motorcycles to 10.", "update"},
		{"Update the status of order 10100 to Shipped", "update"},
		{"Set the credit limit of customer 103 to 0.", "set"},
		{"Add a new office in Rome.", "add"},
		{"insert into offices values (9)", "insert"},
		{"Drop the table payments", "drop"},
		{"Change the job title of Mary Patterson to CEO.", "change"},
		{"Cancel all orders that are in process", "cancel"},
		{"Book the room 12 for Ms Smith", "book"},
		{"Increase all prices by 5%", "increase"},
		{"Mark invoice 7 as paid.", "mark"},
		{"Approve all requests that are open.", "approve"},
		{"Sell two tickets to Ms Smith", "sell"},
		{"Make Mary Patterson head of the office in Rome.", "make"},
		{"Create a new customer named Bill.", "create"},
		{"Create an index on orders", "create"},
		{"Show the orders of 2003 and delete them.", "delete"},
		{"List all cancelled orders, then remove them from the table.", "remove"},
		{"The office in Rome is closed. Remove it.", "remove"},
		{"Lösche alle Bestellungen aus dem Jahr 2003.", "losche"},
		{"Kannst du bitte alle Kunden ohne Bestellung löschen?", "loschen"},
		{"Bitte den Preis von Produkt 5 um 10 % erhöhen", "erhohen"},
		{"Setze den Status aller Bestellungen auf bezahlt", "setze"},
		{"Füge einen neuen Kunden hinzu.", "fuge"},
		{"Borra todos los pedidos de 2003.", "borra"},
		{"¿Puedes eliminar los clientes sin pedidos?", "eliminar"},
		{"Cambia el precio del producto 5 a 10.", "cambia"},
		{"Supprimez toutes les commandes de 2003.", "supprimez"},
		{"Peux-tu effacer les clients sans commande ?", "effacer"},
		{"Mets à jour le prix du produit 5.", "mets"},
		{"Loesche alle Bestellungen", "loesche"},
		{"Bitte alle Rechnungen von 2003 stornieren", "stornieren"},
		{"Kündige alle Verträge von Müller", "kundige"},
		{"Erstelle eine neue Tabelle für Kunden", "erstelle"},
		{"Crea una tabla de clientes", "crea"},
		{"Pon el precio del producto 5 a 10", "pon"},
		{"Crée un nouveau client", "cree"},
		{"Vide la table des commandes", "vide"},

		{"Get rid of the orders of 2003.", "get"},
		{"Order 10100 should be cancelled.", "cancelled"},
		{"All prices need to be increased by 5 %", "increased"},

		// near misses
		{"Orders that should be cancelled", ""},
		{"Number of products that cannot be renamed and need to be deleted", ""},
		{"How many orders were deleted?", ""},
		{"Which orders should be cancelled?", ""},
		{"Show the last update of each product.", ""},
		{"Update dates by product", ""},
		{"List deleted accounts.", ""},
		{"Which users may update and delete the records?", ""},
		{"What was the change in price since 2003?", ""},
		{"Change in sales between 2003 and 2004", ""},
		{"Add up the amounts of all payments.", ""},
		{"Remove duplicates from the list of cities.", ""},
		{"Book titles by author", ""},
		{"Store names and their cities", ""},
		{"Create a list of all customers.", ""},
		{"Give me all customers from France.", ""},
		{"Give the names of products that got a discount.", ""},
		{"Set of all countries", ""},
		{"Show all orders and their status.", ""},
		{"Drop rates by course", ""},
		{"Make a list of all offices", ""},
		{"Stop names and their lines", ""},
		{"Wie viele Bestellungen wurden gelöscht?", ""},
		{"Welche Kunden haben ihre Adresse geändert?", ""},
		{"¿Cuántos pedidos se han eliminado?", ""},
		{"Combien de commandes ont été supprimées ?", ""},
		{"Erstelle eine Liste aller Kunden", ""},
		{"Crea una lista de clientes", ""},
		{"Crée une liste des clients", ""},
		{"Raise amounts by employee", ""},
		{"Find the number of cancelled flights and the airline.", ""},
		{"make, model and year of the red cars", ""},
		{"Which cars are blue? Make and model.", ""},
		{"Rank the cars by price within each make: make, plate, rank", ""},
		{"change from one month to the next", ""},
		{"change per quarter in percent", ""},
		{"mark each car as \"old\" before 2010 and as \"new\" since", ""},
		{"split the cars into four groups by price", ""},
		{"set price=5 for order 3", "set"},
		{"", ""},
	} {
		must.Equal(t, words.Fold(strings.ToLower(Read(tt.text, nil).Changes())), tt.want, "Changes", tt.text)
	}
	must.Equal(t, Read("Bitte alle Kunden Löschen!", nil).Changes(), "Löschen", "as written")
}
