"""Fixtures and settings for all tests."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import prepared
from tests.browser import browser, chromium, open_page
from tests.prepared.templates import compile_once
from tests.quick import is_quick
from tests.space import Space

__all__ = ["browser", "chromium", "open_page"]

# No deadline: how long an example takes depends on how busy the machine is.
_EXAMPLES = 500 if os.environ.get("DIGLOT_LONG_TESTS") else 50
settings.register_profile("diglot", deadline=None, max_examples=_EXAMPLES)
settings.load_profile("diglot")

compile_once()

# A container often has this set. Then each worker would compile all tests, and each of a thousand processes
# what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ["DIGLOT_PROGRESS"] = "0"  # the output of commands is compared, however long they take

gc.disable()  # until all tests are collected, because these stay to the end


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """One worker more than there are processors, for a third of the time tests wait for something.

    Each begins with its share of the tests, in their order, and takes from another's end when it is done:
    what tests of a file share is made once, as a rule, and no worker waits for another. Named files run in
    this process, because workers take seconds to start.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    are_files = [Path(word.partition("::")[0]).suffix == ".py" for word in config.args]
    return 0 if all(are_files) else _processors() + 1


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no other test for `-m quick`: importing them all takes a quarter of a minute."""
    is_test = collection_path.name.startswith("test_")
    return True if config.option.markexpr == "quick" and is_test and not is_quick(collection_path) else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of `tests/quick.py`."""
    if is_quick(item.path):
        item.add_marker("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest of those that are last by their names, so that no worker ends with one alone."""
    items.sort(key=lambda item: item.path.name not in _LONG_AND_LAST)


_LONG_AND_LAST = {"test_readme.py", "test_packaging.py", "test_planted_faults.py"}


def pytest_collection_finish() -> None:
    """Collect garbage from here on, and only look at what tests make: to look at all of them takes long."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background commands with SIGINT ignored, but tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def processes() -> Iterator[prepared.Prepared]:
    """The servers that fork figure workers and commands for tests."""
    one = prepared.Prepared()
    prepared.use(one)
    yield one
    prepared.use(None)
    one.close()


@pytest.fixture
def real_processes(processes: prepared.Prepared) -> Iterator[None]:
    """Starts figure workers as outside of tests, for tests of how they start."""
    prepared.use(None)
    yield
    prepared.use(processes)


@pytest.fixture
def space(tmp_path: Path) -> Space:
    """An empty project in a temporary folder."""
    root = tmp_path / "project"
    root.mkdir()
    return Space(root)


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview in this process tidies its store right after a build, without waiting for another save."""
    monkeypatch.setattr("diglot.rules.live._REST_S", 0)
