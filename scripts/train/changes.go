package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jinzhu/inflection"

	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// turn is a query on its way to the next one.
type turn struct {
	*maker
	query
}

// changes there are. Each changes the query and gives the kind of wordings that ask for it, with what fills their
// slots; "" where it does not apply, and the query is lost.
//
//	… WHERE status = 'Open'      value    → … WHERE status = 'Closed'
//	SELECT name FROM orders      more     → … WHERE status = 'Open'
//	SELECT COUNT(*) FROM orders  group    → SELECT status, COUNT(*) … GROUP BY status
//	SELECT COUNT(*) FROM orders  detail   → SELECT name FROM orders
//	SELECT name FROM orders      children → SELECT name, COUNT(*) FROM orders JOIN items … GROUP BY id
var changes = []struct {
	name   string
	weight int
	make   func(*turn) (kind string, words []string)
}{
	{"value", 8, (*turn).value}, {"number", 4, (*turn).number}, {"more", 7, (*turn).more}, {"less", 4, (*turn).less},
	{"group", 8, (*turn).byGroup}, {"order", 7, (*turn).sort}, {"limit", 4, (*turn).first}, {"top", 4, (*turn).top},
	{"flip", 3, (*turn).flip}, {"agg", 4, (*turn).agg}, {"aggof", 3, (*turn).aggOf}, {"add", 7, (*turn).add},
	{"detail", 5, (*turn).detail}, {"count", 6, (*turn).count}, {"not", 6, (*turn).not},
	{"children", 3, (*turn).children}, {"parent", 3, (*turn).parent}, {"joined", 4, (*turn).joined},
}

// names of columns that nobody sums, sorts or groups.
var unasked = regexp.MustCompile(`(?i)(^|_)(id|code|phone|zip|url|email|password|description|comment|notes?|address)$|` +
	`(?-i)I[Dd]$`)

// column draws one of a table that people ask about and the query does not test, with its words and values.
func (t *turn) column(alias string, kind schema.Kind, least, most int) (name, noun string, values []string) {
	table := t.tables[alias]
	for _, i := range t.rng.Perm(len(table.Columns)) {
		c := table.Columns[i]
		name = t.name(alias, c.Name)
		tested := strings.Join(append(t.where, t.group, t.order), " ")
		if schema.ParseType(c.Type).Kind() != kind || !asked(table, c.Name) || strings.Contains(tested, name) {
			continue
		}
		if values = t.values(table, c.Name); len(values) >= least && len(values) <= most {
			return name, explain.NameOf(c.Name), values
		}
	}
	return "", "", nil
}

// asked says that people ask about a column: it is no key, and none of unasked.
func asked(table *schema.Table, column string) bool {
	of := func(k schema.ForeignKey) bool { return slices.Contains(k.Columns, column) }
	return !unasked.MatchString(column) && !slices.Contains(table.PrimaryKey, column) &&
		!slices.ContainsFunc(table.ForeignKeys, of)
}

// most is how many values of a column are read.
const most = 200

// values of a column, none where they cannot be read.
func (m *maker) values(table *schema.Table, column string) []string {
	key := table.Name + "." + column
	if list, ok := m.known[key]; ok {
		return list
	}
	o, err := m.x.Run(m.ctx, fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %[1]s IS NOT NULL ORDER BY 1 LIMIT %[3]d",
		quoted(column), quoted(table.Name), most))
	m.known[key] = nil
	if err == nil && o.OK() {
		for _, row := range o.Result.Rows {
			if v := strings.TrimSpace(fmt.Sprint(row[0])); v != "" && len(v) <= 30 {
				m.known[key] = append(m.known[key], v)
			}
		}
	}
	return m.known[key]
}

// shown is the column that names a row of a table: its first text. "" where it has none.
func shown(table *schema.Table) string {
	for _, c := range table.Columns {
		if schema.ParseType(c.Type).Kind() == schema.Text && asked(table, c.Name) {
			return c.Name
		}
	}
	return ""
}

func one(table *schema.Table) string  { return inflection.Singular(explain.NameOf(table.Name)) }
func many(table *schema.Table) string { return inflection.Plural(explain.NameOf(table.Name)) }

func literal(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }

// condition is one that compares a column with a constant.
type condition struct {
	at                      int // in where
	column, op, value, noun string
	text                    bool // the value is one
	table                   *schema.Table
}

var comparison = regexp.MustCompile(`^([\w.` + "`" + `]+) (=|<>|!=|>=|<=|>|<) (\d+(?:\.\d+)?|'(?:[^']|'')*'|"[^"]*")$`)

