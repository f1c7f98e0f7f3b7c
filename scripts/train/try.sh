#!/bin/sh
# A small training from end to end, in minutes: a run that is cut off and goes on ends with the adapter of one that was not,
# its loss falls, and nl2sql answers with it.
#   sh scripts/train/try.sh MODEL.gguf [PYTHON]
set -eu
model=$1 python=${2:-python3} here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nl2sql=${NL2SQL:-bin/nl2sql}

"$nl2sql" prompts --items train --prompts typed | head -n 48 > "$work/prompts.jsonl"
train() { "$python" "$here/train.py" --eager --seed 7 --model "$model" --data "$work/prompts.jsonl" --out "$@"; }
train "$work/whole" > "$work/whole.log" 2> "$work/err" || { cat "$work/err" >&2; exit 1; }
for _ in 1 2 3 4 5 6; do
	train "$work/cut" --minutes 0.01 > "$work/cut.log" 2> "$work/err" || { cat "$work/err" >&2; exit 1; }
	if grep -q '^done' "$work/cut.log"; then break; fi
done
grep -q '^done' "$work/cut.log" || { echo "the run that was cut off did not end" >&2; exit 1; }
cat "$work/whole.log"
cmp "$work/whole/adapter_model.safetensors" "$work/cut/adapter_model.safetensors"
"$nl2sql" ask --model "$model" --adapter "$work/whole" --prompts typed "How many customers are there?"
echo "the same adapter, cut off or not"
