"""From a manifest to a folder of files: write beside, rename, prune; nothing that is right is touched.

The folder is diglot's own: a mark in it says so, and whatever no page claims is removed, so that the
folder equals a clean build even after the cache was thrown away.
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from diglot.diagnostics import Diagnostic, DiagnosticError

MARK = ".diglot-site"
_MARK_TEXT = b"Made by diglot. Files that it did not make are removed by the next build.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What a publication did to the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def publish(
    manifest: Mapping[str, str], *, read: Callable[[str], bytes], output: Path, ledger: Path
) -> Published:
    """Make a folder hold exactly the files of a manifest.

    `manifest` maps a path to the digest of its content, `read` gives the content of a digest, `ledger` is a
    file that remembers what was written when, so that a second publication only compares times and sizes.
    Pages are written after the files they use, and removals come last.
    Raises DiagnosticError where the folder holds files and was not made by diglot.
    """
    _claim(output)
    known = _read_ledger(ledger)
    entries: dict[str, tuple[str, int, int]] = {}
    written: list[str] = []
    made: set[Path] = set()
    for path in sorted(manifest, key=lambda p: (p.endswith((".html", ".xml")), p)):
        digest, target = manifest[path], output / path
        found = _times(target)
        if found is not None and known.get(path) == (digest, *found):
            entries[path] = known[path]
            continue
        if target.parent not in made:
            _make_folder(target.parent, output)
            made.add(target.parent)
        _write(target, read(digest))
        times = _times(target)
        assert times is not None, "a file just written is there"
        entries[path] = (digest, *times)
        written.append(path)
    removed = _prune(output, manifest)
    if written or removed or entries.keys() != known.keys():
        ledger.parent.mkdir(parents=True, exist_ok=True)
        _write(ledger, json.dumps(entries, separators=(",", ":")).encode())
    return Published(written=tuple(written), removed=removed, unchanged=len(manifest) - len(written))


def _claim(output: Path) -> None:
    mark = output / MARK
    if mark.exists():
        return
    if output.is_dir() and any(child.name != ".git" for child in output.iterdir()):
        raise DiagnosticError(
            Diagnostic(
                rule="output-foreign",
                message=f'the output folder "{output}" holds files that diglot did not make',
                fix="choose another folder with --output, or empty this one.",
            )
        )
    output.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(_MARK_TEXT)


def _read_ledger(ledger: Path) -> dict[str, tuple[str, int, int]]:
    try:
        return {path: (d, t, s) for path, (d, t, s) in json.loads(ledger.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        return {}  # a lost or damaged ledger costs one rewriting, nothing more


def _times(path: Path) -> tuple[int, int] | None:
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_size


def _make_folder(folder: Path, output: Path) -> None:
    """A folder under the output, also where a file of that name stood before."""
    for ancestor in reversed([folder, *folder.parents]):
        if ancestor.is_relative_to(output) and ancestor != output and ancestor.is_file():
            ancestor.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _write(target: Path, content: bytes) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _prune(output: Path, manifest: Mapping[str, str]) -> tuple[str, ...]:
    removed: list[str] = []
    for folder, names, files in os.walk(output, topdown=False):
        here = Path(folder)
        relative = here.relative_to(output)
        if relative.parts[:1] == (".git",):
            continue
        for name in files:
            path = (relative / name).as_posix()
            if path not in manifest and path != MARK:
                (here / name).unlink()
                removed.append(path)
        for name in names:  # a link to a folder counts as a folder to os.walk
            if (here / name).is_symlink():
                (here / name).unlink()
        if here != output and not any(here.iterdir()):
            here.rmdir()
    return tuple(sorted(removed))
