#!/usr/bin/env bash
# gpu.sh OUT [FOLDER_OF_SPIDER]: builds nl2sql for the GPU of this machine, tests it and measures it, into the folder OUT;
# 10 minutes on 16 cores. The models lie in the cache folder before (make setup; bin/nl2sql model fetch
# qwen2.5-coder-1.5b). LLAMA_BENCH names a llama-bench with CUDA for the ceilings beside. A step that fails is told, and
# the next begins.
set -uo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 80; }
out=$(mkdir -p "$1" && cd "$1" && pwd) spider=${2:-}
cd "$(dirname "$0")/../.."
gpu=$(nvidia-smi --query-gpu=name,compute_cap,memory.total --format=csv,noheader 2>/dev/null | head -1)
[ -n "$gpu" ] || { echo "gpu.sh: nvidia-smi finds no GPU here" >&2; exit 1; }
arch=$(cut -d, -f2 <<<"$gpu" | tr -d ' .')
failed=0

# step NAME COMMAND...: what it prints is in OUT/NAME.txt; its seconds and the processor's beside its result.
step() {
	local name=$1 began=$SECONDS rc
	shift
	: >"$out/$name.gpu"
	nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv,noheader,nounits -l 1 >"$out/$name.gpu" 2>/dev/null &
	local watch=$!
	{ TIMEFORMAT='processor %U s'; time "$@"; } >"$out/$name.txt" 2>&1
	rc=$?
	kill "$watch" 2>/dev/null
	[ $rc = 0 ] || failed=1
	awk -F, -v what="$name: exit code $rc, $((SECONDS - began)) s" \
		'{n++; u += $1; if ($2 > m) m = $2} END {printf "%s, GPU %d %% busy, %d MiB at most\n", what, n ? u / n : 0, m}' \
		"$out/$name.gpu" | tee -a "$out/summary.txt"
}

model() { echo "${NL2SQL_CACHE:-$HOME/.cache/nl2sql}/models/qwen2.5-coder-$1-instruct-q4_k_m.gguf"; }

# together N: that many processes at once; each answers, on the GPU or on the processor with a warning.
together() {
	local pids=() rc=0 i
	for ((i = 0; i < $1; i++)); do bin/nl2sql ask --gpu-layers 99 --model "$(model 0.5b)" "How many orders were shipped?" & pids+=($!); done
	for i in "${pids[@]}"; do wait "$i" || rc=$?; done
	return $rc
}

echo "$gpu, $(nproc) cores, $(git rev-parse --short HEAD)" | tee "$out/summary.txt"
step build make cuda CUDA_ARCHS="$arch"
step doctor bin/nl2sql doctor
env=$(go run -trimpath -tags netgo,osusergo ./scripts/fetch cgoenv "$(go env GOHOSTARCH)")
step exact bash -c "eval '$env'; go test -count 1 -timeout 8m -trimpath -tags netgo,osusergo,llamacpp,cuda ./llm/llamacpp \
	-run 'TestExact\$|TestShared|TestFailedAllocations|TestMemory' -v -gpu -1 -cuda '$PWD/bin/lib'"
for size in 0.5b 1.5b; do
	[ -f "$(model $size)" ] || { echo "$size: no model in the cache folder" | tee -a "$out/summary.txt"; failed=1; continue; }
	for mode in "" --fast; do
		for adapter in auto none; do
			step "bench-$size-$adapter$mode" bin/nl2sql --gpu-layers 99 model bench --model "$(model $size)" --rounds 1 \
				--adapter $adapter --sequences 1,8,40 --format plain $mode
		done
	done
	[ -z "${LLAMA_BENCH:-}" ] || step "ceiling-$size" "$LLAMA_BENCH" -m "$(model $size)" -ngl 99 -fa 1 -p 512 -n 64
	[ -z "$spider" ] && continue
	[ -f "$out/check.jsonl" ] || go run ./scripts/quality items -side check -spider "$spider" >"$out/check.jsonl"
	for mode in "" --fast; do
		step "eval-$size$mode" bin/nl2sql eval --gpu-layers 99 --model "$(model $size)" --items "$out/check.jsonl" --notes none \
			--databases "$spider/databases" --limit 300 $mode --out "$out/run-$size$mode"
	done
done
step fourteen together 14
exit $failed
