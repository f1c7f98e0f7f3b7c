package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/tools"
)

// A question that stands alone is taken as it is, whatever was asked before: of Spider's that are not kept for scoring
// at most 3 in 100 go on.
func TestGoesOn(t *testing.T) {
	last := Turn{"How many singers are there?", "SELECT COUNT(*) FROM singer", 0}
	n, on := 0, 0
	for _, it := range golds.Fit(t) {
		if n++; last.GoesOn(it.Question, nil) {
			on++
			t.Logf("%s", it.Question)
		}
	}
	if n < 4000 || on*100 > 3*n {
		t.Errorf("%d of %d", on, n)
	}
	if (Turn{}).GoesOn("And in Spain?", nil) {
		t.Error("it goes on from nothing")
	}
	for text, want := range map[string]string{
		"and in Spain?":   "How many singers are there? And in Spain?",
		"Add their names": "How many singers are there? Also show their names",
		"à Paris ?":       "How many singers are there? À Paris ?",
	} {
		if got := last.With(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for range 1000 {
		last.Question = last.With("and those in Paris?")
	}
	must.Be(t, len(last.Question) <= mostBefore+40, "a long conversation: ", len(last.Question))
}

// Of a question that goes on, what must be in the query and what speaks against it are read off what is said now: the
// first question counts and names Spain, the second does neither.
func TestSaidNow(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	model := llm.NewReplay("SELECT customerName FROM customers WHERE country = 'France'")
	asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), model, nil))(t)
	last := Turn{"How many customers are in Spain?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'", 0}
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	ans := must.Get(asker.Ask(t.Context(), d, Question{Text: "And show those in France by name", Behind: last}, nil))(t)
	if ans.How != loop.ByFinish || len(ans.Doubts) > 0 {
		t.Errorf("%q %v %s", ans.How, ans.Doubts, ans.SQL)
	}
}

// A question that the rules take to stand alone is asked behind the last turn all the same, which only the model sees.
// Where its query keeps a value that only the turn spoke of, the answer says what it was taken for; where it keeps
// none, it is that of a question alone. A turn that leaves no room is not shown.
func TestShownAlone(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	const text, spain = "What are the phone numbers of all customers?", " WHERE country = 'Spain'"
	last := Turn{"Which customers are in Spain?", "SELECT customerName FROM customers" + spain, 0}
	long := Turn{last.Question, last.SQL + strings.Repeat(" ", mostShown), 0}
	meant := Turn{"Which customers are Iberian?", last.SQL, 0} // its query says Spain, and neither question does
	must.Be(t, !last.GoesOn(text, d.Schema), "it goes on by its words")
	for _, tt := range []struct {
		behind   Turn
		sql      string
		messages int
		goesOn   bool
	}{
		{last, "SELECT phone FROM customers" + spain, 4, true},
		{last, "SELECT phone FROM customers", 4, false},
		{meant, "SELECT phone FROM customers" + spain, 4, false},
		{long, "SELECT phone FROM customers", 2, false},
		{Turn{SQL: last.SQL}, "SELECT phone FROM customers", 2, false},
	} {
		model := &heard{Generator: llm.NewReplay(tt.sql)}
		asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), model, nil))(t)
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: text, Behind: tt.behind}, nil))(t)
		if n := len(model.first); n != tt.messages || model.first[n-1].Content == last.With(text) {
			t.Errorf("%s: %d messages: %v", tt.sql, n, model.first[1:])
		}
		want := loop.Answer{Question: text}
		if tt.goesOn {
			want.Question, want.Asked = last.With(text), text
		}
		told := strings.Contains(ans.TakenAs, "Spain")
		if ans.Question != want.Question || ans.Asked != want.Asked || told != tt.goesOn {
			t.Errorf("%s: %q %q %q", tt.sql, ans.Question, ans.Asked, ans.TakenAs)
		}
		alone := &heard{Generator: llm.NewReplay("SELECT phone FROM customers")}
		asker = must.Get(New(asker.method, alone, nil))(t)
		must.Get(asker.Ask(t.Context(), d, Question{Text: text}, nil))(t)
		n, m := len(model.first)-1, len(alone.first)-1
		must.Same(t, model.first[n], alone.first[m], "what is asked now")
	}
}

