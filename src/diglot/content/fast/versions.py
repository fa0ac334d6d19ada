"""The library versions that `content.fast` was verified with, and whether those are installed.

`python -m pytest tests/content/fast` verifies the installed versions; where it passes, they may be added
here.
"""

import functools
import os
import sys
from collections.abc import Mapping
from importlib import import_module

PLAIN_VARIABLE = "DIGLOT_PLAIN"
"""Name of an environment variable: where it is set, the libraries run unchanged. For tests."""

VERIFIED: Mapping[str, tuple[str, ...]] = {
    "markdown-it-py": ("4.3.0",),
    "mdit-py-plugins": ("0.7.0",),
    "Pygments": ("2.19.0", "2.19.1", "2.19.2", "2.20.0", "2.21.0"),
    "Python": ("3.11", "3.12", "3.13"),
}

_MODULES = {"markdown-it-py": "markdown_it", "mdit-py-plugins": "mdit_py_plugins", "Pygments": "pygments"}


@functools.cache
def are_verified(*libraries: str) -> bool:
    """Whether the installed versions of these libraries are all verified."""
    if os.environ.get(PLAIN_VARIABLE) not in (None, "", "0"):
        return False
    return all(_installed(library) in VERIFIED[library] for library in libraries)


def _installed(library: str) -> str:
    """The installed version, without `importlib.metadata`, which would take 20 ms."""
    if library == "Python":
        return ".".join(map(str, sys.version_info[:2]))
    return str(import_module(_MODULES[library]).__version__)
