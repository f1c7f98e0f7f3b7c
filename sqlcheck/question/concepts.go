package question

import "strings"

// things are groups of words for one thing that questions ask about, qualities for what values and comments say of it, in English, German, Spanish and
// French, by each of their stems. They connect a question to a database in another language; an English question is never read by them.
var (
	things = groups("customer client kunde kund cliente acheteur|order bestellung auftrag auftrage pedido commande|product produkt ware producto produit|employee staff mitarbeiter angestellte personal empleado employe|" +
		"invoice bill rechnung factura facture|payment zahlung pago paiement|department abteilung departamento departement|student studierende schuler pupil estudiante alumno etudiant|" +
		"teacher lehrer profesor professeur enseignant|course kurs curso cours|book buch bucher libro livre|author autor auteur|city town stadt stadte ort ciudad poblacion ville|country land pais pays|" +
		"price preis precio prix|date datum fecha|first vorname prenom|last nachname apellido|year jahr ano annee|month monat mes mois|day tag dia jour|age alter edad|" +
		"salary wage gehalt lohn salario sueldo salaire|amount betrag importe monto montant|quantity menge cantidad quantite|address adresse direccion|street strasse calle rue|company firma unternehmen empresa entreprise societe|" +
		"shop store laden filiale geschaft tienda magasin|car vehicle auto fahrzeug coche vehiculo voiture vehicule|house haus hauser casa maison|room zimmer raum habitacion sala chambre salle|" +
		"member mitglied miembro socio membre adherent|player spieler jugador joueur|team mannschaft equipo equipe|match game spiel partido juego jeu|song lied cancion chanson|film movie pelicula|actor schauspieler acteur|" +
		"doctor physician arzt arzte medico medecin|patient paciente|airport flughafen aeropuerto aeroport|flight flug fluge vuelo vol|ship schiff barco navire|train zug zuge tren|driver fahrer conductor chauffeur|" +
		"event veranstaltung evento evenement|project projekt proyecto projet|contract vertrag vertrage contrato contrat|account konto konten cuenta compte|supplier lieferant proveedor fournisseur|warehouse lager almacen entrepot|" +
		"stock inventory bestand existencia|category kategorie categoria categorie|type kind typ art tipo|status state zustand estado statut etat|color colour farbe couleur|weight gewicht peso poids|height grosse hohe altura taille hauteur|" +
		"length lange longitud longueur|population einwohner einwohnerzahl poblacion population|nationality nationalitat nacionalidad nationalite|language sprache idioma lengua langue|user benutzer nutzer usuario utilisateur|" +
		"manager boss chef leiter vorgesetzte jefe gerente responsable directeur|visit besuch visita visite|ticket karte entrada billet|complaint beschwerde reclamacion queja reclamation plainte|delivery lieferung entrega livraison|" +
		"shipment sendung envio expedition|discount rabatt descuento remise|tax steuer impuesto impot|profit gewinn beneficio ganancia benefice|revenue umsatz ingreso venta chiffre|cost kosten coste costo cout|budget presupuesto|" +
		"school schule escuela colegio ecole|university universitat universidad universite|hospital klinik krankenhaus hopital clinica clinique|building gebaude edificio batiment|machine maschine maquina|part teil ersatzteil pieza piece|" +
		"birth geburt geburtsdatum nacimiento naissance|gender sex geschlecht sexo sexe|email correo courriel|phone telefon telefono telephone|mountain berg montana montagne|river fluss rio fleuve riviere")
	qualities = groups("open offen abierto abierta ouvert ouverte|closed geschlossen abgeschlossen cerrado cerrada ferme clos cloture|paid bezahlt pagado pagada paye payee|unpaid unbezahlt impagado impaye|cancelled canceled storniert abgesagt cancelado cancelada anulado anulada annule annulee|" +
		"delivered geliefert zugestellt entregado entregada livre livree|shipped versandt verschickt enviado enviada expedie expediee|active aktiv activo activa actif|inactive inaktiv inactivo inactiva inactif|new neu nuevo nueva nouveau nouvelle|" +
		"urgent dringend eilig urgente|defective broken defekt kaputt averiado defectuoso defectueux|approved genehmigt aprobado aprobada approuve valide|rejected refused abgelehnt rechazado rechazada refuse rejete|pending ausstehend pendiente|late verspatet uberfallig atrasado retrasado retard|" +
		"male mannlich masculino hombre varon masculin homme|female weiblich femenino mujer feminin femme|cash bar barzahlung efectivo espece|" +
		"red rot rojo roja rouge|blue blau azul bleu|green grun verde vert|white weiss blanco blanca blanc|black schwarz negro negra noir|yellow gelb amarillo jaune|" +
		"germany deutschland alemania allemagne|france frankreich francia|spain spanien espana espagne|italy italien italia italie|england inglaterra angleterre|austria osterreich autriche|switzerland schweiz suiza suisse|" +
		"netherlands niederlande holland holanda|belgium belgien belgica belgique|usa vereinigtestaaten estadosunidos etatsunis unitedstates|unitedkingdom uk grossbritannien reinounido royaumeuni|canada kanada|brazil brasilien brasil bresil|" +
		"mexico mexiko mexique|japan japon|china chine|india indien inde|russia russland rusia russie|poland polen polonia pologne|portugal|sweden schweden suecia suede|norway norwegen noruega norvege|denmark danemark dinamarca|finland finnland finlandia finlande|" +
		"greece griechenland grecia grece|turkey turkei turquia turquie|australia australien australie|ireland irland irlanda irlande|scotland schottland escocia ecosse|hungary ungarn hungria hongrie|ukraine ucrania|argentina argentinien argentine")
)

func groups(text string) map[string][][]string {
	of := map[string][][]string{}
	for group := range strings.SplitSeq(text, "|") {
		words := strings.Fields(group)
		for _, w := range words {
			of[w] = append(of[w], words)
		}
	}
	return of
}
