package answer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/ambiguity"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Readings are other ways to read a question than the answer's, which find other rows.
type Readings struct {
	Asks   string // the question back; the first of Others are its choices; "" where a vote alone is split
	Others []Reading
	Doubts []doubt.Doubt // what is ambiguous, for who is not asked; the first is what Asks asks
}

// Reading is another way to read a question: candidates of a vote came to it, or a word of the question fits it as
// well. Its JSON is an interface.
type Reading struct {
	Words string `json:"words"` // what it asks, in a line
	SQL   string `json:"sql"`
	Agree int    `json:"agree"` // candidates that came to it, of Of; 0 of 0 where the question is ambiguous
	Of    int    `json:"of"`
	First *Rows  `json:"first"` // its first rows, three at most; truncated where there are more
}

// With is the doubts of an answer behind what is ambiguous. Who is asked back is not told what that asks.
func (r Readings) With(doubts []doubt.Doubt, asked bool) []doubt.Doubt {
	own := r.Doubts
	if asked && r.Asks != "" {
		own = own[1:]
	}
	return slices.Concat(own, doubts)
}

const (
	mostReadings = 2 // beside the answer
	leastAgree   = 2 // one candidate alone is a slip more often than a reading
	firstRows    = 3
)

// Readings are the likeliest readings beside an answer. First come those of a word that fits several things alike
// ([ambiguity.Of]); then those of a vote, where no more than half of its candidates agree on the answer and at least
// two on the other one. Each query passes the check that every query passes, and is run once; one that finds nothing,
// or the same, is none. Nobody is asked about what a person wrote, chose or verified.
func (d Database) Readings(ctx context.Context, ans loop.Answer) (out Readings, err error) {
	settled := slices.Contains([]string{loop.ByHand, loop.ByChoice, loop.ByOrder, loop.ByBoth}, ans.How)
	if settled || ans.Result == nil || ans.Pair != nil {
		return out, nil
	}
	found := []runner.Result{*ans.Result}
	if err := d.ambiguous(ctx, ans, &out, &found); err != nil {
		return out, err
	}
	return out, d.split(ctx, ans, &out, &found)
}

// other is what a query finds, if that is something, and nothing that was found before.
func (d Database) other(ctx context.Context, sql string, found *[]runner.Result) (*runner.Result, error) {
	start := time.Now()
	res, v, err := d.Query(ctx, sql)
	if d.told != nil {
		e := loop.Event{Kind: loop.KindReading, OK: v.OK && err == nil, SQL: sql, Took: time.Since(start)}
		if e.Reason = v.String(); e.OK {
			e.Reason = res.RowCount()
		} else if err != nil {
			e.Reason = err.Error()
		}
		d.told(e)
	}
	if err != nil || !v.OK || res.Empty() ||
		slices.ContainsFunc(*found, func(r runner.Result) bool { return alike(res, r) }) {
		return nil, err
	}
	*found = append(*found, res)
	return &res, nil
}

// reading is one with its first rows.
func reading(words, sql string, res runner.Result) Reading {
	if len(res.Rows) > firstRows {
		res.Rows, res.Truncated = res.Rows[:firstRows], true
	}
	return Reading{Words: words, SQL: sql, First: (*Rows)(&res)}
}

