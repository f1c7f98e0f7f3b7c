//go:build cgo && llamacpp

package llamacpp

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"nl2sql/llm/llamacpp/engine"
	"nl2sql/scripts/must"
)

// All sets of kernels that this machine can run give the same bits: of prompts of 1 to 600 tokens and of 1 to 8
// answers at once, with an adapter and without. Which sets those were, -v tells.
func TestKernelsAgree(t *testing.T) {
	for _, name := range chosen() {
		for _, adapted := range must.Long([]bool{true}, []bool{false, true}) {
			t.Run(fmt.Sprintf("%s/adapter=%v", name, adapted), func(t *testing.T) {
				o := Options{Context: 640, Parallel: 8, Cache: -1}
				if adapted {
					ref, ok := reference(t)[name]
					if !ok {
						ref = torch{Rank: 8, Alpha: 16} // PyTorch's logits are not needed here
					}
					_, a := adapter(t, fetched(t, name), ref)
					o.Adapter = a.Place()
				}
				m := open(t, name, o)
				must.Be(t, m.anyBatch, "some of the products are llama.cpp's: bits follow from the batch")
				want := make(map[string][32]byte)
				var first string
				onSets(t, func(t *testing.T) {
					set := Kernels()
					for what, bits := range bitsOf(t, m) {
						if first == "" {
							want[what] = bits
						} else if want[what] != bits {
							t.Errorf("%s: %s gives other bits than %s", what, set, first)
						}
					}
					if first == "" {
						first = set
					}
				})
			})
		}
	}
}

// library is what this build has.
var library, _ = engine.Open()

// onSets runs f on each set of kernels that this machine can run, the best last. Some sets are tested on few machines
// only.
func onSets(t *testing.T, f func(t *testing.T)) {
	best := Kernels()
	t.Cleanup(func() { choose(t, best) })
	for _, s := range slices.Backward(KernelSets()) {
		t.Run(s.Name, func(t *testing.T) {
			if !s.Runs {
				t.Skip("this machine cannot run them")
			}
			choose(t, s.Name)
			f(t)
		})
	}
}

func choose(t *testing.T, name string) {
	t.Helper()
	must.Do(t, ChooseKernels(name))
}

// bitsOf evaluates prompts of many lengths, and answers side by side, and returns hashes of their logits.
func bitsOf(t *testing.T, m *Model) map[string][32]byte {
	t.Helper()
	random := rand.New(rand.NewPCG(12, 2))
	var tokens []int32
	for range 608 {
		tokens = append(tokens, int32(random.IntN(m.model.NumVocab())))
	}
	out := make(map[string][32]byte)
	bits := func(rows ...int32) [32]byte {
		h := sha256.New()
		for _, i := range rows {
			h.Write(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(m.ctx.Logits(int(i))))), 4*m.model.NumVocab()))
		}
		return [32]byte(h.Sum(nil))
	}
	m.do(func() {
		for _, n := range []int{1, 2, 5, 15, 16, 17, 31, 48, 64, 127, 128, 200, 333, 512, 600} {
			m.ctx.KvCacheClear()
			for from := 0; from < n; from += chunk {
				to := min(n, from+chunk)
				want := make([]int8, to-from)
				want[len(want)-1] = 1
				if err := m.decode(nil, tokens[from:to], sequence(from, to), make([]int32, to-from), want); err != nil {
					t.Error(err)
					return
				}
			}
			out[fmt.Sprintf("a prompt of %d tokens", n)] = bits(-1)
		}
		for n := 1; n <= 8; n++ {
			m.ctx.KvCacheClear()
			for step := range 3 {
				if err := m.decode(nil, tokens[step*8:][:n], slices.Repeat([]int32{int32(step)}, n), sequence(0, n),
					slices.Repeat([]int8{1}, n)); err != nil {
					t.Error(err)
					return
				}
				out[fmt.Sprintf("token %d of %d answers", step, n)] = bits(sequence(0, n)...)
			}
		}
		m.ctx.KvCacheClear()
	})
	return out
}

func sequence(from, to int) (out []int32) {
	for i := from; i < to; i++ {
		out = append(out, int32(i))
	}
	return out
}
