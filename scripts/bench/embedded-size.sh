#!/bin/sh
# Prints what the embedded database adds to a binary: megabytes, and seconds of compiling with a cold build cache.
# Both programs hold the SQL parser and the checker, which every database needs. Run it in the repository's root.
set -eu
root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cp go.mod go.sum "$dir"
cd "$dir"
go mod edit -module size -require nl2sql@v0.0.0 -replace "nl2sql=$root"
for kind in without with; do
	mkdir $kind
	more= call=
	[ $kind = without ] || more='import "nl2sql/runner/embedded"' call='embedded.Open(context.Background(), "", runner.Limits{})'
	printf 'package main\n\nimport "context"\nimport "nl2sql/runner"\nimport "nl2sql/sqlcheck"\n%s\n\nfunc main() {\n\tsqlcheck.Check("", nil)\n\trunner.Open(context.Background(), "", runner.Limits{})\n\t%s\n}\n' "$more" "$call" > $kind/main.go
	start=$(date +%s)
	CGO_ENABLED=0 GOCACHE="$dir/cache-$kind" go build -trimpath -ldflags '-s -w' -o "out-$kind" ./$kind
	end=$(date +%s)
	echo "$kind $(wc -c < "out-$kind") $((end - start))"
done | awk '{ size[$1] = $2 / 1e6; took[$1] = $3; printf "%-8s %6.1f MB %5d s\n", $1, size[$1], took[$1] }
	END { printf "%-8s %6.1f MB %5d s\n", "added", size["with"] - size["without"], took["with"] - took["without"] }'
