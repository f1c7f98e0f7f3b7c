package report

import (
	"fmt"
	"slices"
	"strings"
)

// failures are the items that a report of one run lists, those that were not answered right; none of several runs.
func (r Report) failures() (list []ItemReport) {
	if len(r.Conditions) != 1 || len(r.Conditions[0].Seeds) != 1 {
		return nil
	}
	for _, it := range r.Items {
		if slices.ContainsFunc(it.Answers, func(a Answer) bool { return !a.Right }) {
			list = append(list, it)
		}
	}
	return list
}

// failed says how an answer failed, what spoke against it, and how sure it was: "wrong rows: 3 × 2 instead of 4 × 2;
// confidence 0.41; no doubt".
func (a Answer) failed() string {
	text := label(a.Class)
	if a.Detail != "" {
		text += ": " + firstLine(a.Detail)
	}
	if a.Refused != "" {
		text += "; refused: " + firstLine(a.Refused)
	}
	if a.Confidence > 0 {
		text += fmt.Sprintf("; confidence %.2f", a.Confidence)
	}
	if len(a.Doubts) == 0 {
		return text + "; no doubt"
	}
	return text + "; doubts: " + strings.Join(a.Doubts, " | ")
}
