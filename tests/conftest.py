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