// compared draws a condition with one of ops.
func (t *turn) compared(ops ...string) (c condition, ok bool) {
	for _, i := range t.rng.Perm(len(t.where)) {
		m := comparison.FindStringSubmatch(t.where[i])
		if m == nil || !slices.Contains(ops, m[2]) {
			continue
		}
		table, col := t.query.column(m[1])
		if col == nil {
			continue
		}
		value := strings.Trim(m[3], `'"`)
		return condition{i, m[1], m[2], value, explain.NameOf(col.Name), value != m[3], table}, true
	}
	return c, false
}

// typed is a value as people type it.
func (t *turn) typed(v string) string {
	switch t.rng.IntN(10) {
	case 0:
		return `"` + v + `"`
	case 1:
		return strings.ToLower(v)
	}
	return v
}

func (t *turn) value() (string, []string) {
	c, ok := t.compared("=")
	if !ok {
		return "", nil
	}
	_, col := t.query.column(c.column)
	values := t.values(c.table, col.Name)
	if len(values) < 2 {
		return "", nil
	}
	v := pick(t.rng, values)
	if c.text {
		t.where[c.at] = c.column + " = " + literal(v)
	} else {
		t.where[c.at] = c.column + " = " + v
	}
	words := []string{"value", t.typed(v), "old", t.typed(c.value), "col", c.noun}
	if !c.text || len(v) < 3 {
		return "valueof", words
	}
	return "value", words
}

// saidOps are words for comparisons.
var saidOps = map[string][]string{">": {"more than", "over", "above"}, ">=": {"at least", "from"},
	"<": {"less than", "under", "below"}, "<=": {"at most", "up to"}}

func (t *turn) number() (string, []string) {
	c, ok := t.compared(">", ">=", "<", "<=")
	n, err := strconv.Atoi(c.value)
	if !ok || err != nil {
		return "", nil
	}
	next := n + t.rng.IntN(7) - 3
	if n >= 100 && (n < 1800 || n > 2100) {
		next = n / 10 * (5 + t.rng.IntN(11))
	}
	t.where[c.at] = fmt.Sprintf("%s %s %d", c.column, c.op, max(next, 0))
	return "number", []string{"op", pick(t.rng, saidOps[c.op]), "n", strconv.Itoa(max(next, 0)), "old", c.value}
}

// filter draws a condition on a table of the query, and adds it. The words are for "those {that}" and "the ones that
// {do}".
func (t *turn) filter(alias string) (that, do, noun, value string) {
	if t.limit != "" || t.group != "" {
		return "", "", "", ""
	}
	if name, noun, values := t.column(alias, schema.Number, 4, most); name != "" && t.rng.IntN(2) == 0 {
		op, v := pick(t.rng, []string{">", ">=", "<", "<="}), values[len(values)/5+t.rng.IntN(len(values)*3/5)]
		with := noun + " " + pick(t.rng, saidOps[op]) + " " + v
		t.where = append(t.where, name+" "+op+" "+v)
		return "with " + with, "have " + with, noun, ""
	}
	name, noun, values := t.column(alias, schema.Text, 2, 14)
	if name == "" {
		return "", "", "", ""
	}
	value = pick(t.rng, values)
	t.where = append(t.where, name+" = "+literal(value))
	return "with " + noun + " " + value, "have " + noun + " " + value, noun, value
}

func (t *turn) more() (string, []string) {
	that, do, noun, value := t.filter(t.main)
	switch {
	case that == "":
		return "", nil
	case len(value) > 2 && t.rng.IntN(2) == 0:
		return "morevalue", []string{"value", t.typed(value), "col", noun}
	}
	return "more", []string{"that", that, "do", do}
}

func (t *turn) less() (string, []string) {
	c, ok := t.compared("=", "<>", "!=", ">", ">=", "<", "<=")
	if !ok || len(t.tables) > 1 || t.limit != "" { // its table would stay in the query for nothing
		return "", nil
	}
	if t.where = slices.Delete(t.where, c.at, c.at+1); len(t.where) == 0 && t.rng.IntN(2) == 0 {
		return "all", nil
	}
	return "less", []string{"col", c.noun, "cols", inflection.Plural(c.noun)}
}

// grouping is an expression to group by, with its words.
func (t *turn) grouping() (expr, words string) {
	if name, noun, _ := t.column(t.main, schema.Date, 2, most); name != "" && t.rng.IntN(2) == 0 {
		if t.rng.IntN(2) == 0 {
			return "YEAR(" + name + ")", "year of " + noun
		}
		return "DATE_FORMAT(" + name + ", '%Y-%m')", "month of " + noun
	}
	expr, words, _ = t.column(t.main, schema.Text, 2, 14)
	return expr, words
}

