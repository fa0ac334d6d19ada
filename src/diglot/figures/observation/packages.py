"""The installed packages that a script looked for, as dependencies: also those that are not installed.

A package that is there is its metadata file, whose name has the version. One that is missing is the names
in the folders where it would be, for scripts that ask for it themselves: installing anything, in whichever
way, lets them try again. Libraries ask for dozens of optional packages. For these it is the places alone
at which each would be.
"""

import importlib.machinery
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from diglot.figures.records import ObservedKind
from diglot.installed import installed_as, names_in, package_folders

_METADATA = (".dist-info", ".egg-info")


class Place(NamedTuple):
    """A place on which it depends what a script finds."""

    kind: ObservedKind
    path: str


class Packages:
    """The installed packages of this process, as they are when it begins."""

    def __init__(self) -> None:
        self.folders = package_folders()
        self._names: dict[str, tuple[str, ...]] = {}

    def places_of(self, module: str, *, asked_by_a_library: bool) -> Iterator[Place]:
        """What a look for a top-level module depends on."""
        for folder in self.folders:
            if (place := self._installed_in(folder, module)) is not None:
                yield place
                return
        for folder in self.folders:
            if asked_by_a_library:
                yield from (Place("entry", os.path.join(folder, name)) for name in _names_of(module))
            else:
                yield Place("listing", folder)

    def metadata_at(self, path: str) -> Place | None:
        """What reading a path depends on: itself, if it is the metadata of a package."""
        folder, name = os.path.split(os.path.dirname(path))
        is_metadata = folder in self.folders and name.endswith(_METADATA)
        return Place("file", path) if is_metadata else None

    def _installed_in(self, folder: str, module: str) -> Place | None:
        names = self._names.setdefault(folder, names_in(folder))
        there = next((name for name in _names_of(module) if name in names), None)
        if there is None:
            return None
        metadata = installed_as(module, Path(folder), names)
        if metadata is not None:
            return Place("file", str(metadata / "METADATA"))
        path = os.path.join(folder, there)
        return Place("listing" if os.path.isdir(path) else "file", path)


@cache
def _names_of(module: str) -> tuple[str, ...]:
    """The names in a folder that would be a top-level module."""
    return module, *(f"{module}{suffix}" for suffix in importlib.machinery.all_suffixes())
