"""Writes pyrandom.jsonl: what Python's random.sample draws. python3 pyrandom.py > pyrandom.jsonl"""
import json
import random

SEEDS = [0, 1, 7, -7, 17, 97, 2**31, 2**32 - 1, 2**32, 2**64 + 3, -(2**100) - 1,
         "", "a", "7:", "7:how many orders are there?", "47:größte bestellung", "x" * 500]
SIZES = [(1, 1), (2, 1), (21, 3), (22, 3), (21, 5), (22, 5), (84, 6), (85, 6), (86, 6), (85, 21), (86, 21), (87, 22),
         (277, 22), (278, 22), (199, 3), (200, 0), (121, 121), (199, 199), (1000, 3), (1000, 300), (70000, 4), (2**24, 9)]

for seed in SEEDS:
    for first in range(0, len(SIZES), 4):  # several draws from one generator, as a run makes them
        rng = random.Random(seed)
        draws = [[n, k, rng.sample(range(n), k)] for n, k in SIZES[first:first + 4]]
        if any(len(d[2]) > 100 for d in draws):  # long ones by their ends and a check sum
            draws = [[n, k, s if len(s) <= 100 else s[:5] + s[-5:] + [sum(i * x for i, x in enumerate(s))]] for n, k, s in draws]
        print(json.dumps({"seed": seed, "draws": draws}, ensure_ascii=False))
