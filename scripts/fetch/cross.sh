#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
exec "$root/usr/bin/aarch64-linux-gnu-${0##*/}" --sysroot="$root" "$@"
