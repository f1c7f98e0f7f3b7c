//go:build cgo && llamacpp

package llamacpp

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// The architectures that nl2sql knows are those that llama.cpp does.
func TestArchitecturesOfTheModule(t *testing.T) {
	module := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ollama/ollama").Output())(t)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "llama/llama.cpp/src/llama-arch.cpp"))
	must.Do(t, err)
	var want []string
	known := regexp.MustCompile(`(?m)^ +\{ LLM_ARCH_\w+, +"([^"(]+)" +\},`)
	for _, m := range known.FindAllStringSubmatch(string(source), -1) {
		want = append(want, m[1])
	}
	slices.Sort(want)
	must.Same(t, slices.Sorted(maps.Keys(llm.Architectures)), want, "architectures, -llama.cpp's +ours")
}

// sketch is a small random model of an architecture. llama.cpp says what it misses and which shapes it expects, so
// that the shapes of a hundred architectures need not stand here.
type sketch struct {
	arch string
	// metadata, without the architecture's name: uint32, float32, bool, string, []int32, []float32
	values  map[string]any
	tensors map[string][]int64 // shapes
	order   []string
}

const sketchLayers = 4 // the fewest that all architectures take

// sketchValues are what metadata is set to.
var sketchValues = map[string]any{
	"context_length": uint32(512), "embedding_length": uint32(128), "block_count": uint32(sketchLayers),
	"feed_forward_length": uint32(256), "attention.head_count": uint32(4), "attention.head_count_kv": uint32(2),
	"rope.dimension_count": uint32(32), "attention.layer_norm_rms_epsilon": float32(1e-5),
	"attention.layer_norm_epsilon": float32(1e-5), "ssm.group_count": uint32(1),
}

// sketchMissing are those that not all of them ask for.
var sketchMissing = map[string]any{
	"expert_count": uint32(4), "expert_used_count": uint32(2), "expert_feed_forward_length": uint32(64),
	"expert_shared_count": uint32(1), "expert_shared_feed_forward_length": uint32(64),
	"expert_chunk_feed_forward_length": uint32(64), "leading_dense_block_count": uint32(1),
	"expert_weights_scale": float32(1), "expert_gating_func": uint32(2), "experts_per_group": uint32(2),
	"expert_group_scale": float32(.5), "interleave_moe_layer_step": uint32(1), "moe_every_n_layers": uint32(2),
	"ssm.conv_kernel": uint32(4), "ssm.inner_size": uint32(256), "ssm.state_size": uint32(16),
	"ssm.time_step_rank": uint32(8),
	"wkv.head_size":      uint32(32), "time_mix_extra_dim": uint32(32), "time_decay_extra_dim": uint32(32),
	"token_shift_count": uint32(2), "attention.decay_lora_rank": uint32(32), "attention.iclr_lora_rank": uint32(32),
	"attention.value_residual_mix_lora_rank": uint32(32), "attention.gate_lora_rank": uint32(32),
	"shortconv.l_cache":       uint32(3),
	"rope.dimension_sections": []int32{8, 4, 4, 0}, "attention.sliding_window": uint32(64),
	"attention.q_lora_rank":  uint32(32),
	"attention.kv_lora_rank": uint32(32), "logit_scale": float32(.5), "residual_scale": float32(1),
	"embedding_scale": float32(1),
	"attention.scale": float32(.2), "attention.max_alibi_bias": float32(8), "attention.clamp_kqv": float32(8),
	"use_parallel_residual": true, "swin_norm": false, "rope.scaling.yarn_log_multiplier": float32(.1),
	"xielu.alpha_p": eachLayer(.8), "xielu.alpha_n": eachLayer(.8), "xielu.beta": eachLayer(.5),
	"xielu.eps": eachLayer(1e-6),
}

func eachLayer(v float32) []float32 { return slices.Repeat([]float32{v}, sketchLayers) }

// latent is of architectures whose keys and values are made from fewer numbers.
var latent = map[string]any{
	"attention.head_count_kv": uint32(4), "attention.key_length": uint32(64), "attention.value_length": uint32(32),
}

