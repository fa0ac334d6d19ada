"""From a manifest to a folder of files: write beside, rename, prune; nothing that is right is touched.

The folder is diglot's own: a mark in it says so, and whatever no page claims is removed, so that the
folder equals a clean build even after the cache was thrown away. Only a `.git` at its top is let be, for
those who push the output.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from diglot.diagnostics import Diagnostic, DiagnosticError

MARK = ".diglot-site"
_MARK_TEXT = b"Made by diglot. Files that it did not make are removed by the next build.\n"
_KEPT = ".git"

Entry = tuple[str, int, int]
"""The digest of a file that was published, and the time (in nanoseconds) and size it had then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What a publication did to the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def publish(
    manifest: Mapping[str, str],
    *,
    read: Callable[[str], bytes],
    output: Path,
    ledger: Path,
    pruning: bool = True,
) -> Published:
    """Make a folder hold exactly the files of a manifest; without `pruning`, beside those it holds already.

    `manifest` maps a path to the digest of its content, `read` gives the content of a digest, `ledger` is a
    file that remembers what was written when, so that a second publication only compares times and sizes;
    without it, contents are compared. Pages are written after the files they use, and removals come last.
    Raises DiagnosticError where the folder holds files and was not made by diglot, and where it cannot be
    written: each file is then whole, either the new or the old one.
    """
    assert all(_is_plain(path) for path in manifest), "a published path stays inside of the output"
    try:
        _claim(output)
        return _publish(manifest, read=read, output=output, ledger=ledger, pruning=pruning)
    except OSError as error:
        raise DiagnosticError(
            Diagnostic(
                rule="output-unwritable",
                message=f'the output folder "{output}" cannot be written: {_reason(error)}',
                fix="look at its permissions and at the space on its disk, then build again.",
            )
        ) from error


def unpublish(output: Path) -> bool:
    """Remove what was published, if diglot made the folder; whether it did. A `.git` in it stays."""
    if not (output / MARK).exists():
        return False
    for child in output.iterdir():
        if child.name not in (_KEPT, MARK):
            _remove(child)
    (output / MARK).unlink()  # last: a removal that was interrupted can be begun again
    if not any(output.iterdir()):
        output.rmdir()
    return True


def _publish(
    manifest: Mapping[str, str],
    *,
    read: Callable[[str], bytes],
    output: Path,
    ledger: Path,
    pruning: bool,
) -> Published:
    known = _read_ledger(ledger)
    present = _scan(output)
    strangers = present.files.keys() - manifest.keys()
    entries: dict[str, Entry] = {}
    written: list[str] = []
    for path in sorted(manifest, key=lambda path: (path.endswith((".html", ".xml")), path)):
        digest, target = manifest[path], output / path
        times = present.files.get(path)
        if times is not None and (known.get(path) == (digest, *times) or _holds(target, read, digest)):
            entries[path] = (digest, *times)
            continue
        _make_way(path, output)
        _write(target, read(digest))
        entries[path] = (digest, *_times(target.lstat()))
        written.append(path)
    if pruning:
        _prune(output, strangers, present.folders, manifest)
    else:
        entries |= {path: known[path] for path in strangers & known.keys()}
        strangers = set()
    if entries != known:
        ledger.parent.mkdir(parents=True, exist_ok=True)
        _write(ledger, json.dumps(entries, separators=(",", ":")).encode())
    return Published(
        written=tuple(written), removed=tuple(sorted(strangers)), unchanged=len(manifest) - len(written)
    )


def _is_plain(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return str(PurePosixPath(path)) == path and ".." not in parts and parts[0] not in ("/", _KEPT, MARK)


def _claim(output: Path) -> None:
    mark = output / MARK
    if mark.exists():
        return
    if output.is_file() or (output.is_dir() and any(child.name != _KEPT for child in output.iterdir())):
        raise DiagnosticError(
            Diagnostic(
                rule="output-foreign",
                message=f'the output folder "{output}" holds files that diglot did not make'
                if output.is_dir()
                else f'the output folder "{output}" is a file',
                fix="choose another folder with --output, or empty this one.",
            )
        )
    output.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(_MARK_TEXT)


def _read_ledger(ledger: Path) -> dict[str, Entry]:
    try:
        return {path: (d, t, s) for path, (d, t, s) in json.loads(ledger.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}  # a lost or damaged ledger costs one reading of the output, nothing more


@dataclass(frozen=True, slots=True, kw_only=True)
class _Present:
    """What the output holds, by path."""

    files: dict[str, tuple[int, int]]
    """Everything that is no folder, links too, with time and size."""
    folders: list[str]
    """Each before those in it."""


def _scan(output: Path) -> _Present:
    present = _Present(files={}, folders=[""])
    for below in present.folders:  # grows meanwhile
        with os.scandir(output / below) as children:
            for child in children:
                path = f"{below}{child.name}"
                if path in (_KEPT, MARK):  # the `.git` of a worktree is a file
                    continue
                if child.is_dir(follow_symlinks=False):
                    present.folders.append(f"{path}/")
                else:
                    present.files[path] = _times(child.stat(follow_symlinks=False))
    return present


def _times(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size


def _holds(target: Path, read: Callable[[str], bytes], digest: str) -> bool:
    """Whether a file has the content of a digest, though the ledger does not know it."""
    return not target.is_symlink() and target.is_file() and target.read_bytes() == read(digest)


def _make_way(path: str, output: Path) -> None:
    """Folders for a file, and no folder in its place."""
    for ancestor in reversed(PurePosixPath(path).parents[:-1]):
        if (output / ancestor).is_symlink() or (output / ancestor).is_file():
            (output / ancestor).unlink()  # through a link to a folder, one would write outside of the output
    (output / path).parent.mkdir(parents=True, exist_ok=True)
    if _is_folder(output / path):
        shutil.rmtree(output / path)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _write(target: Path, content: bytes) -> None:
    beside = target.with_name(
        f".diglot-{os.getpid()}.tmp"
    )  # short: the target may have the longest name allowed
    try:
        beside.write_bytes(content)
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _prune(output: Path, strangers: Iterable[str], folders: list[str], manifest: Iterable[str]) -> None:
    """Remove files that the manifest does not name, and folders that it needs no more."""
    for path in strangers:
        if not _is_folder(output / path):  # some had to make way already
            with suppress(FileNotFoundError, NotADirectoryError):
                (output / path).unlink()
    needed = {f"{parent}/" for path in manifest for parent in PurePosixPath(path).parents}
    for folder in reversed(folders[1:]):
        if folder not in needed and _is_folder(output / folder):
            (output / folder).rmdir()


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path)
    else:
        path.unlink()


def _reason(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}"