// A question that goes on from an answer is not asked where nobody knows what it is about, and one whose query is that
// of the answer says so.
func TestChangesNothing(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	d.Notes = must.Get(tools.ParseNotes(strings.NewReader("turnover = SUM(payments.amount)")))(t)
	last := Turn{"How many customers are in Spain?", "select count(*) from customers where country = 'Spain'", 0}
	for text, tt := range map[string]struct {
		sql              string
		refused, changes bool
	}{
		"what is the weather tomorrow": {refused: true}, "blah foo bar": {refused: true}, "what a nice tool": {refused: true},
		"git --version": {refused: true}, "http://example.com": {refused: true}, `{"a": 1}`: {refused: true},
		"which of": {refused: true}, "ls -la": {refused: true}, "buy milk": {refused: true}, "delete them": {refused: true},
		"add a customer named Bob": {refused: true}, "delete order 10100": {refused: true}, "and delete order 10100": {refused: true},
		"Can you add the city to that?": {sql: "SELECT city FROM customers WHERE country = 'Spain'", changes: true},
		"drop the last condition":       {sql: "SELECT COUNT(*) FROM customers", changes: true},
		"update it for France":          {sql: "SELECT COUNT(*) FROM customers WHERE country = 'France'", changes: true},
		"what is the number of those?":  {sql: last.SQL},
		// longer than what goes on without saying so
		"Which machines have stood still since last Monday?": {sql: "SELECT productName FROM products", changes: true},
		"Welche Lieferanten sind neu?":                       {sql: "SELECT productName FROM products", changes: true},
		"and in Narnia?":                                     {sql: "SELECT COUNT(*) FROM customers WHERE country = 'Narnia'", changes: true},
		"germans":                                            {sql: strings.ReplaceAll(last.SQL, "Spain", "Germany"), changes: true},
		"undo":                                               {refused: true},
		"francia":                                            {sql: strings.ReplaceAll(last.SQL, "Spain", "France"), changes: true}, "politics": {refused: true},
		"Deutschland": {sql: last.SQL}, "letztes Jahr": {sql: last.SQL}, "al revés": {sql: last.SQL},
		"pedidos": {sql: "SELECT COUNT(*) FROM orders", changes: true}, "siguiente": {sql: last.SQL},
		"France": {sql: "SELECT COUNT(*) FROM customers WHERE country = 'France'", changes: true},
		// whole questions, in words that the schema has not, or in another language
		"What is our turnover per year?":            {sql: "SELECT SUM(amount) FROM payments", changes: true},
		"and the turnover?":                         {sql: "SELECT SUM(amount) FROM payments", changes: true},
		"Who earns most?":                           {sql: "SELECT MAX(amount) FROM payments", changes: true},
		"Welche Produkte kosten mehr als 100 Euro?": {sql: "SELECT productName FROM products WHERE MSRP > 100", changes: true},
		"Quels produits coûtent plus de 100 ?":      {sql: "SELECT productName FROM products WHERE MSRP > 100", changes: true},
		"which one is the cheapest?":                {sql: "SELECT MIN(MSRP) FROM products", changes: true},
		"their total":                               {sql: last.SQL},
		"the other way":                             {sql: "SELECT COUNT(*) FROM customers WHERE country = 'Spain'"},
		"how many again?":                           {sql: last.SQL},
	} {
		method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
		asker := must.Get(New(method, llm.NewReplay(tt.sql), nil))(t)
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: text, Behind: last, Show: Show{Words: true}}, nil))(t)
		told := slices.ContainsFunc(ans.Doubts, func(d doubt.Doubt) bool { return d.Name == "unchanged" })
		must.Be(t, (ans.Refused != "") == tt.refused, text, ans.Refused)
		must.Be(t, ans.Asked == "" || !strings.HasPrefix(text, "W"), text, "is no follow-up")
		must.Be(t, told == !(tt.changes || tt.refused), text, ans.Doubts)
	}
}

