"""Finds the task that a person names on the command line: by address, figure or article."""

import re
from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.manifest import Manifest

_ADDRESS = re.compile(r"(https?://[^/]+)?/?(?P<path>.*)")


def key_of(target: str, manifest: Manifest | None, known: Mapping[str, Key]) -> Key | None:
    """The task behind a page's address, an output path, a figure or an article; None if there is none."""
    if target in known:
        return known[target]
    match = _ADDRESS.fullmatch(target)
    path = match["path"] if match else target
    for output in manifest.outputs if manifest else ():
        if output.path in (path, f"{path}index.html", f"{path}/index.html"):
            return output.key
    return None