// sketchOwn are values of single architectures; nil leaves one out.
var sketchOwn = map[string]map[string]any{
	"afmoe":         {"attention.sliding_window": uint32(64), "expert_gating_func": uint32(2)},
	"arwkv7":        {"token_shift_count": uint32(1), "attention.head_count": nil, "attention.head_count_kv": nil},
	"baichuan":      {"block_count": uint32(32)},
	"deepseek2":     latent,
	"dots1":         {"attention.head_count_kv": uint32(4), "expert_gating_func": uint32(2)},
	"gemma3n":       {"block_count": uint32(30)},
	"granitehybrid": {"attention.head_count_kv": []int32{0, 2, 0, 2}},
	"jamba":         {"attention.head_count_kv": []int32{0, 2, 0, 2}},
	"lfm2":          {"attention.head_count_kv": []int32{0, 2, 0, 2}},
	"lfm2moe":       {"attention.head_count_kv": []int32{0, 2, 0, 2}},
	"minicpm3":      latent,
	"minimax-m2":    {"expert_gating_func": uint32(2)},
	"olmoe":         {"attention.head_count_kv": uint32(4)},
	"plamo2":        {"attention.head_count_kv": []int32{0, 2, 0, 2}, "ssm.group_count": uint32(0)},
	"qwen3next":     {"ssm.inner_size": uint32(128)},
	"rwkv6qwen2":    {"token_shift_count": uint32(1)},
	"rwkv7":         {"attention.gate_lora_rank": uint32(32)},
	"smallthinker":  {"expert_gating_func": uint32(2)},
}

// sketchAlso are tensors that an architecture cannot do without although llama.cpp loads it; * stands for each layer.
var sketchAlso = map[string][]string{
	"afmoe":         {"output.weight"},
	"falcon-h1":     {"output.weight", "blk.*.ssm_conv1d.bias"},
	"granitehybrid": {"blk.0.ssm_conv1d.bias", "blk.2.ssm_conv1d.bias"},
	"phi3":          {"blk.*.attn_qkv.weight"},
	"qwen2vl":       {"blk.*.attn_q.bias", "blk.*.attn_k.bias", "blk.*.attn_v.bias"},
	"solar":         {"output.weight", "bskcn_tv.weight"},
}

// unsketched are architectures of which nobody has made a small model that llama.cpp loads: that they run is not
// proven.
var unsketched = []string{"nemotron_h_moe", "qwen3next", "rwkv6"}

// sketchExperts is what architectures with experts have besides.
var sketchExperts = []string{"expert_count", "expert_used_count", "expert_feed_forward_length"}

var (
	missingKey    = regexp.MustCompile(`key not found in model: (\S+)`)
	missingTensor = regexp.MustCompile(`missing tensor '([^']+)'|tensor '([^']+)' not found`)
	wrongShape    = regexp.MustCompile(`tensor '([^']+)' has wrong shape; expected ([ 0-9,]+), got`)
)

// newSketch finds out what a model of an architecture is made of, and writes it.
func newSketch(t *testing.T, arch, path string) (*sketch, error) {
	t.Helper()
	s := &sketch{arch: arch, values: map[string]any{}, tensors: map[string][]int64{}}
	for key, value := range sketchValues {
		s.values[key] = value
	}
	if (llm.GGUF{Architecture: arch}).Is("experts") {
		for _, key := range sketchExperts {
			s.values[key] = sketchMissing[key]
		}
	}
	for key, value := range sketchOwn[arch] {
		s.values[key] = value
	}
	for _, name := range sketchAlso[arch] {
		before, after, each := strings.Cut(name, "*")
		for layer := range sketchLayers {
			if each {
				name = fmt.Sprint(before, layer, after)
			}
			if s.tensors[name] == nil {
				s.add(name)
			}
		}
	}
	for range 1000 {
		if err := s.write(path); err != nil {
			return nil, err
		}
		lm, err := library.Load(path, 0, 0, nil, func(float32) {})
		if err == nil {
			lm.Free()
			return s, nil
		}
		if m := missingKey.FindStringSubmatch(err.Error()); m != nil {
			key := strings.TrimPrefix(m[1], arch+".")
			value, known := sketchMissing[key]
			if _, there := s.values[key]; !known || there {
				return nil, err
			}
			s.values[key] = value
		} else if m := missingTensor.FindStringSubmatch(err.Error()); m != nil {
			s.add(m[1] + m[2])
		} else if m := wrongShape.FindStringSubmatch(err.Error()); m != nil {
			var shape []int64
			for side := range strings.SplitSeq(m[2], ",") {
				var n int64
				if _, err := fmt.Sscan(side, &n); err != nil {
					return nil, err
				}
				shape = append(shape, n)
			}
			for len(shape) > 1 && shape[len(shape)-1] == 1 {
				shape = shape[:len(shape)-1]
			}
			s.tensors[m[1]] = shape
		} else {
			return nil, err
		}
	}
	return nil, fmt.Errorf("no end of what it misses")
}

