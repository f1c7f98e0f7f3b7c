package embedded

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded/translate"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/cost"
)

// nestable are operators, and calls whose arguments are not between commas; @ is an argument.
const nestable = `~(@)
@ + 1
1 - @
@ | 1
1 ^ @
@ << 1
@ = 1
1 = @
@ IN (1, 2)
1 IN (2, @)
@ BETWEEN 1 AND 2
1 BETWEEN @ AND 2
@ LIKE 'a'
'a' LIKE @
@ IS NULL
@ IS TRUE
NOT @
-(@)
CASE WHEN @ THEN 1 END
CASE @ WHEN 1 THEN 2 END
CASE 1 WHEN @ THEN 2 END
CASE WHEN 1 THEN @ END
CAST(@ AS CHAR)
CAST(@ AS SIGNED)
CAST(@ AS DATE)
CAST(@ AS JSON)
CAST(@ AS DECIMAL(9, 2))
(SELECT @)
EXISTS (SELECT @)
@ IN (SELECT 1)
1 IN (SELECT @)
@ AND 1
@ OR 1
@ XOR 1
DATE_ADD(@, INTERVAL 1 DAY)
DATE_ADD('2024-01-01', INTERVAL @ DAY)
EXTRACT(DAY FROM @)
TIMESTAMPDIFF(DAY, @, d)
@ COLLATE utf8mb4_bin
@ REGEXP 'a'
'a' REGEXP @
@ DIV 2
@ % 2
@ / 2
TRIM(LEADING @ FROM s)
CONVERT(@ USING utf8mb4)`

// A call in a call in a call is translated in a time that grows with its depth, and does not double for each level: no
// limit ends a translation.
func TestNestedTranslation(t *testing.T) {
	const script = "CREATE TABLE t (i INT, s VARCHAR(20), d DATE);"
	db := must.Get(OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{}))(t)
	defer db.Close()
	forms := strings.Split(nestable, "\n")
	for _, name := range slices.Sorted(maps.Keys(cost.Arities)) {
		a := cost.Arities[name]
		for n := a.Least; n <= a.Least+2; n++ {
			for at := 0; at < n && a.Takes(n); at++ {
				args := slices.Repeat([]string{"s"}, n)
				args[at] = "@"
				forms = append(forms, name+"("+strings.Join(args, ", ")+")")
			}
		}
	}
	tried := 0
	for _, form := range forms {
		allocations := func(depth int) float64 {
			sql := "i"
			for range depth {
				sql = strings.ReplaceAll(form, "@", "("+sql+")")
			}
			q, v, err := sqlcheck.Check("SELECT "+sql+" FROM t", db.schema)
			if err != nil || !v.OK {
				return 0
			}
			return testing.AllocsPerRun(1, func() {
				_, err = translate.Statement(q.Stmt(), translate.Options{Tables: db.tables, Database: "x"})
			})
		}
		few, many := allocations(4), allocations(12)
		if few == 0 || many == 0 {
			continue
		}
		if tried++; many > 12*few {
			t.Errorf("%s: %v allocations for 4 levels, %v for 12", form, few, many)
		}
	}
	must.Be(t, tried > 400, tried, "forms were tried")
}
