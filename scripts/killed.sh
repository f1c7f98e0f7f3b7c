#!/bin/sh
# killed.sh NL2SQL TIMES DIR COMMAND…: makes a run, or the runs of a grid, that are killed with SIGKILL TIMES times at random and gone on with,
# and such that nobody disturbs, and compares their records. The cards' dates are left out; all else must be the same bytes.
#
#   scripts/killed.sh bin/nl2sql 10 /tmp/killed eval --model qwen2.5-coder-0.5b --items benchmark
#   scripts/killed.sh bin/nl2sql 10 /tmp/killed grid example
#
# KILL_AFTER is the most seconds that a life may have (default 20), KILL_FROM the least (0.5).
set -eu
nl2sql=$1 times=$2 dir=$3
shift 3
rm -rf "$dir/killed" "$dir/whole"
mkdir -p "$dir"
records() { # records DIR: the lines that answers have
	find "$1" -name run.jsonl -exec grep -h '^{"id":' {} + 2>/dev/null | wc -l
}
killed=0
while [ "$killed" -lt "$times" ]; do
	"$nl2sql" "$@" --out "$dir/killed" >"$dir/killed.txt" 2>&1 &
	pid=$!
	life=$(awk -v seed="$pid$killed" -v least="${KILL_FROM:-0.5}" -v most="${KILL_AFTER:-20}" 'BEGIN { srand(seed); print least + rand() * (most - least) }')
	sleep "$life"
	if ! kill -KILL "$pid" 2>/dev/null; then
		cat "$dir/killed.txt" >&2
		echo "it was done after $killed kills: set KILL_AFTER to less than ${KILL_AFTER:-20} seconds" >&2
		exit 1
	fi
	wait "$pid" 2>/dev/null || true
	killed=$((killed + 1))
	echo "kill $killed after $life s: $(records "$dir/killed") records"
done
"$nl2sql" "$@" --out "$dir/killed" >"$dir/killed.txt"
"$nl2sql" "$@" --out "$dir/whole" >"$dir/whole.txt"
for run in killed whole; do
	(cd "$dir/$run" && find . -name run.jsonl | sort | while read -r file; do
		echo "$file"
		sed '1s/"started":"[^"]*"//' "$file"
	done) >"$dir/$run.records"
done
cmp "$dir/killed.records" "$dir/whole.records"
echo "the same: $(records "$dir/whole") records in $(find "$dir/whole" -name run.jsonl | wc -l) folders, $killed kills"