// add adds a tensor, as large as its like in the layer before.
func (s *sketch) add(name string) {
	shape := []int64{1}
	var layer int
	var rest string
	if n, _ := fmt.Sscanf(name, "blk.%d.%s", &layer, &rest); n == 2 && layer > 0 {
		if before := s.tensors[fmt.Sprintf("blk.%d.%s", layer-1, rest)]; before != nil {
			shape = before
		}
	}
	s.tensors[name] = shape
	s.order = append(s.order, name)
}

// sketchTokens are bytes as GPT-2 writes them, and those that structure a chat.
func sketchTokens() (tokens []string, kinds []int32) {
	other := 256
	for b := range 256 {
		r := rune(b)
		if b <= ' ' || b >= 0x7f && b <= 0xa0 || b == 0xad {
			r, other = rune(other), other+1
		}
		tokens, kinds = append(tokens, string(r)), append(kinds, 1)
	}
	tokens, kinds = append(tokens, "th"), append(kinds, 1)
	for _, control := range []string{"<|im_start|>", "<|im_end|>", "<|endoftext|>"} {
		tokens, kinds = append(tokens, control), append(kinds, 3)
	}
	return tokens, kinds
}

func (s *sketch) write(path string) error {
	var m llm.Metadata
	m.Text("general.architecture", s.arch)
	for _, key := range slices.Sorted(func(yield func(string) bool) {
		for key := range s.values {
			if !yield(key) {
				return
			}
		}
	}) {
		name := s.arch + "." + key
		if strings.HasPrefix(key, "tokenizer.") || strings.HasPrefix(key, "xielu.") {
			name = key
		}
		switch v := s.values[key].(type) {
		case nil: // the architecture is to do without
		case uint32:
			m.Number(name, v)
		case float32:
			m.Real(name, v)
		case bool:
			m.Flag(name, v)
		case string:
			m.Text(name, v)
		case []int32:
			m.Numbers(name, v)
		case []float32:
			m.Reals(name, v)
		}
	}
	tokens, kinds := sketchTokens()
	m.Text("tokenizer.ggml.model", "gpt2")
	m.Text("tokenizer.ggml.pre", "qwen2")
	m.Texts("tokenizer.ggml.tokens", tokens)
	m.Numbers("tokenizer.ggml.token_type", kinds)
	m.Texts("tokenizer.ggml.merges", []string{"t h"})
	m.Number("tokenizer.ggml.eos_token_id", uint32(len(tokens)-2))
	m.Text("tokenizer.chat_template", "<|im_start|>")
	if s.tensors["token_embd.weight"] == nil {
		s.add("token_embd.weight")
	}
	var tensors []llm.Tensor
	for _, name := range s.order {
		tensors = append(tensors, llm.Tensor{Name: name, Shape: s.tensors[name],
			Type: sketchType(name, s.tensors[name])})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(1, 2))
	return llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error { return sketchWeights(r, tensors[i], w) })
}

var quantizedWeights = regexp.MustCompile(`(attn_\w+|ffn_\w+|token_embd|output)\.weight$`)

// sketchType stores large matrices in 8 bits, as files that people have do.
func sketchType(name string, shape []int64) string {
	kept := strings.Contains(name, "norm") || strings.Contains(name, "gate_inp")
	if len(shape) >= 2 && shape[0]%32 == 0 && quantizedWeights.MatchString(name) && !kept {
		return "Q8_0"
	}
	return "F32"
}

