#!/bin/sh
# diglot for a harness that knows plain posts alone: converts the folder it is called in once, in place, then is
# the diglot command (that of DIGLOT, a command line, else `diglot` on the path). The cache is where such a harness
# removes it before a cold build, in .cache.
set -eu
if [ -d posts ]; then
    [ -e site/site.yaml ] || "${PYTHON:-python3}" "$(dirname "$0")/plain_layout.py" . >&2
    [ -L .diglot ] || ln -s .cache .diglot
    mkdir -p .cache
fi
# Quiet, as the other tools are run: a corpus whose halves differ prints a thousand warnings.
exec ${DIGLOT:-diglot} --quiet "$@"
