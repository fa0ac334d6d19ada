"""CONTRIBUTING.md is true: its commands run, the files it names exist, and its linters are those of CI."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import ROOT
from tests.test_readme import checkout  # noqa: F401  # a fixture
from tests.waiting import HANG_S

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", CONTRIBUTING, re.MULTILINE | re.DOTALL)
COMMANDS = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
LINTERS = "ruff check && ruff format --check && mypy && lint-imports"
NOT_RUN = {
    "python -m venv .venv && source .venv/bin/activate",
    'PIP_CONSTRAINT=.ci/locked.txt pip install -e ".[test]"',
    "pip install pre-commit && pre-commit install",
    ".ci/run",  # runs this test
    LINTERS,  # CI runs them, and mypy takes long
    "DIGLOT_HOSTILE_SEED=7 python -m pytest tests/hostile/test_edits.py",  # takes long
    "python scripts/figure_sheets.py roofline -o figure-sheets",  # tests/figures runs it
    *("diglot build", "diglot explain roofline", "diglot check"),  # tests/test_readme.py runs them
}
PROGRAMS = {"diglot": [sys.executable, "-m", "diglot"], "python": [sys.executable]}


def test_the_commands_that_are_not_run_are_there() -> None:
    assert set(COMMANDS) > NOT_RUN


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in NOT_RUN])
def test_every_other_command_runs(command: str, checkout: Path) -> None:  # noqa: F811  (the fixture)
    program, *words = command.split()
    if "pytest" in words:
        words.append("--collect-only")  # the tests themselves are run with all others
    done = subprocess.run(
        [*PROGRAMS[program], *words],
        cwd=ROOT if "pytest" in words else checkout,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_and_pre_commit_run_the_linters_that_it_names() -> None:
    linters = LINTERS.split(" && ")
    script = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    assert [line.strip() for line in script if line.strip() in linters] == linters
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]] == linters


def test_the_files_that_it_names_exist() -> None:
    text = re.sub(r"^```.*?^```", "", CONTRIBUTING, flags=re.MULTILINE | re.DOTALL)
    named = {
        name for name in re.findall(r"`([\w./-]+)`", text) if "/" in name and not name.startswith("public")
    }
    assert len(named) > 10
    for name in named:
        assert (ROOT / name).exists(), name
