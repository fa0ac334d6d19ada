"""What tests of several parts share."""

from pathlib import Path

import pytest

from tests.space import Space


@pytest.fixture
def space(tmp_path: Path) -> Space:
    """A small project of its own."""
    root = tmp_path / "project"
    root.mkdir()
    return Space(root)


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is about to save something else: a preview in this process puts its store in order at once."""
    monkeypatch.setattr("diglot.rules.live._REST_S", 0)
