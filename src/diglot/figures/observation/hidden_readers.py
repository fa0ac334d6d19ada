"""Libraries that may have read files where nobody could watch them, with the lines that loaded them."""

import os
import sys
from types import FrameType
from typing import NamedTuple

from diglot.figures.observation.native_code import is_reader

_LOADED_BY_PANDAS = ("pyarrow.lib", "pyarrow._compute")
"""Parts of pyarrow that pandas loads wherever both are installed, and reads no file with."""


class HiddenReader(NamedTuple):
    """A library, and where it was loaded."""

    package: str
    is_known: bool
    """Whether it is known to read files on its own."""
    path: str | None
    """The file that loaded it, relative to the project; None if it is not one of the project."""
    line: int | None


class HiddenReaders:
    """The hidden readers of a process."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._readers: dict[str, HiddenReader] = {}
        self._are_declared = False

    def add(self, module: str) -> None:
        """Add the package of a compiled module that is about to be loaded."""
        if module in _LOADED_BY_PANDAS and _is_loaded_by_pandas():
            return
        package = module.partition(".")[0]
        if package not in self._readers:
            self._readers[package] = HiddenReader(package, is_reader(module), *_place_in(self._root))

    def declare(self) -> None:
        """Note that the script says with `reads` what its libraries read."""
        self._are_declared = True

    def forget(self) -> None:
        """Begin anew."""
        self._readers.clear()

    def undeclared(self) -> tuple[HiddenReader, ...]:
        """The readers; none if the script says what they read."""
        return () if self._are_declared else tuple(self._readers.values())


def _place_in(root: str) -> tuple[str | None, int | None]:
    """The innermost line of the project's code that is running: file and number."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        path = os.path.join(root, name)
        if path.startswith(root + os.sep) and "site-packages" not in path and not name.startswith("<"):
            return os.path.relpath(path, root), frame.f_lineno
        frame = frame.f_back
    return None, None


def _is_loaded_by_pandas() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("pandas."):
            return True
        frame = frame.f_back
    return False
