package rescore

import (
	"context"
	"fmt"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// Rescored is a recorded run beside what its queries score now.
type Rescored struct {
	Run   record.Run // as recorded
	Again record.Run // the same records with new scores and errors
	Why   []Difference
}

// Difference is one score that comes out otherwise than recorded.
type Difference struct {
	Run      string `json:"run"`
	ID       string `json:"id"`
	Profile  string `json:"profile"`
	Metric   string `json:"metric"`
	Recorded string `json:"recorded"` // "0", "1", or "-" for not scored
	Now      string `json:"now"`
	Cause    Cause  `json:"cause"`
	Why      string `json:"why"`
	Gold     string `json:"gold_sql"`
	SQL      string `json:"pred_sql"`
}

// Cause is the kind of a difference.
type Cause string

const (
	CauseTie     Cause = "tie"     // LIMIT cuts among rows that tie: any choice is as right
	CauseRefused Cause = "refused" // ran when it was recorded, does not here
	CauseRuns    Cause = "runs"    // was refused when it was recorded, runs here
	CauseGold    Cause = "gold"    // the gold query does not run here
	CauseRows    Cause = "rows"    // both run, and the rows do not settle it as recorded
	CauseText    Cause = "text"    // of EM: the recorded text scores otherwise
)

// notGrouped is MySQL's number for a column that GROUP BY leaves open.
const notGrouped = 1055

// Runs runs the queries of runs again, on all cores, and scores them under the scorer's profiles.
// progress may be nil.
func Runs(ctx context.Context, s *score.Scorer, runs []record.Run, progress func(done, total int)) ([]Rescored, error) {
	out, scored := make([]Rescored, len(runs)), make([][]score.Scored, len(runs))
	for i, run := range runs {
		out[i] = Rescored{Run: run, Again: run}
		out[i].Again.Records = make([]record.Record, len(run.Records))
		scored[i] = make([]score.Scored, len(run.Records))
	}
	err := eachRecord(ctx, runs, progress, func(ctx context.Context, i, j int) error {
		rec := runs[i].Records[j]
		sc, err := Answer(ctx, s, rec, rec.SQL)
		if err != nil {
			return err
		}
		scored[i][j] = sc
		rec.Scores, rec.Error, rec.GoldError = sc.Scores, sc.Case.Pred.Error, sc.Case.Gold.Error
		out[i].Again.Records[j] = rec
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		for j, rec := range runs[i].Records {
			why, err := differences(ctx, s, runs[i].Name, rec, scored[i][j])
			if err != nil {
				return nil, err
			}
			out[i].Why = append(out[i].Why, why...)
		}
	}
	return out, nil
}

// differences compares recorded scores with new ones, profile by profile. What one side did not measure does not
// differ.
func differences(ctx context.Context, s *score.Scorer, run string, rec record.Record,
	now score.Scored) ([]Difference, error) {
	var out []Difference
	for _, p := range s.Profiles {
		old, ok := rec.Scores[p.Name]
		if !ok {
			continue
		}
		for _, m := range score.Metrics {
			before, after := m.Mark(old), m.Mark(now.Scores[p.Name])
			if before == after || m.Derived || m.Name == "TS" && (before == "-" || s.Replicas == nil) {
				continue
			}
			d := Difference{Run: run, ID: rec.ID, Profile: p.Name, Metric: m.Name, Recorded: before, Now: after,
				Gold: rec.Gold, SQL: rec.SQL}
			var err error
			if d.Cause, d.Why, err = cause(ctx, s, rec, now.Case, m); err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func cause(ctx context.Context, s *score.Scorer, rec record.Record, c score.Case,
	m score.Metric) (Cause, string, error) {
	x, err := s.Databases.Executor(ctx, c.Item.Database)
	if err != nil {
		return "", "", err
	}
	switch {
	case m.Name == "TS":
		return replicaCause(c)
	case m.Name == "EM":
		return CauseText, "gold and prediction are compared as texts", nil
	case !c.Pred.OK() && rec.Error == "":
		why := "it ran when recorded; here: " + c.Pred.Error
		if c.Pred.Code == notGrouped && x.DB.Backend().Engine == "mariadb" {
			why += " (MariaDB does not see that GROUP BY's columns determine it)"
		}
		return CauseRefused, why, nil
	case c.Pred.OK() && rec.Error != "":
		return CauseRuns, fmt.Sprintf("recorded: %s; here it runs: %s", syntax.OneLine(rec.Error),
			size(c.Pred)), nil
	case !c.Gold.OK():
		return CauseGold, "the gold query is refused: " + c.Gold.Error, nil
	case !c.Pred.OK():
		return CauseRefused, c.Pred.Error, nil
	}
	pred, err := x.Gold(ctx, c.SQL)
	if err != nil {
		return "", "", err
	}
	if cut := cutTie(pred); cut != nil && couldBe(pred, c.Gold) {
		return CauseTie, tieText("the prediction", cut), nil
	}
	if cut := cutTie(c.Gold); cut != nil && couldBe(c.Gold, pred) {
		return CauseTie, tieText("the gold query", cut), nil
	}
	return CauseRows, unlike(c.Gold, c.Pred), nil
}

// replicaCause says why a prediction is right or wrong on the replicas.
func replicaCause(c score.Case) (Cause, string, error) {
	if !c.Pred.OK() {
		return CauseRefused, "it does not run, and has no TS: " + c.Pred.Error, nil
	}
	for i, r := range c.Replicas {
		where := fmt.Sprintf("replica %d of %d: ", i+1, len(c.Replicas))
		switch {
		case !r.Gold.OK():
			return CauseGold, where + "the gold query is refused: " + r.Gold.Error, nil
		case !r.Pred.OK():
			return CauseRefused, where + r.Pred.Error, nil
		case !score.SameRows(*r.Gold.Result, *r.Pred.Result, false):
			return CauseRows, where + unlike(r.Gold, r.Pred), nil
		}
	}
	return CauseRows, "the same rows on every replica, but for their order", nil
}

// cutTie is a tie of which the result has only some rows; nil if there is none.
func cutTie(o score.Outcome) *score.Tie {
	for i, t := range o.Ties {
		if t.Take < len(t.Rows) {
			return &o.Ties[i]
		}
	}
	return nil
}

func tieText(whose string, t *score.Tie) string {
	return fmt.Sprintf("LIMIT of %s keeps %d of %d rows that tie, and not always the same", whose, t.Take, len(t.Rows))
}

// couldBe reports whether o, had its ties come in another order, could have had other's rows, in any order.
func couldBe(o, other score.Outcome) bool {
	rest := other.Result.Rows
	if len(rest) != len(o.Result.Rows) || len(o.Result.Columns) != len(other.Result.Columns) {
		return false
	}
	count := syntax.Counts(syntax.Map(rest, runner.RowKey))
	for _, t := range o.Ties {
		took := 0
		for _, row := range t.Rows {
			if key := runner.RowKey(row); took < t.Take && count[key] > 0 {
				count[key]--
				took++
			}
		}
		if took < t.Take {
			return false
		}
	}
	return true
}

func size(o score.Outcome) string {
	return fmt.Sprintf("%d rows × %d columns", len(o.Result.Rows), len(o.Result.Columns))
}

// unlike shows two results by their sizes and the first row of each that the other lacks.
func unlike(gold, pred score.Outcome) string {
	text := fmt.Sprintf("gold %s, prediction %s", size(gold), size(pred))
	if row := lacking(pred, gold); row != "" {
		text += "; only gold has " + row
	}
	if row := lacking(gold, pred); row != "" {
		text += "; only the prediction has " + row
	}
	return text
}

// lacking is the first row of o that other has not, or not as often; "" if there is none.
func lacking(other, o score.Outcome) string {
	count := syntax.Counts(syntax.Map(other.Result.Rows, runner.RowKey))
	for _, row := range o.Result.Rows {
		key := runner.RowKey(row)
		if count[key]--; count[key] < 0 {
			cells := make([]string, len(row))
			for i, cell := range row {
				if cells[i] = "NULL"; cell != nil {
					cells[i] = fmt.Sprint(cell)
				}
			}
			return clipped("(" + strings.Join(cells, ", ") + ")")
		}
	}
	return ""
}

// clipped bounds a text that is shown in a line.
func clipped(text string) string {
	const most = 120
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// Answer runs and scores sql as the answer to a recorded question.
func Answer(ctx context.Context, s *score.Scorer, rec record.Record, sql string) (score.Scored, error) {
	it, err := rec.Item()
	if err != nil {
		return score.Scored{}, err
	}
	it.Accept = s.Accepted(it.ID, it.SQL)
	return s.Score(ctx, it, sql)
}

// Rate is one metric of one run, or of all together under the name "all".
type Rate struct {
	Run      string      `json:"run"`
	Profile  string      `json:"profile"`
	Metric   string      `json:"metric"`
	Recorded *score.Rate `json:"recorded"` // null if it was not recorded
	Now      *score.Rate `json:"now"`      // null if it was not measured
	Differ   int         `json:"differ"`   // items
}

// Rates are those of each run under profiles, then those of all runs.
func Rates(out []Rescored, profiles []string) (rates []Rate) {
	var all []*Rate
	of := map[[2]string]*Rate{}
	for _, r := range out {
		for _, profile := range profiles {
			for _, m := range score.Metrics {
				rate := Rate{Run: r.Run.Name, Profile: profile, Metric: m.Name,
					Recorded: measured(m, r.Run, profile), Now: measured(m, r.Again, profile)}
				if rate.Recorded == nil && rate.Now == nil {
					continue
				}
				for _, d := range r.Why {
					if d.Profile == profile && d.Metric == m.Name {
						rate.Differ++
					}
				}
				rates = append(rates, rate)
				sum := of[[2]string{profile, m.Name}]
				if sum == nil {
					sum = &Rate{Run: "all", Profile: profile, Metric: m.Name}
					of[[2]string{profile, m.Name}], all = sum, append(all, sum)
				}
				sum.Recorded, sum.Now = plus(sum.Recorded, rate.Recorded), plus(sum.Now, rate.Now)
				sum.Differ += rate.Differ
			}
		}
	}
	return append(rates, syntax.Map(all, func(sum *Rate) Rate { return *sum })...)
}

// measured is a rate, or nil if the run was not measured so.
func measured(m score.Metric, run record.Run, profile string) *score.Rate {
	for _, r := range run.Records {
		if _, ok := r.Scores[profile]; !ok {
			return nil
		}
	}
	if rate := m.Rate(run.Scores(profile)); rate.N > 0 {
		return &rate
	}
	return nil
}

func plus(a, b *score.Rate) *score.Rate {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &score.Rate{Hits: a.Hits + b.Hits, N: a.N + b.N}
}
