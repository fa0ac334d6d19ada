"""A whole output folder in place of another, at once.

The new folder is made beside the old one, from second names of what stays and from what is new. Linux and
macOS exchange two folders in one step; elsewhere, and on file systems that cannot, the old one is renamed
away and the new one into its place: for less than a millisecond there is none.
"""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from diglot.digests import digest_of
from diglot.output_mark import read_mark
from diglot.output_paths import ASIDE, KEPT, MARK

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


class NewFolder:
    """A folder that is made beside the output and takes its place."""

    def __init__(self, output: Path, *, is_ours: Callable[[str], bool] = lambda _: False) -> None:
        """`is_ours` knows what was published, beside what the mark of the old folder says."""
        self._output = output
        self._is_ours = is_ours
        name = f".diglot-{digest_of(os.fsencode(output))[:12]}"
        self._new, self._old = output.with_name(f"{name}-new"), output.with_name(f"{name}-old")
        self._made: set[str] = set()

    def __truediv__(self, path: str) -> Path:
        """Where a file of the new folder is made."""
        return self._new / path

    def begin(self) -> None:
        """Make it, with nothing in it but a sign that it is not finished."""
        self._new.mkdir()
        (self._new / ASIDE).mkdir()
        (self._new / MARK).touch()
        self._new.chmod(stat.S_IMODE(self._output.stat().st_mode))

    def take_over(self, paths: Iterable[str]) -> None:
        """Give files of the old folder a second name in the new one, links among them."""
        for path in paths:
            above = path.rpartition("/")[0]
            if above not in self._made:
                os.makedirs(self._new / above, exist_ok=True)
                self._made.add(above)
            _second_name(self._output / path, self._new / path)

    def exchange(self) -> None:
        """Put the new folder in place of the old one."""
        if not _swapped(self._new, self._output):
            self._output.rename(self._old)
            try:
                self._new.rename(self._output)
            except BaseException:
                self._old.rename(self._output)
                raise
        else:
            self._new.rename(self._old)
        self._clear()

    def recover(self) -> None:
        """What a killed process left: finish it where the folders were exchanged, else throw it away."""
        if _is_folder(self._old) and not os.path.lexists(self._output):
            self._old.rename(self._output)  # between two renames
        if _is_folder(self._new) and os.path.lexists(self._new / MARK):
            if os.path.lexists(self._new / ASIDE):
                shutil.rmtree(self._new)  # second names, and what is new
            elif _is_folder(self._output):
                self._new.rename(self._old)
        if _is_folder(self._old) and _is_folder(self._output):
            self._clear()

    def discard(self) -> None:
        """The new folder is not wanted after all."""
        if os.path.lexists(self._new / ASIDE):
            shutil.rmtree(self._new, ignore_errors=True)

    def _clear(self) -> None:
        """Bring over what is not diglot's (a repository, what came meanwhile), and remove the old folder."""
        if os.path.lexists(self._old / KEPT):
            if os.path.lexists(self._output / KEPT):
                raise FileExistsError(errno.EEXIST, "there are two repositories", str(self._old / KEPT))
            (self._old / KEPT).rename(self._output / KEPT)
        mark = read_mark(self._old)
        for folder, folders, files in os.walk(self._old):
            inside = os.path.relpath(folder, self._old)
            links = [one for one in folders if os.path.islink(f"{folder}/{one}")]
            for name in [*files, *links]:
                path = name if inside == "." else f"{inside}/{name}"
                if path != MARK and not self._is_ours(path) and not (mark and mark.names(path)):
                    self._bring_over(path)
        with suppress(FileNotFoundError):
            (self._output / ASIDE).rmdir()
        shutil.rmtree(self._old)

    def _bring_over(self, path: str) -> None:
        """Bring over a file of somebody else, unless it is there already under its second name."""
        old, new = self._old / path, self._output / path
        if os.path.lexists(new) and os.path.samestat(os.lstat(old), os.lstat(new)):
            return
        os.makedirs(new.parent, exist_ok=True)
        old.replace(new)


def _second_name(old: Path, new: Path) -> None:
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EIO, errno.EROFS):
            raise
        shutil.copy2(old, new, follow_symlinks=False)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _swapped(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system or the disk has none."""
    import ctypes

    call: Callable[..., int] | None
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "linux":
        call = getattr(library, "renameat2", None)
        arguments: tuple[object, ...] = (_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE)
    else:
        call = getattr(library, "renamex_np", None)
        arguments = (first, second, _RENAME_SWAP)
    if call is None:
        return False
    if call(*arguments) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))
