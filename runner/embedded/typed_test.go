package embedded

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"nl2sql/runner/embedded/mysqlfn"
	writing "nl2sql/scripts/grammar"
)

//go:embed testdata/typed.grammar
var typedGrammar string

var typedRules = sync.OnceValue(func() writing.Rules {
	rules, err := writing.Parse(typedGrammar, "x", "text", "when", "anydoc", "column", "id")
	if err != nil {
		panic(err)
	}
	return rules
})

// typed makes random databases, with columns of every type, and random statements over them that mix the types: what a
// differential test of conversions, comparisons and orders asks a real server and the engine.
type typed struct {
	*rand.Rand
	number int // of the database; its tables are aN and bN, its view vN
	tables []typedTable
	from   []typedUse // what the expression that is written may name
	used   int
}

// typedTable is a table or a view, and the kind of each of its columns.
type typedTable struct {
	name string
	cols []typedColumn
}

type typedColumn struct{ name, kind string }

// typedUse is a table under its alias in a FROM clause.
type typedUse struct {
	alias string
	cols  []typedColumn
}

// typedKind is a type of columns and values for them; NULL comes beside them.
type typedKind struct {
	name, declared string
	class          byte // n number, d date or time, s text, e list of words, b bytes
	values         []string
}

var typedTexts = []string{"''", "'a'", "'A'", "'ä'", "'b'", "'a '", "'ß'", "'ss'", "'æ'", "'ae'", "'ø'", "'o'", "'ł'",
	"'l'", "'z'", "'Z'", "'10'", "'9'", "'1e1'", "' 5'",
	"'5x'", "'-1'", "'open'", "'5'", "'2024-05-03'", "'2024-05-03 08:00:00'", "'20240503'", "'08:00:00'", "'1999'",
	"'a,c'", "'%'", "'_'", "'0.5'"}

// typedLetters are texts of letters, digits and signs of many scripts and kinds.
var typedLetters = []string{"''", "'Ann'", "'ann'", "'Zoë Kravić'", "'Noor'", "'Олег'", "'олег'", "'東京 太郎'", "'R2-D2'",
	"'$5 <note>'", "'Åse'", "'１２３'", "'٣'", "'Straße'", "'STRASSE'", "'ŒUVRE'", "'œ'", "'ﬁn'", "'K'", "'ſ'", "'İ'", "'ı'",
	"'Σίσυφος'", "'ΣΊΣΥΦΟΣ'", "'a_b'", "'e\u0301'", "'é'", "'É'", "'😀'", "'\t'", "'a\nb'", "'\u00a0'", "'–'", "'€5'", "'½'",
	"'²'", "'ª'", "'Ⅷ'", "'Ⓐ'", "'¿Qué?'", "'New'", "'new'", "'2.5'", "'ab=c+d'", "'x|y^z'", "'~`'", "'%5'", "'«a»'", "'あ'", "'۵'",
	"'ё'", "'\u200d'", "'\u3000'", "'ǅ'", "'Ǆ'", "'a.b'", "'[a]'"}

