"""`from diglot.hardware import …` offers every public name and loads only the modules that are used."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import diglot.hardware

TREE = ast.parse(Path(diglot.hardware.__file__).read_text("utf-8"))
TYPED = {
    name.name: node.module
    for node in ast.walk(TREE)
    if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("diglot.hardware.")
    for name in node.names
}
"""Name → module, as type checkers see it."""


def loaded(statement: str) -> set[str]:
    """Modules of the library that a statement loads in a fresh process."""
    listed = "print(*(name for name in sys.modules if name.startswith('diglot.hardware.')))"
    run = [sys.executable, "-c", f"import sys\n{statement}\n{listed}"]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_what_type_checkers_read_is_what_there_is() -> None:
    found = {name: f"diglot.hardware.{module}" for name, module in diglot.hardware._MODULE_OF.items()}
    assert found == TYPED
    assert set(found) <= set(dir(diglot.hardware))


def test_all_names_are_listed_and_there_is_a_version() -> None:
    names: dict[str, object] = {}
    exec("from diglot.hardware import *", names)
    assert set(diglot.hardware.__all__) == set(TYPED) == set(names) - {"__builtins__"}
    assert re.fullmatch(r"[0-9]+\.[0-9]+.*", diglot.hardware.__version__)


def test_every_name_is_defined_in_the_module_that_is_loaded_for_it() -> None:
    """So a script depends on no module that only re-exports a name."""
    defined = {name: getattr(getattr(diglot.hardware, name), "__module__", TYPED[name]) for name in TYPED}
    assert {name: defined[name] for name in TYPED if defined[name] not in (TYPED[name], "typing")} == {}


def test_signatures_fit_a_screen() -> None:
    """In `help()`: at most twelve parameters, and eighteen lines of 80 columns."""
    functions = [getattr(diglot.hardware, name) for name in TYPED]
    signatures = {each.__name__: inspect.signature(each) for each in functions if inspect.isfunction(each)}
    assert {name for name, each in signatures.items() if len(each.parameters) > 12} == set()
    assert {name for name, each in signatures.items() if len(str(each)) > 18 * 80} == set()


def test_an_unknown_name_is_refused_as_by_any_module() -> None:
    with pytest.raises(ImportError, match="cannot import name 'load_catalog'"):
        exec("from diglot.hardware import load_catalog")


def test_the_package_alone_loads_none_of_its_modules() -> None:
    assert loaded("import diglot.hardware") == set()


def test_a_name_loads_its_module_and_what_that_needs() -> None:
    needed = {"kernels", "kernels.kernel", "dtypes", "sizes"}
    assert loaded("from diglot.hardware import count_gemm") == {f"diglot.hardware.{name}" for name in needed}
