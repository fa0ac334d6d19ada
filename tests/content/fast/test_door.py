"""Faster code is used with the library versions that it was verified with, and with no others."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.version import Version
from pygments.lexers import PythonLexer

from diglot.content.fast import quick_lexer, quick_parser, versions
from diglot.content.parser import plain_parser
from scripts.versions import lowest_versions

ROOT = Path(__file__).parents[3]
LIBRARIES = ("markdown-it-py", "mdit-py-plugins", "Pygments")


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(versions.PLAIN_VARIABLE, raising=False)
    versions.are_verified.cache_clear()
    yield
    versions.are_verified.cache_clear()


def are_quick() -> tuple[bool, bool]:
    """Whether the parser and the lexer are replaced by faster ones."""
    md = plain_parser()
    ruler = md.block.ruler
    return quick_parser(md).block.ruler is not ruler, quick_lexer(PythonLexer) is not PythonLexer


def test_quicker_ways_are_taken_with_verified_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {library: (versions._installed(library),) for library in versions.VERIFIED}
    monkeypatch.setattr(versions, "VERIFIED", installed)
    assert are_quick() == (True, True)


@pytest.mark.parametrize(
    ("library", "quick"),
    [
        ("markdown-it-py", (False, True)),
        ("mdit-py-plugins", (False, True)),
        ("Pygments", (True, False)),
        ("Python", (True, False)),
    ],
)
def test_the_library_runs_as_it_is_in_a_version_that_nobody_verified(
    library: str, quick: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = {other: (versions._installed(other),) for other in versions.VERIFIED}
    monkeypatch.setattr(versions, "VERIFIED", installed | {library: ("0.0.1",)})
    assert are_quick() == quick


def test_a_variable_lets_the_libraries_run_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(versions.PLAIN_VARIABLE, "1")
    assert are_quick() == (False, False)


def test_the_locked_and_the_lowest_versions_are_verified() -> None:
    locked = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / ".ci/locked.txt").read_text("utf-8"), re.MULTILINE))
    lowest = lowest_versions((ROOT / "pyproject.toml").read_text("utf-8"))
    for library in LIBRARIES:
        bound = lowest.get(library) or lowest[library.lower()]
        assert {Version(locked[library.lower()]), Version(bound)} <= {
            *map(Version, versions.VERIFIED[library])
        }


def test_ci_takes_both_ways() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert re.search(
        rf"^ *{versions.PLAIN_VARIABLE}=1 python -m pytest .*tests/content", script, re.MULTILINE
    )
    assert re.search(rf"^ *{versions.PLAIN_VARIABLE}=1 diglot .*build", script, re.MULTILINE)
