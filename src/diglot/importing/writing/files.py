"""Writes an import into the project: all files of an article or none, without overwriting anything."""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from diglot.diagnostics import Refusal
from diglot.importing.source_folder import SourceFile, Unreadable, shown

_STAGING = ".diglot-import"

State = Literal["new", "same", "exists", "replaced"]


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Files that belong together: an article with its pictures, or the configuration."""

    name: str
    files: dict[str, str | SourceFile]
    """By path in the project, a text or the file to copy."""
    folder: str | None = None
    """The folder that contains exactly these files. If it is new, it is moved in one step."""


def state_of(batch: Batch, root: Path, *, force: bool) -> State:
    """What writing a batch would do; `exists` if a file with another content is there."""
    there = [path for path in batch.files if (root / path).exists() or (root / path).is_symlink()]
    if not there:
        return "new"
    if all(_is_same(root / path, batch.files[path]) for path in batch.files):
        return "same"
    if all(_is_same(root / path, batch.files[path]) for path in there) or force:
        return "replaced" if force else "new"
    return "exists"


def _is_same(path: Path, content: str | SourceFile) -> bool:
    if not path.is_file():
        return False
    if isinstance(content, SourceFile):
        try:
            return content.equals(path)
        except Unreadable:
            return False
    text = content.encode()
    return path.stat().st_size == len(text) and path.read_bytes() == text


def write_batches(batches: list[Batch], root: Path) -> None:
    """Write batches: all of them into a temporary folder first, and from there each into its place.

    An interruption while files are being copied, which takes nearly all of the time, leaves nothing. One
    while they are being moved leaves whole articles, and a later import continues. Raises Refusal where it
    cannot write.
    """
    is_new = not root.exists()
    staging = root / _STAGING
    try:
        root.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(staging, ignore_errors=True)  # left by a killed import
        _check_space(batches, root)
        for number, batch in enumerate(batches):
            _stage(batch, staging / str(number))
        for number, batch in enumerate(batches):
            _place(batch, root, staging / str(number))
    except OSError as error:
        path = os.path.relpath(error.filename or root, root)
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"{path} cannot be written: {reason}", "make room for it, and import again.") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # it is not empty: something was written
                root.rmdir()


def _check_space(batches: Iterable[Batch], root: Path) -> None:
    """Refuse to write more than the disk has room for."""
    copies = [
        content for batch in batches for content in batch.files.values() if isinstance(content, SourceFile)
    ]
    size = sum(status.st_size for copy in copies if (status := copy.status) is not None)
    free = shutil.disk_usage(root).free
    if size > free:
        message = f"the files to copy have {size / 1e6:,.0f} MB, and {free / 1e6:,.0f} MB are free"
        raise Refusal(message, "make room for them, or import into another folder.")


def _stage(batch: Batch, staging: Path) -> None:
    for path, content in batch.files.items():
        target = staging / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            target.write_text(content, "utf-8", newline="\n")
            continue
        try:
            content.copy_to(target)
        except Unreadable as error:
            message = f"{shown(content.path)} {error}"
            raise Refusal(message, "import again when nothing changes in the blog.") from None


def _place(batch: Batch, root: Path, staging: Path) -> None:
    if batch.folder is not None and not (root / batch.folder).exists():
        (root / batch.folder).parent.mkdir(parents=True, exist_ok=True)
        (staging / batch.folder).rename(root / batch.folder)
        return
    for path in batch.files:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / path, target)
