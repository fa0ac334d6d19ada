"""Finds the files that match a pattern such as `content/posts/**`."""

import errno
import os
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import cache

from diglot.unreadable import Unreadable, find_unreadable

_SCRATCH = re.compile(r"\.|__pycache__$|#.*#$|.*~$|.*\.(sw[a-p]|tmp)$", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")


def is_scratch(name: str) -> bool:
    """Whether a name is never part of a site: hidden, Python's cache, or an editor's temporary file."""
    return _SCRATCH.match(name) is not None


class Folders:
    """The folders below a root, each read at most once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._entries: dict[str, _Names] = {}

    def find_unreadable(self, pattern: str) -> tuple[Unreadable, ...]:
        """What matches and is neither file nor folder, sorted: links that lead nowhere, pipes.

        If the last part has an ending, as `*.md`, folders of such names are found, too.
        """
        parts = _parts(pattern)
        found = [find_unreadable(self._root, path) for path in set(self._match("", parts, _ODD))]
        if parts[-1].startswith("*."):
            found += [Unreadable(path, "is a folder") for path in self._match("", parts, _FOLDERS)]
        return tuple(sorted(one for one in found if one is not None))

    def find(self, pattern: str) -> tuple[str, ...]:
        """Paths of the files that match, sorted, with forward slashes, relative if the pattern is.

        `*`, `?` and `[…]` match within one name; `**` matches any number of folders, and as the last part
        everything below. Scratch files match only a last part that is itself called so: `.*` and `*~`.
        Links to folders are followed, unless they form a cycle.
        """
        if not _has_wildcard(pattern):
            return self._find_one(pattern)
        parts = _parts(pattern)
        start = "/" if pattern.startswith("/") else ""
        return tuple(sorted(set(self._match(start, parts, _FILES)))) if parts else ()

    def _find_one(self, path: str) -> tuple[str, ...]:
        """The path itself if there is such a file, in the form that a pattern would give."""
        if not _is_short(path):
            parts = [part for part in path.split("/") if part not in ("", ".")]
            path = "/" * path.startswith("/") + "/".join(parts)
        folder, slash, name = path.rpartition("/")
        return (path,) if name in self._read(folder + slash)[_FILES] else ()

    def _match(self, start: str, parts: list[str], of: int) -> Iterator[str]:
        """Paths of entries that match; `of` is the place of their sort among those of a folder."""
        todo: list[tuple[str, int, tuple[tuple[int, int], ...]]] = [(start, 0, ())]
        while todo:
            folder, at, above = todo.pop()
            part, last = parts[at], at == len(parts) - 1
            if part != "**" and not _has_wildcard(part) and not last:
                todo.append((f"{folder}{part}/", at + 1, above))
                continue
            entries = self._read(folder)
            folders = entries[_FOLDERS]
            if part == "**":
                if any(entries) and (identity := self._identity(folder)) not in above:
                    todo.append((folder, at + 1, above))
                    todo += [(f"{folder}{name}/", at, (*above, identity)) for name in folders]
                continue
            matches = _matcher(part)
            if last:
                names = entries[_SCRATCH_FILES if of == _FILES and is_scratch(part) else of]
                yield from (folder + name for name in names if matches(name))
            else:
                todo += [(f"{folder}{name}/", at + 1, above) for name in folders if matches(name)]

    def _read(self, folder: str) -> "_Names":
        """Names of folders, files, what is neither, scratch files; all empty if there is no such folder."""
        if folder not in self._entries:
            if self._is_absent(folder):
                return _NOTHING
            folders: dict[str, None] = {}
            files: dict[str, None] = {}
            odd: dict[str, None] = {}
            scratch: dict[str, None] = {}
            try:
                with os.scandir(folder if folder.startswith("/") else f"{self._root}/{folder}") as entries:
                    for entry in entries:
                        if not _is_sayable(entry.name):
                            continue
                        if is_scratch(entry.name):
                            if entry.is_file(follow_symlinks=False):
                                scratch[entry.name] = None
                            continue
                        try:
                            is_folder, is_file = entry.is_dir(), entry.is_file()
                        except OSError as error:  # if it is there, its reader reports the error
                            is_folder, is_file = False, error.errno != errno.ELOOP
                        if (
                            is_folder
                            and entry.is_symlink()
                            and find_unreadable(self._root, folder + entry.name)
                        ):
                            is_folder = False  # it leads to a folder above it
                        if is_folder:
                            folders[entry.name] = None
                        elif is_file:
                            files[entry.name] = None
                        else:
                            odd[entry.name] = None
            except (FileNotFoundError, NotADirectoryError):
                pass
            self._entries[folder] = folders, files, odd, scratch
        return self._entries[folder]

    def _is_absent(self, folder: str) -> bool:
        """Whether the parent folder has no such folder: checked first, as most folders asked for are absent.

        Upper and lower case differ here even if they do not on the disk.
        """
        above, slash, name = folder[:-1].rpartition("/")
        if not name or folder.startswith("/") or name == ".." or is_scratch(name) or not _is_sayable(name):
            return False
        return name not in self._read(above + slash)[_FOLDERS]

    def _identity(self, folder: str) -> tuple[int, int]:
        status = os.stat(os.path.join(self._root, folder))
        return status.st_dev, status.st_ino


_Names = tuple[dict[str, None], dict[str, None], dict[str, None], dict[str, None]]
_FOLDERS, _FILES, _ODD, _SCRATCH_FILES = range(4)
_NOTHING: _Names = ({}, {}, {}, {})


def _has_wildcard(part: str) -> bool:
    return "*" in part or "?" in part or "[" in part


def _is_short(path: str) -> bool:
    """Whether a path has no empty parts and no `.` in it, apart from a leading slash."""
    return not ("//" in path or "/./" in path or path.startswith("./") or path.endswith(("/", "/.")))


@cache
def _matcher(part: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(translate(part)).match


def _is_sayable(name: str) -> bool:
    """Whether a name can be part of a key and be stored: no control characters, valid Unicode."""
    if _CONTROL.search(name):
        return False
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def gives(pattern: str, path: str) -> bool:
    """Whether `Folders.find` would return this path for a pattern, provided there is such a file."""
    return _gives(_parts(pattern), [name for name in path.split("/") if name])


def reaches(pattern: str, folder: str) -> bool:
    """Whether `Folders.find` would look for a pattern in a folder, if there were one of this path."""
    parts, names = _parts(pattern), [name for name in folder.split("/") if name]
    for at, name in enumerate(names):
        if at == len(parts):
            return False
        if parts[at] == "**":
            return not any(map(is_scratch, names[at:]))
        if not _gives([parts[at]], [name]):
            return False
    return len(parts) > len(names)


def base_of(pattern: str) -> str | None:
    """The folder that contains everything a pattern can match; None for a pattern without wildcards."""
    parts = _parts(pattern)
    fixed = next((at for at, part in enumerate(parts) if _has_wildcard(part)), None)
    start = "/" if pattern.startswith("/") else ""
    return None if fixed is None else start + "/".join(parts[:fixed])


def _parts(pattern: str) -> list[str]:
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    return [*parts, "*"] if parts and parts[-1] == "**" else parts


def _gives(parts: list[str], names: list[str]) -> bool:
    if not parts or not names:
        return not parts and not names
    part, name = parts[0], names[0]
    if part == "**":
        return _gives(parts[1:], names) or (not is_scratch(name) and _gives(parts, names[1:]))
    is_asked_for = is_scratch(name) == (len(parts) == 1 and is_scratch(part))
    fits = is_asked_for and _matcher(part)(name) if _has_wildcard(part) else name == part
    return bool(fits) and _gives(parts[1:], names[1:])
