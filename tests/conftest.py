"""What tests of several parts share."""

import signal
from pathlib import Path

import pytest

from tests.space import Space

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is for what a shell runs in the background; tests send it, to themselves and to what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
