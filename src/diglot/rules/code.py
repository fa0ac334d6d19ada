"""Digests of code for traces, so that a new version of diglot or of a library runs a task again.

What the code of a task is says `rules.closures`. What that found out is kept with the stamps of all files,
next to the bytecode or, where none is written, in the site's cache: while no code changes, one file is read.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import msgspec

import diglot
from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.digests import BYTECODE, digest_of
from diglot.engine.database import VERSION

_THEME = "theme"
"""The folder of an installed diglot whose files are inputs."""
_PURPOSE = "digests of code"
_FILE = "diglot-code"
CHECKS = ("diglot.rules.finished", "diglot.rules.kept_mistakes")
"""Modules that declare no task, whose digests are asked for all the same."""


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of all code."""

    state: str
    """The digest of the places, stamps and versions of everything that code is made of."""
    codes: dict[str, str]
    """Digests of code by the names of modules, as long as the state is the same."""
    files: msgspec.Raw
    """What `rules.closures` knows of each file: encoded, because it is needed only after a change."""


def task_codes(cache: Path) -> Mapping[str, str]:
    """The digest of the code of each module that declares tasks, by its name."""
    return {name: code for name, code in _codes(cache).items() if name not in CHECKS}


def code_of_checks(cache: Path) -> str:
    """The digest of the code of what `diglot check` finds out about a finished site."""
    codes = _codes(cache)
    return digest_of("\n".join(codes[name] for name in CHECKS).encode())


class _Code(NamedTuple):
    """The code of this process. It was loaded once, so this is looked at once."""

    state: str
    folder: str
    stamps: Mapping[str, str]
    """By path relative to the folder."""
    installed: tuple[str, ...]
    """Names and versions of distributions."""


@lru_cache(1)
def _code() -> _Code:
    folder = os.path.dirname(diglot.__file__)
    stamps = dict(_stamps(folder, ""))
    installed = tuple(sorted({name for place in sys.path for name in _distributions(place)}))
    state = digest_of(repr((folder, sys.version, VERSION, sorted(stamps.items()), installed)).encode())
    return _Code(state, folder, stamps, installed)


class _Found(NamedTuple):
    codes: Mapping[str, str]
    content: bytes
    """What to keep: a `_Kept`, sealed."""


_found: dict[str, _Found] = {}
"""By the state of the code."""


def forget() -> None:
    """Look at the code again when its digests are next asked for: a test has changed a copy of it."""
    _code.cache_clear()


def _codes(cache: Path) -> Mapping[str, str]:
    """The digests of all code that is asked for. `cache` is a place to keep them."""
    code = _code()
    beside_bytecode = Path(cache_from_source(diglot.__file__)).with_name(_FILE)
    places = (cache / _FILE,) if sys.dont_write_bytecode else (beside_bytecode, cache / _FILE)
    if (found := _found.get(code.state)) is None:
        kept = [*filter(None, map(_read, (beside_bytecode, cache / _FILE)))]
        for current in kept:
            if current.state == code.state:
                return current.codes
        found = _found[code.state] = _find(code, next(iter(kept), None))
        _keep(found.content, places)
    elif not any(place.is_file() for place in places):
        _keep(found.content, places)
    return found.codes


def _find(code: _Code, kept: _Kept | None) -> _Found:
    from diglot.rules.closures import Closures  # noqa: PLC0415  (only needed when code has changed)

    closures = Closures(code.folder, code.stamps, code.installed, known=None if kept is None else kept.files)
    codes = closures.codes(CHECKS)
    files, are_settled = closures.known()
    content = msgspec.msgpack.encode(_Kept(code.state if are_settled else "", codes, files))
    return _Found(codes, sealed(content, _PURPOSE))


def _keep(content: bytes, places: Iterable[Path]) -> None:
    for place in places:
        with suppress(OSError):  # nothing may be written there, or another process does so just now
            place.parent.mkdir(parents=True, exist_ok=True)  # where a file is in its place, it stays
            write_file(place, content)
            return


def _read(path: Path) -> _Kept | None:
    content = unsealed(read_file(path), _PURPOSE)
    return None if content is None else msgspec.msgpack.decode(content, type=_Kept)


def _stamps(folder: str, below: str) -> Iterator[tuple[str, str]]:
    """The stamps of all files of code and data, by path relative to the package."""
    with os.scandir(f"{folder}/{below}") as entries:  # half as long as os.walk, and every build does this
        for entry in entries:
            path = below + entry.name
            if entry.is_dir():
                if entry.name != BYTECODE and path != _THEME:
                    yield from _stamps(folder, f"{path}/")
            elif not entry.name.endswith((".pyc", ".pyi", ".typed")):
                look = entry.stat()
                yield path, f"{look.st_mtime_ns} {look.st_ctime_ns} {look.st_size} {look.st_ino}"


def _distributions(folder: str) -> list[str]:
    """Names and versions of what is installed in a folder: by names of folders, because imports take long."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return []
    return [name.removesuffix(".dist-info") for name in names if name.endswith(".dist-info")]
