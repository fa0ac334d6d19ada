"""A build says which articles it leaves out, and why."""

import datetime
import json

import pytest

from diglot.cli.main import main
from tests.space import Space

DAY = datetime.date(2026, 11, 2)


@pytest.fixture
def several(space: Space) -> Space:
    """A site with an article that is shown, and four that are not."""
    space.post("shown")
    space.post("draft", draft="true")
    space.post("other-draft", draft="true", date="2027-01-01")
    space.post("later", date="2999-01-01")
    space.post("past", expires="2026-11-01")
    return space


def said(space: Space, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main([*arguments, "--root", str(space.root), "--clock", DAY.isoformat()]) == 0
    captured = capsys.readouterr()
    return captured.err + captured.out


COUNTS = "left out: 4 articles (1 dated in the future, 2 drafts, 1 expired)"


@pytest.mark.parametrize("command", ["build", "check"])
def test_counts_and_reasons_are_given(
    command: str, several: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # also where nothing had to be done
        assert f"{COUNTS}; -v names them\n" in said(several, capsys, command)


def test_the_articles_are_named_on_request(several: Space, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(several, capsys, "build", "-v").splitlines()
    at = lines.index(COUNTS)
    assert lines[at + 1 : at + 5] == [
        "  content/posts/draft/zh.md: a draft",
        "  content/posts/later/zh.md: dated 2999-01-01",
        "  content/posts/other-draft/zh.md: a draft",
        "  content/posts/past/zh.md: expired after 2026-11-01",
    ]


def test_programs_read_it_too(several: Space, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(said(several, capsys, "build", "--json"))
    assert [one["why"] for one in report["left_out"]] == ["draft", "later", "draft", "expired"]
    assert report["left_out"][1] == {"path": "content/posts/later/zh.md", "why": "later", "day": "2999-01-01"}


def test_what_is_asked_for_is_not_left_out(several: Space, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(several, capsys, "build", "--future", "--expired")
    assert "left out: 2 articles (2 drafts); -v names them\n" in told
    assert "left out" not in said(several, capsys, "build", "--future", "--expired", "--drafts")


def test_a_site_that_shows_everything_says_nothing(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.post("shown")
    assert "left out" not in said(space, capsys, "build")
    assert "left out" not in said(space, capsys, "build", "-q")
