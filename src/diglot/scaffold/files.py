"""Adds files to a project: all of them or none, without changing any that exists."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec


class NewFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to write."""

    path: str
    """Relative to the project's root, with forward slashes."""
    text: str = ""
    copied: Path | None = None
    """A file whose content it has, instead of a text."""


def is_there(root: Path, path: str) -> bool:
    """Whether anything has this path, a broken link included."""
    return (root / path).exists() or (root / path).is_symlink()


def replace_text(path: Path, text: str) -> None:
    """Write a file in one step: whoever interrupts this finds the old text or the new one."""
    aside = path.with_name(f".{path.name}.diglot")
    try:
        aside.write_bytes(text.encode())
        with suppress(OSError):
            aside.chmod(path.stat().st_mode)
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_new(root: Path, files: Iterable[NewFile]) -> None:
    """Write files that do not exist yet, with the folders above them.

    On failure or interruption, the files written so far are removed. Raises FileExistsError for a file that
    has appeared in the meantime.
    """
    begun: list[Path] = []
    try:
        for file in files:
            path = root / file.path
            for folder in reversed((path.parent, *path.parent.parents)):
                if not folder.exists():
                    begun.append(folder)
                    folder.mkdir(exist_ok=True)
            _write(path, file.copied.read_bytes() if file.copied else file.text.encode(), begun)
    except BaseException:
        for made in reversed(begun):
            with suppress(OSError):
                made.rmdir() if made.is_dir() and not made.is_symlink() else made.unlink()
        raise


def _write(path: Path, content: bytes, begun: list[Path]) -> None:
    begun.append(path)  # first, because an interruption may come in between
    try:
        with open(path, "xb") as stream:
            stream.write(content)
    except FileExistsError:
        begun.remove(path)  # another program made it
        raise
