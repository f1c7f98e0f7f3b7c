"""Trains a LoRA adapter on the prompts that nl2sql renders: loss on the answer only, on a CPU in pieces of any length, or on a GPU.

    nl2sql prompts --items fit.jsonl --databases DIR --prompts typed > prompts.jsonl
    python3 scripts/train/train.py --model model.gguf --data prompts.jsonl --out adapter

--data takes several files, which are read one after the other, so that broad data may come first; in each, a batch holds questions
of one database. Rows of a batch share the schema in front of them: it is evaluated once, under a mask that keeps the rows apart, with
the loss and gradients of separate rows. A run that was stopped goes on from its last checkpoint, with the same batches; --out is then
what PEFT saves, for nl2sql's --adapter.
--qlora loads 4-bit weights (NF4, NVIDIA GPUs only), for a model in Hugging Face's format. --recipe dissertation has its settings."""
import argparse, collections, json, os, pickle, random, re, signal, time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait by spinning starve what else runs
os.environ.setdefault("GOMP_SPINCOUNT", "0")
import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from peft.helpers import disable_input_dtype_casting
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

# What each recipe sets; flags go before it. modules are those adapted; rate is the highest learning rate, which rises over the
# share warm of the steps and falls to the share least of itself; batch is the questions of one database that are evaluated together,
# accumulate how many such batches are a step of the optimiser. Source of dissertation: its training scripts, LoRA on NF4 weights.
RECIPES = {
    "default": dict(modules="q_proj k_proj v_proj o_proj gate_proj up_proj down_proj", rank=8, alpha=16, dropout=0.0, epochs=1, rate=4e-4, warm=0.03, least=0.03, batch=8, accumulate=2),
    "dissertation": dict(modules="q_proj v_proj", rank=32, alpha=64, dropout=0.05, epochs=3, rate=1e-4, warm=0.05, least=0.0, batch=1, accumulate=8),
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", required=True, help="GGUF file, or a folder in Hugging Face's format")
    p.add_argument("--data", required=True, action="append", help="what nl2sql prompts printed; may be given several times")
    p.add_argument("--out", required=True, help="folder of the adapter and of the checkpoint")
    p.add_argument("--start", help="adapter to go on from, with new data: a folder, or a GGUF file as nl2sql has them")
    p.add_argument("--recipe", choices=RECIPES, default="default")
    for name, value in RECIPES["default"].items():
        p.add_argument("--" + name, type=type(value))
    p.add_argument("--tokens", help="write the batches to this file, which gpu.py trains with, and end")
    p.add_argument("--longest", type=int, default=1000, help="tokens of a schema, beyond which a database is left out")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many, with a checkpoint")
    p.add_argument("--save", type=float, default=5, help="minutes between two checkpoints")
    p.add_argument("--qlora", action="store_true")
    p.add_argument("--eager", action="store_true", help="on a CPU: do not compile the layers, which wants a C++ compiler and makes a step a third shorter")
    o = p.parse_args()
    for name, value in RECIPES[o.recipe].items():
        if getattr(o, name) is None:
            setattr(o, name, value)
    return o


def named(o):
    """What transformers opens a model by: its folder, and the file in it."""
    return (os.path.dirname(o.model) or ".", {"gguf_file": os.path.basename(o.model)}) if o.model.endswith(".gguf") else (o.model, {})


def load(o):
    """Returns the model, with the adapter to go on from, or with one whose second matrices are zero."""
    where, file = named(o)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if o.qlora:
        from peft import prepare_model_for_kbit_training
        from transformers import BitsAndBytesConfig
        four = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16)
        model = prepare_model_for_kbit_training(AutoModelForCausalLM.from_pretrained(where, quantization_config=four, device_map=device))
    else:
        model = AutoModelForCausalLM.from_pretrained(where, dtype=torch.bfloat16, **file).to(device)
    config = LoraConfig(r=o.rank, lora_alpha=o.alpha, lora_dropout=o.dropout, target_modules=o.modules.split(), task_type="CAUSAL_LM")
    model = get_peft_model(model, config).train()
    if o.start:
        set_peft_model_state_dict(model, started(o))
    if device == "cpu" and not o.eager:
        for layer in model.get_base_model().model.layers:
            layer.compile(dynamic=True)
    return model, device


