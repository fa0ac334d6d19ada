"""The comparison with Hugo and Pelican: on three pairs, where they are installed."""

import csv
import os
import sys
from pathlib import Path

import pytest
from measuring import CommandFailed, Results
from peers import Tool, find_hugo, find_pelican, measure_round

from tests.benchmarks.conftest import at_full_length
from tests.benchmarks.scripts import run_script

TOOLS = Path(os.environ.get("BENCHMARK_TOOLS", "build/benchmarks/tools"))
PAGES = """\
from pathlib import Path
for post in Path("content/posts").glob("*.zh.md"):
    page = Path("public/zh/posts", post.name.removesuffix(".zh.md"), "index.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    if {when}:
        page.write_text(post.read_text("utf-8"), "utf-8")
"""


def copying_tool(when: str) -> Tool:
    """A fake tool that copies posts as its pages, if a condition holds."""
    command = (sys.executable, "-c", PAGES.format(when=when))
    return Tool(
        name="hugo", version="", command=command, command_again=command, output="public", caches=("cache",)
    )


def measured(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open() as file:
        return {(row["name"], row["metric"]): row for row in csv.DictReader(file)}


def test_a_round_measures_three_builds_and_undoes_its_edit(tmp_path: Path) -> None:
    results, tool = Results(), copying_tool("True")
    measure_round(tool, tmp_path, 3, 0, results)
    assert all(results.median(3, "hugo", f"{case} wall_s") for case in ("cold", "nothing", "edit"))
    halves = (tmp_path / "hugo/3/content/posts").glob("*.md")
    assert not any("Added in round" in half.read_text("utf-8") for half in halves)


def test_an_edit_that_does_not_reach_the_page_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="did not reach"):
        measure_round(copying_tool("not page.exists()"), tmp_path, 3, 0, Results())


def test_a_cold_build_finds_neither_output_nor_caches(tmp_path: Path) -> None:
    tool = copying_tool("True")
    site = tool.site(tmp_path, 1)
    (site / "cache").mkdir()
    (site / "public").mkdir()
    tool.forget(site)
    assert not (site / "cache").exists()
    assert not (site / "public").exists()


@at_full_length
def test_peers_that_are_not_there_are_left_out_with_a_word(tmp_path: Path) -> None:
    ran = run_script(
        *("peers.py", "-n", "3", "--rounds", "1"),
        *("--work", tmp_path, "--tools", tmp_path / "none", "--csv", tmp_path / "out.csv"),
        PATH="/nowhere",
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "hugo: not installed, left out" in ran.stdout
    assert "pelican: not installed, left out" in ran.stdout
    assert {name for name, _ in measured(tmp_path / "out.csv")} == {"diglot"}


def test_three_tools_are_compared_round_by_round(tmp_path: Path) -> None:
    if find_hugo(TOOLS) is None or find_pelican(TOOLS) is None:
        pytest.skip("Hugo or Pelican is not installed: python benchmarks/peers.py --install")
    ran = run_script(
        *("peers.py", "-n", "3", "--rounds", "2"),
        *("--work", tmp_path, "--tools", TOOLS.resolve(), "--csv", tmp_path / "out.csv"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    rows = measured(tmp_path / "out.csv")
    for tool in ("diglot", "hugo", "pelican"):
        for case in ("cold", "nothing", "edit"):
            row = rows[tool, f"{case} wall_s"]
            assert row["rounds"] == "2"
            assert float(row["ratio"]) > 0
    assert rows["hugo", "cold wall_s"]["ratio"] == "1"
