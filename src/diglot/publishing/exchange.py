"""Replaces a whole output folder by another at once.

The new folder is made next to the old one, from hard links to unchanged files and from new files. Linux and
macOS exchange two folders in one step. On other systems, and on file systems without that call, the old
folder is renamed away and the new one into its place; for less than a millisecond there is no folder.
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
from diglot.output_paths import ASIDE, KEPT, MARK
from diglot.publishing.output_mark import read_mark

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


class NewFolder:
    """A folder that is made next to the output folder and then takes its place."""

    def __init__(self, output: Path, *, is_ours: Callable[[str], bool] = lambda _: False) -> None:
        """`is_ours` tells which paths were published, in addition to those in the old folder's mark."""
        self._output = output
        self._is_ours = is_ours
        name = f".diglot-{digest_of(os.fsencode(output))[:12]}"
        self._new, self._old = output.with_name(f"{name}-new"), output.with_name(f"{name}-old")
        self._made: set[str] = set()

    def __truediv__(self, path: str) -> Path:
        """The path at which a file of the new folder is to be written."""
        return self._new / path

    def begin(self) -> None:
        """Make the folder, empty but for a sign that it is not finished."""
        self._new.mkdir()
        try:
            (self._new / ASIDE).mkdir()
            (self._new / MARK).touch()
            self._new.chmod(stat.S_IMODE(self._output.stat().st_mode))
        except BaseException:
            self.discard()
            raise

    def take_over(self, paths: Iterable[str]) -> None:
        """Hard-link files and links of the old folder into the new one."""
        for path in paths:
            above = path.rpartition("/")[0]
            if above not in self._made:
                os.makedirs(self._new / above, exist_ok=True)
                self._made.add(above)
            _second_name(self._output / path, self._new / path)

    def exchange(self) -> None:
        """Put the new folder in place of the old one, and remove the old one."""
        if swapped := _swapped(self._new, self._output):
            old = self._new
        else:
            old = self._old
            self._output.rename(old)
            try:
                self._new.rename(self._output)
            except BaseException:
                old.rename(self._output)
                raise
        try:
            self._bring_all_over(old)
        except BaseException:
            if (old / KEPT).exists() or not (self._output / KEPT).exists():
                if swapped:
                    _swapped(self._new, self._output)
                else:
                    self._output.rename(self._new)
                    old.rename(self._output)
            raise
        with suppress(OSError):  # the next build removes it
            _remove(old, last=MARK)

    def recover(self) -> None:
        """Clean up after a killed process: finish an exchange that was made, else discard the new folder."""
        if _is_folder(self._old) and not os.path.lexists(self._output):
            self._old.rename(self._output)  # killed between the two renames
        self.discard()
        for old in (self._new, self._old):
            if _is_folder(old) and os.path.lexists(old / MARK) and _is_folder(self._output):
                self._bring_all_over(old)
                _remove(old, last=MARK)

    def discard(self) -> None:
        """Remove a new folder that is not finished."""
        if not _is_folder(self._new):
            return
        if os.path.lexists(self._new / ASIDE):
            with suppress(FileNotFoundError):
                (self._new / MARK).unlink()
            _remove(self._new, last=ASIDE)
        elif not os.path.lexists(self._new / MARK):
            with suppress(OSError):  # succeeds only if empty: just begun. Else it is not ours.
                self._new.rmdir()

    def _bring_all_over(self, old: Path) -> None:
        """Move what is not diglot's into the new folder: a repository, and files added meanwhile."""
        if os.path.lexists(old / KEPT):
            if os.path.lexists(self._output / KEPT):
                raise FileExistsError(errno.EEXIST, "there are two repositories", str(old / KEPT))
            (old / KEPT).rename(self._output / KEPT)
        mark = read_mark(old)
        for folder, folders, files in os.walk(old):
            inside = os.path.relpath(folder, old)
            links = [one for one in folders if os.path.islink(f"{folder}/{one}")]
            for name in [*files, *links]:
                path = name if inside == "." else f"{inside}/{name}"
                if path != MARK and not self._is_ours(path) and not (mark and mark.names(path)):
                    _bring_over(old / path, self._output / path)
        with suppress(FileNotFoundError):
            (self._output / ASIDE).rmdir()


def _bring_over(old: Path, new: Path) -> None:
    """Move a foreign file into the new folder, unless it is hard-linked there already."""
    if os.path.lexists(new) and os.path.samestat(os.lstat(old), os.lstat(new)):
        return
    if old.is_symlink() and _is_folder(new):
        return  # the new folder needs the link's place
    os.makedirs(new.parent, exist_ok=True)
    old.replace(new)


def _remove(folder: Path, *, last: str) -> None:
    """Remove a folder, and `last` in it last: it says what the folder is if this is interrupted."""
    for child in folder.iterdir():
        if child.name != last:
            shutil.rmtree(child) if _is_folder(child) else child.unlink()
    sign = folder / last
    if _is_folder(sign):
        sign.rmdir()
    else:
        sign.unlink(missing_ok=True)
    folder.rmdir()


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
    """Exchange two folders in one step; False if the system or the file system cannot."""
    import ctypes  # noqa: PLC0415  (few builds need it)

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