# PEFT's names of the matrices of a layer, by GGUF's.
MATRICES = dict(
    attn_q="self_attn.q_proj", attn_k="self_attn.k_proj", attn_v="self_attn.v_proj", attn_output="self_attn.o_proj",
    ffn_gate="mlp.gate_proj", ffn_up="mlp.up_proj", ffn_down="mlp.down_proj",
)


def read_gguf(path):
    """The weights of a GGUF adapter by PEFT's names, and alpha. Llama's queries and keys, which llama.cpp has in another order, are
    not put back."""
    from gguf import GGUFReader

    file, out = GGUFReader(path), {}
    if file.get_field("general.architecture").contents() == "llama":
        raise SystemExit(f"{path}: a Llama's adapter is read from its folder, not from a GGUF file")
    for t in file.tensors:
        _, layer, matrix, _, side = t.name.split(".")
        out[f"base_model.model.model.layers.{layer}.{MATRICES[matrix]}.lora_{side[-1].upper()}.weight"] = torch.from_numpy(t.data.copy()).float()
    return out, file.get_field("adapter.lora.alpha").contents()


def started(o):
    """The weights to go on from. Rank and alpha must be those of the new adapter."""
    if not o.start.endswith(".gguf"):
        return load_file(os.path.join(o.start, "adapter_model.safetensors"))
    weights, alpha = read_gguf(o.start)
    rank = next(w.shape[0] for name, w in weights.items() if "lora_A" in name)
    if (rank, alpha) != (o.rank, o.alpha):
        raise SystemExit(f"{o.start}: rank {rank} and alpha {alpha:g}; go on with --rank {rank} --alpha {alpha:g}")
    return weights


def batches(o, tok):
    """Returns (prefix, rows of (question, answer)) for each batch, all as tokens; the seed alone decides the order."""
    rng = random.Random(o.seed)

    def render(messages):  # what questions of a database share, and what they do not: turns before a question are its own
        text = tok.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        first = next((i for i, m in enumerate(messages) if m["role"] == "assistant"), len(messages)) - 1
        shared = tok.apply_chat_template(messages[:first], tokenize=False)
        if not text.startswith(shared):
            raise SystemExit("the model's chat template does not render turns one after the other")
        return shared, text[len(shared) :]

    def tokens(text):
        return tok(text, add_special_tokens=False)["input_ids"]

    out = []
    for _ in range(o.epochs):
        for path in o.data:
            groups = collections.defaultdict(list)
            with open(path) as f:
                for line in f:
                    x = json.loads(line)
                    prefix, question = render(x["messages"])
                    groups[prefix].append((question, answer(x["sql"]) + tok.eos_token))
            stage = []
            for prefix, rows in groups.items():
                prefix = tokens(prefix)
                if len(prefix) > o.longest:
                    continue
                rng.shuffle(rows)
                rows = [(tokens(q), tokens(a)) for q, a in rows]
                stage += [(prefix, rows[i : i + o.batch]) for i in range(0, len(rows), o.batch)]
            rng.shuffle(stage)
            out += stage
    return out


def answer(sql):
    """The text that a model should write: names bare where they may be, one line, no semicolon."""
    return re.sub(r"`([A-Za-z_][A-Za-z0-9_]*)`", r"\1", " ".join(sql.split())).rstrip(" ;")


