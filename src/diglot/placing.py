"""From files that lie aside to their places in an output folder, all of them or none.

Before the first file moves, a journal beside them says what is to be done. What takes the place of another
file leaves that aside, what is removed goes there, and where anything fails all of it is put back: at once,
or, if the process was killed, by the next build. The journal's end is the publication's.
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
"""put: nothing is there yet; replace: a file takes the place of a file; swap: what is there must go first,
for one of the two is a folder; remove: it goes."""


class Step(NamedTuple):
    """One thing to be done."""

    kind: Kind
    number: int
    """What it lies aside under; of what is removed, under which it will."""
    path: str
    """From the output folder: a file, or a folder that comes whole."""


class Placing:
    """The steps of one publication."""

    def __init__(self, output: Path) -> None:
        self._output = f"{output}"
        self._aside = f"{output}/{ASIDE}"
        self._steps: Sequence[Step] = ()
        self._sound: set[str] = set()
        """Folders that were looked at: no links."""

    def plan(self, moves: Iterable[tuple[int, str, bool]], removed: Iterable[str]) -> list[Step]:
        """The steps for what lies aside (number, path, whether it is a folder), and for what is to go."""
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
        """Write down what is to be done; afterwards `do` each, then `finish`, or `undo`."""
        self._steps = steps
        with open(f"{self._aside}/{_JOURNAL}", "wb") as file:
            file.write(msgspec.json.encode(steps))  # half of it is no JSON: then nothing was done either

    def do(self, step: Step) -> None:
        """Do one step. Raises FileNotFoundError where a folder on the way has become a link, or has gone."""
        if step.path != MARK:
            check_path(step.path)
        self._check_way(step.path)
        new, old, place = self._places(step)
        if step.kind == "remove":
            with suppress(FileNotFoundError):  # it went by itself, and is to be gone
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
        """Remove those of some folders in which nothing lies any more."""
        for folder in sorted(folders, key=len, reverse=True):
            with suppress(OSError):  # somebody else's files are in it, or it has gone
                self._check_way(folder)
                os.rmdir(f"{self._output}/{folder}")

    def undo(self) -> None:
        """Put everything back as it was, as far as it was done."""
        for step in reversed(self._steps):
            self._undo(step)
        self.finish()

    def finish(self) -> None:
        """What is done stays: forget the steps, and what lies aside."""
        with suppress(FileNotFoundError):
            os.unlink(f"{self._aside}/{_JOURNAL}")
        shutil.rmtree(self._aside, ignore_errors=True)

    def recover(self) -> None:
        """After a publication that was killed: put back what it had moved, and remove what lies aside."""
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
                return  # it never came to this step, or somebody took the folder away
            os.makedirs(os.path.dirname(place), exist_ok=True)
            self._check_way(step.path)
        if step.kind in ("put", "swap") and not os.path.lexists(new):
            with suppress(FileNotFoundError):  # somebody took it away
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
        """Raise FileNotFoundError where a path leads over what is no folder: a link would lead out."""
        end = path.rfind("/")
        todo = []
        while end > 0 and (folder := path[:end]) not in self._sound:
            todo.append(folder)
            end = path.rfind("/", 0, end)
        for folder in reversed(todo):
            there = self._lstat(folder)
            if there is None or not stat.S_ISDIR(there.st_mode):
                raise FileNotFoundError(
                    errno.ENOENT, "this is no folder any more", f"{self._output}/{folder}"
                )
            self._sound.add(folder)


def _keep(place: str, old: str) -> None:
    """A second name for a file, or a copy where there are no second names."""
    try:
        os.link(place, old, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS):
            raise
        shutil.copy2(place, f"{old}.tmp", follow_symlinks=False)
        os.replace(f"{old}.tmp", old)


def _read_journal(path: str) -> list[Step]:
    """The steps that were written down; none where nothing whole was."""
    try:
        with open(path, "rb") as file:
            steps = msgspec.json.decode(file.read(), type=list[Step])
        for step in steps:
            if step.path != MARK:
                check_path(step.path)
    except (OSError, PathFault, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    return steps
