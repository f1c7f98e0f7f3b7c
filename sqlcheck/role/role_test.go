package role

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

const shop = `CREATE TABLE clerk (id int NOT NULL, name varchar(40) NOT NULL, boss int, PRIMARY KEY (id));
CREATE TABLE client (id int NOT NULL, name varchar(40) NOT NULL, credit decimal(10,2), clerk int, note text, PRIMARY KEY (id), UNIQUE KEY (note(9)), FOREIGN KEY (clerk) REFERENCES clerk (id));
CREATE TABLE bill (no int NOT NULL, client int NOT NULL, day date, sum decimal(10,2), PRIMARY KEY (no), FOREIGN KEY (client) REFERENCES client (id));
CREATE TABLE item (no int NOT NULL, what varchar(40), PRIMARY KEY (no));
CREATE TABLE rich (id int, name varchar(40));
CREATE TABLE odd (id int);`

var shopViews = map[string]string{
	"rich": "SELECT client.id, UPPER(client.name) FROM client JOIN item ON item.no = client.id",
	"odd":  "",
}

const clerkRole = `
values: {me: int, since: date, word: text}
tables:
  client: {hidden: [note], masked: [credit], where: clerk = @me}
  bill:
    columns: [no, client, day]
    where: client IN (SELECT id FROM client WHERE clerk = @ME) AND day >= @since
  item:
  rich: name <> @word
`

func given() map[string]string {
	return map[string]string{"me": "7", "since": "2024-01-02", "word": `it's \ "1"`}
}

func sightOf(t *testing.T, text string) *Sight {
	t.Helper()
	r := must.Get(Read("clerk", []byte(text), given()))(t)
	return must.Get(r.On(examples.MustParse(t, "shop", shop), shopViews))(t)
}

// What a role sees is what the schema has, and nothing else: no table, column, key or reference of what is hidden.
func TestSchema(t *testing.T) {
	s := sightOf(t, clerkRole)
	var out strings.Builder
	for i := range s.Schema.Tables {
		out.WriteString(s.Schema.Tables[i].DDL())
	}
	const want = "CREATE TABLE `bill` (\n  `no` int NOT NULL,\n  `client` int NOT NULL,\n  `day` date,\n  PRIMARY KEY (`no`),\n" +
		"  FOREIGN KEY (`client`) REFERENCES `client` (`id`)\n);\n" +
		"CREATE TABLE `client` (\n  `id` int NOT NULL,\n  `name` varchar(40) NOT NULL,\n  `credit` decimal(10,2),\n  `clerk` int,\n" +
		"  PRIMARY KEY (`id`)\n);\n" +
		"CREATE TABLE `item` (\n  `no` int NOT NULL,\n  `what` varchar(40),\n  PRIMARY KEY (`no`)\n);\n" +
		"CREATE TABLE `rich` (\n  `id` int,\n  `name` varchar(40)\n);\n"
	must.Equal(t, out.String(), want)
}

// A reference becomes a derived table wherever it stands, and nothing in a query changes what that reads.
func TestRewrite(t *testing.T) {
	s := sightOf(t, clerkRole)
	const (
		client = "(SELECT `id`,`name`,NULL AS `credit`,`clerk` FROM `client` WHERE (`clerk`=7) LIMIT 4611686018427387904)"
		bill   = "(SELECT `no`,`client`,`day` FROM `bill` WHERE (`client` IN (SELECT `id` FROM `client` WHERE `clerk`=7) AND `day`>=DATE '2024-01-02') LIMIT 4611686018427387904)"
	)
	for _, tt := range []struct{ sql, want string }{
		{"SELECT no FROM item", "SELECT `no` FROM `item`"},
		{"SELECT * FROM client", "SELECT * FROM " + client + " AS `client`"},
		{"SELECT c.name FROM shop.Client c WHERE c.id = 1", "SELECT `c`.`name` FROM " + client + " AS `c` WHERE `c`.`id`=1"},
		{"SELECT client.name FROM item LEFT JOIN client ON client.id = item.no",
			"SELECT `client`.`name` FROM `item` LEFT JOIN " + client + " AS `client` ON `client`.`id`=`item`.`no`"},
		{"SELECT no FROM bill NATURAL JOIN item", "SELECT `no` FROM " + bill + " AS `bill` NATURAL JOIN `item`"},
		{"SELECT 1 FROM item WHERE EXISTS (SELECT 1 FROM bill b WHERE b.no = item.no)",
			"SELECT 1 FROM `item` WHERE EXISTS (SELECT 1 FROM " + bill + " AS `b` WHERE `b`.`no`=`item`.`no`)"},
		{"SELECT id FROM client UNION SELECT no FROM bill",
			"SELECT `id` FROM " + client + " AS `client` UNION SELECT `no` FROM " + bill + " AS `bill`"},
		{"WITH client AS (SELECT id FROM client) SELECT id FROM client",
			"WITH `client` AS (SELECT `id` FROM " + client + " AS `client`) SELECT `id` FROM `client`"},
		// A common table expression does not get into the role's condition.
		{"WITH client AS (SELECT 1 AS id, 7 AS clerk) SELECT no FROM bill",
			"WITH `client` AS (SELECT 1 AS `id`,7 AS `clerk`) SELECT `no` FROM " +
				strings.Replace(bill, "FROM `client`", "FROM `shop`.`client`", 1) + " AS `bill`"},
		// Neither does one get into a view, and a view reads through the role.
		{"WITH item AS (SELECT 1 AS no) SELECT name FROM rich", "WITH `item` AS (SELECT 1 AS `no`) SELECT `name` FROM " +
			"(SELECT `id`,`name` FROM (SELECT `client`.`id`,UPPER(`client`.`name`) AS `name` FROM " + client +
			" AS `client` JOIN `shop`.`item` ON `item`.`no`=`client`.`id`) AS `rich` WHERE (`name`!='it''s \\\\ \"1\"') LIMIT 4611686018427387904) AS `rich`"},
	} {
		q, v, err := sqlcheck.Check(tt.sql, s.Schema)
		if err != nil || !v.OK {
			t.Errorf("%s: %v %v", tt.sql, v, err)
			continue
		}
		out, v, err := s.Rewrite(q)
		if err != nil || !v.OK {
			t.Errorf("%s: %v %v", tt.sql, v, err)
			continue
		}
		must.Equal(t, out.SQL(), tt.want, tt.sql)
	}
}