// typedKinds are the types. Values are those where conversions break: signs, limits, halves, zeros, two digits, a
// day's and a century's ends.
var typedKinds = []typedKind{
	{"i8", "tinyint", 'n', []string{"-128", "127", "0", "1", "2", "5", "99"}},
	{"u8", "tinyint unsigned", 'n', []string{"255", "0", "1", "3", "10"}},
	{"i32", "int", 'n', []string{"-2147483648", "2147483647", "0", "1", "2", "3", "20240503", "1999", "2000"}},
	{"i64", "bigint", 'n', []string{"-9223372036854775807", "9007199254740993", "0", "1", "20240503080000", "80000"}},
	{"u32", "int unsigned", 'n', []string{"4294967295", "0", "1", "2", "20240503"}},
	{"b1", "bit(1)", 'n', []string{"b'0'", "b'1'"}},
	{"b8", "bit(8)", 'n', []string{"b'0'", "b'1'", "b'101'", "b'1010'", "b'11111111'", "b'110001'"}},
	{"dec", "decimal(10,2)", 'n', []string{"-0.01", "0.00", "0.50", "1.50", "2.00", "10.00", "9.99",
		"99999999.99", "20240503.00"}},
	{"dec0", "decimal(6,0)", 'n', []string{"-1", "0", "1", "2", "10", "9", "999999"}},
	{"wide", "decimal(30,10)", 'n', []string{"-12345678901234567890.0123456789", "0", "1.5", "2", "10", "9",
		"12345678901234567890.5"}},
	{"dbl", "double", 'n', []string{"-1.5", "0", "0.1", "0.5", "1", "2", "10", "1e10", "2.5"}},
	{"flt", "float", 'n', []string{"-1.5", "0", "0.5", "1", "2", "0.1", "16777216"}},
	{"y", "year", 'd', []string{"0", "1901", "1970", "1999", "2000", "2002", "2024", "2069", "2155"}},
	{"d", "date", 'd', []string{"'1000-01-01'", "'1999-12-31'", "'2000-01-01'", "'2024-02-29'", "'2024-05-03'",
		"'2024-05-04'", "'9999-12-31'"}},
	{"dt", "datetime", 'd', []string{"'1999-12-31 23:59:59'", "'2000-01-01 00:00:00'", "'2024-05-03 00:00:00'",
		"'2024-05-03 08:00:00'", "'2024-05-03 23:59:59'", "'9999-12-31 23:59:59'"}},
	{"dt3", "datetime(3)", 'd', []string{"'2000-01-01 00:00:00.000'", "'2024-05-03 00:00:00.500'",
		"'2024-05-03 08:00:00.000'", "'2024-05-03 08:00:00.001'"}},
	{"ts", "timestamp NULL", 'd', []string{"'1999-12-31 23:59:59'", "'2000-01-01 00:00:00'", "'2024-05-03 08:00:00'"}},
	{"t", "time", 'd', []string{"'-838:59:59'", "'-10:00:00'", "'-09:00:00'", "'-00:00:01'", "'00:00:00'", "'00:00:10'",
		"'08:00:00'", "'09:59:59'", "'10:00:00'", "'24:00:00'", "'100:00:00'", "'838:59:59'"}},
	{"t2", "time(2)", 'd', []string{"'-00:00:00.50'", "'00:00:00.00'", "'00:00:00.50'", "'08:00:00.00'",
		"'100:00:00.25'"}},
	{"e", "enum('open','5','done','waiting','1','Zoo')", 'e', []string{"'open'", "'5'", "'done'",
		"'waiting'", "'1'", "'Zoo'"}},
	{"es", "enum('small','medium','large')", 'e', []string{"'small'", "'medium'", "'large'"}},
	{"s", "set('a','b','c','2')", 'e', []string{"''", "'a'", "'b'", "'a,c'", "'a,b,c'", "'2'", "'b,2'"}},
	{"vc", "varchar(20)", 's', typedTexts},
	{"ch", "char(10)", 's', typedTexts[:20]},
	{"tx", "text", 's', typedTexts},
	{"uni", "varchar(20) character set utf8mb4 collate utf8mb4_unicode_ci", 's', typedTexts},
	{"gen", "varchar(20) character set utf8mb4 collate utf8mb4_general_ci", 's', typedTexts},
	{"mb", "varchar(20) character set utf8mb4 collate utf8mb4_bin", 's', typedTexts},
	{"sw", "varchar(20) character set latin1 collate latin1_swedish_ci", 's',
		slices.DeleteFunc(slices.Clone(typedTexts), func(s string) bool { return s == "'ł'" })},
	{"bi", "binary(3)", 'b', []string{"'a'", "'abc'", "'10'", "0x000102"}},
	{"vb", "varbinary(8)", 'b', []string{"''", "'a'", "'A'", "'10'", "'9'", "'a '"}},
	{"js", "json", 'j', []string{"'1'", "'1.5'", "'\"a\"'", "'true'", "'null'", "'[1, 2]'", "'{\"k\": 1}'",
		"'\"2024-05-03\"'"}},
}

