"""The folder of a blog: the only place through which its files are listed, read and copied.

A blog may have been written by somebody else, so its paths are not trusted. Only regular files whose real
place is inside the folder are read; links are followed if they lead to such files. Everything else is
refused, with a reason.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

import msgspec

from diglot.characters import forbidden_in, visible

MOST_TEXT_BYTES = 10_000_000
"""The largest article or configuration that is read."""
MOST_FILE_BYTES = 1_000_000_000
"""The largest file that is copied. Hosts of static sites publish far smaller ones only."""

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISDIR, "a folder"),
)


_COPY_IT = "put a copy of the file itself there, if it belongs to the blog, and import again."
_NO_FILE = "delete it, or put a file in its place and import again: it is no file that a site can have."
_FIXES = (
    *((f"is {name}", _NO_FILE) for name in ("a named pipe", "a socket", "a device", "not a regular file")),
    *((f"is a link out of the blog, to {name}", _NO_FILE) for name in ("a named", "a socket", "a device")),
    ("is a link that leads nowhere", "correct the link, or delete it."),
    ("is a link to a folder that it is in", "delete the link."),
    ("has a name", "rename it, and import again."),
    ("has ", "make it smaller, or publish it elsewhere and link to it."),
    ("cannot be read", "change its permissions, and import again."),
)
"""What to do about a file that is not read, by the beginning of the reason."""


class Unreadable(Exception):
    """Why a file is not read, as a predicate to its name: `is a named pipe`."""


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a blog."""

    root: Path
    """The folder of the blog, without links in its path."""
    path: str
    """Relative to the folder, with forward slashes."""

    def open(self) -> tuple[BinaryIO, int]:
        """The file, opened for reading, and its size in bytes.

        Raises Unreadable unless it is a regular file that is really inside the blog's folder. That is checked
        again here, after opening, because a file may have been replaced since the folder was listed.
        """
        full = os.path.join(self.root, self.path)
        try:
            # Without O_NONBLOCK, opening a named pipe would wait for its writer for ever.
            descriptor = os.open(full, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        except (OSError, ValueError) as error:
            raise Unreadable(_reason(error)) from None
        try:
            size = self._checked_size(descriptor, full)
        except BaseException:
            os.close(descriptor)
            raise
        return os.fdopen(descriptor, "rb"), size

    def _checked_size(self, descriptor: int, full: str) -> int:
        try:
            status = os.fstat(descriptor)
            real = os.path.realpath(full, strict=True)
            if not _is_inside(real, self.root):
                raise Unreadable("leads out of the blog")
            if not os.path.samestat(os.lstat(real), status):
                raise Unreadable("changed while it was being read")
        except OSError as error:
            raise Unreadable(_reason(error)) from None
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"is {_kind(status.st_mode)}")
        if status.st_size > MOST_FILE_BYTES:
            raise Unreadable(_too_large(status.st_size, MOST_FILE_BYTES))
        return status.st_size

    def read_bytes(self, most: int = MOST_TEXT_BYTES) -> bytes:
        """The content. Raises Unreadable, also if it has more than so many bytes."""
        file, size = self.open()
        with file:
            if size > most:
                raise Unreadable(_too_large(size, most))
            try:
                return file.read(most)
            except OSError as error:
                raise Unreadable(_reason(error)) from None

    def copy_to(self, target: Path) -> None:
        """Write a copy, of the size that the file had when it was opened. Raises Unreadable."""
        source, size = self.open()
        with source, target.open("wb") as copy:
            left = size
            while left and (piece := source.read(min(left, 1 << 20))):
                copy.write(piece)
                left -= len(piece)
        if left:
            raise Unreadable("became shorter while it was being copied")

    def equals(self, target: Path) -> bool:
        """Whether another file has the same content."""
        source, size = self.open()
        with source, target.open("rb") as other:
            if os.fstat(other.fileno()).st_size != size:
                return False
            while piece := source.read(1 << 20):
                if other.read(len(piece)) != piece:
                    return False
        return True

    @property
    def status(self) -> os.stat_result | None:
        """Size and time of the last change; None if the file cannot be read any more."""
        try:
            file, _ = self.open()
        except Unreadable:
            return None
        with file:
            return os.fstat(file.fileno())


class SourceFolder(msgspec.Struct, frozen=True):
    """What is in the folder of a blog. Every file is in exactly one of these."""

    root: Path
    """Without links in its path."""
    files: dict[str, None]
    """Regular files, relative to the folder and sorted."""
    refused: dict[str, str]
    """Files and links that are not read, with the reason as a predicate; a folder's path ends in a slash."""
    aside: dict[str, int]
    """Folders of tools, themes or output, and hidden ones, with the number of files in each."""

    def file(self, path: str) -> SourceFile:
        """A file in the list."""
        return SourceFile(root=self.root, path=path)

    @property
    def count(self) -> int:
        """The number of files, with those that are refused or aside; a link counts as one."""
        return len(self.files) + len(self.refused) + sum(self.aside.values())


