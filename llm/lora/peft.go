package lora

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"nl2sql/llm"
)

// config is what matters of PEFT's adapter_config.json. Source: LoraConfig of peft 0.21.
type config struct {
	Type         string          `json:"peft_type"`
	Rank         int64           `json:"r"`
	Alpha        float64         `json:"lora_alpha"`
	RSLoRA       bool            `json:"use_rslora"`
	DoRA         bool            `json:"use_dora"`
	QALoRA       bool            `json:"use_qalora"`
	Bias         string          `json:"bias"`
	LoRABias     bool            `json:"lora_bias"`
	Saved        []string        `json:"modules_to_save"`
	Ranks        map[string]any  `json:"rank_pattern"`
	Alphas       map[string]any  `json:"alpha_pattern"`
	Transposed   bool            `json:"fan_in_fan_out"`
	Replication  json.RawMessage `json:"layer_replication"`
	Activated    json.RawMessage `json:"alora_invocation_tokens"`
	Diagonal     json.RawMessage `json:"use_bdlora"`
	TokenIndices json.RawMessage `json:"trainable_token_indices"`
	Init         any             `json:"init_lora_weights"`
}

// readConfig refuses what a GGUF LoRA cannot express.
func readConfig(text []byte) (config, error) {
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("adapter_config.json: %w", err)
	}
	set := func(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" && string(raw) != "false" }
	init, named := c.Init.(string)
	switch {
	case c.Type != "LORA":
		return c, fmt.Errorf("is of type %.20q: nl2sql applies LORA", c.Type)
	case c.DoRA:
		return c, errors.New("is a DoRA, which llama.cpp cannot apply: merge it into its base with PEFT and convert the whole model")
	case c.QALoRA:
		return c, errors.New("is a QALoRA, which llama.cpp cannot apply")
	case len(c.Saved) > 0:
		return c, fmt.Errorf("replaces whole modules (modules_to_save: %.80s), which a LoRA file cannot hold: merge it into its base with PEFT and convert the whole model", strings.Join(c.Saved, ", "))
	case c.Bias != "none" && c.Bias != "", c.LoRABias:
		return c, errors.New("was trained with biases, which a LoRA file cannot hold: train with bias=\"none\"")
	case c.Transposed:
		return c, errors.New("is for transposed weights (fan_in_fan_out), which no model that nl2sql runs has")
	case set(c.Replication):
		return c, errors.New("repeats layers of its base (layer_replication), which llama.cpp cannot do")
	case set(c.TokenIndices):
		return c, errors.New("changes the embedding of tokens (trainable_token_indices), which a LoRA file cannot hold")
	case set(c.Activated):
		return c, errors.New("is an activated LoRA (alora_invocation_tokens), which nl2sql cannot apply")
	case set(c.Diagonal):
		return c, errors.New("is block-diagonal (use_bdlora), which llama.cpp cannot apply")
	case len(c.Alphas) > 0:
		return c, errors.New("has a scale of its own for some modules (alpha_pattern), which nl2sql cannot convert")
	case len(c.Ranks) > 0 && c.RSLoRA:
		return c, errors.New("has several ranks (rank_pattern) with use_rslora, which nl2sql cannot convert")
	case named && !slices.Contains([]string{"gaussian", "eva", "orthogonal"}, init):
		return c, fmt.Errorf("began from a changed base (init_lora_weights: %.20q): save it with PEFT's path_initial_model_for_weight_conversion", init)
	case c.Rank < 1 || c.Alpha <= 0 || math.IsInf(c.Alpha, 0):
		return c, fmt.Errorf("adapter_config.json: rank r = %d and lora_alpha = %g: want more than 0", c.Rank, c.Alpha)
	}
	return c, nil
}

// alpha is what a GGUF LoRA says: llama.cpp divides it by the rank, where rsLoRA divides by the rank's root.
func (c config) alpha() float32 {
	if c.RSLoRA {
		return float32(c.Alpha * math.Sqrt(float64(c.Rank)))
	}
	return float32(c.Alpha)
}