// sketchWeights writes small random weights, and norms near 1.
func sketchWeights(r *rand.Rand, t llm.Tensor, w io.Writer) error {
	n := t.Elements()
	b := make([]byte, 0, 4*n)
	le := binary.LittleEndian
	if t.Type == "Q8_0" {
		for range n / 32 {
			b = le.AppendUint16(b, 0x1000) // 2^-11, the scale of a block
			for range 32 {
				b = append(b, byte(int8(r.IntN(255)-127)))
			}
		}
	} else {
		base := 0.0
		if strings.Contains(t.Name, "norm") {
			base = 1
		}
		if strings.Contains(t.Name, "ssm_a") {
			base = -1
		}
		for range n {
			b = le.AppendUint32(b, math.Float32bits(float32(base+r.NormFloat64()/16)))
		}
	}
	_, err := w.Write(b)
	return err
}

var adaptedWeights = regexp.MustCompile(`^blk\.\d+\.(attn_(q|k|v|output|qkv)|ffn_(up|down|gate)|ssm_(in|out)|time_mix_(key|output))\.weight$`)

// writeAdapter writes a random LoRA of rank 4.
func (s *sketch) writeAdapter(path string) error {
	var m llm.Metadata
	m.Text("general.type", "adapter")
	m.Text("general.architecture", s.arch)
	m.Text("adapter.type", "lora")
	m.Real("adapter.lora.alpha", 8)
	var tensors []llm.Tensor
	for _, name := range s.order {
		if strings.HasPrefix(s.arch, "glm4") && (strings.HasSuffix(name, "attn_output.weight") ||
			strings.HasSuffix(name, "ffn_down.weight")) {
			continue // llama.cpp fails an assertion, which is an error when the model is opened
		}
		if shape := s.tensors[name]; adaptedWeights.MatchString(name) && len(shape) == 2 {
			tensors = append(tensors, llm.Tensor{Name: name + ".lora_a", Shape: []int64{shape[0], 4}, Type: "F32"},
				llm.Tensor{Name: name + ".lora_b", Shape: []int64{4, shape[1]}, Type: "F32"})
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(3, 4))
	return llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error { return sketchWeights(r, tensors[i], w) })
}

// Every architecture loads and answers, with the same bits on each set of kernels, whatever was read before, and takes
// an adapter.
func TestArchitectures(t *testing.T) {
	answers := slices.DeleteFunc(slices.Sorted(maps.Keys(llm.Architectures)), func(arch string) bool {
		return !llm.GGUF{Architecture: arch}.Is("answers")
	})
	for i, arch := range answers {
		t.Run(arch, func(t *testing.T) {
			if i%must.Long(4, 1) != 0 {
				t.Skip("part of make soak")
			}
			if slices.Contains(unsketched, arch) {
				t.Skip("no small model of it is known")
			}
			path := filepath.Join(t.TempDir(), arch+".gguf")
			made := must.Get(newSketch(t, arch, path))(t)
			m := must.Get(openFile(t.Context(), path, onGPU(Options{Context: 512, Parallel: 2, Threads: 1})))(t)
			defer m.Close()
			want := ""
			onSets(t, func(t *testing.T) {
				cold(m)
				out := generate(t, m, talk(1), llm.Params{MaxTokens: 12})
				again := generate(t, m, talk(1), llm.Params{MaxTokens: 12})
				if math.IsNaN(out.LogProb) || out.OutputTokens == 0 && out.StopReason != llm.StopEnd {
					t.Errorf("%+v", out)
				}
				must.Be(t, again.Text == out.Text && again.LogProb == out.LogProb,
					"cold", out.Text, out.LogProb, "then", again.Text, again.LogProb)
				if got := fmt.Sprintf("%q %x", out.Text, math.Float64bits(out.LogProb)); want == "" {
					want = got
				} else if got != want {
					t.Errorf("%s, with another set %s", got, want)
				}
			})
			plain := generate(t, m, talk(1), llm.Params{MaxTokens: 12}).LogProb
			adapter := filepath.Join(t.TempDir(), "adapter.gguf")
			must.Do(t, made.writeAdapter(adapter))
			adapted := must.Get(openFile(t.Context(), path,
				onGPU(Options{Context: 512, Threads: 1, Adapter: llm.Place{Path: adapter}})))(t)
			defer adapted.Close()
			changed := generate(t, adapted, talk(1), llm.Params{MaxTokens: 12}).LogProb != plain
			must.Be(t, changed, "an adapter changes nothing")
			t.Logf("any batch %v, tokens can be removed %v, prefixes %v, drafts %v", m.anyBatch, m.back,
				m.tree != nil, m.drafts)
		})
	}
}
