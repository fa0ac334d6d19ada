"""Copies a project to another folder, where results that depend on the project's path differ."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from diglot.output_paths import MARK
from diglot.rules.options import SiteOptions

_LINKED_BYTES = 2**20
"""Size in bytes from which a file is hard-linked instead of copied."""
_NEVER = frozenset({"__pycache__", "node_modules"})


def copy_project(options: SiteOptions, to: Path) -> None:
    """Copy what a build may read: not caches, output, Python environments, or hidden folders of the root.

    Files that cannot be read are left out, as a build cannot read them either.
    """
    left_out = {options.output.resolve(), options.cache.resolve()}
    for folder, names, files in os.walk(options.root):
        here = Path(folder)
        there = to / here.relative_to(options.root)
        there.mkdir(parents=True, exist_ok=True)
        is_root = here == options.root
        links = [name for name in names if (here / name).is_symlink()]
        names[:] = [
            name
            for name in names
            if name not in links
            and name not in _NEVER
            and not (is_root and name.startswith("."))
            and not _is_made(here / name, left_out)
        ]
        for name in (*files, *links):
            with suppress(OSError):
                _copy(here / name, there / name, options.root)


def _is_made(folder: Path, left_out: set[Path]) -> bool:
    return folder.resolve() in left_out or (folder / MARK).exists() or (folder / "pyvenv.cfg").exists()


def _copy(source: Path, target: Path, root: Path) -> None:
    if source.is_symlink():
        inside = source.resolve().is_relative_to(root) and not os.path.isabs(os.readlink(source))
        target.symlink_to(os.readlink(source) if inside else source.resolve())
        return
    if not source.is_file():
        return  # a pipe or a socket
    if source.stat().st_size >= _LINKED_BYTES:
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copy(source, target)
