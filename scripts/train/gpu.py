"""Trains a LoRA adapter of all seven matrices of a Qwen2 model on one NVIDIA GPU, with the batches that train.py wrote:

    python3 scripts/train/train.py --model model.gguf --data prompts.jsonl --out x --tokens batches.pkl
    python3 scripts/train/gpu.py --model model.gguf --data batches.pkl --out adapter

It needs torch, gguf and safetensors alone. The same loss as train.py's, on the same batches; what differs is how it is computed:
batches of a step are one row of tokens as far as --row goes, and the model is the few products that it is, since a GPU waits for the
many small steps of a general library (36 questions a second became 195 with an H200 and the 0.5b). On a CPU, with --dtype float32, it
gives train.py's losses to four digits."""
import argparse, json, math, os, pickle, time
from concurrent.futures import ThreadPoolExecutor

import gguf
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch.nn.attention import SDPBackend, sdpa_kernel

# Names of the adapted matrices in PEFT's files.
MATRICES = dict(
    q="self_attn.q_proj", k="self_attn.k_proj", v="self_attn.v_proj", o="self_attn.o_proj",
    g="mlp.gate_proj", u="mlp.up_proj", d="mlp.down_proj",
)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", required=True, help="GGUF file of a Qwen2")
    p.add_argument("--data", required=True, help="what train.py --tokens wrote")
    p.add_argument("--out", required=True, help="folder of the adapter, as PEFT has them")
    p.add_argument("--rank", type=int, default=8)
    p.add_argument("--alpha", type=float, default=16)
    p.add_argument("--rate", type=float, default=5e-4, help="the highest learning rate, which rises over the first 3 % of the steps and falls to 3 % of itself")
    p.add_argument("--accumulate", type=int, default=4, help="batches of a step of the optimiser")
    p.add_argument("--steps", type=int, default=1 << 30, help="no more steps than these")
    p.add_argument("--row", type=int, default=6144, help="tokens that are evaluated as one row")
    p.add_argument("--dtype", default="bfloat16")
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


