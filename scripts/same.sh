#!/bin/sh
# same.sh OLD NEW DATA MODEL WORK: runs two programs over the same data, and compares every byte that they write. For changes that are to change nothing.
# DATA holds classicmodels.sql, dissertation/ and spider-mysql/; MODEL is a GGUF file; WORK is a folder for what they write.
set -eu
[ $# = 5 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 80; }
data=$3 model=$4 work=$5
spider=$data/spider-mysql runs=$data/dissertation
mkdir -p "$work"
python3 - "$spider/items.csv" > "$work/golds.ndjson" <<'PY'
import csv, json, sys
for r in csv.DictReader(open(sys.argv[1])):
    print(json.dumps({"sql": r["sql"], "question": r["question"], "database": r["database"]}, ensure_ascii=False))
PY
both() { # both NAME ARGUMENTS…: what it prints and its exit code, of the old program and of the new one
	name=$1; shift
	for side in old new; do
		program=$old; [ $side = old ] || program=$new
		mkdir -p "$work/$side"
		code=0; (cd "$work/$side" && "$program" "$@" > "$name.out" 2> "$name.err") || code=$?
		sed -i '/^prompt tokens: /d' "$work/$side/$name.out" # how much of them was known from earlier programs
		echo "$code" > "$work/$side/$name.code"
	done
	if cmp -s "$work/old/$name.out" "$work/new/$name.out" && cmp -s "$work/old/$name.code" "$work/new/$name.code"; then
		echo "same    $name ($(wc -c < "$work/new/$name.out") bytes, exit $code)"
	else
		echo "OTHER   $name"; failed=1
	fi
}
failed=0
old=$(realpath "$1") new=$(realpath "$2")
both check check --schemas "$spider/databases" --file "$work/golds.ndjson"
both strict check --strict --schemas "$spider/databases" --file "$work/golds.ndjson"
both diff db diff --against local:mysql --items "$spider/items.csv" --databases "$spider/databases"
both eval eval --model "$model" --limit 40 --first --out run
for side in old new; do # the card's first line names commit, program and date
	tail -n +2 "$work/$side/run/run.jsonl" > "$work/$side/records.jsonl"
	head -1 "$work/$side/run/run.jsonl" | python3 -c 'import json,sys; c=json.load(sys.stdin); [c.pop(k, None) for k in ("commit", "binary_sha256", "started", "machine")]; print(json.dumps(c, sort_keys=True))' > "$work/$side/card.json"
done
cmp "$work/old/records.jsonl" "$work/new/records.jsonl" && cmp "$work/old/card.json" "$work/new/card.json" && echo "same    run.jsonl" || failed=1
rm -rf "$work/new/run" && cp -r "$work/old/run" "$work/new/run" # the reports below are of one run
both replay replay "$runs/runs" --rules --left --db "author:embedded:$data/classicmodels.sql"
both rescore rescore "$runs/runs" --profile dissertation --db "author:embedded:$data/classicmodels.sql"
both published report "$runs" --format json
for format in markdown latex html json; do both "report-$format" report run --format $format; done
both report-csv report run --format csv --out csv
diff -r "$work/old/csv" "$work/new/csv" && echo "same    the CSV files" || failed=1
both reproduce reproduce --runs "$runs/runs" --dump "$data/classicmodels.sql" --db embedded
exit $failed
