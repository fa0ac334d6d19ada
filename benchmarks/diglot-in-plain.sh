#!/bin/sh
# diglot for a harness that only knows plain posts: converts the current folder in place on the first call, then runs
# diglot (the command line in DIGLOT, else `diglot` on the path). The cache is in .cache, which such a harness removes
# before a cold build.
set -eu
if [ -d posts ]; then
    [ -e site/site.yaml ] || "${PYTHON:-python3}" "$(dirname "$0")/plain_layout.py" . >&2
    [ -L .diglot ] || ln -s .cache .diglot
    mkdir -p .cache
fi
# Quiet, like the other tools: a corpus whose halves differ causes a thousand warnings.
exec ${DIGLOT:-diglot} --quiet "$@"
