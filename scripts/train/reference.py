"""What PyTorch says: writes the reference of llm/llamacpp's test of adapters.

usage: reference.py OUT.json ADAPTERS_DIR smollm2-135m=FILE.gguf qwen2.5-coder-0.5b=FILE.gguf

For each model a LoRA of numbers that a formula gives (number() here, and in Go in peft_test.go) is put on the
dequantised weights by the peft library, saved as PEFT saves it below ADAPTERS_DIR, and run once on a text. OUT.json gets
a sample of the logits with and without the adapter. Made with Python 3.11, torch 2.15.0, transformers 5.23.0, peft 0.21.2,
gguf 0.19.0, numpy 2.4.6.
"""

import json
import os
import sys

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

TEXT = "SELECT title, price FROM books WHERE author_id IN (SELECT id FROM authors WHERE country = 'Spain') ORDER BY"
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
CASES = {  # dtype is what the adapter is saved in
    "smollm2-135m": {"r": 4, "lora_alpha": 8, "use_rslora": False, "dtype": torch.float32, "every": 64},
    "qwen2.5-coder-0.5b": {"r": 6, "lora_alpha": 3, "use_rslora": True, "dtype": torch.bfloat16, "every": 256},
}


def number(name, count):
    """count values of n/128 with n in [-128, 127], which every float type holds: SplitMix64, begun with FNV-1a of the name"""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = (seed ^ byte) * 0x100000001B3 % 2**64
    z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return ((z >> np.uint64(56)).astype(np.int64) - 128).astype(np.float32) / 128


def sample(logits, every):
    """positions in the middle and at the end, one token in so many; and the likeliest token everywhere"""
    at = [len(logits) // 2, len(logits) - 1]
    return {"at": at, "logits": [[round(v, 5) for v in logits[i][::every].tolist()] for i in at], "top": logits.argmax(-1).tolist()}


def run(name, path, case, folder):
    directory, file = os.path.split(os.path.abspath(path))
    model = AutoModelForCausalLM.from_pretrained(directory, gguf_file=file, dtype=torch.float32)
    ids = AutoTokenizer.from_pretrained(directory, gguf_file=file)(TEXT, add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        base = model(torch.tensor([ids])).logits[0]
        model = get_peft_model(model, LoraConfig(r=case["r"], lora_alpha=case["lora_alpha"], use_rslora=case["use_rslora"],
                                                 target_modules=MODULES, task_type="CAUSAL_LM"))
        for key, p in model.named_parameters():
            if ".lora_" in key:  # …layers.0.mlp.up_proj.lora_A.default.weight; saved without "default"
                saved = key.replace(".default", "")
                scale = 2.0 ** (-3 if ".lora_A." in key else -5)
                p.copy_(torch.from_numpy(number(saved, p.numel()).reshape(p.shape)) * scale)
        adapted = model(torch.tensor([ids])).logits[0]
        model.to(case["dtype"]).save_pretrained(os.path.join(folder, name))
    settings = {k: case[k] for k in ("r", "lora_alpha", "use_rslora", "every")}
    return settings | {"tokens": ids, "base": sample(base, case["every"]), "adapted": sample(adapted, case["every"])}


def main():
    out, folder = sys.argv[1:3]
    torch.manual_seed(0)
    result = {}
    for argument in sys.argv[3:]:
        name, path = argument.split("=", 1)
        result[name] = run(name, path, CASES[name], folder)
        print(name, len(result[name]["tokens"]), "tokens", file=sys.stderr)
    with open(out, "w") as f:
        json.dump(result, f, separators=(",", ":"))
        f.write("\n")


main()
