package embedded

import (
	"database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
)

var (
	typedDatabases = flag.Int("databases", must.Long(4, 60),
		"how many random databases TestTypesAgainstMySQL draws")
	typedCount  = flag.Uint64("typed", must.Long[uint64](600, 5000), "how many statements it asks each of them")
	typedSeed   = flag.Uint64("typedseed", 1, "which databases and statements those are")
	typedReport = flag.String("typedreport", "",
		"a file that gets every difference, shrunk, instead of a failure for each")
)

// typedScript makes all databases of a seed.
func typedScript(databases []*typed) string {
	var b strings.Builder
	for _, g := range databases {
		b.WriteString(g.script())
	}
	return b.String()
}

// Random statements that mix types, over random tables, get the same rows from the engine and from a real MySQL, or
// are refused. Where they differ, a statement is shrunk, and MariaDB, if it is here, says which of both it gives.
func TestTypesAgainstMySQL(t *testing.T) {
	var databases []*typed
	for n := range *typedDatabases {
		databases = append(databases, newTyped(n, *typedSeed))
	}
	script := typedScript(databases)
	limits := runner.Limits{Rows: 100_000, Timeout: time.Minute}
	process := startMySQL(t, "typed", []byte(script))
	server := must.Get(runner.Open(t.Context(), process.DSN(), limits))(t)
	defer server.Close()
	db := must.Get(OpenDump(t.Context(), "typed", strings.NewReader(script), limits))(t)
	defer db.Close()
	third := mariaDB(t, script, limits)

	last := "" // what MySQL answered before
	answers := func(sql string) (want, got answer, comparable bool) {
		got, err := reply(t.Context(), db, sql)
		if err != nil {
			must.Have(t, errors.Is(err, errTruncated) || errors.As(err, new(*runner.QueryError)), err, sql)
			return want, got, false
		}
		if want, err = reply(t.Context(), server, sql); err != nil {
			must.Have(t, !errors.Is(err, driver.ErrBadConn) && !strings.Contains(err.Error(), "invalid connection"),
				"MySQL ended at", last, sql, err)
			return want, got, false
		}
		last = sql
		return want, got, true
	}
	asked, refusals, alone, errs, knowns, refused := 0, 0, 0, 0, 0, map[string]int{}
	found := map[string][]string{}
	for _, g := range databases {
		for n := range *typedCount {
			sql := g.typedStatement(n, *typedSeed)
			asked++
			want, got, ok := answers(sql)
			switch {
			case !ok:
				_, err := reply(t.Context(), db, sql)
				refused[refusalKind(err)]++
				refusals++
				continue
			case sameAnswer(want, got):
				continue
			case want.Code != got.Code && byValue(want.Code) && byValue(got.Code):
				errs++
				continue
			}
			voice := third(sql, want, got)
			if voice != asHere && want.Code == got.Code {
				sql = shrink(sql, func(sql string) bool {
					want, got, ok := answers(sql)
					return ok && want.Code == got.Code && !sameAnswer(want, got) && third(sql, want, got) != asHere
				})
				want, got, _ = answers(sql)
			}
			if voice == asHere {
				alone++
				continue
			}
			kind := differenceKind(sql)
			if shown := fmt.Sprintf("%s MySQL %d here %d", kind, want.Code, got.Code); slices.ContainsFunc(typedKnown,
				func(k known) bool { return k.kind.MatchString(shown) }) {
				knowns++
				continue
			}
			found[kind] = append(found[kind], fmt.Sprintf("%s\n  MySQL %d %v\n  here  %d %v\n  MariaDB gives %s", sql,
				want.Code, want.Rows, got.Code, got.Rows, third(sql, want, got)))
		}
	}
	all := 0
	var report strings.Builder
	for _, kind := range slices.SortedFunc(maps.Keys(found),
		func(a, b string) int { return len(found[b]) - len(found[a]) }) {
		fmt.Fprintf(&report, "%d × %s\n", len(found[kind]), found[kind][0])
		all += len(found[kind])
	}
	fmt.Fprintf(&report, "%d statements over %d databases, seed %d: %d differ, in %d ways; in %d MySQL stands alone against MariaDB, in %d only one of both comes to a value that is an error, %d are of known kinds; %d refused\n", asked, len(databases), *typedSeed, all,
		len(found), alone, errs, knowns, refusals)
	must.Be(t, len(typedKnown) <= 10, len(typedKnown))
	sentences := ""
	for _, k := range typedKnown {
		sentences += "- " + k.sentence + "\n"
	}
	if *update {
		keepSections(t, "../README.md", map[string]string{"types": fmt.Sprintf(
			"%d statements over %d databases, seed %d: %d answered as MySQL does (errors included), %d refused, %d where MySQL 8.0.15 stands alone against MariaDB and us, %d where only one of both comes to a value that is an error, %d of the kinds below; %d differ:\n\n%s",
			asked, len(databases), *typedSeed, asked-all-alone-errs-knowns-refusals, refusals, alone, errs, knowns,
			all, sentences)})
	}
	t.Logf("%d statements, %d differ, %d where MySQL stands alone, %d refused", asked, all, alone, refusals)
	for _, why := range slices.SortedFunc(maps.Keys(refused),
		func(a, b string) int { return refused[b] - refused[a] }) {
		fmt.Fprintf(&report, "  %d %s\n", refused[why], why)
	}
	if *typedReport != "" {
		must.Do(t, os.WriteFile(*typedReport, []byte(report.String()), 0o644))
	} else if all > 0 {
		t.Error(report.String())
	}
	must.Be(t, refusals <= asked/5, refusals, asked, "statements refused")
}

