package sqlcheck

import (
	"regexp"
	"strconv"
	"strings"
)

// The original's constraint extraction and check, by pattern (dissertation.md 2.3 and 2.4), kept to be measured
// against. Every finding is sure.

var (
	seedCountWord = regexp.MustCompile(`\bcount\b`)
	seedAvgWord   = regexp.MustCompile(`\b(?:average|avg)\b`)
	seedSumWord   = regexp.MustCompile(`\b(?:total|sum)\b`)
	seedMaxWord   = regexp.MustCompile(`\b(?:maximum|max)\b`)
	seedMinWord   = regexp.MustCompile(`\b(?:minimum|min)\b`)
	seedGroupWord = regexp.MustCompile(`\b(?:per|by)\b`)
	seedOrderWord = regexp.MustCompile(`\b(?:top|highest|lowest|most|least)\b`)
	seedLimitWord = regexp.MustCompile(`\b(?:top|first|last)\s+(\d+)`)
	seedDistinctW = regexp.MustCompile(`\b(?:unique|distinct|different)\b`)
	seedHasOrder  = regexp.MustCompile(`\border\s+by\b`)
	seedHasGroup  = regexp.MustCompile(`\bgroup\s+by\b`)
	seedHasLimit  = regexp.MustCompile(`\blimit\s+(\d+)`)
)

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// SeedExtractConstraints is the original's reading of a question, traps included.
func SeedExtractConstraints(question string) Constraints {
	low := strings.ToLower(question)
	var c Constraints
	switch {
	case seedCountWord.MatchString(low) || containsAny(low, "how many", "number of", "count of"):
		c.Agg = "COUNT"
	case seedAvgWord.MatchString(low) || strings.Contains(low, "mean"):
		c.Agg = "AVG"
	case seedSumWord.MatchString(low):
		c.Agg = "SUM"
	case seedMaxWord.MatchString(low) || containsAny(low, "highest", "most"):
		c.Agg = "MAX"
	case seedMinWord.MatchString(low) || containsAny(low, "lowest", "least"):
		c.Agg = "MIN"
	}
	c.NeedsGroupBy = c.Agg != "" && (seedGroupWord.MatchString(low) || strings.Contains(low, "each"))
	c.NeedsOrderBy = seedOrderWord.MatchString(low) || containsAny(low, "sorted", "ranked", "order by")
	if m := seedLimitWord.FindStringSubmatch(low); m != nil {
		c.Limit, _ = strconv.Atoi(m[1]) // digits; a number too long for int is no limit
	}
	c.Distinct = seedDistinctW.MatchString(low)
	return c
}

// SeedCheckConstraints is the original's check of the SQL text.
func SeedCheckConstraints(sql string, c Constraints) Verdict {
	const check = "constraints"
	low := strings.ToLower(sql)
	hasOrder := seedHasOrder.MatchString(low)
	limit := seedHasLimit.FindStringSubmatch(low)
	first := hasOrder && limit != nil && limit[1] == "1"
	switch {
	case strings.TrimSpace(low) == "":
		return Reject(check, "empty_sql", "")
	case c.Distinct && !strings.Contains(low, "select distinct"):
		return Reject(check, "missing_distinct", "")
	case c.Agg != "" && !strings.Contains(strings.ReplaceAll(low, " (", "("), strings.ToLower(c.Agg)+"(") && !((c.Agg == "MAX" || c.Agg == "MIN") && first):
		return Reject(check, "missing_agg", c.Agg)
	case c.NeedsGroupBy && !seedHasGroup.MatchString(low):
		return Reject(check, "missing_group_by", "")
	case c.NeedsOrderBy && !hasOrder:
		return Reject(check, "missing_order_by", "")
	case c.Limit > 0 && (limit == nil || limit[1] != strconv.Itoa(c.Limit)):
		return Reject(check, "missing_limit", strconv.Itoa(c.Limit))
	}
	return Pass(check)
}
