"""What tests of several parts share."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import prepared
from tests.space import Space

# How long an example takes says how busy the machine is.
settings.register_profile("diglot", deadline=None)
settings.load_profile("diglot")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is for what a shell runs in the background; tests send it, to themselves and to what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def processes() -> Iterator[prepared.Prepared]:
    """What tests' processes are forked from."""
    one = prepared.Prepared()
    prepared.use(one)
    yield one
    prepared.use(None)
    one.close()


@pytest.fixture
def real_processes(processes: prepared.Prepared) -> Iterator[None]:
    """For tests of how figure workers begin: they begin as they do elsewhere."""
    prepared.use(None)
    yield
    prepared.use(processes)


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
