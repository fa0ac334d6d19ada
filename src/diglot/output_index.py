"""What an output folder holds, by names, times and sizes, and the file that remembers what was left there.

A folder whose time stands has the names it had: then its files are looked at one by one, and it need not be
read. Most of an output are folders with one file each.
"""

import marshal
import os
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.output_paths import KEPT, MARK, folders_of

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

_TICK_NS = 50_000_000
"""A folder may be changed twice within a tick of the file system's clock: so fresh a time proves nothing."""

Entry = tuple[str, int, int]
"""The digest of a file that was published, and the time (in nanoseconds) and size that it had then."""
Entries = dict[str, Entry]
"""Those of some files, by path."""


class OutputIndex(msgspec.Struct, frozen=True, kw_only=True):
    """What was left in a folder."""

    files: Entries = msgspec.field(default_factory=dict)
    folders: dict[str, int] = msgspec.field(default_factory=dict)
    """Those in which nothing else lies, each with a slash at its end, and when they last changed."""
    mark: tuple[int, int] | None = None
    """Time and size of the mark, where it names just these files."""


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder holds, by path."""

    files: dict[str, tuple[int, int]]
    """Everything that is no folder, links too, with time and size."""
    folders: list[str]
    """Each before those in it."""
    times: dict[str, int]
    """When a folder last changed, where that is long enough ago to tell."""


def scan(output: Path, known: OutputIndex | None = None) -> Present:
    """Look at everything in a folder; with what is `known`, folders are read only where they changed."""
    known = known or OutputIndex()
    files_in = _by_folder(known.files)
    # All that hold a file, not only those whose time is known: one may have changed too lately to be noted,
    # and the one above it may not.
    folders_in = _by_folder(folders_of(files_in))
    present = Present(files={}, folders=[""], times={})
    fresh_ns = time.time_ns() - _TICK_NS
    for below in present.folders:  # grows meanwhile
        changed_ns = os.stat(f"{output}/{below}").st_ctime_ns
        if changed_ns < fresh_ns:
            present.times[below] = changed_ns
        if known.folders.get(below) == changed_ns:
            with suppress(FileNotFoundError):  # it goes while we look
                looked = [(path, times_of(os.lstat(f"{output}/{path}"))) for path in files_in.get(below, ())]
                present.files.update(looked)
                present.folders.extend(folders_in.get(below, ()))
                continue
        _read(output, below, present)
    return present


def _read(output: Path, below: str, present: Present) -> None:
    with os.scandir(f"{output}/{below}") as children:
        for child in children:
            path = f"{below}{child.name}"
            if path in (KEPT, MARK):  # the `.git` of a worktree is a file
                continue
            if child.is_dir(follow_symlinks=False):
                present.folders.append(f"{path}/")
            else:
                present.files[path] = times_of(child.stat(follow_symlinks=False))


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        if path:
            found.setdefault(path[: path.rfind("/", 0, -1) + 1], []).append(path)
    return found


def times_of(status: os.stat_result) -> tuple[int, int]:
    """The time and size that tell a file from another.

    The time of its last change of any kind: who writes a file and gives it back its old time cannot set that.
    (On Windows, which has no such time, the other one is the later.)
    """
    return max(status.st_ctime_ns, status.st_mtime_ns), status.st_size


def settled(folders: Mapping[str, str]) -> dict[str, int]:
    """When some folders last changed, by the names of the mapping, which gives their paths.

    Left out is what changed so lately that it may change again without a trace.
    """
    fresh_ns = time.time_ns() - _TICK_NS
    times = {name: os.stat(path).st_ctime_ns for name, path in folders.items()}
    return {name: changed_ns for name, changed_ns in times.items() if changed_ns < fresh_ns}


def read_output_index(path: Path) -> OutputIndex:
    """What is known of a folder, which is nothing after a restart: the power may have failed."""
    content = unsealed(read_file(path), _purpose(path))
    if content is None:
        return OutputIndex()  # a lost or damaged output index costs one reading of the output, nothing more
    files, folders, mark = marshal.loads(content)
    return OutputIndex(files=files, folders=folders, mark=mark)


def write_output_index(path: Path, output_index: OutputIndex) -> None:
    """Put it in place of the last one."""
    content = marshal.dumps(
        (output_index.files, output_index.folders, output_index.mark)
    )  # several times as fast as JSON
    write_file(path, sealed(content, _purpose(path)))


def _purpose(path: Path) -> str:
    """Of which output it tells, to which Python, in which run of the machine."""
    return f"output index 2 {path.name}\n{sys.version}\n{_boot_id()}"


def _boot_id() -> str:
    """Tells one run of the machine from the next, where the system does; else always the same."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""
