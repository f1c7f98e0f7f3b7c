package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/profile"
	"nl2sql/runner/render"
)

type dbProfileCmd struct {
	Time   time.Duration `help:"Longest time for keys and references (${default})." default:"1m" placeholder:"TIME" range:"0.."`
	Format string        `help:"text or json." enum:"text,json" default:"text" placeholder:"FORMAT"`
	DatabaseFlags
}

// Run reads the rows of every table, and tells of each column what they show.
func (c *dbProfileCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	bar := con.progress()
	p, err := profile.Full(ctx, db, s, c.Time, func(done, of int) { bar.show("read %d of %d tables", done, of) })
	bar.clear()
	if err != nil {
		return err
	}
	if p.Cut {
		con.warn("the time ended before all keys and references were looked at: give more with --time")
	}
	if c.Format == "json" {
		return writeObject(con, p)
	}
	var b bytes.Buffer
	format := con.format("auto")
	for _, t := range p.Tables {
		size := fmt.Sprintf("%d rows", t.Rows)
		if t.More {
			size = fmt.Sprintf("the first %d rows", t.Rows)
		}
		if t.Refused != "" {
			size = "not read: " + t.Refused
		}
		fmt.Fprintf(&b, "%s, %s\n", render.Visible(t.Name), render.Visible(size))
		if err := con.tableTo(&b, columnsOf(t), format); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	found := runner.Result{Columns: []string{"inferred", "values", "no key", "confidence", "why"}}
	for _, k := range p.Keys {
		found.Rows = append(found.Rows, []any{k.Table + "." + k.Column + " is a key", k.Rows, int64(0),
			runner.Decimal(fmt.Sprintf("%.2f", k.Confidence)), "each row has a value of its own"})
	}
	for _, r := range p.References {
		found.Rows = append(found.Rows, []any{r.Table + "." + r.Column + " = " + r.RefTable + "." + r.RefColumn, r.Values,
			r.Missing, runner.Decimal(fmt.Sprintf("%.2f", r.Confidence)), r.Evidence})
	}
	if len(found.Rows) == 0 {
		fmt.Fprintln(&b, "No key or reference was found that is not declared.")
	} else if err := con.tableTo(&b, found, format); err != nil {
		return err
	}
	return con.page(b.Bytes())
}

// columnsOf is a line for each column.
func columnsOf(t profile.Table) runner.Result {
	res := runner.Result{Columns: []string{"column", "type", "null", "distinct", "least", "most", "about"}}
	for _, col := range t.Columns {
		null, distinct := any(""), any("")
		if col.Nulls > 0 {
			null = runner.Decimal(fmt.Sprintf("%.0f %%", 100*float64(col.Nulls)/float64(t.Rows)))
		}
		if col.Distinct > 0 {
			distinct = col.Distinct
		}
		var about []string
		if col.Distinct > 1 && col.Distinct == t.Rows {
			about = append(about, "unique")
		}
		if col.Holds != "" {
			about = append(about, "texts that hold "+col.Holds)
		}
		if col.Unit != "" {
			about = append(about, "in "+col.Unit)
		}
		res.Rows = append(res.Rows, []any{col.Name, col.Type, null, distinct, col.Least, col.Most,
			strings.Join(about, ", ")})
	}
	return res
}
