#!/bin/sh
# Unpacks an archive of nl2sql that lies here, and does nothing else: no network, no root, no file outside the folder.
#
#   sh install.sh nl2sql-VERSION-linux-amd64.tar.gz [FOLDER]     # /usr/local for root, else ~/.local
#
# To remove it: rm FOLDER/bin/nl2sql FOLDER/share/man/man1/nl2sql.1 FOLDER/share/*/*/*nl2sql* and FOLDER/share/doc/nl2sql.
set -eu
archive=${1:?name the archive: sh install.sh nl2sql-VERSION-linux-ARCH.tar.gz [FOLDER]}
if [ "$(id -u)" = 0 ]; then to=${2:-/usr/local}; else to=${2:-$HOME/.local}; fi
case $archive:$(uname -m) in
*-amd64.tar.gz:x86_64 | *-arm64.tar.gz:aarch64) ;;
*) echo "install.sh: $archive is not for this machine ($(uname -m))" >&2; exit 1 ;;
esac
sums=$(dirname "$archive")/SHA256SUMS
if [ -e "$sums" ]; then
	want=$(grep " $(basename "$archive")\$" "$sums") || { echo "install.sh: $sums does not name $archive" >&2; exit 1; }
	(cd "$(dirname "$archive")" && echo "$want" | sha256sum -c --quiet -)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$archive" -C "$work"
from=$(echo "$work"/nl2sql-*)
put() { # MODE FILE PLACE
	mkdir -p "$(dirname "$to/$3")"
	cp "$from/$2" "$to/$3.new" && chmod "$1" "$to/$3.new" && mv "$to/$3.new" "$to/$3"
}
put 755 nl2sql bin/nl2sql
put 644 nl2sql.1 share/man/man1/nl2sql.1
put 644 completions/nl2sql.bash share/bash-completion/completions/nl2sql
put 644 completions/nl2sql.zsh share/zsh/site-functions/_nl2sql
put 644 completions/nl2sql.fish share/fish/vendor_completions.d/nl2sql.fish
put 644 LICENSE share/doc/nl2sql/LICENSE
echo "installed $to/bin/nl2sql"
case :$PATH: in *:"$to/bin":*) ;; *) echo "put $to/bin into PATH, to type nl2sql alone" ;; esac
