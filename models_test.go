package main

import (
	"encoding/binary"
	"io"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/llm"
)

// tinymodel FILE writes a model with a whole header and no sense: 64 dimensions, one layer, three tokens.
func tinymodel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tinymodel FILE")
	}
	var m llm.Metadata
	m.Text("general.architecture", "llama")
	m.Number("general.file_type", 0)
	for key, n := range map[string]uint32{"context_length": 128, "block_count": 1, "embedding_length": 64, "attention.head_count": 2} {
		m.Number("llama."+key, n)
	}
	m.Text("tokenizer.ggml.model", "gpt2")
	m.Texts("tokenizer.ggml.tokens", []string{"a", "b", "c"})
	m.Text("tokenizer.chat_template", "<|im_start|>")
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	tensors := []llm.Tensor{{Name: "token_embd.weight", Shape: []int64{64, 3}, Type: "F32"}, {Name: "blk.0.attn_q.weight", Shape: []int64{64, 64}, Type: "F32"}}
	ts.Check(llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error {
		_, err := w.Write(make([]byte, 4*tensors[i].Elements()))
		return err
	}))
	ts.Check(f.Close())
}

// tinyadapter FILE writes a GGUF LoRA of rank 1 for the values of smollm2-135m's first layer.
func tinyadapter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tinyadapter FILE")
	}
	var m llm.Metadata
	for _, kv := range [][2]string{{"general.architecture", "llama"}, {"general.type", "adapter"}, {"adapter.type", "lora"}} {
		m.Text(kv[0], kv[1])
	}
	tensors := []llm.Tensor{{Name: "blk.0.attn_v.weight.lora_a", Shape: []int64{576, 1}, Type: "F32"}, {Name: "blk.0.attn_v.weight.lora_b", Shape: []int64{1, 192}, Type: "F32"}}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error {
		return binary.Write(w, binary.LittleEndian, slices.Repeat([]float32{0.125}, int(tensors[i].Elements())))
	}))
	ts.Check(f.Close())
}
