"""Inputs of a site outside of the project: diglot's code, its fonts, the libraries."""

import inspect
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

import diglot
from diglot.render.theme import built_in_theme
from diglot.rules import code, site
from diglot.rules.tasks import Task
from tests.space import BARS, Space, errors, ran, told


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of diglot, whose code is digested instead, in a folder where libraries may be installed."""
    copy = tmp_path / "lib/diglot"
    shutil.copytree(Path(diglot.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(built_in_theme(), copy / "theme")
    (tmp_path / "installed").mkdir()
    monkeypatch.setattr(diglot, "__file__", str(copy / "__init__.py"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "installed")])
    forget()
    yield copy
    forget()


def forget() -> None:
    code._part_digest.cache_clear()
    code._versions.cache_clear()


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
    forget()
    return {one.partition(" ")[0] for one in ran(space.build())}


def test_another_version_of_a_library_runs_everything(space: Space, tmp_path: Path) -> None:
    (tmp_path / "installed/numpy-99.0.dist-info").mkdir()
    assert {"document", "drawing", "article-page", "site"} <= kinds(space)


def test_another_library_runs_nothing(space: Space, tmp_path: Path) -> None:
    (tmp_path / "installed/requests-99.0.dist-info").mkdir()
    assert kinds(space) == set()


def test_another_font_draws_figures_anew_and_parses_no_text(space: Space, package: Path) -> None:
    font = next(package.rglob("figures/**/*.ttf"))
    font.write_bytes(font.read_bytes() + b"\0")
    again = kinds(space)
    assert {"data", "drawing", "download"} <= again
    assert "document" not in again


def test_code_of_the_parser_parses_anew_and_draws_nothing(space: Space, package: Path) -> None:
    module = package / "content/document.py"
    module.write_text(module.read_text("utf-8") + "\n# changed\n", "utf-8")
    again = kinds(space)
    assert "document" in again
    assert "drawing" not in again


def test_a_module_that_is_renamed_is_a_change(package: Path) -> None:
    before = code.code_digest("content")
    (package / "content/document.py").rename(package / "content/documents.py")
    forget()
    assert code.code_digest("content") != before


def test_another_installation_is_a_change(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = code.code_digest("content")
    package.rename(package.with_name("moved"))
    monkeypatch.setattr(diglot, "__file__", str(package.with_name("moved") / "__init__.py"))
    forget()
    assert code.code_digest("content") != before


def test_a_record_without_field_names_is_in_the_code_of_the_tasks_that_make_it() -> None:
    """Otherwise the bytes of an earlier version would be read into the wrong fields."""
    root = Path(diglot.__file__).parent
    seen = set()
    for module, parts in site._CODE.items():
        known = [root / part for part in (*site._BASE, *parts)]
        for one in vars(import_module(f"diglot.rules.{module}")).values():
            if isinstance(one, Task) and one.module == f"diglot.rules.{module}":
                for record in records_in(msgspec.inspect.type_info(one.rule("").value_type)):
                    file = Path(inspect.getfile(record))
                    assert any(file.is_relative_to(part) for part in known), (one.kind, record)
                    seen.add(record.__name__)
    assert {"Block", "FrontMatter", "Summary", "ResolvedReferences"} <= seen


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