// What was asked before declines nothing: it was a change of its query.
func TestBehindChange(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	last := Turn{"Which products are cheaper than 40? Make it 50 instead.", "SELECT productName FROM products WHERE MSRP < 50", 0}
	method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
	asker := must.Get(New(method, llm.NewReplay("SELECT productName FROM products WHERE MSRP < 60"), nil))(t)
	ans := must.Get(asker.Ask(t.Context(), d, Question{Text: "and 60?", Behind: last}, nil))(t)
	must.Be(t, ans.Refused == "" && ans.Asked == "and 60?" && ans.Result != nil, ans.Refused)
}

// "The other way round" is the last query in the other order and "next" the rows behind it, which no model writes;
// without an order the first is a question as others are, and without a limit the second is told to change nothing.
func TestOrdered(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	const spain = "SELECT customerName FROM customers WHERE country = 'Spain'"
	for _, tt := range []struct{ said, before, want, how string }{
		{"the other way round", spain + " ORDER BY customerName", spain + " ORDER BY customerName DESC", loop.ByOrder},
		{"ok, reverse it please", spain + " ORDER BY creditLimit DESC, city LIMIT 3",
			spain + " ORDER BY creditLimit,city DESC LIMIT 3", loop.ByOrder},
		{"al revés", spain + " ORDER BY city", spain + " ORDER BY city DESC", loop.ByOrder},
		{"suivant", spain + " LIMIT 5", spain + " LIMIT 5,5", loop.ByOrder},
		{"next", spain + " LIMIT 5", spain + " LIMIT 5,5", loop.ByOrder},
		{"show me more please", spain + " ORDER BY city LIMIT 5 OFFSET 10", spain + " ORDER BY city LIMIT 15,5", loop.ByOrder},
		{"and the next one", spain + " ORDER BY creditLimit LIMIT 1", spain + " ORDER BY creditLimit LIMIT 1,1", loop.ByOrder},
		{"next", spain, spain, loop.ByOrder},
		{"the other way round", spain, "SELECT phone FROM customers WHERE country = 'Spain'", loop.ByFinish},
	} {
		method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
		asker := must.Get(New(method, llm.NewReplay("SELECT phone FROM customers WHERE country = 'Spain'"), nil))(t)
		last := Turn{"Which customers are in Spain?", tt.before, .75}
		asked := Question{Text: tt.said, Behind: last, Show: Show{Words: true}}
		ans := must.Get(asker.Ask(t.Context(), d, asked, nil))(t)
		got := []string{ans.SQL, ans.How, ans.Asked, ans.Question}
		must.Same(t, []string{tt.want, tt.how, tt.said, last.With(tt.said)}, got, tt.said)
		must.Be(t, ans.Result != nil && ans.TakenAs != "" && ans.Sentence != "", ans)
		must.Be(t, tt.how != loop.ByOrder || ans.Confidence == last.Confidence, tt.said, ans.Confidence)
		unchanged := func(d doubt.Doubt) bool { return d.Name == "unchanged" }
		must.Equal(t, slices.ContainsFunc(ans.Doubts, unchanged), tt.want == tt.before, tt.said)
	}
}

// SQL that may run runs as it is written, whatever was asked before, and no model is asked.
func TestPastedSQL(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), llm.NewReplay(""), nil))(t)
	last := Turn{"Which customers are in Spain?", "SELECT customerName FROM customers WHERE country = 'Spain'", .4}
	for _, behind := range []Turn{{}, last} {
		const sql = "select count(*) from offices"
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: sql, Behind: behind}, nil))(t)
		must.Be(t, ans.How == loop.ByHand && ans.SQL == sql && ans.Asked == "", ans.How)
		must.Equal(t, len(ans.Doubts), 0)
	}
	const remark = "SELECT COUNT(*) FROM orders -- of all\nWHERE status = 'Shipped'"
	must.Equal(t, JoinLines(remark), remark)
	must.Equal(t, JoinLines("How many\norders?"), "How many orders?")
}

