package llamacpp

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

func TestGuess(t *testing.T) {
	for _, tt := range []struct {
		name  string
		text  []int32
		n     int
		want  []int32
		alike int
	}{
		{"empty", nil, 3, nil, 0},
		{"one token", []int32{1}, 3, nil, 0},
		{"nothing twice", []int32{1, 2, 3, 4}, 3, nil, 0},
		{"one token twice is too few", []int32{1, 2, 3, 1}, 3, nil, 0},
		{"a pair", []int32{1, 2, 3, 4, 5, 1, 2}, 3, []int32{3, 4, 5}, 2},
		{"none wanted", []int32{1, 2, 3, 4, 5, 1, 2}, 0, nil, 0},
		{"the last of two places", []int32{1, 2, 3, 9, 1, 2, 4, 9, 7, 1, 2}, 2, []int32{4, 9}, 2},
		{"the place with most alike", []int32{8, 1, 2, 3, 9, 1, 2, 4, 9, 8, 1, 2}, 2, []int32{3, 9}, 3},
		{"the text goes round", []int32{1, 2, 3, 1, 2}, 7, []int32{3, 1, 2, 3, 1, 2, 3}, 2},
		{"one token again and again", []int32{5, 5, 5}, 4, []int32{5, 5, 5, 5}, 2},
		{"no more than 16 are compared", slices.Repeat([]int32{5}, 40), 1, []int32{5}, 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, alike := newDrafter(tt.text).guess(tt.n)
			if diff := cmp.Diff(tt.want, got); diff != "" || alike != tt.alike {
				t.Errorf("%d alike, want %d; %s", alike, tt.alike, diff)
			}
		})
	}
}

// FuzzGuess compares guesses with the text, read in the plainest way.
func FuzzGuess(f *testing.F) {
	f.Add([]byte("select name from authors where name"), 10, 3)
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 1, 20)
	f.Add([]byte{}, 0, 1)
	f.Fuzz(func(t *testing.T, text []byte, prompt, n int) {
		if n > 64 {
			return
		}
		var tokens []int32
		for _, b := range text {
			tokens = append(tokens, int32(b))
		}
		prompt = min(max(prompt, 0), len(tokens))
		d := newDrafter(tokens[:prompt])
		for _, token := range tokens[prompt:] {
			d.add(token)
		}
		draft, alike := d.guess(n)
		if len(draft) == 0 {
			for at := 2; n > 0 && at < len(tokens); at++ {
				must.Have(t, !slices.Equal(tokens[at-2:at], tokens[len(tokens)-2:]),
					"no guess, but the last two tokens stand at", at-2)
			}
			return
		}
		must.Have(t, len(draft) == n && alike >= 2 && alike <= mostAlike, len(draft), "tokens", n, alike, "alike")
		end := tokens[len(tokens)-alike:]
		for at := alike; at < len(tokens); at++ {
			if slices.Equal(tokens[at-alike:at], end) {
				whole := slices.Concat(tokens[:at], tokens[at:])
				for len(whole) < at+n {
					whole = append(whole, whole[len(whole)-len(tokens)+at])
				}
				if slices.Equal(whole[at:at+n], draft) {
					return
				}
			}
		}
		t.Fatalf("%v follows %v nowhere in %v", draft, end, tokens)
	})
}

// play plays n evaluations of one answer. cost is what rows cost, likely how often each token of a guess comes true,
// and found how often there is a guess. It returns the speed beside that without drafts, and the lengths drafted.
func play(p *pace, n, most int, cost func(rows int) float64, likely, found float64) (faster float64,
	drafted map[int]int) {
	random := rand.New(rand.NewPCG(1, 2))
	drafted = make(map[int]int)
	var tokens, took float64
	for range n {
		var a option
		if random.Float64() < found {
			a = option{tokens: 15, alike: 3}
		}
		k := p.choose([]option{a}, most)
		drafted[k]++
		noise := 0.8 + 0.4*random.Float64()
		p.took(k+1, time.Duration(noise*cost(k+1)*float64(10*time.Millisecond)))
		took += cost(k + 1)
		tokens++
		for i := range min(k+1, a.tokens) { // the row after a draft has a guess too
			right := random.Float64() < likely
			p.learn(a, i, right)
			if !right || i == k {
				break
			}
			tokens++
		}
	}
	return tokens / took * cost(1), drafted
}

