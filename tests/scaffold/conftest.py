"""A site that a host builds."""

from pathlib import Path

import pytest

from tests.scaffold.hosts import site_outside


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A site outside of diglot's checkout, with `diglot` on the path, and a `pip` that installs nothing."""
    return site_outside(tmp_path)
