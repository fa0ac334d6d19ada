"""What an output folder holds (names, times, sizes), and the file that remembers what was published.

A folder whose change time is unchanged has the same names as before. Then its files are checked one by one
and the folder need not be listed, which is quicker because most folders of an output hold one file.
"""

import marshal
import os
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.output_paths import KEPT, MARK, folders_of

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

_TICK_NS = 50_000_000
"""Tick of the file system's clock, in nanoseconds. A folder may change twice within one, so a change time
this recent proves nothing."""

Entry = tuple[str, int, int]
"""Digest of a published file, and its change time (in nanoseconds) and size after publication."""
Entries = dict[str, Entry]
"""Entries by path."""


class OutputIndex(msgspec.Struct, frozen=True, kw_only=True):
    """What diglot left in an output folder."""

    files: Entries = msgspec.field(default_factory=dict)
    folders: dict[str, int] = msgspec.field(default_factory=dict)
    """Change times of folders that hold only diglot's files, by path with a slash at the end."""
    mark: tuple[int, int] | None = None
    """Change time and size of the mark, if it names exactly these files."""


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder holds now, by path."""

    files: dict[str, tuple[int, int]]
    """Change time and size of everything that is not a folder, links included."""
    folders: list[str]
    """Each folder comes before the folders in it."""
    times: dict[str, int]
    """Change time of each folder that changed long enough ago for the time to be reliable."""


def scan(output: Path, known: OutputIndex | None = None) -> Present:
    """Look at everything in a folder; folders that are unchanged since `known` are not listed."""
    known = known or OutputIndex()
    files_in = _by_folder(known.files)
    # All folders that hold a file, not only those with a known time: a folder may have changed too recently
    # for its time to be recorded while its parent's was.
    folders_in = _by_folder(folders_of(files_in))
    present = Present(files={}, folders=[""], times={})
    folder, fresh_ns = str(output), time.time_ns() - _TICK_NS
    for below in present.folders:  # grows during the loop
        changed_ns = os.stat(f"{folder}/{below}").st_ctime_ns
        if changed_ns < fresh_ns:
            present.times[below] = changed_ns
        if known.folders.get(below) == changed_ns:
            try:
                looked = [(path, times_of(os.lstat(f"{folder}/{path}"))) for path in files_in.get(below, ())]
            except FileNotFoundError:  # a file was removed during the scan
                pass
            else:
                present.files.update(looked)
                present.folders.extend(folders_in.get(below, ()))
                continue
        _read(output, below, present)
    return present


def _read(output: Path, below: str, present: Present) -> None:
    with os.scandir(f"{output}/{below}") as children:
        for child in children:
            path = f"{below}{child.name}"
            if path in (KEPT, MARK):  # in a worktree, `.git` is a file
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
    """Change time and size of a file, to tell whether it is the same.

    The time is that of the last change of any kind (ctime), which programs cannot set. On Windows, which has
    no such time, it is the later of creation and modification.
    """
    return max(status.st_ctime_ns, status.st_mtime_ns), status.st_size


def settled(folders: Mapping[str, str]) -> dict[str, int]:
    """Change times of folders given as name and path, by name.

    Folders changed so recently that they may change again within the same tick are left out.
    """
    fresh_ns = time.time_ns() - _TICK_NS
    times = {name: os.stat(path).st_ctime_ns for name, path in folders.items()}
    return {name: changed_ns for name, changed_ns in times.items() if changed_ns < fresh_ns}


def read_output_index(path: Path) -> OutputIndex:
    """What is known of a folder; nothing after a restart, because the power may have failed."""
    content = unsealed(read_file(path), _purpose(path))
    if content is None:
        return OutputIndex()  # a lost or damaged output index costs one scan of the output, nothing more
    files, folders, mark = marshal.loads(content)
    return OutputIndex(files=files, folders=folders, mark=mark)


def write_output_index(path: Path, output_index: OutputIndex) -> None:
    """Replace the output index on disk."""
    content = marshal.dumps(
        (output_index.files, output_index.folders, output_index.mark)
    )  # several times as fast as JSON
    write_file(path, sealed(content, _purpose(path)))


def _purpose(path: Path) -> str:
    """The output, the Python version and the boot that the index is valid for."""
    return f"output index 2 {path.name}\n{sys.version}\n{_boot_id()}"


def _boot_id() -> str:
    """An id of the machine's current boot; empty on systems that have none."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""