// A query that was checked against more than the role sees is none.
func TestRewriteForeign(t *testing.T) {
	s := sightOf(t, clerkRole)
	full := examples.MustParse(t, "shop", shop)
	for sql, want := range map[string]string{
		"SELECT note FROM client": "unknown_column:note",
		"SELECT name FROM clerk":  "unknown_table:clerk",
		"SELECT client.* FROM clerk JOIN client ON client.clerk = clerk.id": "unknown_table:clerk",
	} {
		for _, known := range []*schema.Schema{full, nil} {
			q, v, err := sqlcheck.Check(sql, known)
			must.Have(t, err == nil && v.OK, sql, v, err)
			if out, v, err := s.Rewrite(q); err != nil || v.String() != want {
				t.Errorf("%s: %s, %v, %v, want %s", sql, out.SQL(), v, err, want)
			}
		}
	}
}

// A role that cannot be is refused in one line that says what to do.
func TestWrong(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "tables: name those that exist for the role, such as tables: {orders: }"},
		{"tables: [client]", "line 1: cannot read a list here"},
		{"tables: 7", "line 1: cannot read the number `7`"},
		{"tables: {client: {columns: 7}}", "client: line 1: cannot read the number `7`"},
		{"tables: {client: {where: [1]}}", "client: line 1: cannot read a list here"},
		{"tables:\n  client:\n    wher: id = 1", "client: line 3: field wher is none of columns, hidden, masked and where"},
		{"tables: {clint: }", "there is no table clint: did you mean client?"},
		{"tables: {client: , Client: }", "client is here twice"},
		{"tables: {client: {columns: [id], hidden: [name]}}", "client: columns says what exists, hidden what does not: give one of them"},
		{"tables: {client: {hidden: [nams]}}", "client: there is no column nams: did you mean name?"},
		{"tables: {client: {hidden: [name], masked: [name]}}", "client: name is hidden and masked"},
		{"tables: {client: {masked: {credit: none}}}", "client: masked: credit is of type decimal(10,2): what stands for its values must be of that type, or null"},
		{"tables: {client: {masked: name}}", "client: masked: give a list of columns, or column: what stands for its values"},
		{"tables: {client: {hidden: [id, name, credit, clerk, note]}}", "client: no column is left"},
		{"tables: {client: id = nope}", "client: where: unknown_column:nope. "},
		{"tables: {client: id = 1 LIMIT 1}", "client: where: this is no condition: id = 1 LIMIT 1 )"},
		{"tables: {client: 'id = 1) OR (1 = 1'}", "client: where: its brackets do not match"},
		{"tables: {client: 'id = 1) UNION SELECT 1 FROM clerk WHERE (1'}", "client: where: give a condition, without the word WHERE"},
		{"tables: {client: SUM(id) > 1}", "client: where: bad_aggregate:"},
		{"tables: {client: id = SLEEP(1)}", "client: where: forbidden_function:sleep"},
		{"tables: {client: id = @@version}", "client: where: variable:version"},
		{"tables: {client: id = @you}", "client: where: values has no type of @you: add you: int"},
		{"values: {you: int}\ntables: {client: id = @you}", "@you has no value: give --as you=INT"},
		{"values: {me: float}\ntables: {client: }", "values: me: there is no type float; the types are date, int, number, text"},
		{"values: {me: date}\ntables: {client: }", "--as me=7: @me is of type date"},
		{"values: {me: int}\ntables: {client: }", "--as since=2024-01-02: the role has no @since"},
		{"tables: {rich: }", "rich: the view cannot be read by the role: unknown_table:client"},
		{"tables: {client: {columns: [id]}, item: , rich: }", "rich: the view cannot be read by the role: unknown_column:client.name"},
		{"tables: {odd: }", "odd: the definition of this view cannot be read, so nobody knows what it shows"},
	} {
		with := given()
		if !strings.Contains(tt.text, "values") {
			with = nil
		}
		r, err := Read("x", []byte(tt.text), with)
		if err == nil {
			_, err = r.On(examples.MustParse(t, "shop", shop), shopViews)
		}
		must.Be(t, err != nil && strings.HasPrefix(err.Error(), tt.want) && !strings.Contains(err.Error(), "\n"),
			tt.text, err, tt.want)
	}
}

// A text has at most 1000 letters, of whatever length each is, and no zero byte.
func TestTextValues(t *testing.T) {
	declared := "values: {me: text}\ntables: {client: }"
	for _, tt := range []struct {
		text  string
		wrong bool
	}{
		{"", false}, {"a\nb", false}, {strings.Repeat("ü", 1000), false},
		{strings.Repeat("u", 1001), true}, {"a\x00", true},
	} {
		_, err := Read("x", []byte(declared), map[string]string{"me": tt.text})
		must.Equal(t, err != nil, tt.wrong, len(tt.text), err)
	}
}