// "Compare with …" shows both sides, each behind what it is of, where the model writes the other side alone.
func TestComparesBoth(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	const total, many = "SELECT SUM(amount) FROM payments WHERE ", "SELECT COUNT(*) FROM "
	for _, tt := range []struct{ said, before, now, rows, doubt string }{
		{"compare with 2004", total + "YEAR(paymentDate) = 2003", total + "YEAR(paymentDate) = 2004",
			"[[2003 3599806.75] [2004 4497661.51]]", ""},
		{"and compared to 2004?", total + "paymentDate BETWEEN '2003-01-01' AND '2003-12-31'",
			total + "paymentDate LIKE '2004%'", "[[2003-01-01, 2003-12-31 3599806.75] [2004% 4497661.51]]", ""},
		{"vergleiche mit Spain", many + "customers WHERE country = 'France'",
			many + "customers WHERE country = 'Spain'", "[[France 12] [Spain 7]]", ""},
		{"compare that with Spain", "SELECT city, city FROM customers WHERE country = 'France'",
			"SELECT city, city FROM customers WHERE country = 'Spain' LIMIT 1", "[[Málaga Málaga]]", "other_rows"},
		{"compare with 2004", total + "YEAR(paymentDate) = 2003",
			"SELECT MAX(amount) FROM payments WHERE YEAR(paymentDate) = 2004", "[[81516.47]]", "other_rows"},
		{"compare with 2004", total + "YEAR(paymentDate) = 2003", "SELECT YEAR(paymentDate), SUM(amount) FROM payments " +
			"WHERE YEAR(paymentDate) IN (2003, 2004) GROUP BY 1", "[[2003 3599806.75] [2004 4497661.51]]", ""},
		{"and in 2004?", total + "YEAR(paymentDate) = 2003", total + "YEAR(paymentDate) = 2004", "[[4497661.51]]", ""},
	} {
		method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
		asker := must.Get(New(method, llm.NewReplay(tt.now), nil))(t)
		last := Turn{"What was paid in 2003 in France?", tt.before, .9}
		asked := Question{Text: tt.said, Behind: last, Show: Show{Words: true}}
		ans := must.Get(asker.Ask(t.Context(), d, asked, nil))(t)
		must.Equal(t, fmt.Sprint(ans.Result.Rows), tt.rows, tt.said, ans.SQL)
		one := slices.ContainsFunc(ans.Doubts, func(d doubt.Doubt) bool { return d.Name == "other_rows" })
		must.Be(t, one == (tt.doubt != ""), tt.said, tt.now, ans.Doubts)
		must.Be(t, strings.Contains(ans.TakenAs, "; beside it, ") == (ans.How == loop.ByBoth), ans.How, ans.TakenAs)
	}
}

// What goes on from a comparison is one more side of it, or is told to go on from the last; and the sides are told as
// they were shown.
func TestComparesMore(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	const total = "SELECT SUM(amount) FROM payments WHERE YEAR(paymentDate) = "
	last := Turn{"What was paid in 2003?", total + "2003", .9}
	for _, tt := range []struct{ said, now, rows, doubt string }{
		{"compare with 2004", total + "2004", "[[2003 3599806.75] [2004 4497661.51]]", ""},
		{"and with 2005?", total + "2005", "[[2003 3599806.75] [2004 4497661.51] [2005 1616454.03]]", ""},
		{"how do you know that?", "", "", ""},
		{"and the largest one?", "SELECT MAX(amount) FROM payments WHERE YEAR(paymentDate) = 2005", "[[69353.31]]", "other_rows"},
	} {
		method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
		asker := must.Get(New(method, llm.NewReplay(tt.now), nil))(t)
		var events []loop.Event
		hear := func(e loop.Event) { events = append(events, e) }
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: tt.said, Behind: last}, hear))(t)
		if tt.now == "" {
			must.Be(t, strings.Contains(ans.Reply, last.SQL), ans.Reply)
			continue
		}
		must.Equal(t, fmt.Sprint(ans.Result.Rows), tt.rows, tt.said, ans.SQL)
		told := func(d doubt.Doubt) bool { return d.Name == "other_rows" }
		must.Equal(t, slices.ContainsFunc(ans.Doubts, told), tt.doubt != "", tt.said, ans.Doubts)
		before := func(e loop.Event) bool { return slices.ContainsFunc(e.Doubts, told) }
		must.Be(t, !slices.ContainsFunc(events, before), tt.said)
		last = Turn{ans.Question, ans.SQL, ans.Confidence}
	}
}

