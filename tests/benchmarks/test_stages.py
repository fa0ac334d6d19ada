"""Processor time by stage: which module is whose, and that a sampled build says it."""

import csv
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from measuring import run

from tests.benchmarks.scripts import BENCHMARKS, run_script

sys.path.append(str(BENCHMARKS / "sampling"))
from benchmark_stages import STAGES, stage_of

BURN = """\
import time


def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
"""


@pytest.mark.parametrize(
    ("module", "stage"),
    [
        ("diglot.content.highlighting", "highlight"),
        ("pygments.lexers.python", "highlight"),
        ("diglot.content.parser", "parse"),
        ("diglot.content.pairs", "pair"),
        ("markdown_it.rules_inline.emphasis", "parse"),
        ("diglot.engine.store", "store"),
        ("diglot.engine.scheduler", "engine"),
        ("diglot.publish", "write"),
        ("re", None),
        ("diglotted", None),
    ],
)
def test_the_longest_name_that_fits_says_the_stage(module: str, stage: str | None) -> None:
    assert stage_of(module) == stage


@pytest.mark.parametrize("module", [one for some in STAGES.values() for one in some])
def test_every_module_of_a_stage_exists(module: str) -> None:
    assert importlib.util.find_spec(module) is not None


def test_time_goes_to_the_innermost_known_module_and_adds_up(tmp_path: Path) -> None:
    (tmp_path / "pygments.py").write_text(BURN)  # any known module would do
    code = (
        "import os, pygments\n"
        "if os.fork() == 0:\n"
        "    pygments.burn(0.3)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "pygments.burn(0.4)\n"
    )
    usage = run(
        [sys.executable, "-c", code],
        tmp_path,
        {"BENCHMARK_SAMPLES": str(tmp_path), "PYTHONPATH": f"{BENCHMARKS / 'sampling'}:{tmp_path}"},
    )
    samples = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
    assert len(samples) == 2
    assert 0.6 < sum(one.get("highlight", 0) for one in samples) < 0.75
    assert sum(sum(one.values()) for one in samples) <= usage.cpu_s


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


def test_a_site_with_figures_measures_the_edit_of_one(tmp_path: Path) -> None:
    ran = run_script(
        *("builds.py", "-n", "2", "--figures", "2", "--rounds", "1"),
        *("--work", tmp_path, "--csv", tmp_path / "out.csv"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with (tmp_path / "out.csv").open() as file:
        values = {row["metric"]: float(row["median"]) for row in csv.DictReader(file)}
    assert 0 < values["figure tasks"] < values["cold tasks"]
    assert values["cold stage figures cpu_s"] > 0
    assert "nothing stage figures cpu_s" not in values
