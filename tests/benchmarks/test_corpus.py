"""The corpus that builds are timed on: what its posts are like, and that they are the same everywhere."""

import datetime
import re
from pathlib import Path

import pytest
from corpus import write_corpus
from corpus_pairs import LEAST_BYTES, Pair, make_pair

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.benchmarks.scripts import files_of, run_script


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return [make_pair(number, seed=1) for number in range(200)]


def test_a_half_has_six_to_eight_kilobytes(pairs: list[Pair]) -> None:
    sizes = [len(half.encode()) for pair in pairs for half in pair.body]
    assert min(sizes) >= LEAST_BYTES
    assert max(sizes) < 8200


def test_posts_have_tables_code_footnotes_lists_and_a_picture(pairs: list[Pair]) -> None:
    for pair in pairs:
        for half in pair.body:
            assert "| ---: |" in half
            assert half.count("```") >= 2 * 3
            assert re.search(r"\[\^2\]: ", half)
            assert re.search(r"^(- |1\. )", half, re.MULTILINE)
            assert "](/img/machine-" in half


def test_one_post_in_four_has_formulas(pairs: list[Pair]) -> None:
    assert sum("$$" in pair.body.zh for pair in pairs) == len(pairs) / 4


def test_code_is_hardly_ever_the_same_twice(pairs: list[Pair]) -> None:
    blocks = [block for pair in pairs for block in re.findall(r"```\w+\n.*?```", pair.body.zh, re.DOTALL)]
    assert len(set(blocks)) > 0.99 * len(blocks)


def test_all_posts_are_in_the_past() -> None:
    assert all(make_pair(n, 1).date < datetime.date(2025, 6, 1) for n in (0, 999, 9_999, 50_000))


def test_slugs_are_never_the_same_twice(pairs: list[Pair]) -> None:
    assert len({pair.slug for pair in pairs}) == len(pairs)


def test_the_halves_pair_without_a_warning(tmp_path: Path) -> None:
    write_corpus(tmp_path / "site", 8, figures=2)
    with Site(SiteOptions(root=tmp_path / "site", output=tmp_path / "public")) as site:
        result = site.build()
    assert result.diagnostics == ()
    assert len(list((tmp_path / "public/en/posts").iterdir())) == 8


def test_a_smaller_corpus_is_the_beginning_of_a_larger_one(tmp_path: Path) -> None:
    write_corpus(tmp_path / "small", 2)
    write_corpus(tmp_path / "large", 5)
    small, large = files_of(tmp_path / "small"), files_of(tmp_path / "large")
    assert small.items() <= large.items()


def test_another_seed_gives_other_posts() -> None:
    assert make_pair(0, seed=1).body != make_pair(0, seed=2).body


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for seed in "12":
        ran = run_script("corpus.py", "-n", "3", "-o", tmp_path / seed, "--figures", "1", PYTHONHASHSEED=seed)
        assert ran.returncode == 0, ran.stderr
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_each_figure_stands_in_one_post(tmp_path: Path) -> None:
    write_corpus(tmp_path, 4, figures=3)
    halves = [path.read_text("utf-8") for path in (tmp_path / "content/posts").glob("*.en.md")]
    for script in (tmp_path / "figures").glob("*.py"):
        assert sum(f"```{{figure}} {script.stem}\n" in half for half in halves) == 1


@pytest.mark.parametrize("tool", ["hugo", "pelican"])
def test_peers_get_the_same_bodies(tmp_path: Path, tool: str) -> None:
    write_corpus(tmp_path, 3, tool=tool)
    for number in range(3):
        pair = make_pair(number, seed=1)
        for language, body in zip(("zh", "en"), pair.body, strict=True):
            assert (tmp_path / f"content/posts/{pair.slug}.{language}.md").read_text("utf-8").endswith(body)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    ran = run_script("corpus.py", "-n", "1", "-o", tmp_path)
    assert ran.returncode == 2
    assert "is there already" in ran.stderr
    assert not list(tmp_path.iterdir())
