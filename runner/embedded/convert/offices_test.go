package convert

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"nl2sql/scripts/must"
)

// office is a file as an office has it, and the table that it holds: its columns with their types, then a row each,
// without a value NULL. Told must be told of it.
type office struct {
	name, file string // text of a CSV file; "" where others make it
	want, told string
	make       func(t *testing.T) string
}

func latin1(s string) string { return must1(charmap.Windows1252.NewEncoder().String(s)) }

func utf16le(s string) string {
	return must1(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s))
}

func must1(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func ends(s, end string) string { return strings.ReplaceAll(s, "\n", end) }

// many are n lines.
func many(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// cells makes a workbook of rows; styles are the formats of numbers by the columns' letters.
func cells(rows [][]any, styles map[string]string, more ...func(f *excelize.File)) func(t *testing.T) string {
	return func(t *testing.T) string {
		return workbookOf(t, func(f *excelize.File, style func(string) int) {
			for i, row := range rows {
				must.Do(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row))
			}
			for column, format := range styles {
				must.Do(t, f.SetCellStyle("Sheet1", column+"2", fmt.Sprintf("%s%d", column, len(rows)), style(format)))
			}
			for _, do := range more {
				do(f)
			}
		})
	}
}

func packed[T any](rows ...T) func(t *testing.T) string {
	return func(t *testing.T) string {
		var b bytes.Buffer
		must.Do(t, parquet.Write(&b, rows))
		path := filepath.Join(t.TempDir(), "book.parquet")
		must.Do(t, os.WriteFile(path, b.Bytes(), 0o600))
		return path
	}
}

var offices = []office{
	// German
	{name: "decimal commas", file: "Artikel;Menge;Preis\nSchraube;10;1.234,50\nMutter;2;0,99\n",
		want: "Artikel varchar(8), Menge int, Preis decimal(6,2)\nSchraube|10|1234.50\nMutter|2|0.99"},
	{name: "Excel's CSV in Germany", file: latin1("Größe;Preis in €\n42;1.234,50 €\n43;-0,99 €\n"),
		want: "Größe int, Preis in € decimal(6,2)\n42|1234.50\n43|-0.99", told: "windows-1252"},
	{name: "days", file: "Nr;Datum\n1;31.12.2023\n2;01.02.2024\n", want: "Nr int, Datum date\n1|2023-12-31\n2|2024-02-01"},
	{name: "short days", file: "Nr;Datum\n1;31.12.23\n2;1.2.24\n", want: "Nr int, Datum date\n1|2023-12-31\n2|2024-02-01"},
	{name: "days in words", file: "Nr;Datum\n1;31. Dezember 2023\n2;1. März 2024\n",
		want: "Nr int, Datum date\n1|2023-12-31\n2|2024-03-01"},
	{name: "days and times", file: "Nr;Beginn\n1;31.12.2023 14:05\n2;01.01.2024 08:00\n",
		want: "Nr int, Beginn datetime\n1|2023-12-31 14:05:00\n2|2024-01-01 08:00:00"},
	{name: "percents", file: "Land;Anteil\nBremen;12,5 %\nHessen;7 %\n",
		want: "Land varchar(6), Anteil decimal(5,3)\nBremen|0.125\nHessen|0.07", told: "percents"},
	{name: "SAP's minus", file: "Konto;Saldo\n4711;1.234,50-\n4712;10,00\n",
		want: "Konto int, Saldo decimal(6,2)\n4711|-1234.50\n4712|10.00"},
	{name: "days of the week", file: "Tag;Gäste\nMontag, 1. Januar 2024;4\nDi., 2. Januar 2024;5\n",
		want: "Tag date, Gäste int\n2024-01-01|4\n2024-01-02|5"},
	{name: "weekdays", file: "Day,Guests\n\"Monday, January 1, 2024\",4\n\"Tuesday, January 2, 2024\",5\n",
		want: "Day date, Guests int\n2024-01-01|4\n2024-01-02|5"},
	{name: "heures", file: "Début;Fin\n8h05;12h30\n13 h 00;17h45\n",
		want: "Début time, Fin time\n08:05:00|12:30:00\n13:00:00|17:45:00"},
	{name: "lakh", file: "Branch,Deposits\nPune,\"1,00,000.00\"\nAgra,\"12,34,567.50\"\n",
		want: "Branch varchar(4), Deposits decimal(9,2)\nPune|100000.00\nAgra|1234567.50"},
	{name: "debit and credit", file: "Account,Balance\nA,\"1,000.00 DR\"\nB,20.50 CR\n",
		want: "Account varchar(1), Balance varchar(11)\nA|1,000.00 DR\nB|20.50 CR", told: `behind them, as "1,000.00 DR"`},
	{name: "post codes", file: "PLZ;Ort\n01067;Dresden\n24103;Kiel\n", want: "PLZ varchar(5), Ort varchar(7)\n01067|Dresden\n24103|Kiel"},
	{name: "telephones", file: "Name;Telefon\nAda;+49 431 123456\nBo;0431/7788\nCy;0171 5556667\n",
		want: "Name varchar(3), Telefon varchar(14)\nAda|+49 431 123456\nBo|0431/7788\nCy|0171 5556667"},
	{name: "accounts", file: "Name;IBAN\nAda;DE89370400440532013000\nBo;DE02120300000000202051\n",
		want: "Name varchar(3), IBAN varchar(22)\nAda|DE89370400440532013000\nBo|DE02120300000000202051"},
	{name: "keine Angabe", file: "Name;Alter\nAda;36\nBo;k. A.\nCy;41\n", want: "Name varchar(3), Alter int\nAda|36\nBo|\nCy|41",
		told: `Alter: 1 of 3 values are "k. A.": NULL`},
	{name: "hours", file: "Name;Stunden\nAda;37:30\nBo;8:15\n", want: "Name varchar(3), Stunden time\nAda|37:30:00\nBo|08:15:00"},
	{name: "thousands by their neighbours", file: "Ort;Einwohner;Fläche\nUlm;126.329;118,7\nKiel;246.243;118,6\n",
		want: "Ort varchar(4), Einwohner int, Fläche decimal(4,1)\nUlm|126329|118.7\nKiel|246243|118.6"},
	{name: "thousands alone", file: "Ort;Einwohner\nUlm;126.329\nKiel;246.243\n",
		want: "Ort varchar(4), Einwohner varchar(7)\nUlm|126.329\nKiel|246.243", told: "--decimal"},
	{name: "Swiss", file: "Ort;Betrag\nBern;CHF 1'234.50\nChur;CHF 10.00\n",
		want: "Ort varchar(4), Betrag decimal(6,2)\nBern|1234.50\nChur|10.00"},
	{name: "title, unit of the office, total", file: "Umsatz 2023;;\n;;\nOrt;Menge;Umsatz\nUlm;2;10,50\nKiel;3;20,00\nSumme;5;30,50\n",
		want: "Ort varchar(4), Menge int, Umsatz decimal(4,2)\nUlm|2|10.50\nKiel|3|20.00", told: "row 6 adds up the rows above: it is left out"},
	{name: "total without a name", file: "Konto;Ort;Soll;Haben\n10;Ulm;2,5;1\n20;Kiel;3;2\n;;5,5;3\n",
		want: "Konto int, Ort varchar(4), Soll decimal(2,1), Haben int\n10|Ulm|2.5|1\n20|Kiel|3|2", told: "row 4 adds up"},
	{name: "total under numbers", file: "Nr;Anteil;Preis\n1;25 %;1,50\n2;75 %;2,50\nSuma total;100 %;4,00\n",
		want: "Nr int, Anteil decimal(4,2), Preis decimal(3,2)\n1|0.25|1.50\n2|0.75|2.50", told: "row 4 adds up"},
	{name: "a total that is none", file: "Firma;n;m\nShell;1;4\nBP;2;5\nTotal SE;4;7\n",
		want: "Firma varchar(8), n int, m int\nShell|1|4\nBP|2|5\nTotal SE|4|7", told: "seems to be a total"},
	{name: "totals of groups", file: "Land,Ort,n\nDE,Ulm,10\nDE,Kiel,20\nDE Total,,30\nFR,Lyon,5\nFR,Metz,1\n",
		want: "Land varchar(8), Ort varchar(4), n int\nDE|Ulm|10\nDE|Kiel|20\nDE Total||30\nFR|Lyon|5\nFR|Metz|1",
		told: "row 4 seems to be a total"},
	{name: "a sum by chance", file: "town,n\nUlm,1\nKiel,2\n,3\n", want: "town varchar(4), n int\nUlm|1\nKiel|2\n|3"},
	{name: "groups beside a name", file: "Jahr;2023;;2024;\nOrt;Soll;Haben;Soll;Haben\nUlm;1;2;3;4\nKiel;5;6;7;8\n",
		want: "Jahr Ort varchar(4), 2023 Soll int, 2023 Haben int, 2024 Soll int, 2024 Haben int\nUlm|1|2|3|4\nKiel|5|6|7|8",
		told: "name the columns together"},
	{name: "ja und nein", file: "Name;aktiv\nAda;ja\nBo;nein\n", want: "Name varchar(3), aktiv varchar(4)\nAda|ja\nBo|nein"},
	{name: "several currencies", file: "Nr;Betrag\n1;10,50 €\n2;3,00 $\n", want: "Nr int, Betrag varchar(7)\n1|10,50 €\n2|3,00 $",
		told: "units"},
	{name: "sep=", file: "sep=;\nNr;Ort\n1;Ulm\n", want: "Nr int, Ort varchar(3)\n1|Ulm"},
	{name: "sep= in quotes", file: "\"sep=,\"\nNr,Ort\n1,Ulm\n", want: "Nr int, Ort varchar(3)\n1|Ulm"},
	{name: "answers in words under Qualtrics' header", file: "ID,Q1\nResponse,\"Town, please?\"\n" +
		`"{""ImportId"":""a""}","{""ImportId"":""b""}"` + "\nR_1,Ulm\nR_2,Kiel\n",
		want: "ID Response varchar(3), Q1 Town, please? varchar(4)\nR_1|Ulm\nR_2|Kiel", told: "lines 1 to 3"},
	{name: "signs that nobody sees", file: "id,\u200btown\n1,Ulm\n", want: "id int, town varchar(3)\n1|Ulm"},
	{name: "moments as Excel counts them", file: "id,created\n1,45292.5\n2,45293.25\n",
		want: "id int, created decimal(7,2)\n1|45292.5\n2|45293.25", told: "days as Excel counts them"},
	{name: "dash for nothing", file: "Ort;Menge\nUlm;-\nKiel;3\nBonn;4\n", want: "Ort varchar(4), Menge int\nUlm|\nKiel|3\nBonn|4",
		told: `"-": NULL`},
	{name: "Uhr", file: "Ort;Beginn\nUlm;9:30 Uhr\nKiel;14:00 Uhr\n", want: "Ort varchar(4), Beginn time\nUlm|09:30:00\nKiel|14:00:00"},
	{name: "quarters", file: "Ort;Q1 2023;Q2 2023\nUlm;1,5;2,5\nKiel;3,25;4\n",
		want: "Ort varchar(4), Q1 2023 decimal(3,2), Q2 2023 decimal(2,1)\nUlm|1.5|2.5\nKiel|3.25|4"},
	{name: "years as names", file: "Ort;2021;2022\nUlm;15;25\nKiel;32;40\n", want: "Ort varchar(4), 2021 int, 2022 int\nUlm|15|25\nKiel|32|40"},
	{name: "SAP's empty day", file: "Nr;Datum\n1;00.00.0000\n2;31.12.2023\n3;01.02.2024\n",
		want: "Nr int, Datum date\n1|\n2|2023-12-31\n3|2024-02-01", told: `"00.00.0000": NULL`},
	// French
	{name: "blanks that do not break", file: "Ville;Montant\nLyon;1\u202f234,50\nNice;12,00\n",
		want: "Ville varchar(4), Montant decimal(6,2)\nLyon|1234.50\nNice|12.00"},
	{name: "euros", file: latin1("Libellé;Montant\nLoyer;1\u00a0234,50 €\nEau;0,50 €\n"),
		want: "Libellé varchar(5), Montant decimal(6,2)\nLoyer|1234.50\nEau|0.50", told: "windows-1252"},
	{name: "jours", file: "No;Date\n1;31/12/2023\n2;01/02/2024\n", want: "No int, Date date\n1|2023-12-31\n2|2024-02-01"},
	{name: "jours en lettres", file: "No;Date\n1;15 janvier 2024\n2;1 août 2024\n", want: "No int, Date date\n1|2024-01-15\n2|2024-08-01"},
	{name: "pour cent", file: "Ville;Part\nLyon;12,5 %\nNice;100 %\n", want: "Ville varchar(4), Part decimal(6,3)\nLyon|0.125\nNice|1.00",
		told: "percents"},
	{name: "brackets", file: "Compte;Solde\n601;(1 234,50)\n602;10,00\n", want: "Compte int, Solde decimal(6,2)\n601|-1234.50\n602|10.00"},
	{name: "téléphones", file: "Nom;Tél\nAda;01 23 45 67 89\nBo;+33 1 23 45 67 89\n",
		want: "Nom varchar(3), Tél varchar(17)\nAda|01 23 45 67 89\nBo|+33 1 23 45 67 89"},
	{name: "départements", file: "Code;Nom\n01;Ain\n2A;Corse-du-Sud\n75;Paris\n",
		want: "Code varchar(2), Nom varchar(12)\n01|Ain\n2A|Corse-du-Sud\n75|Paris"},
	{name: "n.d.", file: "Ville;Note\nLyon;12\nNice;n.d.\nMetz;13\n", want: "Ville varchar(4), Note int\nLyon|12\nNice|\nMetz|13", told: `"n.d."`},
	// English
	{name: "dollars", file: "item,price\nlamp,\"$1,234.50\"\nsocket,$0.99\n", want: "item varchar(6), price decimal(6,2)\nlamp|1234.50\nsocket|0.99"},
	{name: "accountants", file: "account,balance\n601,\"(1,234.50)\"\n602,10.00\n", want: "account int, balance decimal(6,2)\n601|-1234.50\n602|10.00"},
	{name: "American days", file: "no,day\n1,12/31/2023\n2,01/02/2024\n", want: "no int, day date\n1|2023-12-31\n2|2024-01-02"},
	{name: "days of nobody knows where", file: "no,day\n1,01/02/2024\n2,03/04/2024\n", want: "no int, day varchar(10)\n1|01/02/2024\n2|03/04/2024",
		told: "--dates"},
	{name: "months in words", file: "no,day\n1,\"Dec 31, 2023\"\n2,\"May 1, 2024\"\n", want: "no int, day date\n1|2023-12-31\n2|2024-05-01"},
	{name: "before noon", file: "no,at\n1,9:30 AM\n2,12:15 PM\n", want: "no int, at time\n1|09:30:00\n2|12:15:00"},
	{name: "not available", file: "name,age\nAda,36\nBo,N/A\nCy,41\n", want: "name varchar(3), age int\nAda|36\nBo|\nCy|41", told: `"N/A"`},
	{name: "share", file: "town,share\nOslo,12.5%\nBergen,7%\n", want: "town varchar(6), share decimal(5,3)\nOslo|0.125\nBergen|0.07", told: "percents"},
	{name: "stamps", file: "no,at\n1,2024-01-31T10:00:00Z\n2,2024-02-01T11:30:00Z\n",
		want: "no int, at datetime\n1|2024-01-31 10:00:00\n2|2024-02-01 11:30:00", told: "zone"},
	{name: "lines within", file: "no,note\n1,\"two\nlines\"\n2,\"a \"\"word\"\"\"\n", want: "no int, note varchar(9)\n1|two\nlines\n2|a \"word\""},
	{name: "pipes", file: "no|name\n1|Ada, of London\n2|Bo\n", want: "no int, name varchar(14)\n1|Ada, of London\n2|Bo"},
	{name: "tabs", file: "no\tname\n1\tAda\n2\tBo\n", want: "no int, name varchar(3)\n1|Ada\n2|Bo"},
	{name: "Excel's Unicode text", file: utf16le("no\tname\n1\tÅse\n2\tBo\n"), want: "no int, name varchar(3)\n1|Åse\n2|Bo"},
	{name: "BOM", file: "\xef\xbb\xbfno,name\r\n1,Ada\r\n", want: "no int, name varchar(3)\n1|Ada"},
	{name: "old Mac", file: ends("no,name\n1,Ada\n2,Bo\n", "\r"), want: "no int, name varchar(3)\n1|Ada\n2|Bo"},
	{name: "trailing separator", file: "no,name,\n1,Ada,\n2,Bo,\n", want: "no int, name varchar(3)\n1|Ada\n2|Bo"},
	{name: "a name twice", file: "no,name,name\n1,Ada,Byron\n", want: "no int, name varchar(3), name_2 varchar(5)\n1|Ada|Byron", told: "name_2"},
	{name: "no header", file: "1,Ada,36\n2,Bo,41\n", want: "column_1 int, column_2 varchar(3), column_3 int\n1|Ada|36\n2|Bo|41", told: "no line names"},
	{name: "footnote", file: "town,n\nOslo,1\nBergen,2\n\nSource: the office\n", want: "town varchar(6), n int\nOslo|1\nBergen|2", told: "left out behind"},
	{name: "articles", file: "no;n\n1E3;1\n120;2\n", want: "no varchar(3), n int\n1E3|1\n120|2"},
	{name: "days of two habits", file: "no;day\n1;31.12.2023\n2;2024-01-02\n3;2024-3-4\n",
		want: "no int, day date\n1|2023-12-31\n2|2024-01-02\n3|2024-03-04"},
	{name: "the first of a month", file: "nom;jour\nA1;1er mars 2024\nA2;2 mars 2024\n",
		want: "nom varchar(2), jour date\nA1|2024-03-01\nA2|2024-03-02"},
	{name: "a first value that is open", file: "name;n\nAda;open\n" + strings.Repeat("B;7\n", 150),
		want: "name varchar(3), n int\nAda|\n" + strings.Repeat("B|7\n", 150), told: `"open"`},
	{name: "dashes for no cents", file: "no;price\n1;CHF 5.--\n2;CHF 1'200.50\n",
		want: "no int, price decimal(6,2)\n1|5\n2|1200.50", told: "price: its numbers have the unit chf, which is left out"},
	{name: "moments of two zones", file: "no,at\n1,2024-01-01T10:00:00Z\n2,2024-01-02T10:00:00+02:00\n",
		want: "no int, at datetime\n1|2024-01-01 10:00:00\n2|2024-01-02 10:00:00", told: "the zone Z and +02:00"},
	{name: "what programs write for NULL", file: "no,town\n1,Oslo\n2,NULL\n3,Null\n4,null\n",
		want: "no int, town varchar(4)\n1|Oslo\n2|\n3|Null\n4|", told: `values are "NULL": NULL`},
	{name: "a drawn table", file: "|no|day       |\n|--|----------|\n|01|31.12.2023|\n|02|01.01.2024|\n",
		want: "no varchar(2), day date\n01|2023-12-31\n02|2024-01-01"},
	{name: "a table of Markdown", file: "| Name | Alter |\n|:-----|------:|\n| Ada  | 36    |\n| Bo   | 41    |\n",
		want: "Name varchar(3), Alter int\nAda|36\nBo|41"},
	{name: "weights", file: "Teil;Gewicht\nT1;0,25 kg\nT2;1,5 kg\n", want: "Teil varchar(2), Gewicht decimal(3,2)\nT1|0.25\nT2|1.5",
		told: `Gewicht: its numbers have a unit, which is left out: "0,25 kg" is 0.25`},
	{name: "hours of work", file: "task,time\na,1 h\nb,3 h\n", want: "task varchar(1), time int\na|1\nb|3", told: "unit"},
	{name: "DATEV", file: latin1("\"EXTF\";700;21;\"Buchungsstapel\";9;2024;;\"RE\"\n\"Umsatz\";\"Konto\";\"Belegdatum\";\"Text\"\n" +
		"10,50;8400;\"0101\";\"Büro\"\n1.200,00;4980;\"0201\";\"Miete\"\n"),
		want: "Umsatz decimal(6,2), Konto int, Belegdatum varchar(4), Text varchar(5)\n10.50|8400|0101|Büro\n1200.00|4980|0201|Miete",
		told: "DATEV"},
	{name: "Excel's texts", file: "PLZ;Ort\n=\"01067\";Dresden\n=\"24103\";Kiel\n",
		want: "PLZ varchar(5), Ort varchar(7)\n01067|Dresden\n24103|Kiel"},
	{name: "blanks between thousands alone", file: "Ville;Pop\nLyon;522 250\nNice;348 085\n", want: "Ville varchar(4), Pop int\nLyon|522250\nNice|348085"},
	{name: "changes in percent", file: "Land;Diff\nA;+1,5 %\nB;−2,0 %\n", want: "Land varchar(1), Diff decimal(4,3)\nA|0.015\nB|-0.020", told: "percents"},
	{name: "limits of detection", file: "no;mg\n1;<0,5\n2;1,5\n3;2,5\n4;3,5\n", want: "no int, mg varchar(4)\n1|<0,5\n2|1,5\n3|2,5\n4|3,5",
		told: "1 of 4 values are no numbers"},
	{name: "millions", file: "firm,revenue\nA,$1.5M\nB,$20.1M\n", want: "firm varchar(1), revenue varchar(6)\nA|$1.5M\nB|$20.1M", told: `behind them, as "$1.5M"`},
	{name: "a list of SAP", file: "Tabelle: MARA\n\n|MATNR   |NTGEW  |\n|--------|-------|\n|00000001|1,500  |\n|00000002|10,25  |\n",
		want: "MATNR varchar(8), NTGEW decimal(5,3)\n00000001|1.500\n00000002|10.25", told: "left out above"},
	{name: "several units of measure", file: "part,mass\na,1 kg\nb,300 g\n", want: "part varchar(1), mass varchar(5)\na|1 kg\nb|300 g",
		told: "several units"},
	{name: "units on some", file: "part,mass\na,1 kg\nb,3\nc,4 kg\n", want: "part varchar(1), mass varchar(4)\na|1 kg\nb|3\nc|4 kg",
		told: "a unit: text"},
	{name: "rooms", file: "flat,size\na,3 Zimmer\nb,4 Zimmer\n", want: "flat varchar(1), size varchar(8)\na|3 Zimmer\nb|4 Zimmer",
		told: `behind them, as "3 Zimmer": text`},
	{name: "versions of two parts", file: "app,version\na,1.9\nb,1.10\n", want: "app varchar(1), version decimal(3,2)\na|1.9\nb|1.10",
		told: "is a version"},
	{name: "a statement of three columns", file: "Konto;DE89\nVon;01.01.2024\nBis;31.01.2024\n\nTag;Text;Betrag\n" +
		many(9, func(i int) string { return fmt.Sprintf("%02d.01.2024;x%d;-%d,50", i+1, i, i) }),
		want: "Tag date, Text varchar(2), Betrag decimal(3,2)\n" +
			many(9, func(i int) string { return fmt.Sprintf("2024-01-%02d|x%d|-%d.50", i+1, i, i) }), told: "left out above"},
	{name: "groups above the header", file: ";Umsatz;;Kosten;\nOrt;2023;2024;2023;2024\nUlm;1;2;3;4\nKiel;5;6;7;8\n",
		want: "Ort varchar(4), Umsatz 2023 int, Umsatz 2024 int, Kosten 2023 int, Kosten 2024 int\nUlm|1|2|3|4\nKiel|5|6|7|8",
		told: "name the columns together"},
	{name: "a bank's statement", file: "\"Konto:\";\"DE89\"\n" +
		"\"Von:\";\"01.01.2024\"\n\"Bis:\";\"31.01.2024\"\n\n" + "\"Tag\";\"Wert\";\"Text\";\"Betrag\"\n" +
		many(9, func(i int) string { return fmt.Sprintf("%02d.01.2024;%02d.01.2024;x%d;-%d,50", i+1, i+2, i, i) }),
		want: "Tag date, Wert date, Text varchar(2), Betrag decimal(3,2)\n" +
			many(9, func(i int) string { return fmt.Sprintf("2024-01-%02d|2024-01-%02d|x%d|-%d.50", i+1, i+2, i, i) }),
		told: "left out above"},
	{name: "powers", file: "no,mass\n1,1.5E+03\n2,2e-3\n", want: "no int, mass double\n1|1.5e+03\n2|2e-3"},
	{name: "cards", file: "name,card\nAda,4111111111111111\nBo,5500005555555559\n",
		want: "name varchar(3), card varchar(16)\nAda|4111111111111111\nBo|5500005555555559"},
	{name: "yes and no", file: "name,active\nAda,TRUE\nBo,FALSE\n", want: "name varchar(3), active varchar(5)\nAda|TRUE\nBo|FALSE"},
	{name: "one odd cell", file: "n\n" + many(199, func(i int) string { return fmt.Sprint(i % 9) }) + "tbd\n",
		want: "n int\n" + many(199, func(i int) string { return fmt.Sprint(i % 9) }), told: `1 of 200 values are no numbers (the first is "tbd", row 201)`},
	{name: "empty and nothing", file: "a,b\n\"\",1\n,2\nx,3\n", want: "a varchar(1), b int\n''|1\n|2\nx|3"},
	{name: "lines of a header", file: "shop,2023,2023\n,north,south\nlamps,1.5,2\nropes,3,4.5\n",
		want: "shop varchar(5), 2023 north decimal(2,1), 2023 south decimal(2,1)\nlamps|1.5|2\nropes|3|4.5", told: "name the columns together"},
	{name: "years first", file: "no,day\n1,2023/12/31\n2,2024/01/05\n", want: "no int, day date\n1|2023-12-31\n2|2024-01-05"},
	{name: "a value too much", file: "no,town,n\n1,Oslo,5\n2,Bergen,6\n3,Voss,,7\n4,Ulm,8\n",
		want: "no int, town varchar(6), n int\n1|Oslo|5\n2|Bergen|6\n3|Voss|7\n4|Ulm|8", told: "row 4 has 4 values"},
	{name: "apostrophes", file: "no,name\n1,O'Neill\n2,D'Arcy\n", want: "no int, name varchar(7)\n1|O'Neill\n2|D'Arcy"},
	{name: "versions", file: "app,version\na,1.10\nb,1.2.3\nc,2.0\n", want: "app varchar(1), version varchar(5)\na|1.10\nb|1.2.3\nc|2.0", told: ""},
	{name: "inches and feet", file: "no,size\n1,5'11\"\n2,6'2\"\n", want: "no int, size varchar(5)\n1|5'11\"\n2|6'2\"", told: "quote"},
	{name: "coordinates", file: "town,lat,lon\nOslo,59.913,10.752\nLima,-12.046,-77.043\n",
		want: "town varchar(4), lat decimal(5,3), lon decimal(5,3)\nOslo|59.913|10.752\nLima|-12.046|-77.043"},
	{name: "pages of a report", file: "Umsatzliste 2024;;\nSeite 1;;\nNr;Ort;Betrag\n1;Ulm;10,50\n2;Kiel;20,00\n" +
		"Umsatzliste 2024;;\nSeite 2;;\nNr;Ort;Betrag\n3;Bonn;30,25\n",
		want: "Nr int, Ort varchar(4), Betrag decimal(4,2)\n1|Ulm|10.50\n2|Kiel|20.00\n3|Bonn|30.25", told: "row 8 is the header again"},
	{name: "a header again", file: "id,town,n\n1,Ulm,5\n2,Kiel,6\nid,town,n\n3,Bonn,7\n",
		want: "id int, town varchar(4), n int\n1|Ulm|5\n2|Kiel|6\n3|Bonn|7", told: "row 4 is the header again"},
	{name: "sections", file: "Nord,,\nid,town,n\n1,Ulm,5\n2,Kiel,6\n\nSüd,,\nid,town,n\n3,Bonn,7\n",
		want: "id int, town varchar(4), n int\n1|Ulm|5\n2|Kiel|6", told: "line 7 begins another table"},
	{name: "tables of two widths", file: "id,town,n\n1,Ulm,5\n2,Kiel,6\n3,Bonn,6\n\nday,item,price,n\n" +
		"2024-01-01,lamp,5.5,1\n2024-01-02,rope,6.5,2\n2024-01-03,lamp,7.5,3\n2024-01-04,lamp,7.5,3\n",
		want: "id int, town varchar(4), n int\n1|Ulm|5\n2|Kiel|6\n3|Bonn|6", told: "line 6 begins another table"},
	{name: "lines about a table", file: "from,2024-01-01,Ulm\nto,2024-02-01,Ulm\nby,Kim,Ulm\n\nday,item,price,n\n" +
		strings.Repeat("2024-01-01,lamp,5.5,1\n2024-01-02,rope,6.5,2\n2024-01-03,lamp,7.5,3\n2024-01-04,lamp,7.5,3\n", 4),
		want: "day date, item varchar(4), price decimal(2,1), n int\n" + strings.TrimSpace(strings.Repeat(
			"2024-01-01|lamp|5.5|1\n2024-01-02|rope|6.5|2\n2024-01-03|lamp|7.5|3\n2024-01-04|lamp|7.5|3\n", 4))},
	{name: "a column that is none", file: "id,,town\n1,,Ulm\n2,,Kiel\n",
		want: "id int, town varchar(4)\n1|Ulm\n2|Kiel", told: "column 2 has no name and no value: it is left out; if it parts two tables"},
	{name: "blank rows that Excel writes", file: "id,town\n1,Ulm\n,\n2,Kiel\n" + strings.Repeat(",\n", 150),
		want: "id int, town varchar(4)\n1|Ulm\n2|Kiel"},
	{name: "records of which nothing is known", file: "name,phone,mail,town\nAnn,1,a@x.de,Ulm\nBob,2,b@x.de,Kiel\nCy,,,\nDee,,,\n",
		want: "name varchar(3), phone int, mail varchar(6), town varchar(4)\nAnn|1|a@x.de|Ulm\nBob|2|b@x.de|Kiel\nCy|||\nDee|||",
		told: `row 4 holds no more than "Cy"`},
	{name: "a note below records of which nothing is known", file: "id,n,m,town\n1,1,1,Ulm\n2,2,2,Kiel\n3,,,\n\nas of May,,,\n",
		want: "id int, n int, m int, town varchar(4)\n1|1|1|Ulm\n2|2|2|Kiel\n3|||", told: `from line 6: "as of May"`},
	{name: "words of the header among values", file: "name,type,description\nid,int,key\ntype,type,description\nx,int,y\n",
		want: "name varchar(4), type varchar(4), description varchar(11)\nid|int|key\ntype|type|description\nx|int|y"},
	{name: "a number beyond a double", file: "v\n1e400\n2\n", want: "v varchar(5)\n1e400\n2", told: `the first is "1e400"`},
	{name: "a decimal comma behind 0", file: "no,mass\n1,\"0,750\"\n2,\"1,250\"\n", want: "no int, mass decimal(4,3)\n1|0.750\n2|1.250"},
	{name: "groups of digits that begin with 0", file: "firm;tax;tel\nA;000.100.200;030 123 456\nB;021.101.201;079 555 444\n",
		want: "firm varchar(1), tax varchar(11), tel varchar(11)\nA|000.100.200|030 123 456\nB|021.101.201|079 555 444"},
	{name: "two digits for the year in front", file: "day,n\n24-01-31,1\n24-03-15,2\n", want: "day varchar(8), n int\n24-01-31|1\n24-03-15|2",
		told: `"24-01-31" fits several orders of day and month: text; --dates DMY or --dates YMD says which`},
	{name: "two digits for the year, which only stands in front", file: "day,n\n98-01-31,1\n97-03-15,2\n",
		want: "day date, n int\n1998-01-31|1\n1997-03-15|2"},
	{name: "births of two digits", file: "name;born\nA;05.03.65\nB;17.11.70\n", want: "name varchar(1), born date\nA|1965-03-05\nB|1970-11-17"},
	{name: "sizes of any length", file: "h,size\na,1099511627776123\nb,99999\nc,20995116277761234\n",
		want: "h varchar(1), size bigint\na|1099511627776123\nb|99999\nc|20995116277761234"},
	{name: "a code among numbers", file: "h,n\na,5\nb,10\nc,00\nd,100\n", want: "h varchar(1), n varchar(3)\na|5\nb|10\nc|00\nd|100",
		told: `n: "00", row 4, is a code`},
	{name: "currencies", file: "n;a;b;c;d\nA;A$5,00;₺5,00;R 5,00;XAF 5,00\nB;A$6,50;₺6,50;R 1.006,50;XAF 6,50\n",
		want: "n varchar(1), a decimal(3,2), b decimal(3,2), c decimal(6,2), d decimal(3,2)\nA|5.00|5.00|5.00|5.00\nB|6.50|6.50|1006.50|6.50",
		told: "a: its numbers have the unit a$, which is left out"},
	{name: "rupees", file: "n,a\nA,\"Rs. 12,34,567.00\"\nB,Rs.500.00\n", want: "n varchar(1), a decimal(9,2)\nA|1234567.00\nB|500.00"},
	{name: "letters before numbers", file: "n,a,b\nA,A1,v 1.5\nB,A2,v 1.6\n", want: "n varchar(1), a varchar(2), b varchar(5)\nA|A1|v 1.5\nB|A2|v 1.6"},
	{name: "no answer", file: "id,t\n" + many(9, func(i int) string { return fmt.Sprintf("%d,%d", 991+i, i) }) + "1000,-999\n",
		want: "id int, t int\n" + many(9, func(i int) string { return fmt.Sprintf("%d|%d", 991+i, i) }) + "1000|-999",
		told: "t: -999 may mean that there is no answer: --null=-999 says so"},
	{name: "prose of as many words as columns", file: "All amounts are in EUR\n\nid;name;amt;day;who\n" +
		many(9, func(i int) string { return fmt.Sprintf("%d;n;%d,5;2024-01-0%d;me", i, i, i+1) }) + "\nSource: office of national statistics\n",
		want: "id int, name varchar(1), amt decimal(2,1), day date, who varchar(2)\n" +
			many(9, func(i int) string { return fmt.Sprintf("%d|n|%d.5|2024-01-0%d|me", i, i, i+1) }), told: `"Source: office of national statistics"`},
	{name: "names of two words", file: "name\nJohn Smith\nMary Jones\nAnna Berg\n", want: "name varchar(10)\nJohn Smith\nMary Jones\nAnna Berg"},
	{name: "moments alone", file: "at\n2024-01-01 10:00:00\n2024-01-02 11:00:00\n", want: "at datetime\n2024-01-01 10:00:00\n2024-01-02 11:00:00"},
	// Excel
	{name: "more digits than Excel has",
		make: cells([][]any{{"no", "n"}, {1, 4111111111111111}, {2, 9007199254740993}, {3, 5}}, nil),
		want: "no int, n bigint\n1|4111111111111111\n2|9007199254740993\n3|5"},
	{name: "formats", make: cells([][]any{{"Tag", "Dauer", "Uhr", "Anteil", "Code"},
		{45351, 1.25, .378472222222222, .125, "007"}, {45352, .5, .5, 1, "12"}},
		map[string]string{"A": "dd.mm.yyyy", "B": "[h]:mm", "C": "hh:mm", "D": "0.0%"}),
		want: "Tag date, Dauer time, Uhr time, Anteil decimal(4,3), Code varchar(3)\n2024-02-29|30:00:00|09:05:00|0.125|007\n2024-03-01|12:00:00|12:00:00|1|12"},
	{name: "post codes by their format", make: cells([][]any{{"Ort", "PLZ"}, {"Dresden", 1067}, {"Kiel", 24103}},
		map[string]string{"B": "00000"}), want: "Ort varchar(7), PLZ varchar(5)\nDresden|01067\nKiel|24103"},
	{name: "days as texts", make: cells([][]any{{"Nr", "Tag"}, {1, "31.12.2023"}, {2, "01.02.2024"}}, nil),
		want: "Nr int, Tag date\n1|2023-12-31\n2|2024-02-01"},
	{name: "numbers as texts", make: cells([][]any{{"Nr", "Preis"}, {1, "1.234,50"}, {2, "0,99"}}, nil),
		want: "Nr int, Preis decimal(6,2)\n1|1234.50\n2|0.99"},
	{name: "merged title", make: cells([][]any{{"Umsatz"}, {"Ort", "n"}, {"Ulm", 1}, {"Kiel", 2}}, nil,
		func(f *excelize.File) { f.MergeCell("Sheet1", "A1", "B1") }),
		want: "Ort varchar(4), n int\nUlm|1\nKiel|2", told: "left out above"},
	{name: "merged groups", make: cells([][]any{{"Ort", "2023", nil}, {nil, "Nord", "Süd"},
		{"Ulm", 1, 2}, {"Kiel", 3, 4}}, nil,
		func(f *excelize.File) { f.MergeCell("Sheet1", "B1", "C1") }),
		want: "Ort varchar(4), 2023 Nord int, 2023 Süd int\nUlm|1|2\nKiel|3|4", told: "name the columns together"},
	{name: "merged numbers", make: cells([][]any{{"Ort", "n"}, {"Kiel", 100}, {"Husum", nil}}, nil,
		func(f *excelize.File) { f.MergeCell("Sheet1", "B2", "B3") }), want: "Ort varchar(5), n int\nKiel|100\nHusum|100",
		told: "row 3: 100 of a merged cell counts in each of its rows"},
	{name: "a pivot table", make: cells([][]any{{"Summe", "Jahr"}, {"Ort", 2023, 2024, "Gesamtergebnis"},
		{"Ulm", 1, 2, 3}, {"Kiel", 3, 4, 7}, {"Gesamtergebnis", 4, 6, 10}}, nil), told: "row 5 adds up",
		want: "Summe Ort varchar(4), Jahr 2023 int, Jahr 2024 int, Jahr Gesamtergebnis int\nUlm|1|2|3\nKiel|3|4|7"},
	{name: "lines about a sheet", make: cells([][]any{{"Sales"}, {"Created:", "by Kim"}, {}, {nil, "Ort", "n"}, {nil, "Ulm", 1},
		{nil, "Kiel", 2}}, nil), want: "Ort varchar(4), n int\nUlm|1\nKiel|2", told: "to line 2"},
	{name: "merged values", make: cells([][]any{{"Land", "Ort", "n"}, {"SH", "Kiel", 1}, {nil, "Husum", 2}}, nil,
		func(f *excelize.File) { f.MergeCell("Sheet1", "A2", "A3") }), want: "Land varchar(2), Ort varchar(5), n int\nSH|Kiel|1\nSH|Husum|2"},
	{name: "true", make: cells([][]any{{"Nr", "aktiv"}, {1, true}, {2, false}}, nil), want: "Nr int, aktiv int\n1|1\n2|0"},
	{name: "errors", make: cells([][]any{{"Nr", "n"}, {1, 5}, {2, "#NV"}, {3, 7}}, nil), want: "Nr int, n int\n1|5\n2|\n3|7", told: "#NV"},
	{name: "formulas", make: cells([][]any{{"Nr", "n"}, {1, 5}, {2, nil}}, nil,
		func(f *excelize.File) { f.SetCellFormula("Sheet1", "B3", "B2*2") }), want: "Nr int, n int\n1|5\n2|10", told: "1 formulas were never computed: they are now"},
	{name: "total", make: cells([][]any{{"Ort", "n"}, {"Ulm", 1}, {"Kiel", 2}, {"Gesamt", 3}}, nil),
		want: "Ort varchar(4), n int\nUlm|1\nKiel|2", told: "row 4 adds up"},
	{name: "hidden row", make: cells([][]any{{"Nr", "n"}, {1, 5}, {2, 6}}, nil,
		func(f *excelize.File) { f.SetRowVisible("Sheet1", 3, false) }), want: "Nr int, n int\n1|5\n2|6", told: "hidden"},
	{name: "blank rows and columns", make: cells([][]any{{}, {nil, "Nr", "n"}, {nil, 1, 5}, {}, {nil, 2, 6}}, nil),
		want: "Nr int, n int\n1|5\n2|6"},
	{name: "money", make: cells([][]any{{"Nr", "Preis"}, {1, 1234.5}, {2, -.99}},
		map[string]string{"B": `#,##0.00 "€"`}),
		want: "Nr int, Preis decimal(6,2)\n1|1234.5\n2|-0.99"},
	{name: "mixed numbers and texts", make: cells([][]any{{"Nr", "n"}, {1, 5}, {"2a", 6}}, nil), want: "Nr varchar(2), n int\n1|5\n2a|6"},
	// Parquet
	{name: "NaN", make: packed(struct {
		ID int64
		F  float64
	}{1, math.NaN()}, struct {
		ID int64
		F  float64
	}{2, .5}), want: "ID int, F double\n1|\n2|0.5", told: "NaN"},
	{name: "no rows", make: packed[struct{ ID, N int64 }](), want: "ID varchar(1), N varchar(1)"},
	{name: "texts of digits", make: packed(struct {
		Code, Note string
	}{"007", ""}, struct{ Code, Note string }{"12", "x"}), want: "Code varchar(3), Note varchar(1)\n007|''\n12|x"},
	{name: "moments", make: packed(struct {
		At time.Time `parquet:"at,timestamp(microsecond)"`
	}{time.Date(2024, 2, 29, 10, 0, 0, 5000, time.UTC)}), want: "at datetime(6)\n2024-02-29 10:00:00.000005"},
}

// tableText is what a file becomes: its columns with their types, then a row each.
func tableText(t *testing.T, path string) (text string, told []string) {
	t.Helper()
	script, told, err := scriptOf(t, path)
	must.Do(t, err, path)
	defs, rows, _ := strings.Cut(script, ");\n")
	defs = defs[strings.Index(defs, "(")+1:]
	defs, _, _ = strings.Cut(defs, ", PRIMARY KEY")
	out := []string{strings.NewReplacer("`", "", " NOT NULL", "").Replace(defs)}
	_, rows, _ = strings.Cut(rows, " VALUES (")
	var b strings.Builder
	for i, quoted := 0, false; i < len(rows); i++ {
		switch c := rows[i]; {
		case quoted && c == '\\':
			i++
			b.WriteByte(rows[i])
		case c == '\'':
			if quoted = !quoted; quoted && rows[i+1] == c {
				b.WriteString("''")
			}
		case quoted:
			b.WriteByte(c)
		case strings.HasPrefix(rows[i:], "),("):
			b.WriteByte('\n')
			i += 2
		case c == ',':
			b.WriteByte('|')
		case strings.IndexByte("NUL(); \n", c) < 0:
			b.WriteByte(c)
		}
	}
	rows = b.String()
	return strings.Join(append(out, rows), "\n"), told
}

// Files of offices in Germany, France and elsewhere become the tables that they hold, or it is told what is doubtful.
func TestOffices(t *testing.T) {
	right := 0
	for i, o := range offices {
		if testing.Short() && i%3 > 0 {
			right++
			continue
		}
		var path string
		if o.make != nil {
			path = o.make(t)
		} else {
			path = filepath.Join(t.TempDir(), "book.csv")
			must.Do(t, os.WriteFile(path, []byte(o.file), 0o600))
		}
		got, told := tableText(t, path)
		want := strings.TrimSpace(o.want)
		switch all := strings.Join(told, "; "); {
		case strings.TrimSpace(got) == want && strings.Contains(all, o.told):
			right++
		case len(told) == 0 || !strings.Contains(all, o.told):
			t.Errorf("%s: wrong without a word: %q\n got %q\nwant %q", o.name, told, got, want)
		default:
			t.Logf("%s: %q\n got %q\nwant %q", o.name, told, got, want)
		}
	}
	must.Be(t, len(offices) >= 60 && 30*right >= 29*len(offices), right, "of", len(offices), "are right")
	t.Log(right, "of", len(offices), "are right")
}
