"""The project's own site, built once, for the tests that look at it."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.browser import served
from tests.space import bring_own_cache, told

ROOT = Path(__file__).parents[2]


def made_once(name: str, make: Callable[[Path], None], temporary: pytest.TempPathFactory) -> Path:
    """A folder that one process of a test run makes, while the others wait for it. Nobody may change it."""
    base = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # where all of them have theirs
    folder, begun = base / name, base / f"{name}-begun"
    with open(base / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(begun, ignore_errors=True)  # of one that failed
            begun.mkdir()
            make(begun)
            begun.rename(folder)
    return folder


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with this project's own site, built from its sources as they stand."""
    return made_once("own", _build_own_site, tmp_path_factory) / "public"


def own_options(folder: Path) -> SiteOptions:
    """Of the own site, which is built in a folder."""
    return SiteOptions(
        root=ROOT, output=folder / "public", cache_folder=folder / "cache", future=True, strict=True, jobs=2
    )


def _build_own_site(folder: Path) -> None:
    bring_own_cache(folder / "cache")
    with Site(own_options(folder)) as site:
        result = site.build()
    assert result.published is not None, told(result)


@pytest.fixture(scope="module")
def own_address(own_site: Path):
    """The address the own site is served at."""
    with served(own_site) as address:
        yield address
