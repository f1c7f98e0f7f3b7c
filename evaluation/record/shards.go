package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"nl2sql/loop/item"
)

// ShardFolder is where the shard of a run in the folder dir lies: in a folder of its own, beside the others. The whole
// run lies in dir.
func ShardFolder(dir string, s item.Shard) string {
	if s == (item.Shard{}) {
		return dir
	}
	return filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d", s.I, s.Of))
}

// RunFolder is the folder of the run of which dir holds the whole or a shard.
func RunFolder(dir string) string {
	if shardFolder.MatchString(filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return dir
}

var shardFolder = regexp.MustCompile(`^shard-\d+-of-(\d+)$`)

// Sharded says that a folder holds shards of a run.
func Sharded(dir string) (bool, error) {
	shards, err := shardsIn(dir)
	return len(shards) > 0, err
}

// shardsIn lists the folders of shards in a folder; none if it is a file or nothing.
func shardsIn(dir string) (paths []string, err error) {
	st, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !st.IsDir() {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if shardFolder.MatchString(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	if len(paths) > 0 && isFile(filepath.Join(dir, RunFile)) {
		return nil, fmt.Errorf("%s holds a run and shards of one: move one of them to another folder", dir)
	}
	return paths, nil
}

// alone says that no other cut of a run lies where the shard's run is to lie, in dir.
func alone(dir string, s item.Shard) error {
	if s != (item.Shard{}) {
		dir = filepath.Dir(dir)
		if isFile(filepath.Join(dir, RunFile)) {
			return fmt.Errorf("%s holds a whole run: name another folder", dir)
		}
	}
	paths, err := shardsIn(dir)
	for _, path := range paths {
		if of := shardFolder.FindStringSubmatch(filepath.Base(path))[1]; of != fmt.Sprint(s.Of) {
			return fmt.Errorf("%s holds shards of %s: name another folder", dir, of)
		}
	}
	return err
}

// found is a run, or a shard of one, and where it was read.
type found struct {
	path string
	Run
}

// merge makes the run of which the parts are all shards: record for record what one machine would have made of it.
func merge(parts []found) (Run, error) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b found) int { return cmp.Compare(a.Card.Shard.I, b.Card.Shard.I) })
	first := parts[0]
	whole := Run{Card: first.Card}
	whole.Card.Shard, whole.Card.ShardIDs = item.Shard{}, nil
	at := map[int]string{}       // of a shard: its path
	within := map[string]found{} // of an item
	for _, p := range parts {
		s, card := p.Card.Shard, p.Card
		card.Shard = item.Shard{}
		if s.Of != first.Card.Shard.Of {
			return Run{}, fmt.Errorf("%s is shard %s, %s shard %s: those of one run are of as many", first.path,
				first.Card.Shard, p.path, s)
		}
		if diff := card.Differs(whole.Card); diff != "" {
			return Run{}, fmt.Errorf("%s and %s are shards of different runs: %s", first.path, p.path, diff)
		}
		if other, twice := at[s.I]; twice {
			return Run{}, fmt.Errorf("%s and %s are the same shard, %s", other, p.path, s)
		}
		at[s.I] = p.path
		for _, id := range p.Card.ShardIDs {
			if other, twice := within[id]; twice {
				return Run{}, fmt.Errorf("item %s is in %s and in %s", id, other.path, p.path)
			}
			within[id] = p
		}
	}
	var missing []string
	for i := range first.Card.Shard.Of {
		if at[i+1] == "" {
			missing = append(missing, item.Shard{I: i + 1, Of: first.Card.Shard.Of}.String())
		}
	}
	if len(missing) > 0 {
		return Run{}, fmt.Errorf("%s is shard %s: %s missing", first.path, first.Card.Shard, someOf(missing))
	}
	if len(within) != whole.Card.ItemCount {
		return Run{}, fmt.Errorf("%s and the other shards are about %d items, their run about %d", first.path,
			len(within), whole.Card.ItemCount)
	}
	for _, p := range parts {
		records, err := p.inOrder()
		if err != nil {
			return Run{}, err
		}
		whole.Records = append(whole.Records, records...)
		whole.Card.also(p.Card)
	}
	return whole, nil
}

// someOf names a few and counts the others.
func someOf(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	more := ""
	if len(names) > 5 {
		names, more = names[:5], fmt.Sprintf(" and %d more", len(names)-5)
	}
	return strings.Join(names, ", ") + more + " are"
}

// inOrder are the records of a finished shard in the order of its items, which that of a killed one need not be in.
func (p found) inOrder() ([]Record, error) {
	place := map[string]int{}
	for i, id := range p.Card.ShardIDs {
		place[id] = i
	}
	records := slices.Clone(p.Records)
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	has := map[string]bool{}
	for _, r := range records {
		if _, its := place[r.ID]; !its {
			return nil, fmt.Errorf("%s holds item %s, which is not of shard %s", p.path, r.ID, p.Card.Shard)
		}
		has[r.ID] = true
	}
	if n := len(place) - len(records); n > 0 {
		i := slices.IndexFunc(p.Card.ShardIDs, func(id string) bool { return !has[id] })
		return nil, fmt.Errorf("%s lacks %d of its %d items, %s first: the command that made it goes on", p.path, n,
			len(place), p.Card.ShardIDs[i])
	}
	return records, nil
}

// also adds to a card what may differ between machines: all of them are named, and the run began with the first.
func (c *Card) also(other Card) {
	for _, field := range []struct {
		all *string
		one string
	}{{&c.Machine, other.Machine}, {&c.Kernels, other.Kernels}} {
		if !slices.Contains(strings.Split(*field.all, "; "), field.one) {
			*field.all += "; " + field.one
		}
	}
	if other.Started.Before(c.Started) {
		c.Started = other.Started
	}
}

// together merges the shards among parts by their run, which stands where its first shard stood.
func together(parts []found) ([]Run, error) {
	type run struct{ condition, seed string }
	shards := map[run][]found{}
	of := func(p found) run { return run{p.Card.Condition, p.Card.Seed} }
	for _, p := range parts {
		if p.Card.Shard != (item.Shard{}) {
			shards[of(p)] = append(shards[of(p)], p)
		}
	}
	var runs []Run
	for _, p := range parts {
		all := shards[of(p)]
		switch {
		case p.Card.Shard == (item.Shard{}):
			runs = append(runs, p.Run)
		case len(all) > 0:
			whole, err := merge(all)
			if err != nil {
				return nil, err
			}
			whole.Name = whole.Card.Condition
			runs = append(runs, whole)
			delete(shards, of(p))
		}
	}
	return runs, nil
}

// readHere reads a run, or all shards of one, or a shard.
func readHere(path string) (found, error) {
	shards, err := shardsIn(path)
	if err != nil {
		return found{}, err
	}
	if len(shards) == 0 {
		run, err := ReadPart(path)
		return found{path, run}, err
	}
	var parts []found
	for _, at := range shards {
		run, err := ReadPart(at)
		if err != nil {
			return found{}, err
		}
		parts = append(parts, found{at, run})
	}
	run, err := merge(parts)
	run.Name = nameOf(path)
	return found{path, run}, err
}

// ReadRun reads a whole run: what [ReadPart] reads, or a folder of all its shards. It refuses what is a part of one.
func ReadRun(path string) (Run, error) {
	p, err := readHere(path)
	if err != nil || p.Card.Shard == (item.Shard{}) {
		return p.Run, err
	}
	whole, err := together([]found{p})
	if err != nil {
		return Run{}, err
	}
	return whole[0], nil
}
