"""Processor time by stage: the modules it names exist, and a small run measures every case."""

import csv
import importlib.util
import sys
from pathlib import Path

import pytest

from tests.benchmarks.scripts import BENCHMARKS, run_script

sys.path.append(str(BENCHMARKS / "sampling"))
from benchmark_stages import STAGES

from tests.benchmarks.conftest import at_full_length


@pytest.mark.parametrize("module", [one for some in STAGES.values() for one in some])
def test_every_module_of_a_stage_exists(module: str) -> None:
    assert importlib.util.find_spec(module) is not None


@at_full_length
def test_a_run_of_three_pairs_measures_every_case(tmp_path: Path) -> None:
    ran = run_script(
        *("builds.py", "-n", "3", "--rounds", "1", "--tasks"),
        *("--work", tmp_path, "--csv", tmp_path / "out.csv"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with (tmp_path / "out.csv").open() as file:
        values = {row["metric"]: float(row["median"]) for row in csv.DictReader(file)}
    assert values["nothing tasks"] == 0
    assert 0 < values["edit tasks"] < values["cold tasks"]
    for case in ("cold", "nothing", "edit"):
        assert values[f"{case} wall_s"] > 0
        assert values[f"{case} cpu_s"] > 0
        assert values[f"{case} largest_mib"] > 10
    for stage in ("imports", "parse", "render"):
        assert values[f"cold stage {stage} cpu_s"] > 0
    assert "article-page" in ran.stdout  # tasks by kind
    posts = (tmp_path / "diglot/3/content/posts").glob("*.zh.md")
    assert not any("Added in round" in post.read_text("utf-8") for post in posts)
