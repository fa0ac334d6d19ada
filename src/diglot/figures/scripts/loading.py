"""Loading a script as a module, and finding the modules next to it.

Scripts and modules of the project run under their paths relative to its root, which is the current folder,
so that `__file__` and tracebacks are the same wherever the project is.
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
"""diglot's package folder. Its modules count by their version or content, not by where imports look."""
_ZIPPED = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
"""Name of the standard library archive that Python puts on `sys.path` on every system."""
_SUFFIXES = tuple(importlib.machinery.all_suffixes())


class Noted(Protocol):
    """The observer, as imports use it: records the files for which they look."""

    def is_file(self, path: str) -> bool:
        """Whether there is a file. Records the file or its absence."""

    def missing(self, path: str) -> None:
        """Record that there is nothing at a path."""

    def looked(self, path: str, *, content: bool) -> None:
        """Record a query about a path; `content` if the answer depends on a file's content, too."""

    def matters(self, path: str) -> bool:
        """Whether queries about a path are recorded."""

    def package(self, name: str) -> None:
        """Record a look for a top-level module that is not one of the project."""


def load_script(script: Script, root: Path) -> ModuleType:
    """Run a script, and return its module. Line numbers of a fence are those of its article.

    Raises OSError if the file cannot be read, SyntaxError, and whatever the code raises.
    """
    path = root / script.path
    source = script.source if script.source is not None else path.read_bytes()
    if isinstance(source, str):
        source = "\n" * (script.first_line - 1) + source
    module = ModuleType(f"figure_{script.figure_id}")
    module.__file__ = script.path
    # Dataclasses and type hints look up their module by its name.
    sys.modules[module.__name__] = module
    exec(compile(source, script.path, "exec", dont_inherit=True), module.__dict__)
    return module


def import_folders(script: Script, root: Path) -> tuple[Path, ...]:
    """The folders where a script's imports look first: its own, then the project's figures/.

    For a fence, its own are the article's figures/ and the article's folder.
    """
    beside = (root / script.path).parent
    folders = (beside / "figures", beside) if script.source is not None else (beside,)
    return tuple(dict.fromkeys((*folders, root / "figures")))


def watch_imports(script: Script, root: Path, noted: Noted) -> None:
    """Install import finders that find modules next to a script and record where imports look."""
    sys.meta_path.insert(0, SiblingFinder(import_folders(script, root), noted.is_file, root=root))
    by_path = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path.insert(by_path, SearchedFolders(noted))
    sys.meta_path.append(MissedImports(noted.is_file))


class SiblingFinder:
    """Finds modules in a script's folders, and reports every file that it looks for, present or absent.

    An entry in `sys.path` would make whole folders dependencies, and a script with the name of a standard
    library module would replace that module for all code.
    """

    def __init__(self, folders: Sequence[Path], is_there: Callable[[str], bool], *, root: Path) -> None:
        self._folders = folders
        self._is_there = is_there
        self._root = root

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module next to the script, or in a package there. None for all other modules.

        Names of standard library modules and `diglot` are not looked for.
        """
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
        """Whether a package's folder is in one of the script's folders, so that this finder found it."""
        return any(Path(folder).is_relative_to(own) for own in self._folders)


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs a module under its path relative to the project's root.

    It always compiles the source, because a `.pyc` file would hide that the source was read.
    """

    def __init__(self, name: str, path: str, root: Path) -> None:
        super().__init__(name, path)
        self._shown = os.path.relpath(path, root) if Path(path).is_relative_to(root) else path

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self._shown, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self._shown
        super().exec_module(module)


class SearchedFolders:
    """Comes before the finder that searches `sys.path`, and records where that will look.

    Folders without the module count, because the next build would find a module that is created there.
    """

    def __init__(self, noted: Noted) -> None:
        self._noted = noted
        self._matter: dict[str, bool] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Always None. Records files, packages and folders of that name, up to the first that exists."""
        for folder in sys.path if path is None else path:
            if not isinstance(folder, str) or not self._is_searched(folder):
                continue
            if self._noted.is_file(folder):
                continue  # an archive, which is recorded as a file
            stem = os.path.join(folder, name.rpartition(".")[2])
            self._noted.looked(stem, content=False)  # a folder without __init__.py is a package, too
            files = [
                f"{one}{suffix}" for one in (os.path.join(stem, "__init__"), stem) for suffix in _SUFFIXES
            ]
            there = [self._noted.is_file(file) for file in files]  # a list, so that all of them are recorded
            if any(there):
                return
        if path is None:
            self._noted.package(name)

    def _is_searched(self, folder: str) -> bool:
        """Whether the author put a folder on the path, and queries there are recorded. Cached for speed."""
        known = os.path.abspath(folder)
        if known not in self._matter:
            self._matter[known] = not _is_given(folder) and self._noted.matters(known)
        return self._matter[known]


def _is_given(folder: str) -> bool:
    """Whether diglot or Python put a folder on the path, rather than the author."""
    return (
        os.path.basename(folder) == _ZIPPED or folder == str(_OWN.parent) or Path(folder).is_relative_to(_OWN)
    )


class MissedImports:
    """The last finder. It records submodules that no finder found: creating one would be a change."""

    def __init__(self, is_there: Callable[[str], bool]) -> None:
        self._is_there = is_there

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Always None. Records the files in which a package could contain the module."""
        for folder in path or ():
            stem = os.path.join(folder, name.rpartition(".")[2])
            self._is_there(f"{stem}.py")
            self._is_there(os.path.join(stem, "__init__.py"))
