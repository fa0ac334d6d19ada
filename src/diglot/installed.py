"""Installed packages: where they are, and which version a module belongs to.

A version is in the name of a metadata folder, such as `numpy-2.4.6.dist-info`. importlib.metadata would find
it, too, but takes 40 ms to load.
"""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

_FOLDERS = ("site-packages", "dist-packages")


def package_folders() -> tuple[str, ...]:
    """The folders of installed packages on the path of this process, sorted."""
    return tuple(sorted({os.path.abspath(path) for path in sys.path if os.path.basename(path) in _FOLDERS}))


def names_in(folder: str) -> tuple[str, ...]:
    """The names in a folder, sorted; none if there is no such folder."""
    try:
        return tuple(sorted(os.listdir(folder)))
    except OSError:
        return ()


def path_files() -> tuple[tuple[str, int], ...]:
    """The `.pth` files of installed packages, with their times: Python reads them when it starts."""
    files = []
    for folder in package_folders():
        for path in (os.path.join(folder, name) for name in names_in(folder) if name.endswith(".pth")):
            with suppress(OSError):
                files.append((path, os.stat(path).st_mtime_ns))
    return tuple(files)


def installed_as(module: str, beside: Path, names: Sequence[str] | None = None) -> Path | None:
    """The `.dist-info` folder of the package that installed a top-level module, or None if there is none.

    `beside` is the folder that contains the module; `names` are those in it, if they are known.
    """
    folders = [
        name for name in (names_in(str(beside)) if names is None else names) if name.endswith(".dist-info")
    ]
    for name in folders:
        if _plain(name.partition("-")[0]) == _plain(module):
            return beside / name
    for name in folders:  # a package may have another name than its module: PyYAML installs yaml
        try:
            brought = (beside / name / "top_level.txt").read_text("utf-8").split()
        except OSError:
            continue
        if module in brought:
            return beside / name
    return None


def version_of(folder: Path) -> str:
    """The version in the name of a `.dist-info` folder."""
    return folder.name.removesuffix(".dist-info").partition("-")[2]


class Origin(msgspec.Struct, frozen=True):
    """Where an installed package came from, if it was no index: what pip keeps as `direct_url.json`."""

    url: str
    commit: str = ""
    """The commit that was checked out; empty for a file or a folder."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine has it."""
        return self.url.startswith("file:")


def origin_of(module: str) -> Origin | None:
    """Where a module's package was installed from; None for an index, and where nothing says so."""
    for folder in map(Path, package_folders()):
        metadata = installed_as(module, folder)
        if metadata is None:
            continue
        try:
            kept = msgspec.json.decode((metadata / "direct_url.json").read_bytes(), type=dict[str, Any])
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return None
        vcs = kept.get("vcs_info") or {}
        scheme = f"{vcs['vcs']}+" if "vcs" in vcs else ""
        return Origin(f"{scheme}{kept.get('url', '')}", str(vcs.get("commit_id", "")))
    return None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
