"""Running a script's code as a module, and finding the modules beside it.

Scripts and modules of the project are known by their paths from its root, which is where they run: what
they say of themselves is the same in every folder.
"""

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Protocol

from diglot.figures.records import Script

_OWN = Path(__file__).resolve().parents[2]
"""diglot itself, whose modules count by its version, or by what is in their files."""
_ZIPPED = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
"""Where Python looks for an archive of the standard library, on every system."""
_SUFFIXES = tuple(importlib.machinery.all_suffixes())


class Noted(Protocol):
    """Who is told which files imports look for."""

    def is_file(self, path: str) -> bool:
        """Whether a file is there, and note that this was asked."""

    def missing(self, path: str) -> None:
        """There is nothing at a path."""

    def looked(self, path: str, *, content: bool) -> None:
        """What stands at a path was asked for."""

    def matters(self, path: str) -> bool:
        """Whether anything at a path is noted."""


def load_script(script: Script, root: Path) -> ModuleType:
    """The script's module, run. Lines of a fence are those of its article.

    Raises whatever its code raises, OSError where its file cannot be read, SyntaxError.
    """
    path = root / script.path
    source = script.source if script.source is not None else path.read_bytes()
    if isinstance(source, str):
        source = "\n" * (script.first_line - 1) + source
    module = ModuleType(f"figure_{script.figure_id}")
    module.__file__ = script.path
    # Dataclasses and type hints look a module up by its name.
    sys.modules[module.__name__] = module
    exec(compile(source, script.path, "exec", dont_inherit=True), module.__dict__)
    return module


def import_folders(script: Script, root: Path) -> tuple[Path, ...]:
    """Where a script's `import` looks first: beside itself, then in the project's figures/."""
    beside = (root / script.path).parent
    folders = (beside / "figures", beside) if script.source is not None else (beside,)
    return tuple(dict.fromkeys((*folders, root / "figures")))


def watch_imports(script: Script, root: Path, noted: Noted) -> None:
    """Let a script's imports find the modules beside it, and have noted what they look for elsewhere."""
    sys.meta_path.insert(0, SiblingFinder(import_folders(script, root), noted.is_file, root=root))
    by_path = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path.insert(by_path, SearchedFolders(noted))
    sys.meta_path.append(MissedImports(noted.is_file))


class SiblingFinder:
    """Finds modules in a script's folders, and tells which files it looked for: present or not, they matter.

    Not by sys.path: that would depend on whole folders, and a script named like a module of the standard
    library would take that module's place for all others.
    """

    def __init__(self, folders: Sequence[Path], is_there: Callable[[str], bool], *, root: Path) -> None:
        self._folders = folders
        self._is_there = is_there
        self._root = root

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module beside the script, or in a package beside it; None for names of the standard library."""
        if path is not None:
            folders = [Path(one) for one in path if isinstance(one, str) and self._is_ours(one)]
        elif name in sys.stdlib_module_names or name == "diglot":
            return None
        else:
            folders = [*self._folders]
        for folder in folders:
            stem = folder / name.rpartition(".")[2]
            for place, inside in (
                (stem / "__init__.py", [str(stem)]),
                (stem.with_name(f"{stem.name}.py"), None),
            ):
                if self._is_there(str(place)):
                    return importlib.util.spec_from_file_location(
                        name,
                        place,
                        loader=_Loader(name, str(place), self._root),
                        submodule_search_locations=inside,
                    )
        return None

    def _is_ours(self, folder: str) -> bool:
        """Whether a package's folder is one that this has found: it lies in one of the script's folders."""
        return any(Path(folder).is_relative_to(own) for own in self._folders)


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs a module under its path from the project's root; compiled code would hide the source."""

    def __init__(self, name: str, path: str, root: Path) -> None:
        super().__init__(name, path)
        self._shown = os.path.relpath(path, root) if Path(path).is_relative_to(root) else path

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self._shown, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self._shown
        super().exec_module(module)


class SearchedFolders:
    """Stands before the finder that goes through `sys.path`: notes where it looks, also in vain.

    A module that is created in a folder that comes earlier would be found there in the next build.
    """

    def __init__(self, noted: Noted) -> None:
        self._noted = noted
        self._matter: dict[str, bool] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Never anything; notes files, packages and folders by that name up to the first that is there."""
        for folder in sys.path if path is None else path:
            if not isinstance(folder, str) or not self._is_searched(folder):
                continue
            if self._noted.is_file(folder):
                continue  # an archive, which is noted as a file
            stem = os.path.join(folder, name.rpartition(".")[2])
            self._noted.looked(stem, content=False)  # a folder without __init__ is a package, too
            files = [
                f"{one}{suffix}" for one in (os.path.join(stem, "__init__"), stem) for suffix in _SUFFIXES
            ]
            there = [self._noted.is_file(file) for file in files]  # all of them are noted
            if any(there):
                return

    def _is_searched(self, folder: str) -> bool:
        """Whether the author put a folder there; asked often, and of the same few."""
        known = os.path.abspath(folder)
        if known not in self._matter:
            self._matter[known] = not _is_given(folder) and self._noted.matters(known)
        return self._matter[known]


def _is_given(folder: str) -> bool:
    """Whether diglot or Python put a folder on the path, not the author."""
    return (
        os.path.basename(folder) == _ZIPPED or folder == str(_OWN.parent) or Path(folder).is_relative_to(_OWN)
    )


class MissedImports:
    """The last finder of all: what it is asked for is nowhere, and creating it would be a change."""

    def __init__(self, is_there: Callable[[str], bool]) -> None:
        self._is_there = is_there

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Never anything; notes the files that a package would hold the module in."""
        for folder in path or ():
            stem = os.path.join(folder, name.rpartition(".")[2])
            self._is_there(f"{stem}.py")
            self._is_there(os.path.join(stem, "__init__.py"))
