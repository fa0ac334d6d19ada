"""Running a script's code as a module, and finding the modules beside it."""

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from diglot.figures.records import Script


def load_script(script: Script, root: Path) -> ModuleType:
    """The script's module, run. Lines of a fence are those of its article.

    Raises whatever its code raises, OSError where its file cannot be read, SyntaxError.
    """
    path = root / script.path
    source = script.source if script.source is not None else path.read_bytes()
    if isinstance(source, str):
        source = "\n" * (script.first_line - 1) + source
    module = ModuleType(f"figure_{script.figure_id}")
    module.__file__ = str(path)
    # Dataclasses and type hints look a module up by its name.
    sys.modules[module.__name__] = module
    exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def import_folders(script: Script, root: Path) -> tuple[Path, ...]:
    """Where a script's `import` looks first: beside itself, then in the project's figures/."""
    beside = (root / script.path).parent
    folders = (beside / "figures", beside) if script.source is not None else (beside,)
    return tuple(dict.fromkeys((*folders, root / "figures")))


class SiblingFinder:
    """Finds modules in a script's folders, and tells which files it looked for: present or not, they matter.

    Not by sys.path: that would depend on whole folders, and a script named like a module of the standard
    library would take that module's place for all others.
    """

    def __init__(self, folders: Sequence[Path], is_there: Callable[[str], bool]) -> None:
        self._folders = folders
        self._is_there = is_there

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module beside the script, None for names of the standard library and of packages' insides."""
        if path is not None or name in sys.stdlib_module_names or name == "diglot":
            return None
        for folder in self._folders:
            for place, inside in (
                (folder / name / "__init__.py", [str(folder / name)]),
                (folder / f"{name}.py", None),
            ):
                if self._is_there(str(place)):
                    return importlib.util.spec_from_file_location(
                        name, place, submodule_search_locations=inside
                    )
        return None


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