func (t *turn) byGroup() (string, []string) {
	function, _ := aggregate(t.fields[len(t.fields)-1])
	old := t.group
	by, words := t.grouping()
	if by == "" || function == "" || len(t.fields) > 2 || (len(t.fields) == 2) != (old != "" && t.fields[0] == old) ||
		t.having+t.limit+t.order != "" {
		return "", nil
	}
	t.fields, t.group = []string{by, t.fields[len(t.fields)-1]}, by
	return "group", []string{"col", words}
}

func (t *turn) sort() (string, []string) {
	kind := pick(t.rng, []schema.Kind{schema.Number, schema.Number, schema.Date})
	name, noun, _ := t.column(t.main, kind, 2, most)
	if name == "" || !t.rows() || t.order != "" {
		return "", nil
	}
	t.order = name
	said := map[schema.Kind][]string{schema.Number: {"up", "down"}, schema.Date: {"early", "late"}}[kind]
	if t.rng.IntN(2) == 0 {
		t.order += " DESC"
		return said[1], []string{"col", noun}
	}
	return said[0], []string{"col", noun}
}

// saidNumber is a number in digits or in words.
func (t *turn) saidNumber(n int) string {
	if t.rng.IntN(2) == 0 {
		return strconv.Itoa(n)
	}
	return strings.Fields("one two three four five six")[n-1]
}

func (t *turn) first() (string, []string) {
	n, old := 2+t.rng.IntN(5), t.limit
	if t.order == "" || strings.ContainsAny(old, " ,") {
		return "", nil
	}
	t.limit = strconv.Itoa(n)
	if old != "" {
		return "newlimit", []string{"n", t.saidNumber(n), "old", old}
	}
	return "limit", []string{"n", t.saidNumber(n)}
}

func (t *turn) top() (string, []string) {
	name, noun, _ := t.column(t.main, schema.Number, 2, most)
	if name == "" || !t.rows() || t.order != "" {
		return "", nil
	}
	n := pick(t.rng, []int{1, 1, 2, 3, 3, 5})
	kind := "top"
	t.order, t.limit = name+" DESC", strconv.Itoa(n)
	if n == 1 {
		if kind = "best"; t.rng.IntN(3) == 0 {
			kind, t.order = "worst", name
		}
	}
	return kind, []string{"col", noun, "n", t.saidNumber(n)}
}

func (t *turn) flip() (string, []string) {
	if t.order == "" || t.limit == "" || strings.Contains(t.order, ",") {
		return "", nil
	}
	by, down := strings.CutSuffix(strings.TrimSuffix(t.order, " ASC"), " DESC")
	ends := []string{"highest", "lowest"}
	if function, _ := aggregate(by); function != "" {
		ends = []string{"most", "fewest"}
	} else if _, col := t.query.column(by); col != nil && schema.ParseType(col.Type).Kind() == schema.Date {
		ends = []string{"latest", "earliest"}
	}
	if t.order = by; down {
		return "flip", []string{"least", ends[1]}
	}
	t.order += " DESC"
	return "flip", []string{"least", ends[0]}
}

// computed are words for aggregates.
var computed = map[string][]string{"AVG": {"average", "mean"}, "MAX": {"maximum", "highest"},
	"MIN": {"minimum", "lowest"}, "SUM": {"total", "sum"}}

func (t *turn) agg() (string, []string) {
	function, of := aggregate(t.fields[0])
	other := pick(t.rng, []string{"AVG", "AVG", "MAX", "MIN", "SUM"})
	if len(t.fields) != 1 || computed[function] == nil || other == function {
		return "", nil
	}
	t.fields[0] = other + "(" + of + ")"
	return "agg", []string{"agg", pick(t.rng, computed[other])}
}

func (t *turn) aggOf() (string, []string) {
	name, noun, _ := t.column(t.main, schema.Number, 2, most)
	if name == "" || !t.counts() && !t.rows() {
		return "", nil
	}
	function := pick(t.rng, []string{"AVG", "AVG", "MAX", "MIN", "SUM"})
	t.fields, t.order = []string{function + "(" + name + ")"}, ""
	return "aggof", []string{"agg", pick(t.rng, computed[function]), "col", noun}
}

