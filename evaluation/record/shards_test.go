package record

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// wholeRun is a run of n items, as one machine makes it.
func wholeRun(n int) Run {
	run := Run{Name: "run", Card: Card{Version: runVersion, Condition: "c", Agent: "loop", Seed: "7", ItemCount: n,
		Params: map[string]any{"plan": "fixed"}, Machine: "m", Started: time.Unix(9, 0).UTC()}}
	for i := range n {
		run.Records = append(run.Records, Record{ID: fmt.Sprintf("i%d", i+1), Question: fmt.Sprintf("q%d", i),
			Took: time.Duration(i), Cached: i})
	}
	return run
}

// cut is what a machine makes of its part.
func cut(whole Run, s item.Shard) Run {
	from, to := s.Bounds(len(whole.Records))
	part := Run{Card: whole.Card, Records: slices.Clone(whole.Records[from:to])}
	part.Card.Shard = s
	for _, r := range part.Records {
		part.Card.ShardIDs = append(part.Card.ShardIDs, r.ID)
	}
	return part
}

// write leaves a run in a folder, as [Log] does.
func write(t *testing.T, dir string, run Run) string {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o700))
	for _, name := range []string{RunFile, TimingsFile} {
		var lines []byte
		add := func(v any) {
			line := must.Get(item.JSONLine(v))(t)
			lines = append(lines, line...)
		}
		if name == RunFile {
			add(run.Card)
		}
		for _, r := range run.Records {
			if r, times := r.timeless(); name == RunFile {
				add(r)
			} else {
				add(times)
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), lines, 0o600))
	}
	return dir
}

// Any cut of any run, the parts in any order and their records too, as killed machines leave them, is the run again.
func TestShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		n := 1 + rng.IntN(30)
		of := 1 + rng.IntN(n)
		t.Run(fmt.Sprintf("%d in %d", n, of), func(t *testing.T) {
			want, dir := wholeRun(n), filepath.Join(t.TempDir(), "run")
			var paths []string
			for i := range of {
				s := item.Shard{I: i + 1, Of: of}
				part := cut(want, s)
				part.Card.Started = want.Card.Started.Add(time.Duration((i+rng.IntN(of))%of) * time.Second)
				rng.Shuffle(len(part.Records), func(i, j int) {
					part.Records[i], part.Records[j] = part.Records[j],
						part.Records[i]
				})
				paths = append(paths, write(t, ShardFolder(dir, s), part))
			}
			got := must.Get(ReadRun(dir))(t)
			must.Be(t, !got.Card.Started.Before(want.Card.Started), "it began at", got.Card.Started)
			want.Card.Started = got.Card.Started
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
			rng.Shuffle(of, func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			want.Name = "c"
			runs, err := ReadRuns(paths)
			if diff := cmp.Diff([]Run{want}, runs); diff != "" || err != nil {
				t.Fatal(diff, err)
			}
		})
	}
}

// Shards of several runs and whole runs may be read at once: those with another condition or seed are other runs.
func TestShardsOfSeveralRuns(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, seed := range []string{"1", "2"} {
		run := wholeRun(4)
		run.Card.Seed = seed
		for i := range 2 {
			part := cut(run, item.Shard{I: i + 1, Of: 2})
			part.Card.Machine = fmt.Sprintf("m%d", i%2)
			paths = append(paths, write(t, filepath.Join(dir, seed, part.Card.Shard.String()), part))
		}
	}
	paths = append(paths, write(t, filepath.Join(dir, "whole"), wholeRun(3)))
	slices.Reverse(paths)
	runs := must.Get(ReadRuns(paths))(t)
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprint(r.Name, " ", r.Card.Seed, " ", len(r.Records), " ", r.Card.Machine))
	}
	must.Same(t, got, []string{"whole 7 3 m", "c 2 4 m0; m1", "c 1 4 m0; m1"})
}

func TestShardsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		change     func(parts []Run) []Run
	}{
		{"one missing", "1 is shard 1/3: 2/3 is missing", func(p []Run) []Run { return []Run{p[0], p[2]} }},
		{"all but one missing", "1 is shard 2/3: 1/3, 3/3 are missing", func(p []Run) []Run { return p[1:2] }},
		{"the same twice", "2 and 4 are the same shard, 2/3", func(p []Run) []Run { return append(p, p[1]) }},
		{"another number", "1 is shard 1/3, 4 shard 2/4: those of one run are of as many",
			func(p []Run) []Run { return append(p, cut(wholeRun(10), item.Shard{I: 2, Of: 4})) }},
		{"another parameter", "1 and 2 are shards of different runs: params plan was fixed, now is model",
			func(p []Run) []Run {
				p[1].Card.Params = map[string]any{"plan": "model"}
				return p
			}},
		{"another model", "1 and 3 are shards of different runs: model_sha256 was none, now is 0123456789ab…",
			func(p []Run) []Run {
				p[2].Card.ModelHash = "0123456789abcdef"
				return p
			}},
		{"other items", "1 and 3 are shards of different runs: items_sha256 was none, now is other",
			func(p []Run) []Run {
				p[2].Card.Items = "other"
				return p
			}},
		{"an item in two", "item i3 is in 1 and in 2", func(p []Run) []Run {
			p[1].Card.ShardIDs = append([]string{"i3"}, p[1].Card.ShardIDs...)
			return p
		}},
		{"fewer items than the run has", "1 and the other shards are about 9 items, their run about 10",
			func(p []Run) []Run {
				p[2].Card.ShardIDs = p[2].Card.ShardIDs[1:]
				return p
			}},
		{"an item of another", "2 holds item i9, which is not of shard 2/3", func(p []Run) []Run {
			p[1].Records[0].ID = "i9"
			return p
		}},
		{"an item missing", "2 lacks 1 of its 3 items, i5 first: the command that made it goes on",
			func(p []Run) []Run {
				p[1].Records = slices.Delete(p[1].Records, 1, 2)
				return p
			}},
		{"all items missing", "3 lacks 4 of its 4 items, i7 first: the command that made it goes on",
			func(p []Run) []Run {
				p[2].Records = nil
				return p
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := wholeRun(10)
			var parts []Run
			for i := range 3 {
				parts = append(parts, cut(whole, item.Shard{I: i + 1, Of: 3}))
			}
			dir := t.TempDir()
			var paths []string
			for i, p := range tt.change(parts) {
				paths = append(paths, write(t, filepath.Join(dir, fmt.Sprint(i+1)), p))
			}
			_, err := ReadRuns(paths)
			must.Be(t, err != nil && strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "") == tt.want,
				err, tt.want)
		})
	}
}

// A folder has one cut of a run, and a part alone is no run.
func TestShardFolders(t *testing.T) {
	whole, s := wholeRun(4), item.Shard{I: 2, Of: 2}
	dir := filepath.Join(t.TempDir(), "run")
	second := write(t, ShardFolder(dir, s), cut(whole, s))
	for _, path := range []string{dir, second, filepath.Join(second, RunFile)} {
		if _, err := ReadRun(path); err == nil || !strings.HasSuffix(err.Error(), " is shard 2/2: 1/2 is missing") {
			t.Errorf("%s: %v", path, err)
		}
	}
	open := func(s item.Shard) error {
		card := cut(whole, s).Card
		log, err := OpenLog(ShardFolder(dir, s), card)
		if err == nil {
			err = log.Close()
		}
		return err
	}
	for _, s := range []item.Shard{{}, {I: 1, Of: 4}} {
		if err := open(s); err == nil || !strings.HasSuffix(err.Error(), "run holds shards of 2: name another folder") {
			t.Errorf("%v: %v", s, err)
		}
	}
	must.Succeed(t, open(item.Shard{I: 1, Of: 2}))
	write(t, dir, whole)
	if err := open(s); err == nil || !strings.HasSuffix(err.Error(), "run holds a whole run: name another folder") {
		t.Error(err)
	}
	if _, err := ReadRun(dir); err == nil || !strings.HasSuffix(err.Error(),
		"holds a run and shards of one: move one of them to another folder") {
		t.Error(err)
	}
}
