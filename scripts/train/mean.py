"""The mean of two LoRA adapters of one model, as one of a rank: of what each adds to a matrix, the nearest product of that rank (SVD).

    python3 scripts/train/mean.py --peft FOLDER --gguf ADAPTER.gguf --rank 8 --out FOLDER

Where both are good, their mean is often better than either (model soups, arXiv 2203.05482)."""
import argparse, json, os

import torch
from safetensors.torch import load_file, save_file

from train import read_gguf


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("peft", "gguf", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--rank", type=int, default=8)
    o = p.parse_args()
    one, (other, alpha) = load_file(os.path.join(o.peft, "adapter_model.safetensors")), read_gguf(o.gguf)
    with open(os.path.join(o.peft, "adapter_config.json")) as f:
        config = json.load(f)
    out, kept = {}, []
    for a in (name for name in one if "lora_A" in name):
        b = a.replace("lora_A", "lora_B")
        scale = config["lora_alpha"] / config["r"], alpha / other[a].shape[0]
        left = torch.cat([one[b].float() * scale[0] / 2, other[b] * scale[1] / 2], 1)
        right = torch.cat([one[a].float(), other[a]])
        ql, rl = torch.linalg.qr(left)
        qr, rr = torch.linalg.qr(right.T)
        u, s, v = torch.linalg.svd(rl @ rr.T)
        kept.append(((s[: o.rank] ** 2).sum() / (s**2).sum()).item())
        root = (s[: o.rank] / 2).sqrt()  # alpha is twice the rank
        out[b] = (ql @ u[:, : o.rank] * root).half().contiguous()
        out[a] = ((v[: o.rank] * root[:, None]) @ qr.T).half().contiguous()
    os.makedirs(o.out, exist_ok=True)
    save_file(out, os.path.join(o.out, "adapter_model.safetensors"))
    with open(os.path.join(o.out, "adapter_config.json"), "w") as f:
        json.dump(config | {"r": o.rank, "lora_alpha": 2 * o.rank}, f)
    print(f"{o.out}: {sum(kept) / len(kept):.3f} of what both add")


main()