def list_folder(root: Path, *, tools: frozenset[str], at_root: frozenset[str]) -> SourceFolder:
    """List the folder of a blog; `tools` are left aside wherever they are, `at_root` only at its top."""
    listing = _Listing(root.resolve(), tools, at_root)
    listing.run()
    return SourceFolder(listing.root, dict.fromkeys(sorted(listing.files)), listing.refused, listing.aside)


class _Listing:
    def __init__(self, root: Path, tools: frozenset[str], at_root: frozenset[str]) -> None:
        self.root = root
        self.files: list[str] = []
        self.refused: dict[str, str] = {}
        self.aside: dict[str, int] = {}
        self._tools = tools
        self._at_root = at_root

    def run(self) -> None:
        waiting = [("", False)]
        while waiting:
            folder, is_linked = waiting.pop()
            for entry in self._entries(folder):
                path = f"{folder}{entry.name}"
                if forbidden_in(entry.name) is not None or "\n" in entry.name or "\t" in entry.name:
                    self.refused[path] = "has a name with characters that no address may have"
                elif entry.is_symlink():
                    if self._links_to_folder(path, is_linked=is_linked):
                        waiting.append((f"{path}/", True))
                elif entry.is_dir(follow_symlinks=False):
                    if self._is_apart(path):
                        self.aside[f"{path}/"] = _count(entry.path)
                    else:
                        waiting.append((f"{path}/", is_linked))
                else:
                    self._add(path)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.refused[folder or "./"] = _reason(error)
            return []

    def _add(self, path: str) -> None:
        """Add a file, or a link to one."""
        full = os.path.join(self.root, path)
        try:
            status = os.stat(full)
        except OSError as error:
            self.refused[path] = _reason(error)
            return
        if not stat.S_ISREG(status.st_mode):
            self.refused[path] = f"is {_kind(status.st_mode)}"
        elif not os.access(full, os.R_OK):
            self.refused[path] = "cannot be read: permission denied"
        elif status.st_size > MOST_FILE_BYTES:
            self.refused[path] = _too_large(status.st_size, MOST_FILE_BYTES)
        else:
            self.files.append(path)

    def _links_to_folder(self, path: str, *, is_linked: bool) -> bool:
        """Whether a link leads to a folder whose files are to be listed; adds or refuses it if not."""
        full = os.path.join(self.root, path)
        try:
            real = os.path.realpath(full, strict=True)
        except OSError:
            self.refused[path] = "is a link that leads nowhere"
            return False
        if not _is_inside(real, self.root):
            kind = "" if os.path.isfile(real) or os.path.isdir(real) else f"{_kind(os.stat(real).st_mode)}, "
            self.refused[path] = f'is a link out of the blog, to {kind}"{real}"'
            return False
        inside = os.path.relpath(real, self.root).replace(os.sep, "/")
        if inside != "." and self._is_apart(inside):  # `.git/config`, say, may hold a password
            self.refused[path] = f'is a link to "{inside}", which is not part of the site'
            return False
        if not os.path.isdir(real):
            self._add(path)
            return False
        if is_linked:  # or the number of paths could grow without bound
            self.refused[path] = "is a link to a folder, in a folder that is a link itself"
            return False
        if _is_inside(os.path.realpath(os.path.dirname(full)), Path(real)):
            self.refused[path] = "is a link to a folder that it is in"
            return False
        return True

    def _is_apart(self, path: str) -> bool:
        parts = path.split("/")
        return parts[0] in self._at_root or any(part.startswith(".") or part in self._tools for part in parts)


def _count(folder: str) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def _is_inside(real: str, root: Path) -> bool:
    return real == str(root) or real.startswith(f"{str(root).rstrip(os.sep)}{os.sep}")


def _kind(mode: int) -> str:
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "not a regular file")


def _reason(error: OSError | ValueError) -> str:
    strerror = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read: {(strerror or str(error)).lower()}"


def _too_large(size: int, most: int) -> str:
    return f"has {size / 1e6:,.0f} MB (at most {most / 1e6:,.0f} MB are read)"


def fix_of_refused(reason: str) -> str:
    """What to do about a file that is not read, by the beginning of its reason."""
    return next((fix for start, fix in _FIXES if reason.startswith(start)), _COPY_IT)


def shown(path: str) -> str:
    """A path as text that can be printed on one line."""
    return visible(path.replace("\n", "\u240a").replace("\t", "\u2409"))
