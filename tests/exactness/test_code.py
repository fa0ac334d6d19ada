"""Inputs of a site outside of the project: diglot's code, its fonts, the libraries."""

import inspect
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

import diglot
from diglot.render.theme import built_in_theme
from diglot.rules import code
from diglot.rules.closures import Closures
from diglot.rules.imports import Import, read_imports
from diglot.rules.tasks import Task
from tests.space import BARS, Space, errors, ran, told

ROOT = Path(__file__).parents[2]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of diglot, whose code is digested instead, in a folder where libraries may be installed."""
    copy = tmp_path / "lib/diglot"
    shutil.copytree(Path(diglot.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(built_in_theme(), copy / "theme")
    (tmp_path / "installed").mkdir()
    monkeypatch.setattr(diglot, "__file__", str(copy / "__init__.py"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "installed")])
    code.forget()
    yield copy
    code.forget()


@pytest.fixture
def space(package: Path, space: Space) -> Space:
    space.write("figures/bars.py", BARS)
    embed = "```{figure} bars\nBars\n```"
    space.post("a", zh=embed, en=embed)
    result = space.build()
    assert not errors(result), told(result)
    assert ran(space.build()) == []
    return space


def kinds(space: Space) -> set[str]:
    code.forget()
    return {one.partition(" ")[0] for one in ran(space.build())}


FONT = "lib/diglot/figures/drawing/fonts/DiglotSans-Regular.ttf"
NOTHING: set[str] = set()
CHANGES: Mapping[str, tuple[set[str], set[str] | None]] = {
    "lib/diglot/figures/drawing/fonts/DiglotSans-Regular.ttf": (
        {"data", "drawing", "download"},
        {"document"},
    ),
    "lib/diglot/content/document.py": ({"document"}, {"drawing"}),
    "lib/diglot/digests.py": ({"document", "drawing"}, NOTHING),
    "lib/diglot/cli/reports.py": (NOTHING, None),
    "lib/diglot/serve/app.py": (NOTHING, None),
    "lib/diglot/importing/names.py": (NOTHING, None),
    "lib/diglot/check/pages.py": (NOTHING, None),
    "installed/requests-99.0.dist-info/": (NOTHING, None),
    "installed/numpy-99.0.dist-info/": ({"document", "drawing", "article-page", "site"}, NOTHING),
}
"""What changes, with the kinds of tasks that run, and those that do not; None is all."""


def test_a_change_runs_what_is_made_of_it(space: Space, tmp_path: Path) -> None:
    wrong = {}
    for path, (some, others) in CHANGES.items():
        changed = tmp_path / path
        if path.endswith("/"):
            changed.mkdir()
        else:
            changed.write_bytes(
                changed.read_bytes() + (b"\0" if changed.suffix == ".ttf" else b"\n# changed\n")
            )
        again = kinds(space)
        if not some <= again or again & (again if others is None else others):
            wrong[path] = again
    assert wrong == {}


def test_an_extra_makes_no_figure_anew_and_no_text(space: Space, tmp_path: Path) -> None:
    """What uses one has it as an input; of these tasks only brotli is one, of what is published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    always, extras = project["dependencies"], project["optional-dependencies"]
    lines = {line for name in extras for line in extras[name] if name != "test"}
    names = {re.split("[<>=]", line)[0] for line in lines} - {re.split("[<>=]", line)[0] for line in always}
    assert {"distributed", "opencc", "vl-convert-python"} <= names
    for name in names:
        (tmp_path / f"installed/{name.replace('-', '_')}-99.0.dist-info").mkdir()
    assert kinds(space) <= {"article-outputs", "site"}


