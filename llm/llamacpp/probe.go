package llamacpp

import (
	"slices"

	"nl2sql/llm/prefix"
)

// probe finds out what depends on the model: how states are laid out, whether tokens can be removed, and which batches
// give other bits than a token alone: none (anyBatch), or those of more than so many generated tokens (most). Weights
// that are not quantized, an adapter's for instance, may meet one row and several in different kernels. On a GPU a look
// at a few tokens proves nothing of longer texts: a generated token is alone. limit is [Options].Cache.
func (m *Model) probe(limit int64, by worker) error {
	m.ctx.KvCacheClear()
	defer m.ctx.KvCacheClear()
	p, err := newProbe(m)
	if err != nil {
		return err
	}
	m.growTree(limit)
	same, err := p.anyRows(by == ourKernels)
	if err != nil {
		return err
	}
	if m.anyBatch = m.anyBatch || same; m.anyBatch {
		m.most = mostRows
		return nil
	}
	if m.most = 1; by == gpuKernels {
		return nil
	}
	m.most, err = p.mostRows()
	m.drafts = m.drafts && m.most > 1
	return err
}

// growTree makes the tree of prefixes, from the state of a slot that has been evaluated. A model with another memory
// works without one.
func (m *Model) growTree(limit int64) {
	if limit == 0 {
		limit = 1 << 30
	}
	state, err := m.state(0)
	if err != nil || limit < 0 {
		return
	}
	if m.layout, _, _, err = readLayout(state); err == nil {
		m.tree = prefix.New(block, block*m.layout.bytes(), limit)
	}
}

// probe evaluates some tokens in several batches.
type probe struct {
	m                     *Model
	tokens, places, zeros []int32
	first                 []float32 // logits after the first token alone
}

// newProbe evaluates the first token.
func newProbe(m *Model) (*probe, error) {
	const many = block + mostTogether // of a group of rows and of what is left over
	p := &probe{m: m, zeros: make([]int32, max(many, maxParallel))}
	for i := range int32(min(many, (m.window+block-1)/block*block)) {
		p.tokens, p.places = append(p.tokens, int32(m.model.NumVocab()/2)+i), append(p.places, i)
	}
	var err error
	p.first, err = p.alone(0)
	return p, err
}

func (p *probe) eval(tokens, pos, seq []int32) error {
	return p.m.decode(nil, tokens, pos, seq, slices.Repeat([]int8{1}, len(tokens)))
}

// alone evaluates the i-th token behind those before it.
func (p *probe) alone(i int) ([]float32, error) {
	if err := p.eval(p.tokens[i:i+1], p.places[i:i+1], p.zeros[:1]); err != nil {
		return nil, err
	}
	return slices.Clone(p.m.ctx.Logits(0)), nil
}

// together reports whether the first token gets its bits in n sequences at once.
func (p *probe) together(n int) (bool, error) {
	m := p.m
	m.ctx.KvCacheClear()
	if err := p.eval(slices.Repeat(p.tokens[:1], n), p.zeros[:n], p.places[:n]); err != nil {
		return false, err
	}
	for i := range n {
		if !slices.Equal(m.ctx.Logits(i), p.first) {
			return false, nil
		}
	}
	return true, nil
}

// anyRows reports whether a token gets the same bits alone, among others of its sequence and beside other sequences. It
// finds out on the way whether tokens can be removed.
func (p *probe) anyRows(ours bool) (bool, error) {
	m, last := p.m, len(p.tokens)-1
	m.ctx.KvCacheClear()
	if err := p.eval(p.tokens, p.places, p.zeros[:len(p.tokens)]); err != nil {
		return false, err
	}
	same := slices.Equal(m.ctx.Logits(0), p.first)
	among := slices.Clone(m.ctx.Logits(last))
	m.back = m.ctx.KvCacheSeqRm(0, last, -1)
	m.drafts = m.drafts && m.back
	if same = same && ours && m.back; !same || m.anyBatch {
		return same, nil
	}
	one, err := p.alone(last)
	if err != nil || !slices.Equal(one, among) {
		return false, err
	}
	if len(m.slots) == 1 {
		return true, nil
	}
	return p.together(min(len(m.slots), len(p.tokens)))
}

// mostRows returns how many generated tokens may share a batch, of one sequence and of several.
func (p *probe) mostRows() (most int, err error) {
	m := p.m
	most = mostTogether
	if m.drafts {
		m.ctx.KvCacheClear()
		var each [mostTogether][]float32
		for i := range each {
			if each[i], err = p.alone(i); err != nil {
				return 0, err
			}
		}
		for n := 2; n <= most; n++ {
			from := mostTogether - n
			m.ctx.KvCacheSeqRm(0, from, -1)
			if err := p.eval(p.tokens[from:mostTogether], p.places[from:mostTogether], p.zeros[:n]); err != nil {
				return 0, err
			}
			for i := range n {
				if !slices.Equal(m.ctx.Logits(i), each[from+i]) {
					most = n - 1
				}
			}
		}
	}
	for n := 2; n <= min(most, len(m.slots)); n++ {
		alike, err := p.together(n)
		if err != nil {
			return 0, err
		}
		if !alike {
			most = n - 1
		}
	}
	return most, nil
}
