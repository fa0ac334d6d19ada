"""`diglot check` keeps what it found out, looks again at what changed, and says what a first check says."""

import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from diglot.check import finished_site, page_facts
from diglot.check.addresses import SiteAddress
from diglot.check.page_facts import PageFacts
from diglot.cli import main
from diglot.cli.command import EXIT_INTERRUPTED
from diglot.rules import finished
from tests.check.test_finished import checked, places
from tests.space import Space

KEPT = (".diglot/checks", ".diglot/facts", ".diglot/mistakes")
EDITS = {
    "a paragraph": ("one/en.md", "Here.", "Here it is."),
    "a dead link": ("one/en.md", "Here", '<link rel="next" href="/nowhere/">Here'),
    "a line above a dead link": ("one/en.md", "<link", "Text.\n\n<link"),
    "the id that another page leads to": ("two/zh.md", 'id="part"', 'id="other"'),
    "a misspelt name": ("two/en.md", "Second", "Nvidia"),
    "a title that stands twice": ("two/en.md", "Article two", "Article one"),
    "a link to a page and a file that had none": (
        "one/en.md",
        "Text.",
        "[Alone](../../pages/alone.en.md), [data](/data.bin).",
    ),
    "a heavy picture": ("one/zh.md", "此处", '<img src="/big.svg" alt="">此处'),
    "no description": ("../pages/alone.en.md", "Alone.", "## Alone"),
    "a dead link in the configuration": (
        "../../site/site.yaml",
        "tags:",
        "navigation:\n- {label: {zh: 无, en: Gone}, path: https://example.org/gone/}\ntags:",
    ),
    "a line above it": ("../../site/site.yaml", "navigation:", "# Where is it?\nnavigation:"),
    "a comment that ignores": ("two/en.md", "Nvidia", "<!-- diglot-ignore: name-spelling -->\nNvidia"),
}


@pytest.fixture
def two(space: Space) -> Space:
    space.post("one", zh='<link rel="next" href="/zh/posts/two/#part">第一。\n\n此处。', en="First.\n\nHere.")
    for language, title in (("zh", "独页"), ("en", "Alone")):
        space.write(f"content/pages/alone.{language}.md", f"---\ntitle: {title}\n---\n\n{title}.\n")
    space.write("site/static/data.bin", b"1")
    space.write(
        "site/static/big.svg",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{" " * 300_000}</svg>',
    )
    space.post("two", zh='第二<span id="part"></span>。', en="Second.")
    return space


def test_after_every_edit_a_check_says_what_a_first_check_says(
    two: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {*places(checked(two, capsys))}
    for name, (path, old, new) in EDITS.items():
        two.change(f"content/posts/{path}", old, new)
        told.update(_checked_thrice(two, capsys, name))
    two.write("site/words.yaml", "leave: [NVIDIA]\n")  # no page is made from these two
    two.write("content/posts/one/forgotten.csv", "a,b\n")
    last = _checked_thrice(two, capsys, "files beside the site")
    assert "content/posts/one/forgotten.csv:file-unused" in last
    rules = {one.rpartition(":")[2] for one in told}
    assert rules >= {"link-dead", "link-fragment", "name-spelling", "title-repeated", "page-unlinked"}
    assert rules >= {"description-missing", "file-unused", "picture-heavy"}


def _checked_thrice(two: Space, capsys: pytest.CaptureFixture[str], edit: str) -> list[str]:
    """What is found after an edit; once more, with nothing to do; and with nothing kept."""
    found = places(checked(two, capsys))
    assert places(checked(two, capsys)) == found, f"{edit}: again"
    for path in KEPT:
        two.remove(path)
    assert places(checked(two, capsys)) == found, f"{edit}: from nothing"
    return found


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that checks parse in this process."""
    paths: list[str] = []
    facts_of = page_facts.facts_of

    def noted(html: str, path: str, address: SiteAddress) -> PageFacts:
        paths.append(path)
        return facts_of(html, path, address)

    for module in (finished_site, page_facts):  # of small pages, and of those that workers would read
        monkeypatch.setattr(module, "facts_of", noted)
    return paths


def test_an_edit_has_its_own_pages_parsed_again_and_no_others(
    two: Space, capsys: pytest.CaptureFixture[str], parsed: list[str]
) -> None:
    checked(two, capsys, "--jobs", "1")
    assert "zh/posts/two/index.html" in parsed
    parsed.clear()
    two.change("content/posts/one/en.md", "Here.", "Here it is.")
    checked(two, capsys, "--jobs", "1")
    of_one = ("en/posts/one/both", "en/posts/one", "zh/posts/one/both")
    assert sorted(parsed) == [f"{one}/index.html" for one in of_one]
    parsed.clear()
    checked(two, capsys, "--jobs", "1")
    assert parsed == []


def test_an_interrupted_check_has_no_page_parsed_again(
    two: Space, capsys: pytest.CaptureFixture[str], parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    places_before = places(checked(two, capsys))
    for path in KEPT:
        two.remove(path)
    with monkeypatch.context() as patched:
        patched.setattr(finished, "check_weights", Mock(side_effect=KeyboardInterrupt))
        assert main(["-C", str(two.root), "check", "--jobs", "1"]) == EXIT_INTERRUPTED
    assert "zh/posts/two/index.html" in parsed
    parsed.clear()
    assert places(checked(two, capsys, "--jobs", "1")) == places_before
    assert parsed == []


def test_a_damaged_file_of_what_was_kept_is_not_believed(
    two: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    before = places(checked(two, capsys))
    facts = [one for one in (two.root / ".diglot/facts").iterdir() if one.is_file()]
    files = [two.root / ".diglot/checks", *facts, two.root / ".diglot/mistakes"]
    assert len(facts) > 1
    for path in files:
        path.write_bytes(path.read_bytes()[:-1] + b"\0")
    assert places(checked(two, capsys)) == before


WITH_NOTHING_TO_DO = """
import sys
from diglot.cli import main
main(["-C", sys.argv[1], "-q", "check"])
print(sorted(sys.modules.keys() & {"diglot.rules.pages", "diglot.rules.figures", "diglot.check.pages"}))
"""


def test_a_check_with_nothing_to_do_loads_neither_tasks_nor_checks(
    two: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    checked(two, capsys)
    source = Path(finished_site.__file__).parents[2]
    command = [sys.executable, "-c", WITH_NOTHING_TO_DO, str(two.root)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(source)}
    )
    assert done.stdout.splitlines()[-1] == "[]"
