"""Places in which a shared cache can be. Each has flat files, which are written once and never changed."""

import os
import re
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

WAIT_S = 10
"""How long to wait for another machine that says nothing."""
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")


class PlaceUnreachable(Exception):
    """A place cannot be read or written now; its text says why, in one line."""


class Place(Protocol):
    """Where the files of a shared cache are. All functions raise PlaceUnreachable."""

    def sizes_bytes(self) -> dict[str, int]:
        """The names of all files with their sizes; empty where there is nothing yet."""

    def fetch(self, names: Collection[str], folder: Path) -> None:
        """Copy files into a folder of this machine. Files that are gone meanwhile are left out."""

    def put(self, files: Mapping[str, bytes]) -> None:
        """Add files, in this order; each appears as a whole or not at all."""

    def remove(self, names: Collection[str]) -> None:
        """Remove files that may be gone already."""


class FolderPlace:
    """A folder, perhaps on a drive of the network."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sizes_bytes(self) -> dict[str, int]:
        """The names of all files with their sizes."""
        try:
            with os.scandir(self._folder) as entries:
                return {
                    one.name: one.stat().st_size
                    for one in entries
                    if FILE_NAME.fullmatch(one.name) and one.is_file(follow_symlinks=False)
                }
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _unreachable(error) from error

    def fetch(self, names: Collection[str], folder: Path) -> None:
        """Copy files into another folder."""
        for name in names:
            try:
                shutil.copyfile(self._folder / name, folder / name, follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise _unreachable(error) from error

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files under other names, then rename them."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                partial = self._folder / f".{name}.{os.getpid()}"
                try:
                    partial.write_bytes(content)
                    partial.replace(self._folder / name)
                finally:
                    partial.unlink(missing_ok=True)
        except OSError as error:
            raise _unreachable(error) from error

    def remove(self, names: Collection[str]) -> None:
        """Remove files."""
        for name in names:
            with suppress(FileNotFoundError):
                try:
                    (self._folder / name).unlink()
                except PermissionError as error:
                    raise _unreachable(error) from error


def _unreachable(error: OSError) -> PlaceUnreachable:
    return PlaceUnreachable(error.strerror or type(error).__name__)
