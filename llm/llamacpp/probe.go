package llamacpp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"nl2sql/llm"
	"nl2sql/llm/prefix"
)

// nature is what probing finds out of a model, as it is run. An earlier process may have left it.
type nature struct {
	Back     bool // tokens can be removed from the end of a sequence
	AnyBatch bool // a token gets the same bits in all batches
	Most     int  // without AnyBatch: generated tokens that may share a batch and get the bits that each has alone
}

// probe finds out what depends on the model: how states are laid out, and its nature. Weights that are not quantized,
// an adapter's for instance, may meet one row and several in different kernels.
func (m *Model) probe(by worker, place llm.Place, o Options) error {
	m.ctx.KvCacheClear()
	defer m.ctx.KvCacheClear()
	p, err := newProbe(m)
	if err != nil {
		return err
	}
	m.growTree(o.Cache)
	m.recall(place, o)
	file := ""
	if m.saved.folder != "" {
		file = m.saved.file(fmt.Sprintf("-%d-%d-%t.nature", by, len(m.slots), m.drafts))
	}
	n, known := readNature(file)
	if !known {
		if n, err = p.find(by); err != nil {
			return err
		}
		if file != "" {
			m.saved.say(n.save(file))
		}
	}
	m.back, m.most = n.Back, n.Most
	m.drafts = m.drafts && n.Back
	if m.anyBatch = m.anyBatch || n.AnyBatch; !m.anyBatch {
		m.drafts = m.drafts && m.most > 1
	}
	return nil
}

// readNature reads what save wrote; what is not there, or damaged, is not known.
func readNature(file string) (n nature, known bool) {
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &n) != nil || n.Most < 1 || n.Most > mostRows {
		return nature{}, false
	}
	return n, true
}

// save writes the file. Half of it would be read as damaged.
func (n nature) save(file string) error {
	text, err := json.Marshal(n)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	return err
}

// growTree makes the tree of prefixes, from the state of a slot that has been evaluated. A model with another memory
// works without one.
func (m *Model) growTree(limit int64) {
	limit = cmp.Or(limit, 1<<30)
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

// find probes. On a GPU a look at a few tokens proves nothing of longer texts: a generated token is alone.
func (p *probe) find(by worker) (n nature, err error) {
	n.AnyBatch, n.Back, err = p.anyRows(by == ourKernels)
	switch {
	case err != nil:
	case n.AnyBatch || p.m.anyBatch:
		n.Most = mostRows
	case by == gpuKernels:
		n.Most = 1
	default:
		n.Most, err = p.mostRows(p.m.drafts && n.Back)
	}
	return n, err
}

// anyRows reports whether a token gets the same bits alone, among others of its sequence and beside other sequences,
// which it does not look at in fast mode, and whether tokens can be removed.
func (p *probe) anyRows(ours bool) (same, back bool, err error) {
	m, last := p.m, len(p.tokens)-1
	m.ctx.KvCacheClear()
	if err := p.eval(p.tokens, p.places, p.zeros[:len(p.tokens)]); err != nil {
		return false, false, err
	}
	same = slices.Equal(m.ctx.Logits(0), p.first)
	among := slices.Clone(m.ctx.Logits(last))
	back = m.ctx.KvCacheSeqRm(0, last, -1)
	if same = same && ours && back; !same || m.anyBatch {
		return same, back, nil
	}
	one, err := p.alone(last)
	if err != nil || !slices.Equal(one, among) {
		return false, back, err
	}
	if len(m.slots) > 1 {
		same, err = p.together(min(len(m.slots), len(p.tokens)))
	}
	return same, back, err
}

// mostRows returns how many generated tokens may share a batch, of one sequence, as drafts do, and of several.
func (p *probe) mostRows(drafts bool) (most int, err error) {
	m := p.m
	most = mostTogether
	if drafts {
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