func TestPace(t *testing.T) {
	linear := func(rows int) float64 { return float64(rows) }
	free := func(rows int) float64 { return 1 + 0.01*float64(rows-1) }
	half := func(rows int) float64 { return 0.5 + 0.5*float64(rows) }
	groups := func(rows int) float64 { return 1.5 * float64((rows+3)/4) } // of four rows
	dear := func(rows int) float64 { return float64(rows * rows) }
	for _, tt := range []struct {
		name          string
		most          int
		cost          func(int) float64
		likely, found float64
		least         float64 // of the speed without drafts
	}{
		{"rows cost as much as evaluations", 16, linear, 0.9, 0.8, 0.98},
		{"rows cost more", 16, dear, 0.9, 0.8, 0.98},
		{"rows are free, guesses never right", 16, free, 0, 0.8, 0.98},
		{"rows are free, there is no guess", 16, free, 0.9, 0, 1},
		{"rows are free", 16, free, 0.9, 0.8, 3.5},
		{"rows are free, guesses seldom right", 16, free, 0.3, 0.8, 1.25},
		{"rows are free, three at most", 3, free, 0.9, 0.8, 2.1},
		{"rows cost half", 16, half, 0.95, 0.9, 1.4},
		{"rows cost half, guesses seldom right", 16, half, 0.3, 0.9, 0.98},
		{"groups of rows", 16, groups, 0.9, 0.9, 1.7},
		{"nothing may be drafted", 1, free, 0.9, 0.8, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p pace
			faster, drafted := play(&p, 2000, tt.most, tt.cost, tt.likely, tt.found)
			t.Logf("%.2f times the speed; drafts by length: %v", faster, drafted)
			if faster < tt.least {
				t.Errorf("%.2f times the speed without drafts, want %.2f", faster, tt.least)
			}
			for k := range drafted {
				must.Be(t, slices.Contains(lengths[:], k) && k < tt.most, "drafts of", k, "tokens")
			}
		})
	}
}

// When drafts stop paying, in the same process, they end, and the other way round.
func TestPaceFollows(t *testing.T) {
	linear := func(rows int) float64 { return float64(rows) }
	free := func(int) float64 { return 1 }
	var p pace
	for range 3 {
		play(&p, 3000, 16, linear, 0.9, 0.8)
		if faster, _ := play(&p, 1000, 16, linear, 0.9, 0.8); faster < 0.96 {
			t.Errorf("%.2f times the speed after rows were free", faster)
		}
		play(&p, 3000, 16, free, 0.9, 0.8)
		if faster, _ := play(&p, 1000, 16, free, 0.9, 0.8); faster < 3 {
			t.Errorf("%.2f times the speed after rows were dear", faster)
		}
	}
}

// A machine that becomes slower as a whole changes nothing.
func TestPaceOnASlowerMachine(t *testing.T) {
	half := func(rows int) float64 { return 0.5 + 0.5*float64(rows) }
	slow := func(rows int) float64 { return 20 * half(rows) }
	var p pace
	want, _ := play(&p, 2000, 16, half, 0.95, 0.9)
	if got, drafted := play(&p, 500, 16, slow, 0.95, 0.9); got < 0.9*want {
		t.Errorf("%.2f times the speed without drafts, %.2f before: %v", got, want, drafted)
	}
}

func TestPaceOfSeveral(t *testing.T) {
	var p pace
	good, none := option{tokens: 15, alike: 8}, option{}
	for range 200 {
		p.learn(good, 0, true)
		p.learn(good, 1, true)
	}
	must.Equal(t, p.choose([]option{good, good}, 16), 0, "a draft of", "tokens before anything was measured")
	for range 50 { // rows are free
		k := p.choose([]option{good, good, none, none}, 16)
		p.took(4*(k+1), 10*time.Millisecond)
	}
	for _, tt := range []struct {
		name    string
		answers []option
		most    int
		want    int
	}{
		{"half of them guess", []option{good, good, none, none}, 16, 3},
		{"none guesses", []option{none, none, none, none}, 16, 0},
		{"no room", []option{good, good, good, good}, 7, 0},
		{"no answer", nil, 16, 0},
	} {
		must.Equal(t, p.choose(tt.answers, tt.most), tt.want, tt.name, "drafts of")
	}
}

// FuzzPace: whatever it is told, it chooses what there is room for, and the same again when told the same.
func FuzzPace(f *testing.F) {
	f.Add([]byte{1, 2, 3, 200, 0, 0, 9, 9, 9}, uint8(16))
	f.Add([]byte{}, uint8(0))
	f.Fuzz(func(t *testing.T, told []byte, most uint8) {
		choices := func() (chosen []int) {
			var p pace
			for b := range slices.Chunk(told, 4) {
				answers := slices.Repeat([]option{{int(b[0]) % 20, len(b) * int(b[0]) % 20}}, len(b))
				k := p.choose(answers, int(most))
				must.Have(t, k <= 0 || len(answers)*(k+1) <= int(most) && k <= answers[0].tokens,
					"a draft of", k, "tokens for", len(answers), "answers in", most, "rows")
				chosen = append(chosen, k)
				p.took(len(answers)*(k+1), time.Duration(b[0])<<(b[len(b)-1]%57))
				p.learn(answers[0], int(b[0])%15, b[0] > 100)
			}
			return chosen
		}
		must.Same(t, choices(), choices())
	})
}
