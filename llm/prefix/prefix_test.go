package prefix

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"nl2sql/scripts/must"
)

// state is what the tests keep for a block: it follows from all tokens up to its end, as a model's does.
func state(tokens []int32) []byte { return fmt.Appendf(nil, "%16x", checksum(tokens)) }

func checksum(tokens []int32) (sum uint64) {
	for _, t := range tokens {
		sum = sum*1000003 + uint64(t) + 1
	}
	return sum
}

func add(t *Tree, tokens []int32) (asked int) {
	t.Add(tokens, func(b int) []byte { asked++; return state(tokens[:(b+1)*2]) })
	return asked
}

func TestTree(t *testing.T) {
	tree := New(2, 16, 16*100)
	must.Equal(t, add(tree, []int32{1, 2, 3, 4, 5, 6}), 3, "states asked for")
	must.Equal(t, add(tree, []int32{1, 2, 3, 4, 7, 8}), 1, "states asked for beside a shared beginning")
	for _, tt := range []struct {
		tokens []int32
		want   int // tokens known
	}{
		{nil, 0}, {[]int32{1}, 0}, {[]int32{1, 2}, 2}, {[]int32{1, 3}, 0}, {[]int32{1, 2, 3}, 2},
		{[]int32{1, 2, 3, 4, 7, 8, 9, 9}, 6},
		{[]int32{3, 4}, 0}, {[]int32{1, 2, 3, 4, 5, 8}, 4},
	} {
		must.Equal(t, tree.Known(tt.tokens), tt.want, tt.tokens, "tokens known")
		var want [][]byte
		for n := 2; n <= tt.want; n += 2 {
			want = append(want, state(tt.tokens[:n]))
		}
		must.Same(t, tree.Match(tt.tokens), want, tt.tokens)
	}
	must.Equal(t, tree.Len(), 8, "tokens kept")
	tree.Clear()
	must.Be(t, tree.Len() == 0 && tree.Known([]int32{1, 2}) == 0, "not empty after Clear")
}

// The end of the branch that was not used for longest goes first; beginnings that others need stay.
func TestEviction(t *testing.T) {
	tree := New(2, 16, 16*4)
	add(tree, []int32{1, 2, 3, 4})
	add(tree, []int32{1, 2, 5, 6})
	tree.Match([]int32{1, 2, 3, 4})
	add(tree, []int32{1, 2, 7, 8})
	add(tree, []int32{1, 2, 9, 9}) // no room: 5, 6 must go
	for _, tt := range []struct {
		tokens []int32
		want   int
	}{{[]int32{1, 2, 3, 4}, 4}, {[]int32{1, 2, 5, 6}, 2}, {[]int32{1, 2, 7, 8}, 4}, {[]int32{1, 2, 9, 9}, 4}} {
		must.Equal(t, tree.Known(tt.tokens), tt.want, tt.tokens, "tokens known")
	}
	long := make([]int32, 20)
	if add(tree, long); tree.Len() != 8 || tree.Known(long) != 8 {
		t.Errorf("a branch that is too long: %d tokens kept, %d of it; want 8 and 8", tree.Len(), tree.Known(long))
	}
	none := New(2, 16, 15)
	if add(none, long); none.Len() != 0 {
		t.Error("kept without room")
	}
}

// Whatever is added and dropped, what is found is right.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tree := New(2, 16, 16*20)
	found := 0
	for range 3000 {
		tokens := make([]int32, random.IntN(12))
		for i := range tokens {
			tokens[i] = int32(random.IntN(3))
		}
		for b, got := range tree.Match(tokens) {
			if found++; !bytes.Equal(got, state(tokens[:(b+1)*2])) {
				t.Fatalf("%v: block %d is %q", tokens, b, got)
			}
		}
		add(tree, tokens[:len(tokens)/2*2])
		must.Have(t, tree.Len() <= 40, tree.Len(), "tokens kept, want at most 40")
	}
	must.Be(t, found != 0, "nothing was ever found")
}

