"""Runs Pagefind: from texts to the files of an index, the same ones for the same texts."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "pagefind_bin"
ENTRY = "pagefind-entry.json"
"""What browsers read first of an index, and never from their cache."""
_NEEDED = ("pagefind.js", "pagefind-worker.js", ENTRY)
"""What the page needs of Pagefind; the rest is a search box, for which this site has its own."""


class SearchFailed(Exception):
    """Pagefind could not make an index."""


def find_pagefind() -> Path | None:
    """The program, from the extra `diglot[search]`; None where it is not installed."""
    package = find_spec(_PACKAGE)
    if package is None or package.origin is None:
        return None
    names = ("pagefind", "pagefind.exe")
    return next((one for name in names if (one := Path(package.origin).with_name(name)).is_file()), None)


def pagefind_version() -> str:
    """The installed version; empty without the extra."""
    program = find_pagefind()
    if program is None:
        return ""
    beside = os.listdir(program.parent.parent)  # importlib.metadata would take 20 ms to load
    found = (one for one in beside if one.startswith(f"{_PACKAGE}-") and one.endswith(".dist-info"))
    return next(found, "-unknown.").removesuffix(".dist-info").rpartition("-")[2]


def make_index(texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the index of pages, by their paths in its folder.

    `texts` are what `search_text` gave, by the page's path from the site's root, as in `zh/posts/moe/`. All
    are in the same language. Raises SearchFailed.
    """
    import subprocess  # noqa: PLC0415  (only sites with a search need it)
    import tempfile  # noqa: PLC0415  (only sites with a search need it)

    program = find_pagefind()
    if program is None:
        raise SearchFailed("Pagefind is not installed")
    with tempfile.TemporaryDirectory(prefix="diglot-search-") as made:
        pages, index = Path(made, "pages"), Path(made, "index")
        for path, text in texts.items():
            file = pages / path / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
        command = [str(program), "--site", str(pages), "--output-path", str(index), "--quiet"]
        surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PAGEFIND_")}
        ran = subprocess.run(command, cwd=made, env=surroundings, capture_output=True, check=False)
        if ran.returncode:
            raise SearchFailed(ran.stderr.decode("utf-8", "replace").strip() or f"exit code {ran.returncode}")
        return {
            path: file.read_bytes()
            for file in sorted(index.rglob("*"))
            if file.is_file() and _is_needed(path := file.relative_to(index).as_posix())
        }


def _is_needed(path: str) -> bool:
    return (
        path in _NEEDED
        or path.endswith((".pf_fragment", ".pf_index", ".pf_meta"))
        or path.startswith("wasm.")
    )