// modules gives the GGUF name of a module of the llama and qwen2 architectures.
var modules = map[string]string{"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
	"self_attn.v_proj": "attn_v",
	"self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
	"mlp.down_proj": "ffn_down"}

var moduleName = regexp.MustCompile(`^base_model\.model\.(?:model\.)?(?:layers\.(\d{1,5})\.([a-z_.]+)|(lm_head))\.lora_([AB])\.weight$`)

// ggufName returns the name of a PEFT tensor in a GGUF LoRA, and the module's, e.g. "attn_q".
func ggufName(name string) (gguf, module string, err error) {
	m := moduleName.FindStringSubmatch(name)
	switch {
	case m == nil:
	case m[3] != "":
		return "output.weight.lora_" + strings.ToLower(m[4]), "output", nil
	case modules[m[2]] != "":
		return fmt.Sprintf("blk.%s.%s.weight.lora_%s", m[1], modules[m[2]], strings.ToLower(m[4])), modules[m[2]], nil
	}
	return "", "", fmt.Errorf("adapts %.100s, which nl2sql cannot convert: it knows q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj and lm_head", name)
}

// permute brings the rows of each head of a query or key matrix from the order of the transformers library (the two
// halves of the rotation one after the other) to that of llama.cpp's llama architecture (pairs). columns is a row's
// length.
func permute[T any](m []T, columns, heads int) []T {
	rows := len(m) / columns / heads // of a head
	out := make([]T, len(m))
	for h := range heads {
		for i := range rows {
			half, pair := i/(rows/2), i%(rows/2)
			from, to := h*rows+i, h*rows+2*pair+half
			copy(out[to*columns:(to+1)*columns], m[from*columns:(from+1)*columns])
		}
	}
	return out
}

// plan says how each tensor of an adapter is written. It checks what only PEFT's side can tell; whether the shapes fit
// the base is llm.ReadAdapter's to say.
func plan(c config, tensors []stored, base llm.GGUF) ([]part, error) {
	if base.Architecture != "llama" && base.Architecture != "qwen2" {
		return nil, fmt.Errorf("is in PEFT's format, which nl2sql converts for the architectures llama and qwen2, not %s: convert it with llama.cpp's convert_lora_to_gguf.py", base.Architecture)
	}
	var parts []part
	for _, t := range tensors {
		name, module, err := ggufName(t.name)
		if err != nil {
			return nil, err
		}
		if len(t.shape) != 2 || t.shape[0] < 1 || t.shape[1] < 1 {
			return nil, fmt.Errorf("is damaged: tensor %.100s is no matrix", t.name)
		}
		p := part{stored: t, gguf: llm.Tensor{Name: name, Shape: []int64{t.shape[1], t.shape[0]}, Type: "F32"}}
		if t.dtype == "F16" {
			p.gguf.Type = "F16"
		}
		rank := t.shape[0]
		if strings.HasSuffix(name, "_b") {
			rank = t.shape[1]
			heads := map[string]int{"attn_q": base.Heads, "attn_k": base.KeyHeads}[module]
			if base.Architecture == "llama" && (module == "attn_q" || module == "attn_k") {
				if heads == 0 || t.shape[0]%int64(2*heads) != 0 {
					return nil, fmt.Errorf("adapts %d rows of %s, the base model has %d heads: made for another one",
						t.shape[0], module, heads)
				}
				p.heads = heads
			}
		}
		if rank != c.Rank && len(c.Ranks) == 0 {
			return nil, fmt.Errorf("is damaged: tensor %.100s has rank %d, adapter_config.json says %d",
				t.name, rank, c.Rank)
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return nil, errors.New("holds no weights")
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.gguf.Name, b.gguf.Name) })
	return parts, nil
}

// part is one tensor on its way.
type part struct {
	stored
	gguf  llm.Tensor
	heads int // whose rows are permuted; 0 leaves them
}
