package main

import (
	"io"
	"os"

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
