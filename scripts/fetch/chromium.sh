#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
libs="$here/usr/lib/x86_64-linux-gnu"
export LD_LIBRARY_PATH="$here/usr/lib/chromium:$libs:$libs/pulseaudio:$here/lib/x86_64-linux-gnu"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/usr/lib/chromium/chromium" "$@"
