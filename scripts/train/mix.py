"""Mixes files of prompts into epochs to train on: of each file a share, another part of it in each epoch.

    python3 scripts/train/mix.py --never check.jsonl,judging.jsonl --out epoch fit.jsonl=1 written.jsonl=1 broad.jsonl=.42 pairs.jsonl=.4

writes epoch1.jsonl, epoch2.jsonl and epoch3.jsonl. A question that a file of --never has, but for its case and signs, is left out. --asked SHARE turns
as many prompts round: the query is read and the question is written, as a vote asks for it (prompt reconstruct). The same seed gives the same bytes."""
import argparse, json, os, random, re

from train import answer


def questions(path):
    for line in open(path):
        x = json.loads(line)
        yield x.get("nlq") or x["question"]


def bare(text):
    return re.sub(r"\W+", " ", text.lower()).strip()


def part(lines, share, epoch):
    n = int(len(lines) * share)
    at = (epoch - 1) * n % max(1, len(lines))
    return (lines + lines)[at : at + n]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="+", metavar="FILE=SHARE")
    p.add_argument("--never", default="", help="files of items, with commas")
    p.add_argument("--asked", type=float, default=0)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--out", required=True)
    p.add_argument("--seed", type=int, default=11)
    o = p.parse_args()
    rng, sources, plain = random.Random(o.seed), [], []
    never = {bare(q) for path in o.never.split(",") if path for q in questions(path)}
    for named in o.files:
        path, share = named.rsplit("=", 1)
        lines = [json.loads(line) for line in open(path)]
        lines = [x for x in lines if bare(x["messages"][-1]["content"].split("\n")[0]) not in never]
        for x in lines:
            for m in x["messages"]:
                if m["role"] == "assistant" and rng.random() < 0.85:  # queries of turns before, mostly as a model writes them
                    m["content"] = answer(m["content"])
        rng.shuffle(lines)
        sources.append((lines, float(share)))
        plain += [x for x in lines if len(x["messages"]) == 2 and "\nThis query is wrong" not in x["messages"][1]["content"]]
    if o.asked:
        with open(os.path.join(os.path.dirname(__file__), "../../assets/prompts/default/reconstruct.tmpl")) as f:
            asks = re.search('{{define "question"}}(.*){{end}}', f.read(), re.S)[1]
        turned = [
            x | {"messages": [x["messages"][0], {"role": "user", "content": asks.replace("{{.SQL}}", answer(x["sql"]))}], "sql": x["messages"][1]["content"].split("\nHints:")[0]}
            for x in plain
        ]
        rng.shuffle(turned)
        sources.append((turned, o.asked))
    for epoch in range(1, o.epochs + 1):
        lines = [x for all, share in sources for x in part(all, share, epoch)]
        rng.shuffle(lines)
        with open(f"{o.out}{epoch}.jsonl", "w") as f:
            for x in lines:
                f.write(json.dumps(x, ensure_ascii=False) + "\n")
        print(f"{o.out}{epoch}.jsonl: {len(lines)}")


main()