// An answer that goes on from a doubted one is no surer than that, and says so; one that stands alone is.
func TestDoubtedBefore(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	const spain = "SELECT customerName FROM customers WHERE country = 'Spain' ORDER BY creditLimit"
	for _, tt := range []struct {
		said, now string
		before    float64
		want      []string
	}{
		{"only the first 3", spain + " LIMIT 3", .45, []string{"low_confidence probably wrong (45 % sure)",
			"doubted_before it goes on from an answer that was 45 % sure"}},
		{"the other way round", "", .6, []string{"low_confidence possibly wrong (60 % sure)",
			"doubted_before it goes on from an answer that was 60 % sure"}},
		{"What are the phone numbers of all customers?", "SELECT phone FROM customers WHERE country = 'Spain'", .2,
			[]string{"low_confidence probably wrong (20 % sure)",
				"doubted_before it goes on from an answer that was 20 % sure",
				"invented_value the query compares country with 'Spain', of which the question does not speak"}},
		{"How many orders are there?", "SELECT COUNT(*) FROM orders", .2, nil},
		{"only the first 3", spain + " LIMIT 3", .75, nil}, {"only the first 3", spain + " LIMIT 3", 0, nil},
	} {
		method := must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t)
		asker := must.Get(New(method, llm.NewReplay(tt.now), nil))(t)
		asked := Question{Text: tt.said, Behind: Turn{"Which customers are in Spain?", spain, tt.before}}
		ans := must.Get(asker.Ask(t.Context(), d, asked, nil))(t)
		var got []string
		for _, d := range ans.Doubts {
			got = append(got, string(d.Name)+" "+d.Text)
		}
		must.Same(t, tt.want, got, tt.said, ans.SQL)
		must.Be(t, ans.Asked == "" || tt.before == 0 || ans.Confidence <= tt.before, tt.said, ans.Confidence)
	}
}

// A question about the last answer is told its query, and small talk has a reply, with an answer before it or without.
func TestReplies(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), llm.NewReplay(""), nil))(t)
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	last := Turn{"How many customers are in Spain?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'", 0}
	for _, tt := range []struct {
		text   string
		behind Turn
		want   string
	}{
		{"hello", Turn{}, "Hello. Ask for what the database holds."}, {"thanks", last, "You are welcome."},
		{"how do you know?", last, "The last answer is what this finds: " + last.SQL + "\nIt asks for the number of customers; " +
			"a row is a single one, about all customers that meet the conditions; where country is 'Spain'"},
		{"show me the SQL", Turn{}, "There is no answer to speak of yet. Ask for what the database holds."},
		{"asdfgh", last, ""},
	} {
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: tt.text, Behind: tt.behind}, nil))(t)
		must.Equal(t, ans.Reply, tt.want, tt.text)
		must.Be(t, ans.Refused != "" && ans.SQL == "", tt.text, ans.SQL)
		must.Equal(t, AsJSON("", ans).Reply, tt.want)
	}
}

// What asks nothing is told so behind an answer too, and no model is asked to go on from that.
func TestNothingGoesOn(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), llm.NewReplay(""), nil))(t)
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	last := Turn{"How many customers are in Spain?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'", 0}
	for _, text := range []string{"thanks", "ok", "Hello!", "asdfgh", "xxxxxxxxxx", "?", "git status", "test test 1 2 3", "ls -la"} {
		ans := must.Get(asker.Ask(t.Context(), d, Question{Text: text, Behind: last}, nil))(t)
		if ans.Refused == "" || ans.Question != text || ans.SQL != "" {
			t.Errorf("%q: %q, %q, %s", text, ans.Question, ans.Refused, ans.SQL)
		}
	}
}