// typedWide are types of letters, of fractions of a second and of documents.
var typedWide = []typedKind{
	{"le", "varchar(30)", 's', typedLetters},
	{"lb", "varchar(30) character set utf8mb4 collate utf8mb4_bin", 's', typedLetters},
	{"t6", "time(6)", 'd', []string{"'23:59:59.500000'", "'23:59:59.499999'", "'-00:00:00.500000'", "'08:00:00.999999'"}},
	{"dt6", "datetime(6)", 'd', []string{"'2024-05-03 23:59:59.500000'", "'2024-05-03 23:59:59.499999'",
		"'2024-12-31 23:59:59.999999'", "'2000-01-01 00:00:00.000001'"}},
	{"jn", "json", 'j', []string{`'{"name": "Ann", "n": 2.5, "t": ["New", "old"]}'`, `'{"name": "ann", "n": "2.5"}'`,
		`'{"name": "É", "d": "2024-05-03 23:59:59.5"}'`, `'{"name": "олег", "n": -1.5e0, "t": []}'`, `'{"name": null, "n": true}'`,
		`'{"t": ["é", 2.50]}'`, `'{"name": "new", "n": {"k": "A"}}'`}},
}

var typedByName = func() map[string]typedKind {
	m := map[string]typedKind{}
	for _, k := range slices.Concat(typedKinds, typedWide) {
		m[k.name] = k
	}
	return m
}()

// newTyped draws the database with this number.
func newTyped(number int, seed uint64) *typed {
	g := &typed{Rand: rand.New(rand.NewPCG(uint64(number), seed)), number: number}
	for _, letter := range []string{"a", "b"} {
		t := typedTable{name: fmt.Sprintf("%s%d", letter, number)}
		kinds := slices.Concat(typedKinds, typedWide)
		for _, i := range g.Perm(len(kinds))[:8] {
			k := kinds[i]
			if k.class != 'j' || g.IntN(2) == 0 {
				t.cols = append(t.cols, typedColumn{letter + "_" + k.name, k.name})
			}
		}
		g.tables = append(g.tables, t)
	}
	return g
}

// script is what makes the database on a server and here.
func (g *typed) script() string {
	var b strings.Builder
	for _, t := range g.tables {
		var defs []string
		strict := map[string]bool{}
		for _, c := range t.cols {
			def := "`" + c.name + "` " + typedByName[c.kind].declared
			if g.IntN(4) == 0 && c.kind != "ts" {
				def += " NOT NULL"
				strict[c.name] = true
			}
			defs = append(defs, def)
		}
		for _, c := range t.cols {
			if class := typedByName[c.kind].class; g.IntN(5) == 0 && class != 'j' && c.kind != "tx" {
				defs = append(defs, fmt.Sprintf("KEY `k_%s` (`%[1]s`)", c.name))
			}
		}
		fmt.Fprintf(&b, "CREATE TABLE `%s` (`id` int NOT NULL PRIMARY KEY, %s) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;\n", t.name, strings.Join(defs, ", "))
		var rows []string
		for id := range 4 + g.IntN(9) {
			row := []string{fmt.Sprint(id + 1)}
			for _, c := range t.cols {
				if !strict[c.name] && g.IntN(5) == 0 {
					row = append(row, "NULL")
				} else {
					row = append(row, oneOfTyped(g, typedByName[c.kind].values...))
				}
			}
			rows = append(rows, "("+strings.Join(row, ",")+")")
		}
		fmt.Fprintf(&b, "INSERT INTO `%s` VALUES %s;\n", t.name, strings.Join(rows, ","))
	}
	a := g.tables[0]
	fmt.Fprintf(&b, "CREATE VIEW `v%d` AS SELECT `id`, %s FROM `%s`;\n", g.number, columnList(a.cols), a.name)
	return b.String()
}

func columnList(cols []typedColumn) string {
	var names []string
	for _, c := range cols {
		names = append(names, "`"+c.name+"`")
	}
	return strings.Join(names, ", ")
}

func oneOfTyped[T any](g *typed, list ...T) T { return list[g.IntN(len(list))] }

