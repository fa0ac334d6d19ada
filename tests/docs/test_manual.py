"""The manual is true: its commands run in an empty folder, and its reference is what is declared."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diglot.cli import main
from diglot.cli.parsing import parse_arguments
from scripts import manual_reference
from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.docs.pages import DOCS, code, rows, section

MANUAL = DOCS / "manual"
PAGES = MANUAL / "content/pages"
TUTORIAL = ("start", "first-figure", "first-talk", "deploy")
ALONE = ("first-change", "from-hugo", "from-myst", "imports", "notebook", "citations", "in-step")
UNENDING = ("serve", "deploy")
"""Commands that end only when they are stopped, or publish: that they are understood has to do."""
ENDS_WITH_A_REPORT = {0, 1, 3}
"""Exit codes of commands whose output the chapter shows; all others have to succeed."""
_FENCE = re.compile(r'^(`{3,})(\w+)(?: title="([^"]+)")?\n(.*?)^\1$', re.MULTILINE | re.DOTALL)


class Piece(NamedTuple):
    """A fence of a chapter: a file, commands, or what the commands before it say."""

    language: str
    path: str | None
    text: str


def pieces(chapter: str, language: str) -> list[Piece]:
    text = (PAGES / chapter / f"{language}.md").read_text("utf-8")
    return [Piece(*one[1:]) for one in _FENCE.findall(text)]


def follow(chapter: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Write the files of a chapter and run its commands, in turn."""
    said = ""
    fences = pieces(chapter, "en")
    shown = [after.language == "text" for after in fences[1:]] + [False]
    for (language, path, text), is_shown in zip(fences, shown, strict=True):
        if path:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, "utf-8")
        elif language == "text":
            missing = [line for line in text.splitlines() if "pip" not in line and line not in said]
            assert not missing, f"{chapter}: {missing} is not in\n{said}"
        elif language == "sh" and "pip install" not in text:
            said = ""
            for line in text.splitlines():
                said += run(line, ENDS_WITH_A_REPORT if is_shown else {0}, monkeypatch, capsys)


def run(
    line: str, ends: set[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    program, *words = shlex.split(line)
    if program == "cd":
        monkeypatch.chdir(words[0])
        return ""
    if program == "git":
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)
        return ""
    assert program == "diglot", line
    if words[0] in UNENDING:
        parse_arguments(words)
        return ""
    kept = words[-1] if words[-2:-1] == [">"] else None
    capsys.readouterr()
    ended = main(words[: words.index(">")] if kept else words)
    out, err = capsys.readouterr()
    assert ended in ends, f"{line}\n{out}{err}"
    if kept:
        assert Path(kept).read_text("utf-8").strip() == out.strip()
    return (out + err).replace("\N{NO-BREAK SPACE}", " ")


def test_the_commands_of_the_tutorial_run_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pptx", reason="python-pptx is not installed")
    monkeypatch.chdir(tmp_path)
    for chapter in TUTORIAL:
        follow(chapter, monkeypatch, capsys)


@pytest.mark.parametrize("chapter", ALONE)
def test_the_commands_of_a_chapter_run_without_the_tutorial(
    chapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    follow(chapter, monkeypatch, capsys)


def test_both_halves_of_a_chapter_show_the_same_files_and_commands() -> None:
    for chapter in (*TUTORIAL, *ALONE):
        assert pieces(chapter, "zh") == pieces(chapter, "en"), chapter


def test_the_options_of_init_are_options() -> None:
    start = (PAGES / "start/en.md").read_text("utf-8")
    described = [
        words for row in rows(section(start, "## A first site {#site}"))[5:] for words in code(row[0])
    ]
    assert len(described) > 5
    for words in described:
        parse_arguments(["init", "blog", *shlex.split(words)])


def test_its_reference_is_what_the_code_declares() -> None:
    for path, text in manual_reference.pages():
        assert path.read_text("utf-8") == text, "`python scripts/manual_reference.py` writes it again"
    assert manual_reference.unused_words() == set()


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the manual's sources."""
    skipped = shutil.ignore_patterns(".diglot", "public")
    return shutil.copytree(MANUAL, tmp_path_factory.mktemp("docs") / "manual", ignore=skipped)


def test_it_is_a_site_without_a_warning(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["check", "site", "pairs", "numbers", "--strict"], ["status"]):
        assert main(["-C", str(manual), *words]) == 0, capsys.readouterr()


@pytest.mark.layout
@pytest.mark.browser
def test_a_page_of_it_is_for_every_reader_and_its_list_is_a_sheet_on_a_phone(
    open_page: Callable[..., Any], manual: Path
) -> None:
    assert main(["-C", str(manual), "build", "--base-url", "https://manual.example/"]) == 0
    with served(manual / "public") as address:
        page = open_page(f"{address}/zh/first-figure/", width=1440)
        assert page.locator(".tree").is_visible()
        assert axe_violations(page) == []
        page = open_page(f"{address}/en/settings/", width=360)
        assert has_no_horizontal_scroll(page)
        assert not page.locator(".tree").is_visible()
        page.focus(".where button")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Start"
        assert axe_violations(page) == []
        page.keyboard.press("Escape")
        assert not page.locator(".tree").is_visible()
