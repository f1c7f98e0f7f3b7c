package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"nl2sql/evaluation/suite"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck/schema"
)

type suiteCmd struct {
	Build   suiteBuildCmd   `cmd:"" help:"Make perturbed replicas of a database, on which a right prediction must still be right."`
	Test    suiteTestCmd    `cmd:"" help:"Count the predictions of runs that were counted right and fail on a suite."`
	Explain suiteExplainCmd `cmd:"" help:"Show the fewest rows on which a prediction and its gold query differ."`
}

// wholeTables are the limits of what reads tables as a whole.
var wholeTables = runner.Limits{Rows: 2_000_000, Bytes: 1 << 30, Timeout: 5 * time.Minute}

// probeLimits are those of the many queries on small databases. The timeout is long, so that slow machines make the
// same suite.
var probeLimits = runner.Limits{Rows: 10_000, Bytes: 4 << 20, Timeout: 2 * time.Minute}

// loadSuite opens a database of a suite.
func loadSuite(ctx context.Context, name string, script io.Reader) (runner.DB, error) {
	return embedded.OpenDump(ctx, name, script, probeLimits)
}

// maker opens snapshots of one definition in memory: the definition is read once, then only rows are exchanged.
type maker struct{ empty *embedded.DB }

func newMaker(ctx context.Context, s *suite.Snapshot, limits runner.Limits) (maker, error) {
	db, err := embedded.OpenDump(ctx, s.Name, strings.NewReader(s.DDL), limits)
	return maker{db}, err
}

func (m maker) open(ctx context.Context, s *suite.Snapshot) (runner.DB, error) {
	return m.empty.Clone(ctx, func(t schema.Table, _ [][]any) ([][]any, error) { return s.Rows[t.Name], nil })
}

func (m maker) Close() error { return m.empty.Close() }

type suiteBuildCmd struct {
	N    int    `short:"n" help:"Replicas (${default})." default:"10" placeholder:"N" range:"1..1000"`
	Seed uint64 `help:"Another seed gives other databases (${default})." default:"1" placeholder:"N" range:"0.."`
	Out  string `help:"Folder to make." required:"" placeholder:"DIR"`

	Distil     bool   `help:"Instead of replicas: few small databases, on which queries near to the gold queries of --items give other results than these."`
	Items      string `help:"Items with gold queries, for --distil." placeholder:"FILE"`
	Candidates int    `help:"Databases that --distil tries at most (${default})." default:"600" placeholder:"N" range:"1.."`
	DBFlag
}

// Validate makes wrong values usage errors.
func (c *suiteBuildCmd) Validate() error {
	if c.Distil != (c.Items != "") {
		return errors.New("--distil and --items go together")
	}
	return nil
}

// Run reads the database once and writes the replicas.
func (c *suiteBuildCmd) Run(ctx context.Context, con *console) (err error) {
	if err := suite.FreeFolder(c.Out); err != nil {
		return err
	}
	source, err := readSnapshot(ctx, c.DB)
	if err != nil {
		return err
	}
	bar := con.progress()
	defer bar.clear()
	card := suite.Card{Database: source.Name, Source: source.Hash(), Seed: c.Seed}
	var members []suite.Member
	if c.Distil {
		members, card.Distilled, err = c.distil(ctx, source, bar)
	} else {
		members, err = c.replicas(ctx, source, bar)
	}
	if err != nil {
		return err
	}
	if err := suite.Write(c.Out, card, members); err != nil {
		return fmt.Errorf("write the suite: %w", err)
	}
	if d := card.Distilled; d != nil {
		rows := 0
		for _, m := range members {
			rows += m.Size()
		}
		fmt.Fprintf(con, "%d gold queries have %d neighbours; these databases tell %d apart (the source alone: %d)\n",
			d.Golds, d.Neighbours, d.Killed, d.BySource)
		fmt.Fprintf(con, "%d databases of %d candidates, %d rows together: %s\n", len(members),
			d.Candidates, rows, c.Out)
		return nil
	}
	fmt.Fprintf(con, "%d databases of %d rows each: %s\n", len(members), source.Size(), c.Out)
	return nil
}

func (c *suiteBuildCmd) replicas(
	ctx context.Context, source *suite.Snapshot, bar *progress,
) (members []suite.Member, err error) {
	m, err := newMaker(ctx, source, wholeTables)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	for n := 1; n <= c.N; n++ {
		bar.show("making replica %d of %d", n, c.N)
		replica, changes, err := suite.Replica(ctx, source, c.Seed, n, m.open)
		if err != nil {
			return nil, err
		}
		members = append(members, suite.Member{Snapshot: replica, Changes: changes})
	}
	return members, nil
}

func (c *suiteBuildCmd) distil(
	ctx context.Context, source *suite.Snapshot, bar *progress,
) (_ []suite.Member, _ *suite.Distilled, err error) {
	in, err := os.Open(c.Items)
	if err != nil {
		return nil, nil, brief(err)
	}
	items, err := item.Read(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Items, err)
	}
	m, err := newMaker(ctx, source, probeLimits)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	return suite.Distiller{
		Source: source, Items: items, Seed: c.Seed, Candidates: c.Candidates, Make: m.open,
		Progress: func(tried, killed, all int) {
			bar.show("candidate %d of %d: %d of %d neighbours told apart", tried, c.Candidates, killed, all)
		},
	}.Run(ctx)
}

// readSnapshot reads the database that a --db value names.
func readSnapshot(ctx context.Context, spec string) (*suite.Snapshot, error) {
	db, err := openDB(ctx, spec, wholeTables)
	if err != nil {
		return nil, err
	}
	s, err := suite.ReadSnapshot(ctx, db)
	return s, errors.Join(err, db.Close())
}