// known is a kind of difference that stays: shrunk statements without the names of their tables and the numbers of
// both errors, and its sentence.
type known struct {
	kind     *regexp.Regexp
	sentence string
}

// typedKnown are at most ten; the README has their sentences.
var typedKnown = []known{
	{regexp.MustCompile(`CONCAT_WS\('\|'`), "CONCAT_WS of bytes and times, compared with a text"},
	{regexp.MustCompile(`(ORDER BY|GROUP BY).*(SPACE|REPEAT|LEFT|RIGHT|SUBSTRING|TRIM|[LR]PAD|LEAST|GREATEST|DATE_FORMAT)\(|(ORDER BY|GROUP BY).*CAST\([^()]* AS CHAR`), "ORDER BY a computed text, such as SPACE(n): MySQL takes '' and NULL for peers"},
	{regexp.MustCompile(`WHERE (CAST\()?[^ =<>!]+( AS JSON\))? MySQL 0 here 0`),
		"WHERE of a number with a fraction, or of a text or JSON that holds one, and nothing else: MySQL cuts it"},
	{regexp.MustCompile(`(MIN|MAX)\(JSON_OBJECT`), "MIN and MAX of JSON objects, whose order MySQL leaves open"},
	{regexp.MustCompile("MySQL (1267|127[01]) here 0"),
		"a text beyond latin1 beside a column of latin1: MySQL fails (1267), here they compare"},
	{regexp.MustCompile(`JSON_TYPE\(CAST`), "JSON_TYPE of an unsigned number or a YEAR: here INTEGER"},
	{regexp.MustCompile(`\b(POW(ER)?|EXP|SIN|COT|LOG2|LOG10|ATAN2?)\(`), "the last digit of POW, EXP, SIN, COT, LOG2, LOG10 and ATAN as a text"},
	{regexp.MustCompile(`(/.* OVER|OVER .*/|AVG\(.* OVER).*FROM \(SELECT`),
		"quotients and averages in or beside a window, of what a derived table computes: MySQL cuts them to other places"},
	{regexp.MustCompile("MySQL 1038 here 0"), "sorting by very long texts: MySQL runs out of memory (1038)"},
}

// byValue says that an answer depends on which values a plan comes to: there is none, a number overflows, or a text is
// no JSON, no path, no key, no period or no word that a function takes.
func byValue(code uint16) bool {
	return slices.Contains([]uint16{0, 1210, 1690, 3064, 3141, 3143, 3144, 3146, 3154, 3158}, code)
}

// asHere is what MariaDB says where it sides with the engine.
const asHere = "what is here"

// sameAnswer says that two answers are the same up to the labels of their columns.
func sameAnswer(want, got answer) bool {
	return want.Code == got.Code && cmp.Equal(want.Rows, got.Rows)
}

var (
	namesInRefusal = regexp.MustCompile(`"[^"]*"|\d+`)
	typedAliases   = regexp.MustCompile("`?t\\d+`?\\.|`[abv]\\d+`|\\d+")
)

// refusalKind is what a refusal says, without the values in it.
func refusalKind(err error) string {
	if err == nil {
		return "MySQL failed"
	}
	return namesInRefusal.ReplaceAllString(err.Error(), "…")
}

// differenceKind is a shrunk statement without the names of its tables.
func differenceKind(sql string) string { return typedAliases.ReplaceAllString(sql, "") }

// mariaDB is what says whose side MariaDB takes.
func mariaDB(t *testing.T, script string, limits runner.Limits) func(sql string, want, got answer) string {
	t.Helper()
	script = strings.ReplaceAll(script, "utf8mb4_0900_ai_ci", "utf8mb4_uca1400_ai_ci")
	s, err := local.Start(t.Context(), local.Options{Engine: "mariadb", Database: "typed",
		Load: strings.NewReader(script)})
	if err != nil {
		t.Log("no MariaDB: ", err)
		return func(string, answer, answer) string { return "no answer" }
	}
	db := must.Get(runner.Open(t.Context(), s.DSN(), limits))(t)
	t.Cleanup(func() {
		must.Succeed(t, errors.Join(db.Close(), s.Close()))
	})
	return func(sql string, want, got answer) string {
		a, err := reply(t.Context(), db, sql)
		switch {
		case err != nil:
			return "an error"
		case sameAnswer(a, want):
			return "what MySQL does"
		case sameAnswer(a, got):
			return asHere
		}
		return "something else"
	}
}
