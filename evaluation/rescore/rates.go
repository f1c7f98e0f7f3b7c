package rescore

import (
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
)

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
	for _, sum := range all {
		rates = append(rates, *sum)
	}
	return rates
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