class Model:
    """A Qwen2 with the weights of a GGUF file, which stay as they are, and low-rank matrices beside seven of each layer's."""

    def __init__(self, o, device):
        self.device, self.type, self.rank, self.scale = device, getattr(torch, o.dtype), o.rank, o.alpha / o.rank
        file = gguf.GGUFReader(o.model)
        of = lambda key: file.get_field("qwen2." + key).contents()
        self.depth, self.width, self.heads, self.groups = (of(k) for k in ("block_count", "embedding_length", "attention.head_count", "attention.head_count_kv"))
        self.epsilon, self.base, self.inner = of("attention.layer_norm_rms_epsilon"), of("rope.freq_base"), of("feed_forward_length")
        self.head = self.width // self.heads
        whole = lambda t: (t.name, torch.from_numpy(gguf.dequantize(t.data, t.tensor_type).copy()).to(self.type))
        with ThreadPoolExecutor(8) as several:
            w = {name: t.to(device) for name, t in several.map(whole, sorted(file.tensors, key=lambda t: -t.n_elements))}
        self.embedding, self.norm = w["token_embd.weight"], w["output_norm.weight"]
        self.out = w.get("output.weight", self.embedding)
        self.layers = []
        for i in range(self.depth):
            at = lambda *names: torch.cat([w.pop(f"blk.{i}.{n}") for n in names])
            self.layers.append(dict(
                before=at("attn_norm.weight"), qkv=at("attn_q.weight", "attn_k.weight", "attn_v.weight"), bias=at("attn_q.bias", "attn_k.bias", "attn_v.bias"),
                o=at("attn_output.weight"), between=at("ffn_norm.weight"), gu=at("ffn_gate.weight", "ffn_up.weight"), d=at("ffn_down.weight"),
            ))
        self.adapt()

    def adapt(self):
        """Makes the low-rank matrices: master ones of 32 bits that the optimiser steps, and those of the model's type that are evaluated.
        A's that read the same are one matrix. They begin as PEFT's do: A's are random, B's are zero."""
        q, kv, d, f = self.heads * self.head, self.groups * self.head, self.width, self.inner
        wide = dict(q=q, k=kv, v=kv, o=d, g=f, u=f, d=d)
        self.master, self.adapters = [], []
        for _ in range(self.depth):
            some = dict(qkvA=self.random(d, 3), oA=self.random(q, 1), guA=self.random(d, 2), dA=self.random(f, 1))
            some |= {m + "B": torch.zeros(n, self.rank) for m, n in wide.items()}
            self.master += [t.to(self.device) for t in some.values()]
            self.adapters.append({name: t.to(self.device, self.type, copy=True).requires_grad_() for name, t in some.items()})
        self.trained = [t for a in self.adapters for t in a.values()]

    def random(self, n, times):
        return torch.cat([torch.nn.init.kaiming_uniform_(torch.empty(self.rank, n), a=math.sqrt(5)) for _ in range(times)])

    def __call__(self, ids, positions, mask, keep):
        """Logits of the tokens that keep numbers."""
        n, r, q, kv, f = len(ids), self.rank, self.heads * self.head, self.groups * self.head, self.inner
        add = lambda product, low, b: torch.addmm(product, low, b.t(), alpha=self.scale)
        norm = lambda x, w: F.rms_norm(x, (self.width,), w, self.epsilon)
        angle = positions.float()[:, None] / self.base ** (torch.arange(0, self.head, 2, device=self.device) / self.head)
        cos, sin = angle.cos().to(self.type)[:, None], angle.sin().to(self.type)[:, None]
        x = F.embedding(ids, self.embedding)
        for w, a in zip(self.layers, self.adapters):
            h = norm(x, w["before"])
            low, z = h @ a["qkvA"].t(), F.linear(h, w["qkv"], w["bias"])
            qk = torch.cat([add(z[:, :q], low[:, :r], a["qB"]), add(z[:, q : q + kv], low[:, r : 2 * r], a["kB"])], 1).view(n, -1, self.head)
            v = add(z[:, q + kv :], low[:, 2 * r :], a["vB"]).view(n, -1, self.head)
            first, second = qk.chunk(2, -1)
            qk = torch.cat([first * cos - second * sin, second * cos + first * sin], -1)
            k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (qk[:, self.heads :], v))
            h = F.scaled_dot_product_attention(*(t.transpose(0, 1)[None] for t in (qk[:, : self.heads], k, v)), attn_mask=mask)
            h = h[0].transpose(0, 1).reshape(n, q)
            x = x + add(F.linear(h, w["o"]), h @ a["oA"].t(), a["oB"])
            h = norm(x, w["between"])
            low, z = h @ a["guA"].t(), F.linear(h, w["gu"])
            h = F.silu(add(z[:, :f], low[:, :r], a["gB"])) * add(z[:, f:], low[:, r:], a["uB"])
            x = x + add(F.linear(h, w["d"]), h @ a["dA"].t(), a["dB"])
        return F.linear(norm(x[keep], self.norm), self.out)

    def save(self, folder, alpha):
        r, out, master = self.rank, {}, iter(self.master)
        for i, a in enumerate(self.adapters):
            m = {name: next(master).half().cpu() for name in a}
            read = dict(zip("qkv", m["qkvA"].split(r))) | dict(zip("gu", m["guA"].split(r))) | dict(o=m["oA"], d=m["dA"])
            for name, at in MATRICES.items():
                at = f"base_model.model.model.layers.{i}.{at}."
                out[at + "lora_A.weight"], out[at + "lora_B.weight"] = read[name].contiguous(), m[name + "B"].contiguous()
        os.makedirs(folder, exist_ok=True)
        save_file(out, os.path.join(folder, "adapter_model.safetensors"))
        with open(os.path.join(folder, "adapter_config.json"), "w") as f:
            modules = [at.split(".")[1] for at in MATRICES.values()]
            json.dump(dict(peft_type="LORA", task_type="CAUSAL_LM", r=r, lora_alpha=alpha, lora_dropout=0.0, bias="none", target_modules=modules), f)


def packed(step, most):
    """The batches of a step in lists of which each is evaluated as one row: of at most so many tokens, or of one batch."""
    out, room = [], 0
    for prefix, rows in step:
        n = len(prefix) + sum(len(q) + len(a) for q, a in rows)
        if n > room:
            out.append([])
            room = most
        out[-1].append((prefix, rows))
        room -= n
    return out


