"""A folder to make sites in, and the commands that do."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from diglot.cli import main
from tests.scaffold.hosts import site_outside


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in the test's folder: `run("init", "blog")`."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795305600")  # 22 November 2026
    monkeypatch.chdir(tmp_path)

    def run_it(*words: str) -> Said:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run_it


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A site outside of diglot's checkout, with `diglot` on the path, and a `pip` that installs nothing."""
    return site_outside(tmp_path)
