#!/bin/sh
# killed.sh NL2SQL TIMES DIR EVAL-FLAGS…: makes a run that is killed with SIGKILL TIMES times at random and gone on with, and one
# that nobody disturbs, and compares their records. The card's date is left out; all else must be the same bytes.
#
#   scripts/killed.sh bin/nl2sql 10 /tmp/killed --model qwen2.5-coder-0.5b --items benchmark
#
# KILL_AFTER is the most seconds that a life may have (default 20).
set -eu
nl2sql=$1 times=$2 dir=$3
shift 3
rm -rf "$dir/killed" "$dir/whole"
mkdir -p "$dir"
killed=0
while [ "$killed" -lt "$times" ]; do
	"$nl2sql" eval "$@" --out "$dir/killed" >"$dir/killed.txt" &
	pid=$!
	life=$(awk -v seed="$pid$killed" -v most="${KILL_AFTER:-20}" 'BEGIN { srand(seed); print 0.5 + rand() * (most - 0.5) }')
	sleep "$life"
	if ! kill -KILL "$pid" 2>/dev/null; then
		echo "the run was done after $killed kills: set KILL_AFTER to less than ${KILL_AFTER:-20} seconds" >&2
		exit 1
	fi
	wait "$pid" 2>/dev/null || true
	killed=$((killed + 1))
	records=0
	[ ! -f "$dir/killed/run.jsonl" ] || records=$(grep -c '^{"id":' "$dir/killed/run.jsonl" || true)
	echo "kill $killed after $life s: $records records"
done
"$nl2sql" eval "$@" --out "$dir/killed"
"$nl2sql" eval "$@" --out "$dir/whole"
for run in killed whole; do
	sed '1s/"started":"[^"]*"//' "$dir/$run/run.jsonl" >"$dir/$run.records"
done
cmp "$dir/killed.records" "$dir/whole.records"
echo "the same: $(grep -c '^{"id":' "$dir/whole.records") records, $killed kills"