def tree(prefix, rows, device):
    """One row of tokens: the prefix, then all questions with their answers, each of which sees the prefix and itself."""
    ids, pos, part, want = list(prefix), list(range(len(prefix))), [0] * len(prefix), [-100] * len(prefix)
    for i, (q, a) in enumerate(rows, 1):
        n = len(q) + len(a)
        ids += q + a
        pos += range(len(prefix), len(prefix) + n)
        part += [i] * n
        want += [-100] * len(q) + a
    part = torch.tensor(part, device=device)
    n = len(ids)
    seen = torch.ones(n, n, dtype=torch.bool, device=device).tril() & ((part[None, :] == 0) | (part[None, :] == part[:, None]))
    row = lambda x: torch.tensor([x], device=device)
    return row(ids), row(pos), seen[None, None], row(want[1:] + [-100])


def main():
    o = arguments()
    torch.set_num_threads(o.threads)
    torch.manual_seed(o.seed)
    where, file = named(o)
    todo = batches(o, AutoTokenizer.from_pretrained(where, **file))
    if o.tokens:
        with open(o.tokens, "wb") as f:
            pickle.dump(todo, f)
        return
    model, device = load(o)
    steps = -(-len(todo) // o.accumulate)
    opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=o.rate, weight_decay=0.0)
    os.makedirs(o.out, exist_ok=True)
    checkpoint, done, before = os.path.join(o.out, "checkpoint.pt"), 0, 0.0
    if os.path.exists(checkpoint):
        c = torch.load(checkpoint, map_location=device)
        if c["batches"] != len(todo):
            raise SystemExit(f"{checkpoint} is of other data: {c['batches']} batches, here {len(todo)}; take another --out")
        set_peft_model_state_dict(model, c["adapter"])
        opt.load_state_dict(c["optimizer"])
        torch.set_rng_state(c["random"].cpu())
        done, before = c["done"], c["seconds"]
    print(f"{len(todo)} batches, {sum(len(r) for _, r in todo)} questions, from batch {done}", flush=True)

    def save(at):
        c = {"adapter": get_peft_model_state_dict(model), "optimizer": opt.state_dict(), "random": torch.get_rng_state(), "done": at, "batches": len(todo), "seconds": before + time.time() - start}
        torch.save(c, checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)
        model.save_pretrained(o.out, state_dict={k: v.half() for k, v in model.state_dict().items() if "lora_" in k})

    stop = False

    def ask_to_stop(*_):
        nonlocal stop
        stop = True

    for s in (signal.SIGTERM, signal.SIGINT):
        signal.signal(s, ask_to_stop)
    start = saved = time.time()
    base, losses, items = model.get_base_model(), [], 0
    while done < len(todo) and not stop and time.time() - start < 60 * o.minutes:
        step = todo[done : done + o.accumulate]
        for prefix, rows in step:
            ids, pos, seen, want = tree(prefix, rows, device)
            keep = want != -100
            with torch.autocast(device, torch.bfloat16), disable_input_dtype_casting(model):
                hidden = base.model(input_ids=ids, position_ids=pos, attention_mask=seen, use_cache=False)[0]
                logits = base.lm_head(hidden[keep])
            loss = F.cross_entropy(logits.float(), want[keep])
            (loss / len(step)).backward()
            losses.append(loss.item())
            items += len(rows)
        at = done // o.accumulate
        rate = o.rate * min(1.0, (at + 1) / (o.warm * steps + 1), max(o.least, 1 - at / steps))
        for g in opt.param_groups:
            g["lr"] = rate
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        done += len(step)
        if at % 20 == 19 or done >= len(todo):
            seconds = time.time() - start
            print(f"batch {done}/{len(todo)} loss {sum(losses) / len(losses):.4f} rate {rate:.1e} {items / seconds:.2f} questions/s {before + seconds:.0f} s", flush=True)
            losses = []
        if time.time() - saved > 60 * o.save:
            save(done)
            saved = time.time()
    save(done)
    print("done" if done >= len(todo) else f"stopped at batch {done}: the same command goes on", flush=True)


if __name__ == "__main__":
    main()