// column is one of what may be named, of a class if any is; "" stands for any.
func (g *typed) column(classes string) string {
	var all []string
	for _, u := range g.from {
		for _, c := range u.cols {
			if classes == "" || strings.IndexByte(classes, typedByName[c.kind].class) >= 0 {
				all = append(all, u.alias+"."+c.name)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[g.IntN(len(all))]
}

// literal is a value in a statement's text, of any kind.
func (g *typed) literal() string {
	return oneOfTyped(g,
		oneOfTyped(g, "0", "1", "2", "3", "5", "-1", "10", "99", "2.5", "0.5", "1.50", "1e1", "255", "2000",
			"1999", "69", "70"),
		oneOfTyped(g, "20240503", "20240503080000", "20000101", "80000", "-100000", "240503", "1000000"),
		oneOfTyped(g, "'2024-05-03'", "'2024-05-03 08:00:00'", "'20240503'", "'24-5-3'", "'08:00:00'", "'8:00'",
			"'-10:00:00'", "'100:00:00'", "'1999'", "'99'", "'02'", "'2000-01-01'"),
		oneOfTyped(g, "DATE '2024-05-03'", "TIMESTAMP '2024-05-03 08:00:00'", "TIME '08:00:00'", "TIME '-10:00:00'",
			"TIME '100:00:00'", "TIMESTAMP '2024-05-03 08:00:00.001'"),
		oneOfTyped(g, typedTexts...), oneOfTyped(g, "'open'", "'done'", "'5'", "'small'", "'medium'", "'a,c'",
			"'A'", "'2'"), "NULL")
}

// write writes a text of a rule of the grammar; values within it have so many levels.
func (g *typed) write(rule string, depth int) string {
	doc := func() string {
		if c := g.column("j"); c != "" && g.IntN(4) > 0 {
			return c
		}
		return oneOfTyped(g, `CAST('{"name": "Ann", "n": 2.5}' AS JSON)`, "JSON_OBJECT('name', 'ann', 't', JSON_ARRAY('É'))")
	}
	text := func() string {
		switch c := g.column("s"); {
		case g.IntN(8) == 0:
			return g.expr(depth - 1)
		case c != "" && g.IntN(3) > 0:
			return c
		}
		return oneOfTyped(g, typedLetters...)
	}
	w := writing.Writer{Rules: typedRules(), Rand: g.Rand, Slots: map[string]func() string{
		"x": func() string { return g.expr(depth - 1) }, "text": text, "when": g.temporal, "anydoc": doc,
		"column": func() string { return g.column("") }, "id": func() string { return g.from[0].alias + ".id" }}}
	return w.Text(rule, 3)
}

// call is a call of any function of the engine's table, with arguments of any type.
func (g *typed) call(depth int) string {
	name := typedFunctions[g.IntN(len(typedFunctions))]
	f := mysqlfn.Functions[name]
	count := f.Least()
	if most := f.Most(); most > count {
		count += g.IntN(most - count + 1)
	} else if most < 0 {
		count += f.Repeat * g.IntN(2)
	}
	args := make([]string, count)
	for i := range args {
		switch letter := f.Letter(i); {
		case g.IntN(4) == 0:
			args[i] = g.expr(depth - 1)
		case strings.IndexByte("nio", letter) >= 0:
			args[i] = g.write("fraction", depth)
		case strings.IndexByte("tc", letter) >= 0:
			args[i] = g.write("second", depth)
		case letter == 'j':
			args[i] = g.write("doc", depth)
		case letter == 'p':
			args[i] = g.write("path", depth)
		case letter == 's' && g.IntN(2) == 0:
			args[i] = g.write("jsontext", depth)
		default:
			args[i] = oneOfTyped(g, g.column("s"), oneOfTyped(g, typedLetters...))
		}
		if args[i] == "" {
			args[i] = "NULL"
		}
	}
	return strings.ToUpper(name) + "(" + strings.Join(args, ", ") + ")"
}

// typedFunctions are those that any call may name. REGEXP_REPLACE ends a MySQL 8.0.15.
var typedFunctions = slices.DeleteFunc(slices.Sorted(maps.Keys(mysqlfn.Functions)), func(name string) bool {
	f := mysqlfn.Functions[name]
	return f.Args == "" || f.Random || strings.HasPrefix(name, "regexp_")
})

// expr is a value of any type.
func (g *typed) expr(depth int) string {
	if depth <= 0 || g.IntN(5) < 2 {
		if c := g.column(""); c != "" && g.IntN(10) < 7 {
			return c
		}
		return g.literal()
	}
	x := func() string { return g.expr(depth - 1) }
	switch g.IntN(17) {
	case 13:
		return g.write("found", depth)
	case 14:
		return g.write("jsonvalue", depth)
	case 15:
		return g.write("fractional", depth)
	case 16:
		return g.call(depth)
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", x(), oneOfTyped(g, "+", "-", "*", "+", "DIV", "%", "/"), x())
	case 2:
		return fmt.Sprintf("(%s %s %s)", x(), oneOfTyped(g, "&", "|", "^"), oneOfTyped(g, "1", "3", "255",
			g.column("ne")+"", "5"))
	case 3, 4:
		return fmt.Sprintf("CAST(%s AS %s)", x(), oneOfTyped(g, "SIGNED", "UNSIGNED", "DECIMAL(12,2)", "DECIMAL(20,4)",
			"CHAR", "CHAR(3)", "DATE", "DATETIME", "TIME", "DATETIME(3)", "TIME(2)"))
	case 5:
		return fmt.Sprintf("%s(%s, %s)", oneOfTyped(g, "COALESCE", "IFNULL", "NULLIF", "GREATEST", "LEAST"), x(), x())
	case 6:
		return oneOfTyped(g, fmt.Sprintf("IF(%s, %s, %s)", g.cond(depth-1), x(), x()),
			fmt.Sprintf("IF(%s, %s, %s)", x(), x(), x()),
			fmt.Sprintf("CASE %s WHEN %s THEN %s ELSE %s END", x(), x(), x(), x()),
			fmt.Sprintf("CASE WHEN %s THEN %s END", g.cond(depth-1), x()))
	case 7:
		return fmt.Sprintf("%s(%s)", oneOfTyped(g, "LENGTH", "CHAR_LENGTH", "UPPER", "LOWER", "HEX", "ASCII",
			"TRIM", "REVERSE"), x())
	case 8:
		return fmt.Sprintf("%s(%s)", oneOfTyped(g, "ABS", "FLOOR", "CEIL", "ROUND", "SIGN", "-", "BIT_COUNT"), x())
	case 9, 10:
		return fmt.Sprintf("%s(%s)", oneOfTyped(g, "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "DATE", "TIME",
			"DAYOFWEEK", "TO_DAYS", "TIME_TO_SEC", "LAST_DAY", "QUARTER"), oneOfTyped(g, x(), g.temporal()))
	case 11:
		return oneOfTyped(g, fmt.Sprintf("CONCAT(%s, '|', %s)", x(), x()), fmt.Sprintf("CONCAT_WS('|', %s, %s)", x(),
			x()), fmt.Sprintf("FIELD(%s, %s, %s)", x(), x(), x()), fmt.Sprintf("FIND_IN_SET(%s, %s)", x(), x()),
			fmt.Sprintf("LEFT(%s, 2)", x()), fmt.Sprintf("LPAD(%s, 6, '0')", x()), fmt.Sprintf("REPLACE(%s, '0', 'x')",
				x()), fmt.Sprintf("ELT(%s & 3, 'p', 'q', 'r')", x()), fmt.Sprintf("SUBSTRING(%s, 2, 2)", x()),
			fmt.Sprintf("INSTR(%s, %s)", x(), x()), fmt.Sprintf("STRCMP(%s, %s)", x(), x()))
	}
	return oneOfTyped(g, fmt.Sprintf("DATEDIFF(%s, %s)", g.temporal(), x()), fmt.Sprintf("(%s + INTERVAL %s %s)",
		g.temporal(), oneOfTyped(g, "1", "-1", "36"), oneOfTyped(g, "DAY", "HOUR", "MONTH")),
		fmt.Sprintf("DATE_FORMAT(%s, '%%Y-%%m-%%d %%H')", g.temporal()), fmt.Sprintf("TIMESTAMPDIFF(%s, %s, %s)",
			oneOfTyped(g, "DAY", "HOUR", "MONTH"), g.temporal(), g.temporal()),
		fmt.Sprintf("EXTRACT(%s FROM %s)", oneOfTyped(g, "YEAR", "YEAR_MONTH", "DAY_HOUR"), g.temporal()),
		fmt.Sprintf("TIMEDIFF(%s, %s)", g.temporal(), g.temporal()), fmt.Sprintf("(%s)", g.cond(depth-1)))
}

// temporal is a value that is a date or time, if there is one.
func (g *typed) temporal() string {
	if c := g.column("d"); c != "" && g.IntN(6) > 0 {
		return c
	}
	return g.literal()
}

func (g *typed) cond(depth int) string {
	x := func() string { return g.expr(depth - 1) }
	switch g.IntN(20) {
	case 14, 15:
		return g.write("search", depth)
	case 16:
		return g.write("like", depth)
	case 17, 18:
		return g.write("jsoncond", depth)
	case 19:
		return g.write("fractioncond", depth)
	case 0, 1, 2, 3, 4, 5:
		return fmt.Sprintf("%s %s %s", x(), oneOfTyped(g, "=", "<>", "<", "<=", ">", ">=", "<=>", "=", ">"), x())
	case 6:
		return fmt.Sprintf("%s %sBETWEEN %s AND %s", x(), oneOfTyped(g, "", "", "NOT "), x(), x())
	case 7:
		return fmt.Sprintf("%s %sIN (%s, %s, %s)", x(), oneOfTyped(g, "", "", "NOT "), g.literal(), g.literal(), x())
	case 8:
		return fmt.Sprintf("%s %sLIKE %s", x(), oneOfTyped(g, "", "NOT "), oneOfTyped(g, "'%0%'", "'a%'", "'2024%'",
			"'_'", "'%5'", "'%A'"))
	case 9:
		return fmt.Sprintf("%s IS %s", x(), oneOfTyped(g, "NULL", "NOT NULL", "TRUE", "NOT TRUE", "FALSE"))
	case 10:
		return x()
	case 11:
		return g.subquery(x())
	}
	if depth <= 0 {
		return x() + " IS NULL"
	}
	return oneOfTyped(g, fmt.Sprintf("(%s AND %s)", g.cond(depth-1), g.cond(depth-1)), fmt.Sprintf("(%s OR %s)",
		g.cond(depth-1), g.cond(depth-1)), fmt.Sprintf("NOT (%s)", g.cond(depth-1)))
}

// subquery is a condition on x with rows of another table.
func (g *typed) subquery(x string) string {
	outer := g.from
	defer func() { g.from = outer }()
	table, use := g.use()
	g.from = []typedUse{use}
	inner := g.expr(oneOfTyped(g, 0, 0, 1))
	from := table + " " + use.alias
	return oneOfTyped(g, fmt.Sprintf("%s %sIN (SELECT %s FROM %s)", x, oneOfTyped(g, "", "NOT "), inner, from),
		fmt.Sprintf("%s %s %s (SELECT %s FROM %s)", x, oneOfTyped(g, "=", "<", ">=", "<>"),
			oneOfTyped(g, "ANY", "ALL"), inner, from),
		fmt.Sprintf("%s %s (SELECT %s(%s) FROM %s)", x, oneOfTyped(g, "=", "<", ">="), oneOfTyped(g, "MIN", "MAX",
			"SUM", "AVG"), inner, from), fmt.Sprintf("EXISTS (SELECT 1 FROM %s WHERE %s = %s)", from, inner, x))
}

// use is a table or the view, with a new alias.
func (g *typed) use() (table string, u typedUse) {
	g.used++
	t := g.tables[g.IntN(2)]
	name := t.name
	if strings.HasPrefix(name, "a") && g.IntN(4) == 0 {
		name = fmt.Sprintf("v%d", g.number)
	}
	return name, typedUse{fmt.Sprintf("t%d", g.used), t.cols}
}

// derived is a table, the view, or a query in its place with columns of computed values. Its kinds are those of what
// it computes where that is a column, else unknown.
func (g *typed) derived() (from string, u typedUse) {
	table, u := g.use()
	if g.IntN(3) > 0 {
		return table + " " + u.alias, u
	}
	inner := u
	g.from = []typedUse{inner}
	cols := []typedColumn{}
	items := []string{inner.alias + ".id"}
	for i := range 3 {
		c := inner.cols[g.IntN(len(inner.cols))]
		name := fmt.Sprintf("c%d", i)
		item := inner.alias + "." + c.name
		if g.IntN(2) == 0 {
			item, c.kind = g.expr(1), ""
		}
		items = append(items, item+" AS "+name)
		cols = append(cols, typedColumn{name, c.kind})
	}
	g.used++
	alias := fmt.Sprintf("t%d", g.used)
	return fmt.Sprintf("(SELECT %s FROM %s %s%s) %s", strings.Join(items, ", "), table, inner.alias,
		oneOfTyped(g, "", "", " LIMIT 1000"), alias), typedUse{alias, cols}
}

// statement writes one statement. Its rows come in an order that leaves none tied, or in any order.
func (g *typed) statement() string {
	g.used = 0
	from, u := g.derived()
	g.from = []typedUse{u}
	id := u.alias + ".id"
	switch g.IntN(18) {
	case 17:
		return fmt.Sprintf("SELECT %s, %s AS x FROM %s ORDER BY %[1]s", id, g.write("overs", 1), from)
	case 15, 16:
		c := oneOfTyped(g, g.column(""), g.expr(1))
		return fmt.Sprintf("SELECT MIN(%s) AS i, %s FROM %s GROUP BY %s", id, g.write("grouped", 1), from, c)
	case 14:
		return fmt.Sprintf("SELECT COUNT(*) AS n, SUM(%s) AS s FROM %s GROUP BY %s WITH ROLLUP", id, from, g.write("group", 1))
	case 0, 1, 2:
		return fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %[1]s", id, from, g.cond(2))
	case 3:
		return fmt.Sprintf("SELECT %s, %s AS x, %s AS y FROM %s ORDER BY %[1]s", id, g.expr(2), g.expr(2), from)
	case 4:
		return fmt.Sprintf("SELECT %s FROM %s ORDER BY %s%s, %[1]s", id, from, g.expr(1), oneOfTyped(g, "", " DESC"))
	case 5:
		x := g.expr(1)
		return fmt.Sprintf("SELECT %s FROM %s WHERE %s = (SELECT %s(%s) FROM %s) ORDER BY %[1]s", id, from, x,
			oneOfTyped(g, "MIN", "MAX"), x, from)
	case 6:
		return fmt.Sprintf("SELECT SUM(%s) AS x, AVG(%s) AS y, COUNT(DISTINCT %s) AS z FROM %s", g.expr(1),
			g.expr(1), g.expr(1), from)
	case 7:
		return fmt.Sprintf("SELECT MIN(%s) AS i, COUNT(*) AS n FROM %s GROUP BY %s%s", id, from, g.expr(1),
			oneOfTyped(g, "", " HAVING COUNT(*) > 1"))
	case 8:
		return fmt.Sprintf("SELECT GROUP_CONCAT(%s ORDER BY %s%s, %[1]s) AS x FROM %[4]s", id, g.expr(1),
			oneOfTyped(g, "", " DESC"), from)
	case 9:
		table, other := g.use()
		g.from = append(g.from, other)
		return fmt.Sprintf("SELECT %s AS p, %s.id AS q FROM %s %sJOIN %s %[2]s ON %s ORDER BY p, q", id, other.alias,
			from, oneOfTyped(g, "", "LEFT "), table, g.cond(1))
	case 10:
		x := g.expr(1)
		table, other := g.use()
		g.from = []typedUse{other}
		return fmt.Sprintf("SELECT COUNT(*) AS n FROM (SELECT %s AS x FROM %s UNION%s SELECT %s FROM %s %s) q", x, from,
			oneOfTyped(g, "", " ALL"), g.expr(1), table, other.alias)
	case 11:
		return fmt.Sprintf("SELECT %s, %s() OVER (ORDER BY %s%s) AS r FROM %s ORDER BY %[1]s", id,
			oneOfTyped(g, "RANK", "DENSE_RANK"), g.expr(1), oneOfTyped(g, "", " DESC"), from)
	case 12:
		g.from = []typedUse{{"q", []typedColumn{{"x", ""}, {"y", ""}}}}
		c := g.cond(1)
		g.from = []typedUse{u}
		return fmt.Sprintf("WITH q AS (SELECT %s AS id, %s AS x, %s AS y FROM %s) SELECT q.id FROM q WHERE %s ORDER BY q.id", id, g.expr(1), g.expr(1), from, c)
	}
	return fmt.Sprintf("SELECT COUNT(*) AS n, SUM(%s) AS s FROM %s GROUP BY %s WITH ROLLUP", id, from,
		oneOfTyped(g, g.column(""), g.column(""), id))
}

// typedStatement is the n-th statement over the database g of a seed.
func (g *typed) typedStatement(n, seed uint64) string {
	g.Rand = rand.New(rand.NewPCG(n, seed<<20|uint64(g.number)))
	return g.statement()
}
