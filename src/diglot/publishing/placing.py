"""Moves files from the staging folder to their places in the output folder: all of them or none.

Before the first move, a journal says what will be done. A file that is replaced or removed is kept in the
staging folder. If a step fails, everything is put back: at once, or by the next build if the process was
killed. Deleting the journal completes the publication.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from diglot.output_paths import ASIDE, MARK, PathFault, check_path

_JOURNAL = "journal"

Kind = Literal["put", "replace", "swap", "remove"]
"""put: the place is free; replace: a file replaces a file; swap: one of the two is a folder, so the old one
must be moved away first; remove: the old one is moved away."""


class Step(NamedTuple):
    """One move of a publication."""

    kind: Kind
    number: int
    """Its name in the staging folder; for a removed file, the number it will be kept under."""
    path: str
    """Relative to the output folder: a file, or a folder that is moved as a whole."""


class Placing:
    """The moves of one publication."""

    def __init__(self, output: Path) -> None:
        self._output = f"{output}"
        self._aside = f"{output}/{ASIDE}"
        self._steps: Sequence[Step] = ()
        self._sound: set[str] = set()
        """Folders that were checked not to be links."""

    def plan(self, moves: Iterable[tuple[int, str, bool]], removed: Iterable[str]) -> list[Step]:
        """The steps for staged files (number, path, whether it is a folder) and for removed paths."""
        steps: list[Step] = []
        swapped: list[str] = []
        last = -1
        for number, path, is_folder in moves:
            last = number
            there = self._lstat(path)
            if there is None:
                steps.append(Step("put", number, path))
            elif is_folder or stat.S_ISDIR(there.st_mode):
                steps.append(Step("swap", number, path))
                swapped.append(f"{path}/")
            else:
                steps.append(Step("replace", number, path))
        for number, path in enumerate(removed, start=last + 1):
            if f"{path}/" not in swapped and not path.startswith(tuple(swapped)):
                steps.append(Step("remove", number, path))
        return steps

    def begin(self, steps: Sequence[Step]) -> None:
        """Write the journal. Then call `do` for each step, and `finish` or `undo`."""
        self._steps = steps
        with open(f"{self._aside}/{_JOURNAL}", "wb") as file:
            file.write(msgspec.json.encode(steps))  # cut by a kill: no valid JSON, no step done

    def do(self, step: Step) -> None:
        """Do one step. Raises FileNotFoundError if a folder on the way has become a link or disappeared."""
        if step.path != MARK:
            check_path(step.path)
        self._check_way(step.path)
        new, old, place = self._places(step)
        if step.kind == "remove":
            with suppress(FileNotFoundError):  # already gone, which is what was wanted
                os.replace(place, old)
            return
        if step.kind == "swap":
            os.replace(place, old)
        elif step.kind == "replace":
            _keep(place, old)
        os.replace(new, place)

    def remove(self, path: str) -> None:
        """Remove a file for good."""
        check_path(path)
        with suppress(FileNotFoundError):
            self._check_way(path)
            os.unlink(f"{self._output}/{path}")

    def remove_folders(self, folders: Iterable[str]) -> None:
        """Remove those of the folders that are empty."""
        for folder in sorted(folders, key=len, reverse=True):
            with suppress(OSError):  # not empty, or already gone
                self._check_way(folder)
                os.rmdir(f"{self._output}/{folder}")

    def undo(self) -> None:
        """Put everything back that was moved."""
        for step in reversed(self._steps):
            self._undo(step)
        self.finish()

    def finish(self) -> None:
        """Keep what was done: delete the journal and the staging folder."""
        with suppress(FileNotFoundError):
            os.unlink(f"{self._aside}/{_JOURNAL}")
        shutil.rmtree(self._aside, ignore_errors=True)

    def recover(self) -> None:
        """Undo a publication whose process was killed, and remove the staging folder."""
        there = self._lstat(ASIDE)
        if there is None:
            return
        if not stat.S_ISDIR(there.st_mode):
            os.unlink(self._aside)
            return
        self._steps = _read_journal(f"{self._aside}/{_JOURNAL}")
        self.undo()

    def _undo(self, step: Step) -> None:
        new, old, place = self._places(step)
        try:
            self._check_way(step.path)
        except FileNotFoundError:
            if not os.path.lexists(old):
                return  # the step was never done, or the folder was removed since
            os.makedirs(os.path.dirname(place), exist_ok=True)
            self._check_way(step.path)
        if step.kind in ("put", "swap") and not os.path.lexists(new):
            with suppress(FileNotFoundError):  # removed since
                os.replace(place, new)
        if os.path.lexists(old):
            os.replace(old, place)

    def _places(self, step: Step) -> tuple[str, str, str]:
        return (
            f"{self._aside}/{step.number}",
            f"{self._aside}/old-{step.number}",
            f"{self._output}/{step.path}",
        )

    def _lstat(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(f"{self._output}/{path}")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _check_way(self, path: str) -> None:
        """Raise FileNotFoundError if a parent of the path is no folder: a link could lead outside."""
        end = path.rfind("/")
        todo = []
        while end > 0 and (folder := path[:end]) not in self._sound:
            todo.append(folder)
            end = path.rfind("/", 0, end)
        for folder in reversed(todo):
            there = self._lstat(folder)
            if there is None or not stat.S_ISDIR(there.st_mode):
                raise FileNotFoundError(
                    errno.ENOENT, "this is not a folder any more", f"{self._output}/{folder}"
                )
            self._sound.add(folder)


def _keep(place: str, old: str) -> None:
    """Hard-link a file, or copy it where hard links are not supported."""
    try:
        os.link(place, old, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS):
            raise
        shutil.copy2(place, f"{old}.tmp", follow_symlinks=False)
        os.replace(f"{old}.tmp", old)


def _read_journal(path: str) -> list[Step]:
    """The steps in the journal; none if it is missing or not whole."""
    try:
        with open(path, "rb") as file:
            steps = msgspec.json.decode(file.read(), type=list[Step])
        for step in steps:
            if step.path != MARK:
                check_path(step.path)
    except (OSError, PathFault, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    return steps