// further is a column of the main table that is not shown.
func (t *turn) further() (name, noun string) {
	c := pick(t.rng, t.tables[t.main].Columns)
	name = t.name(t.main, c.Name)
	if !t.rows() || slices.Contains(t.fields, name) || !asked(t.tables[t.main], c.Name) {
		return "", ""
	}
	return name, explain.NameOf(c.Name)
}

func (t *turn) add() (string, []string) {
	name, noun := t.further()
	if name == "" {
		return "", nil
	}
	t.fields = append(t.fields, name)
	return "add", []string{"col", noun, "cols", inflection.Plural(noun)}
}

func (t *turn) detail() (string, []string) {
	of := t.tables[t.main]
	name := shown(of)
	if !t.counts() || name == "" {
		return "", nil
	}
	t.fields = []string{t.name(t.main, name)}
	return "detail", []string{"shows", inflection.Plural(explain.NameOf(name)), "many", many(of)}
}

func (t *turn) count() (string, []string) {
	if !t.rows() {
		return "", nil
	}
	t.fields, t.order = []string{"COUNT(*)"}, ""
	return "count", []string{"many", many(t.tables[t.main])}
}

// opposite of a comparison.
var opposite = map[string]string{"=": "<>", "<>": "=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<"}

func (t *turn) not() (string, []string) {
	c, ok := t.compared("=", "<>", "!=", ">", ">=", "<", "<=")
	if !ok || len(t.where) != 1 || t.limit != "" {
		return "", nil
	}
	t.where[0] = strings.Replace(t.where[0], " "+c.op+" ", " "+opposite[c.op]+" ", 1)
	return "not", nil
}

// link draws a foreign key between the main table and another: up is to one that it refers to. The other table is
// joined, and the names of the query are written in full.
func (t *turn) link(up bool) (other *schema.Table, as string) {
	of := t.tables[t.main]
	if len(t.tables) != 1 || strings.Contains(t.from, " ") {
		return nil, ""
	}
	for _, i := range t.rng.Perm(len(t.x.Schema.Tables)) {
		table := &t.x.Schema.Tables[i]
		child, parent := table, of
		if up {
			child, parent = of, table
		}
		for _, k := range child.ForeignKeys {
			if table == of || !strings.EqualFold(k.RefTable, parent.Name) || len(k.Columns) != 1 {
				continue
			}
			t.qualify()
			t.from += fmt.Sprintf(" JOIN %s ON %s.%s = %s.%s", quoted(table.Name), quoted(child.Name),
				quoted(k.Columns[0]), quoted(parent.Name), quoted(k.RefColumns[0]))
			t.tables[table.Name] = table
			return table, one(parent)
		}
	}
	return nil, ""
}

// qualify puts the table in front of each column.
func (t *turn) qualify() {
	full := func(text string) string {
		var b strings.Builder
		from := 0
		for k, next := syntax.NextToken(text, 0); k.Kind != syntax.EndToken; k, next = syntax.NextToken(text, next) {
			_, is := t.tables[t.main].Column(k.Name())
			if is && k.Name() != "" && (k.Pos == 0 || text[k.Pos-1] != '.') {
				b.WriteString(text[from:k.Pos] + quoted(t.main) + ".")
				from = k.Pos
			}
		}
		return b.String() + text[from:]
	}
	for _, list := range [][]string{t.fields, t.where} {
		for i := range list {
			list[i] = full(list[i])
		}
	}
	t.order = full(t.order)
}

func (t *turn) children() (string, []string) {
	of := t.tables[t.main]
	if !t.rows() || t.order != "" || len(of.PrimaryKey) != 1 {
		return "", nil
	}
	kids, _ := t.link(false)
	if kids == nil {
		return "", nil
	}
	t.fields, t.group = append(t.fields, "COUNT(*)"), t.name(t.main, of.PrimaryKey[0])
	return "children", []string{"kids", many(kids), "one", one(of)}
}

func (t *turn) parent() (string, []string) {
	if !t.rows() {
		return "", nil
	}
	parent, as := t.link(true)
	if parent == nil || shown(parent) == "" {
		return "", nil
	}
	t.fields = append(t.fields, t.name(parent.Name, shown(parent)))
	return "parent", []string{"as", as, "show", explain.NameOf(shown(parent))}
}

func (t *turn) joined() (string, []string) {
	if !t.rows() && !t.counts() {
		return "", nil
	}
	parent, as := t.link(true)
	if parent == nil {
		return "", nil
	}
	_, do, _, _ := t.filter(parent.Name)
	if do == "" {
		return "", nil
	}
	return "joined", []string{"as", as, "an", "a " + as, "does", "has" + strings.TrimPrefix(do, "have")}
}