def tree(batches, model):
    """One row of tokens: of each batch the prefix, then all questions with their answers, each of which sees its prefix and itself.
    weight is what a token of an answer counts: the answers of each batch count as much together."""
    ids, pos, batch, part, want, weight = [], [], [], [], [], []
    for b, (prefix, rows) in enumerate(batches):
        share = 1 / sum(len(a) for _, a in rows)
        for i, (q, a) in enumerate([(prefix, [])] + rows):
            n, at = len(q) + len(a), len(prefix) if i else 0
            ids += q + a
            pos += range(at, at + n)
            batch += [b] * n
            part += [i] * n
            want += [-100] * len(q) + a
            weight += [0.0] * len(q) + [share] * len(a)
    more = -len(ids) % 16  # a GPU's attention wants masks of whole lanes
    lists = [ids + [0] * more, pos + [0] * more, batch + [-1] * more, part + [0] * more, (want + [-100] * more)[1:] + [-100]]
    ids, pos, batch, part, want = torch.tensor(lists, device=model.device)
    weight = torch.tensor((weight + [0.0] * more)[1:] + [0.0], device=model.device)
    n = len(ids)
    seen = torch.ones(n, n, dtype=torch.bool, device=model.device).tril() & (batch[None] == batch[:, None]) & ((part[None] == 0) | (part[None] == part[:, None]))
    mask = torch.zeros(n, n, dtype=model.type, device=model.device).masked_fill(~seen, -math.inf)[None, None]
    keep = (want != -100).nonzero()[:, 0]
    return ids, pos, mask, keep, want[keep], weight[keep]


class AdamW:
    """Steps the master matrices, without decay, by gradients of a norm of at most 1."""

    def __init__(self, model):
        self.model, self.at = model, 0
        self.mean, self.square = ([torch.zeros_like(t) for t in model.master] for _ in range(2))

    def step(self, rate):
        m, self.at = self.model, self.at + 1
        grads = [t.grad.float() for t in m.trained]
        norm = torch.stack(torch._foreach_norm(grads)).norm()
        torch._foreach_mul_(grads, torch.clamp(1 / (norm + 1e-6), max=1.0))
        torch._foreach_lerp_(self.mean, grads, 0.1)
        torch._foreach_mul_(self.square, 0.999)
        torch._foreach_addcmul_(self.square, grads, grads, 0.001)
        deviation = torch._foreach_sqrt(torch._foreach_div(self.square, 1 - 0.999**self.at))
        torch._foreach_add_(deviation, 1e-8)
        torch._foreach_addcdiv_(m.master, self.mean, deviation, -rate / (1 - 0.9**self.at))
        with torch.no_grad():
            torch._foreach_copy_(m.trained, m.master)
        for t in m.trained:
            t.grad = None


def main():
    o = arguments()
    torch.manual_seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Model(o, device)
    with open(o.data, "rb") as f:
        todo = pickle.load(f)
    steps = min(-(-len(todo) // o.accumulate), o.steps)
    optimiser, start, losses, items = AdamW(model), time.time(), [], 0
    with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION] if device == "cuda" else [SDPBackend.MATH]):
        for at in range(steps):
            step = todo[at * o.accumulate : (at + 1) * o.accumulate]
            for together in packed(step, o.row):
                *row, want, weight = tree(together, model)
                loss = (F.cross_entropy(model(*row).float(), want, reduction="none") * weight).sum()
                (loss / len(step)).backward()
                losses.append(loss.detach() / len(together))
                items += sum(len(rows) for _, rows in together)
            rate = o.rate * min(1.0, (at + 1) / (0.03 * steps + 1), max(0.03, 1 - at / steps))
            optimiser.step(rate)
            if at % 50 == 49 or at == steps - 1:
                mean, seconds = (sum(losses) / len(losses)).item(), time.time() - start
                print(f"step {at + 1}/{steps} loss {mean:.4f} rate {rate:.1e} {items / seconds:.1f} questions/s {seconds:.0f} s", flush=True)
                if not math.isfinite(mean):
                    raise SystemExit("the loss is no number any more")
                losses = []
    model.save(o.out, o.alpha)


main()
