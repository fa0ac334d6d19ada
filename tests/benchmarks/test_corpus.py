"""The corpus that builds are timed on: it builds without diagnostics, and is the same everywhere."""

from pathlib import Path

import pytest
from corpus import write_corpus
from corpus_pairs import make_pair

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.benchmarks.scripts import files_of, run_script


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


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for seed in "12":
        ran = run_script("corpus.py", "-n", "3", "-o", tmp_path / seed, "--figures", "1", PYTHONHASHSEED=seed)
        assert ran.returncode == 0, ran.stderr
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


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