func TestConcurrent(t *testing.T) {
	tree := New(2, 16, 16*10)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 200 {
				tokens := []int32{int32(i), int32(j % 5), 3, 4}
				add(tree, tokens)
				tree.Match(tokens)
				tree.Known(tokens)
				tree.Len()
			}
		})
	}
	wg.Wait()
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	key := [32]byte{1}
	tree := New(2, 16, 16*100)
	old, recent := []int32{1, 2, 3, 4, 5, 6}, []int32{1, 2, 7, 8, 9, 9}
	add(tree, old)
	add(tree, recent)
	must.Be(t, tree.Changed(), "not changed by Add")
	must.Do(t, tree.Save(path, key, 16*100))
	again := New(2, 16, 16*100)
	must.Do(t, again.Load(path, key, nil))
	for _, tokens := range [][]int32{old, recent} {
		must.Same(t, again.Match(tokens), tree.Match(tokens), tokens)
	}
	must.Be(t, !again.Changed(), "changed by Load")

	// With little room the most recent stay, on saving and on loading.
	tree.Match(recent)
	must.Do(t, tree.Save(path, key, 16*3+1))
	for _, room := range []int64{100, 2} {
		again = New(2, 16, 16*room)
		must.Do(t, again.Load(path, key, nil))
		if got, want := again.Known(recent), min(6, 2*int(room)); got != want || again.Known(old) != 2 {
			t.Errorf("room for %d: %d tokens of the recent branch, want %d; %d of the old one, want 2", room, got,
				want, again.Known(old))
		}
	}

	if err := again.Load(path, [32]byte{2}, nil); !errors.Is(err, ErrOther) {
		t.Errorf("another key: %v", err)
	}
	if err := New(4, 16, 160).Load(path, key, nil); !errors.Is(err, ErrOther) {
		t.Errorf("another block: %v", err)
	}
	if err := again.Load(path+"no", key, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	must.Be(t, tree.Save(filepath.Join(path, "no", "folder"), key, 100) != nil, "saved in a folder that is not there")
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A file that is cut or flipped anywhere is refused, and nothing of it is used.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	tree := New(2, 16, 16*100)
	add(tree, []int32{1, 2, 3, 4, 5, 6})
	add(tree, []int32{1, 2, 7, 8})
	must.Do(t, tree.Save(path, [32]byte{}, 1600))
	whole := must.Get(os.ReadFile(path))(t)
	check := func(what string, b []byte) {
		t.Helper()
		must.Do(t, os.WriteFile(path, b, 0o600))
		again := New(2, 16, 1600)
		if err := again.Load(path, [32]byte{}, nil); err == nil || again.Len() != 0 {
			t.Errorf("%s: %v, %d tokens", what, err, again.Len())
		}
	}
	for n := range whole {
		check(fmt.Sprintf("cut to %d bytes", n), whole[:n])
		if count := len(magic) + 32 + 8; n >= count && n < count+4 {
			continue // fewer nodes than there are is a shorter list; more are missing
		}
		flipped := slices.Clone(whole)
		flipped[n] ^= 4
		check(fmt.Sprintf("byte %d flipped", n), flipped)
	}
}

// A state that cannot be used spoils its file, whatever the checksum says.
func TestUnsoundState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	tree := New(2, 16, 1600)
	add(tree, []int32{1, 2, 3, 4})
	must.Do(t, tree.Save(path, [32]byte{}, 1600))
	for at := range 3 { // the last is beyond the two that there are
		again, n := New(2, 16, 1600), 0
		err := again.Load(path, [32]byte{}, func([]byte) bool { n++; return n-1 != at })
		if ok := at == 2; (err == nil) != ok || (again.Len() > 0) != ok {
			t.Errorf("state %d: %v, %d tokens", at, err, again.Len())
		}
	}
}

// Something else in the file's place, such as a FIFO, which nobody writes to, is no file and is not waited for.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{fifo, dir, "/dev/zero"} {
		must.Be(t, New(2, 16, 1600).Load(path, [32]byte{}, nil) != nil, path, "was loaded")
	}
}

func FuzzFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed")
	tree := New(2, 16, 1600)
	add(tree, []int32{1, 2, 3, 4})
	must.Do(f, tree.Save(path, [32]byte{}, 1600))
	seed := must.Get(os.ReadFile(path))(f)
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		tree := New(2, 16, 1600)
		if err := tree.read(bytes.NewReader(b), [32]byte{}, nil); err == nil && tree.Len() > 200 {
			t.Errorf("%d tokens", tree.Len())
		}
	})
}