def test_code_of_a_check_is_no_code_of_a_task(package: Path, tmp_path: Path) -> None:
    before, checks = digests(tmp_path), code.code_of_checks(tmp_path)
    module = package / "check/pages.py"
    module.write_text(module.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert digests(tmp_path) == before
    assert code.code_of_checks(tmp_path) != checks


def digests(cache: Path) -> Mapping[str, str]:
    """By the last words of the names of modules."""
    code.forget()
    return {name.rpartition(".")[2]: digest for name, digest in code.task_codes(cache).items()}


def test_a_module_that_is_renamed_is_a_change(package: Path, tmp_path: Path) -> None:
    before = digests(tmp_path)
    (package / "content/cjk.py").rename(package / "content/cjks.py")
    assert digests(tmp_path)["halves"] != before["halves"]


def test_a_data_file_that_is_new_is_a_change_of_the_modules_beside_it(package: Path, tmp_path: Path) -> None:
    before = digests(tmp_path)
    (package / "content/more.yaml").write_text("a: 1\n")
    after = digests(tmp_path)
    assert after["halves"] != before["halves"]
    assert after["compressing"] == before["compressing"]


def test_another_installation_is_a_change(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(tmp_path)
    package.rename(package.with_name("moved"))
    monkeypatch.setattr(diglot, "__file__", str(package.with_name("moved") / "__init__.py"))
    after = digests(tmp_path)
    assert all(after[module] != before[module] for module in before)


def test_digests_are_the_same_whether_they_were_kept_or_not(package: Path, tmp_path: Path) -> None:
    first = digests(tmp_path)
    code._found.clear()
    assert digests(tmp_path) == first
    code._found.clear()
    for kept in (*tmp_path.rglob("diglot-code"), *package.rglob("diglot-code")):
        kept.write_bytes(b"damaged")
    assert digests(tmp_path) == first


def closures() -> Closures:
    known = code._code()
    return Closures(known.folder, known.stamps, known.installed, known=None)


def test_a_record_without_field_names_is_in_the_code_of_the_tasks_that_make_it(tmp_path: Path) -> None:
    """Otherwise the bytes of an earlier version would be read into the wrong fields."""
    code.forget()
    found, seen = closures(), set()
    for module in code.task_codes(tmp_path):
        reached = found.reached({module}).all_modules
        for one in vars(import_module(module)).values():
            if isinstance(one, Task) and one.module == module:
                for record in records_in(msgspec.inspect.type_info(one.rule("").value_type)):
                    assert inspect.getmodule(record).__name__ in reached, (one.kind, record)
                    seen.add(record.__name__)
    assert {"Block", "FrontMatter", "Summary", "ResolvedReferences"} <= seen


def test_code_is_sharp() -> None:
    """An edit of a module runs a fraction of the tasks again; of what tasks share, all of them."""
    code.forget()
    found = closures()
    rules = [name for name in found._paths if name.startswith("diglot.rules.")]
    tasks = [name for name in rules if found._imports(name).tasks]
    reached = [found.reached({name}).all_modules for name in tasks]
    modules = set().union(*reached)
    counts = [sum(module in one for one in reached) for module in modules]
    assert sum(counts) / len(counts) < 18
    assert not {"diglot.engine.scheduler", "diglot.cli.main", "diglot.rules.site"} & modules


MADE_NAMES = {
    "diglot.cli.main": "commands, which no task runs",
    "diglot.content.fast.versions": "libraries that other modules import, too",
    "diglot.figures.observation.databases": "modules of the standard library",
    "diglot.figures.observation.refusals": "modules of the standard library",
    "diglot.figures.scripts.datasets": "what a script names, which workers observe",
    "diglot.figures.execution.ready_modules": "the hardware models, which workers observe",
    "diglot.figures.execution.worker_process": "the project's own module",
    "diglot.rules.site": "modules that declare tasks, each of which has its own digest",
}
"""Modules that import by a name that no syntax tells, with what that is."""


def test_every_import_can_be_read_or_is_explained() -> None:
    code.forget()
    found = closures()
    assert {name for name in found._paths if found._imports(name).unreadable} == MADE_NAMES.keys()


SOURCE = b"""\
from __future__ import annotations
import os.path as path, json
from . import near
from .deep import one, two
from ..up import three
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from diglot.never import seen
else:
    import otherwise
try:
    import lxml.etree
except ImportError:
    from fallback import etree
match path:
    case 1:
        import in_case

class Kept:
    from inside import a_class
    def run(self):
        with path:
            from diglot.late import inner
            return import_module("diglot.by_name")

@task("kind")
async def make_it(fetch):
    import in_task
    return [sys.executable, "-m", "diglot.started"]

def lazy(name):
    import_module(f"diglot.lazy.{name}")
    importlib.import_module(f"{__name__}.{name}")
    return import_module(name), lambda: __import__("in_lambda")
"""


@pytest.mark.parametrize(("is_package", "near"), [(False, "diglot.pack"), (True, "diglot.pack.module")])
def test_imports_are_read_off_the_syntax(is_package: bool, near: str) -> None:
    read = read_imports(SOURCE, "diglot.pack.module", is_package=is_package)
    up = near.rpartition(".")[0]
    assert read.imports == (
        Import("__future__", ("annotations",), False),
        Import("os.path", (), False),
        Import("json", (), False),
        Import(near, ("near",), False),
        Import(f"{near}.deep", ("one", "two"), False),
        Import(f"{up}.up", ("three",), False),
        Import("typing", ("TYPE_CHECKING",), False),
        Import("otherwise", (), False),
        Import("lxml.etree", (), False),
        Import("fallback", ("etree",), False),
        Import("in_case", (), False),
        Import("inside", ("a_class",), False),
        Import("diglot.late", ("inner",), True),
        Import("diglot.by_name", (), True),
        Import("in_task", (), True),
        Import("diglot.started", (), True),
        Import("in_lambda", (), True),
    )
    assert read.prefixes == ("diglot.lazy.", "diglot.pack.module.")
    assert read.tasks == ("make_it",)
    assert len(read.unreadable) == 1


def records_in(found: Any, met: set[type] | None = None) -> Iterator[type]:
    """The records encoded as arrays that a type contains, at any depth."""
    met = set() if met is None else met
    if isinstance(found, msgspec.inspect.StructType):
        if found.cls in met:
            return
        met.add(found.cls)
        if found.cls.__struct_config__.array_like:
            yield found.cls
    parts = found if isinstance(found, tuple) else vars_of(found)
    for part in parts:
        if isinstance(part, tuple | msgspec.Struct):
            yield from records_in(part, met)


def vars_of(found: msgspec.Struct) -> list[Any]:
    return [getattr(found, field) for field in found.__struct_fields__]
