package tools

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// Comments, names, views and pairs each say what a word means; what is no note, or there already, is not proposed.
// What a comment says that NULL means is a condition, and a unit is no term.
func TestDraftNulls(t *testing.T) {
	for comment, want := range map[string]string{
		"NULL while running": "running = plant.shut IS NULL", "NULL: unsold": "unsold = plant.shut IS NULL",
		"NULL = active member":          "active member = plant.shut IS NULL",
		"NULL if it is still open":      "open = plant.shut IS NULL",
		"NULL while it runs":            "runs = plant.shut IS NULL",
		"NULL while the event is ahead": "ahead = plant.shut IS NULL",
		"NULL: still a plant":           "current plant = plant.shut IS NULL",
		"day of the sale; NULL: unsold": "unsold = plant.shut IS NULL day of the sale = plant.shut",
		"NULL until paid":               "", "in cents": "", "degrees Celsius": "", "kWh": "", "never NULL": "",
		"gross in cents": "gross = plant.shut", "1 = wind, 2 = solar": "wind = plant.shut = 1 solar = plant.shut = 2",
	} {
		s := must.Get(schema.ParseDDL("p", "CREATE TABLE plant (id int, shut int COMMENT '"+comment+"')"))(t)
		var got []string
		for _, p := range DraftNotes(s, nil, nil, nil) {
			got = append(got, p.String())
		}
		must.Equal(t, strings.Join(got, " "), want, comment)
	}
}

func TestDraftNotes(t *testing.T) {
	s := must.Get(schema.ParseDDL("trade", `
CREATE TABLE orders (id int PRIMARY KEY, cust_id int, placed date, quit date, qty int COMMENT 'units, as shipped',
  price decimal(8,2), note text COMMENT 'a = b, c', amt decimal(8,2) COMMENT 'the gross in EUR',
  kind tinyint COMMENT '1 = wholesale / 2 = at the counter', FOREIGN KEY (cust_id) REFERENCES cust (id));
CREATE TABLE cust (id int PRIMARY KEY, name text COMMENT 'the name', dept_no int COMMENT 'what we call a thing that is long');
CREATE TABLE running (id int, worth decimal(8,2));
CREATE TABLE sums (id int, turn_over decimal(8,2));`))(t)
	for _, tt := range []struct {
		name  string
		views map[string]string
		pairs []Pair
		there string
		want  string
	}{
		{name: "comments and names", want: `
customer = cust # the name of cust
department number = cust.dept_no # the name of cust.dept_no
units = orders.qty # the comment of orders.qty
gross = orders.amt # the comment of orders.amt
wholesale = orders.kind = 1 # the comment of orders.kind
at the counter = orders.kind = 2 # the comment of orders.kind
`},
		{name: "there already", there: "Wholesales, at the counter = orders.kind\nunit, piece = orders.qty\ncustomer = cust\n" +
			"department number = cust.dept_no\n", want: "\ngross = orders.amt # the comment of orders.amt\n"},
		{name: "views", views: map[string]string{
			"running": "SELECT o.id, o.qty * o.price AS w FROM orders AS o WHERE o.quit IS NULL AND o.kind = 2",
			"sums":    "SELECT c.id, SUM(o.price) AS turn_over FROM cust AS c JOIN orders AS o ON o.cust_id = c.id GROUP BY c.id",
			"gone":    "SELECT 1 FROM nothing",
		}, there: known, want: `
worth = orders.qty * orders.price # the view running
running = orders.quit IS NULL AND orders.kind = 2 # the view running
turn over = SUM(orders.price) # the view sums
`},
		{name: "pairs", there: known, pairs: []Pair{
			{Question: "Which orders are dormant?", SQL: "SELECT id FROM orders AS o WHERE o.quit IS NULL"},
			{Question: "How many dormant orders are there?", SQL: "SELECT COUNT(*) FROM orders WHERE quit IS NULL"},
			{Question: "What is the total harvest?", SQL: "SELECT SUM(qty * price) FROM orders"},
			{Question: "What is the harvest of each customer?", SQL: "SELECT c.name, SUM(o.qty * o.price) FROM orders o " +
				"JOIN cust c ON c.id = o.cust_id GROUP BY c.id, c.name"},
			{Question: "How many orders were placed in 2024?", SQL: "SELECT COUNT(*) FROM orders WHERE placed >= '2024-01-01'"},
			{Question: "Which dormant orders are brisk?", SQL: "SELECT id FROM orders WHERE quit IS NULL AND qty > 5"},
			{Question: "Which orders are gone?", SQL: "SELECT id FROM nothing WHERE quit IS NULL"},
			{Question: "Which orders\nare\x1b sluggish?", SQL: "SELECT id FROM orders WHERE quit < placed"},
		}, want: `
dormant = orders.quit IS NULL # the pair "Which orders are dormant?", and 1 more
harvest = orders.qty * orders.price # the pair "What is the total harvest?"; one of 2 meanings
harvest = SUM(orders.qty * orders.price) # the pair "What is the harvest of each customer?"; one of 2 meanings
sluggish = orders.quit < orders.placed # the pair "Which orders are sluggish?"
`},
	} {
		notes := must.Get(ParseNotes(strings.NewReader(tt.there)))(t)
		got := "\n"
		for _, p := range DraftNotes(s, tt.views, tt.pairs, notes) {
			got += p.String() + " # " + p.Source + "\n"
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.name, diff)
		}
	}
}

// known are the notes of what comments and names say there.
const known = "customer = cust\ndepartment number = cust.dept_no\nunits = orders.qty\n" +
	"gross = orders.amt\n" +
	"wholesale, at the counter = orders.kind\n"

// All that is proposed of a database with hostile and odd comments is what the reader reads, and its check lets pass.
func TestDraftLints(t *testing.T) {
	s := billing(t)
	kd, _ := s.Table("kd")
	for _, odd := range []string{"# a\nline = of.its own", "=", "J = a = b", "x\x00\x1b[2Jy",
		strings.Repeat("word", 200),
		"the kd.nothing", "sum of nothing(nil)", "a,b", "\u202eevil", "J = 'quoted'' text'"} {
		kd.Columns[2].Comment, kd.Columns[1].Comment, kd.Comment = "J = "+odd+", N = free", odd, odd
		list := DraftNotes(s, nil, nil, nil)
		var text strings.Builder
		for _, p := range list {
			text.WriteString("# " + p.Source + "\n" + p.String() + "\n")
		}
		notes, err := ParseNotes(strings.NewReader(text.String()))
		if err == nil {
			err = notes.Check(s)
		}
		same := slices.EqualFunc(list, notes, func(p Proposal, n Note) bool { return p.Meaning == n.Meaning })
		if err != nil || !same || len(notes) < 5 {
			t.Errorf("%q: %v\n%s", odd, err, text.String())
		}
	}
}
