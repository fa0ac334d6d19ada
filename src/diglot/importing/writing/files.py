"""Writes an import into the project: all files of an article or none, without overwriting anything."""

import os
import shutil
from pathlib import Path
from typing import Literal

import msgspec

_STAGING = ".diglot-import"

State = Literal["new", "same", "exists", "replaced"]


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Files that belong together: an article with its pictures, or the configuration."""

    name: str
    files: dict[str, str | Path]
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


def _is_same(path: Path, content: str | Path) -> bool:
    if not path.is_file():
        return False
    wanted = content.encode() if isinstance(content, str) else content.read_bytes()
    return path.stat().st_size == len(wanted) and path.read_bytes() == wanted


def write_batches(batches: list[Batch], root: Path) -> None:
    """Write batches one after another, each complete in a temporary folder before it is moved.

    After an interruption, whole articles are there, and a later import continues.
    """
    staging = root / _STAGING
    shutil.rmtree(staging, ignore_errors=True)  # left by a killed import
    try:
        for number, batch in enumerate(batches):
            _write(batch, root, staging / str(number))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write(batch: Batch, root: Path, staging: Path) -> None:
    for path, content in batch.files.items():
        target = staging / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            target.write_text(content, "utf-8", newline="\n")
        else:
            shutil.copyfile(content, target)
    if batch.folder is not None and not (root / batch.folder).exists():
        (root / batch.folder).parent.mkdir(parents=True, exist_ok=True)
        (staging / batch.folder).rename(root / batch.folder)
        return
    for path in batch.files:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / path, target)
