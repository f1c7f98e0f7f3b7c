package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"nl2sql/evaluation"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck"
)

type suiteCmd struct {
	Build suiteBuildCmd `cmd:"" help:"Make perturbed replicas of a database, on which a right prediction must still be right."`
}

// wholeTables are the limits of what reads tables as a whole.
var wholeTables = runner.Limits{Rows: 2_000_000, Bytes: 1 << 30, Timeout: 5 * time.Minute}

// loadSuite opens a database of a suite.
func loadSuite(ctx context.Context, name string, script io.Reader) (runner.DB, error) {
	return embedded.OpenDump(ctx, name, script, runner.Limits{Rows: 10_000, Timeout: 10 * time.Second})
}

// maker opens snapshots of one definition in memory: the definition is read once, then only rows are exchanged.
type maker struct {
	empty  runner.DB
	limits runner.Limits
}

func (m *maker) open(ctx context.Context, s *evaluation.Snapshot) (runner.DB, error) {
	if m.empty == nil {
		db, err := embedded.OpenDump(ctx, s.Name, strings.NewReader(s.DDL), m.limits)
		if err != nil {
			return nil, err
		}
		m.empty = db
	}
	return m.empty.(*embedded.DB).Clone(ctx, func(t sqlcheck.Table, _ [][]any) ([][]any, error) { return s.Rows[t.Name], nil })
}

func (m *maker) Close() error {
	if m.empty == nil {
		return nil
	}
	return m.empty.Close()
}

type suiteBuildCmd struct {
	N    int    `short:"n" help:"Replicas (${default})." default:"10" placeholder:"N"`
	Seed uint64 `help:"Another seed gives other databases (${default})." default:"1" placeholder:"N"`
	Out  string `help:"Folder to make." required:"" placeholder:"DIR"`
}

// Validate makes wrong values usage errors.
func (c *suiteBuildCmd) Validate() error {
	if c.N < 1 || c.N > 1000 {
		return errors.New("-n must be from 1 to 1000")
	}
	return nil
}

// Run reads the database once and writes the replicas.
func (c *suiteBuildCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
	if err := evaluation.FreeFolder(c.Out); err != nil {
		return err
	}
	source, err := readSnapshot(ctx, app.DB)
	if err != nil {
		return err
	}
	m := &maker{limits: wholeTables}
	defer func() { err = errors.Join(err, m.Close()) }()
	bar := con.progress()
	var members []evaluation.Member
	for n := 1; n <= c.N; n++ {
		bar.show("making replica %d of %d", n, c.N)
		replica, changes, err := evaluation.Replica(ctx, source, c.Seed, n, m.open)
		if err != nil {
			bar.clear()
			return err
		}
		members = append(members, evaluation.Member{Snapshot: replica, Changes: changes})
	}
	bar.clear()
	card := evaluation.SuiteCard{Database: source.Name, Source: source.Hash(), Seed: c.Seed}
	if err := evaluation.WriteSuite(c.Out, card, members); err != nil {
		return fmt.Errorf("write the suite: %w", err)
	}
	fmt.Fprintf(con, "%d databases of %d rows each: %s\n", len(members), source.Size(), c.Out)
	return nil
}

// readSnapshot reads the database that a --db value names.
func readSnapshot(ctx context.Context, spec string) (*evaluation.Snapshot, error) {
	db, err := openDB(ctx, spec, wholeTables)
	if err != nil {
		return nil, err
	}
	s, err := evaluation.ReadSnapshot(ctx, db)
	return s, errors.Join(err, db.Close())
}
