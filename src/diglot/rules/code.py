"""Digests of code for traces, so that a new version of diglot or of a library runs a task again."""

import os
import sys
from functools import lru_cache

import diglot
from diglot.digests import digest_of
from diglot.invariants import require

_LIBRARIES = (
    *("fonttools", "jinja2", "markdown_it_py", "mdit_py_plugins", "math_core", "matplotlib"),
    *("msgspec", "nh3", "numpy", "pillow", "pygments", "pyyaml"),
)
_KINDS = (".js", ".json", ".py", ".ttf", ".yaml")


def code_digest(*parts: str) -> str:
    """The digest of some of diglot's modules and packages, of where they are, and of versions.

    Traces name files that come with diglot, such as its data of chips, where they were read: those of another
    installation may differ. The versions are those of Python and libraries. Parts are paths relative to the
    package's folder: `content`, `languages.py`.
    """
    folder = os.path.dirname(diglot.__file__)
    return digest_of(
        "\n".join(
            [folder, _versions(), *(_part_digest(f"{folder}/{part}") for part in sorted(parts))]
        ).encode()
    )


@lru_cache
def _part_digest(path: str) -> str:
    if os.path.isfile(path):
        return _file_digest(path)
    # Not with pathlib, which takes 7 ms longer: every build does this.
    files = sorted(f"{folder}/{name}" for folder, _, names in os.walk(path) for name in names)
    code = [file for file in files if file.endswith(_KINDS)]
    require(bool(code), f"{path} holds no code")
    return digest_of("\n".join(f"{file.removeprefix(path)} {_file_digest(file)}" for file in code).encode())


def _file_digest(path: str) -> str:
    with open(path, "rb", buffering=0) as file:
        return digest_of(file.read())


@lru_cache
def _versions() -> str:
    """The versions of Python and of libraries, from folder names, because imports would take far longer."""
    found = {name for folder in sys.path for name in _distributions(folder)}
    return "\n".join([sys.version, *sorted(found)])


def _distributions(folder: str) -> list[str]:
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return []
    return [
        name.removesuffix(".dist-info")
        for name in names
        if name.endswith(".dist-info") and name.partition("-")[0].casefold() in _LIBRARIES
    ]
