#!/bin/sh
# Makes the image with buildah and asks it a question, as its user. Needs buildah (Debian: apt-get install buildah),
# bin/nl2sql (make) and a model (make model). Run it in the module's root: sh scripts/container/try.sh [MODEL]
set -eu
model=${1:-$(make -s model)}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work=$(mktemp -d)
trap 'buildah rm "$box" >/dev/null; rm -rf "$work"' EXIT
buildah build -q -t nl2sql -f scripts/container/Containerfile bin >/dev/null
box=$(buildah from nl2sql)
test "$(buildah inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' nl2sql)" = '65532:65532 [/nl2sql]'
chmod 1777 "$work"
buildah run -v "$work:/tmp" -v "$(dirname "$model"):/models:ro" "$box" -- /nl2sql ask --format csv --trace /tmp/trace \
  --model "/models/$(basename "$model")" 'How many orders were shipped?'
test "$(stat -c %u "$work/trace")" = 65532