// ambiguous adds what else the words of the question fit, as far as neither its glossary nor the turn before settles
// that. It asks about the first that matters, and doubts the others.
func (d Database) ambiguous(ctx context.Context, ans loop.Answer, out *Readings, found *[]runner.Result) error {
	q := ans.Read
	if q == nil || q.Text != ans.Question || q.Schema != d.Schema {
		q = question.Read(ans.Question, d.Schema)
	}
	all := ambiguity.Of(q, ans.SQL)
	for len(all) > 0 {
		same := 1
		for same < len(all) && all[same].Kind == all[0].Kind && all[same].Word == all[0].Word {
			same++
		}
		word := all[:same]
		goesOn := ans.Asked != "" && word[0].Kind != ambiguity.Tie
		settles := func(n tools.Note) bool { return n.Catches(word[0].Word) != "" }
		if all = all[same:]; goesOn || slices.ContainsFunc(d.Notes.Linked(q), settles) {
			continue
		}
		var others []Reading
		var names []string
		for _, a := range word {
			res, err := d.other(ctx, a.SQL, found)
			if err != nil {
				return err
			}
			none := res == nil || len(res.Rows) == 1 && len(res.Rows[0]) == 1 && fmt.Sprint(res.Rows[0][0]) == "0"
			if !none {
				others, names = append(others, reading(a.Other, a.SQL, *res)), append(names, a.Other)
			}
		}
		if len(others) == 0 {
			continue
		}
		asks, doubts := said(word[0], names, len((*found)[len(*found)-1].Rows))
		out.Doubts = append(out.Doubts, doubts)
		if out.Asks == "" && asks != "" {
			out.Asks, out.Others = asks, others
		}
	}
	return nil
}

// said puts an ambiguity into words: as a question, and for who is not asked. Of a tie rows is how many there are with
// all that tie.
func said(a ambiguity.Alternative, others []string, rows int) (asks string, told doubt.Doubt) {
	if a.Kind == ambiguity.Tie {
		if a.Word != "1" { // who wants so many knows that some are left out
			return "", doubt.Doubt{Name: "ties", Text: fmt.Sprintf("%d rows share the first %s places", rows, a.Word)}
		}
		text := fmt.Sprintf("%d rows tie for the first place", rows)
		return text + ": " + a.Taken + ", or " + a.Other + "?", doubt.Doubt{Name: "ties", Text: text + ", and one is shown"}
	}
	list, which, it := strings.Join(others, " or "), strconv.Quote(a.Word), strconv.Quote(a.Word)
	if a.Kind == ambiguity.Date {
		which, it = "date", "the date"
	}
	return fmt.Sprintf("which %s: %s, or %s?", which, a.Taken, list),
		doubt.Doubt{Name: "ambiguous", Text: fmt.Sprintf("%s is taken for %s; it may be %s", it, a.Taken, list)}
}

// split adds readings of a vote.
func (d Database) split(ctx context.Context, ans loop.Answer, out *Readings, found *[]runner.Result) error {
	agree, of, redrawn := ans.Tally()
	if redrawn || of == 0 || 2*agree > of {
		return nil
	}
	others := slices.DeleteFunc(ans.Tallies(),
		func(t loop.Tally) bool { return t.Agree < leastAgree || t.SQL == ans.SQL })
	slices.SortStableFunc(others, func(a, b loop.Tally) int { return b.Agree - a.Agree })
	for _, t := range others {
		if len(out.Others) >= mostReadings {
			return nil
		}
		words := d.Explain(t.SQL)
		if words == nil {
			continue
		}
		res, err := d.other(ctx, t.SQL, found)
		if err != nil {
			return err
		}
		if res != nil {
			r := reading(words.Line(), t.SQL, *res)
			r.Agree, r.Of = t.Agree, t.Of
			out.Others = append(out.Others, r)
		}
	}
	return nil
}

// alike says that two results answer alike: each row of the one has all cells of a row of the other, which may show
// more, and in another order.
func alike(a, b runner.Result) bool {
	if len(a.Rows) != len(b.Rows) {
		return false
	}
	if len(a.Columns) > len(b.Columns) {
		a, b = b, a
	}
	left := syntax.Map(b.Rows, render.CellTexts)
	for _, row := range a.Rows {
		want := render.CellTexts(row)
		i := slices.IndexFunc(left, func(have []string) bool {
			return have != nil && !slices.ContainsFunc(want, func(c string) bool { return !slices.Contains(have, c) })
		})
		if i < 0 {
			return false
		}
		left[i] = nil
	}
	return true
}
