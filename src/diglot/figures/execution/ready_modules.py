"""The hardware models, loaded once before workers are forked, for workers to import as their scripts ask.

A figure depends on the modules that its script imports, and on no others. So a worker begins without any.
When its script imports one, `ReadyModules` records its file and its folder, as loading would, and gives the
module that is there already, if its file and those of all that it imports are still what was loaded.
Otherwise Python loads it again.
"""

import builtins
import importlib
import importlib.machinery
import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.abc import Loader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from diglot.digests import digest_of

_PACKAGE = "diglot.hardware"
_FOLDER = Path(__file__).resolve().parents[2] / "hardware"
_LEFT_OUT = (f"{_PACKAGE}.__main__", f"{_PACKAGE}.validation")
"""What only commands use."""


class Noted(Protocol):
    """The observer, as this module uses it."""

    def file(self, path: str) -> str:
        """Record the current content of a file, or that there is none. Returns its digest."""

    def folder(self, path: str) -> None:
        """Record the current names in a folder."""

    def unheard(self) -> AbstractContextManager[None]:
        """Record nothing else on this thread for the length of a block."""


class ReadyModule(NamedTuple):
    """A module, the digest of the file that it was loaded from, and the modules of its package it imports."""

    module: ModuleType
    file: str
    digest: str
    imports: tuple[str, ...]


_ready: dict[str, ReadyModule] = {}


def load_ahead() -> None:
    """Load the hardware models with what their files say, and put all of it away for `ReadyModules`."""
    digests = {
        str(path): digest_of(path.read_bytes()) for path in _FOLDER.rglob("*.py")
    }  # before it is loaded
    imports: dict[str, dict[str, None]] = {}
    plainly = builtins.__import__

    def noting(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        module = plainly(name, globals, locals, fromlist or (), level)
        importer = str((globals or {}).get("__name__"))
        if not level and _is_ours(importer) and _is_ours(name):
            deeper = [f"{name}.{each}" for each in fromlist or () if f"{name}.{each}" in sys.modules]
            imports.setdefault(importer, {}).update(dict.fromkeys((name, *deeper)))
        return module

    builtins.__import__ = noting
    try:
        for name in _list_modules():
            importlib.import_module(name)
    finally:
        builtins.__import__ = plainly
    _read_files()
    for name in [name for name in sys.modules if _is_ours(name)]:
        module = sys.modules.pop(name)
        parent, _, own = name.rpartition(".")
        vars(_ready[parent].module if parent in _ready else sys.modules[parent]).pop(own)
        file = str(module.__file__)
        _ready[name] = ReadyModule(module, file, digests[file], tuple(imports.get(name, ())))


def _is_ours(name: str) -> bool:
    return name == _PACKAGE or name.startswith(f"{_PACKAGE}.")


def _list_modules() -> Iterator[str]:
    for found in pkgutil.walk_packages([str(_FOLDER)], f"{_PACKAGE}."):
        if not found.name.startswith(_LEFT_OUT):
            yield found.name


def _read_files() -> None:
    """Parse the files that most figures read. Workers open them again, and parse those that have changed."""
    from diglot.hardware.chips.calibration import load_calibration  # noqa: PLC0415  (its file's digest is taken before it is loaded)
    from diglot.hardware.chips.loading import load_processors, read_catalogue  # noqa: PLC0415  (as above)
    from diglot.hardware.chips.spreads import load_spreads  # noqa: PLC0415  (as above)
    from diglot.hardware.models.catalogue import load_models  # noqa: PLC0415  (as above)

    read_catalogue(folder=None)
    load_processors()
    load_calibration()
    load_spreads()
    load_models()


class ReadyModules(Loader):
    """A finder of modules that were loaded ahead, and their loader."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted
        self._current: dict[str, bool] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module that was loaded ahead and is current. None for all others."""
        if name not in _ready or not all(self._is_current(each) for each in _with_imports(name)):
            return None
        return importlib.machinery.ModuleSpec(name, self, origin=_ready[name].file)

    def _is_current(self, name: str) -> bool:
        if name not in self._current:
            ready = _ready[name]
            with self._noted.unheard():
                self._noted.folder(os.path.dirname(ready.file))
                self._current[name] = self._noted.file(ready.file) == ready.digest
        return self._current[name]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The module itself, which Python gives the spec of this loader."""
        module = _ready[spec.name].module
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give it back its own spec, and import what it imports."""
        spec = module.__spec__
        module.__spec__ = spec.loader_state if spec is not None else None
        for name in _ready[module.__name__].imports:
            importlib.import_module(name)


def _with_imports(name: str) -> list[str]:
    """A module, the packages that it is in, and all that these import, directly or not."""
    met = [name]
    for each in met:
        parent = each.rpartition(".")[0]
        met += [other for other in (parent, *_ready[each].imports) if other in _ready and other not in met]
    return met
