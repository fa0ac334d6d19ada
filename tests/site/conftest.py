"""The project's own site, built once, for the tests that look at it."""

from pathlib import Path

import pytest

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.browser import served
from tests.space import bring_own_cache, told

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with this project's own site, built from its sources as they stand."""
    folder = tmp_path_factory.mktemp("own")
    bring_own_cache(folder / "cache")
    options = SiteOptions(
        root=ROOT, output=folder / "public", cache_folder=folder / "cache", future=True, strict=True, jobs=2
    )
    with Site(options) as site:
        result = site.build()
    assert result.published is not None, told(result)
    return folder / "public"


@pytest.fixture(scope="module")
def own_address(own_site: Path):
    """The address the own site is served at."""
    with served(own_site) as address:
        yield address
