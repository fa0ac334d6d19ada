"""A build gives the same bytes with any jobs, folder, locale, time zone, hash seed or order of files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import diglot
from tests.cli.sites import environment, start
from tests.exactness.chips import chip
from tests.exactness.test_catalogue_rows import SCRIPT
from tests.space import BARS, Space, outputs

Around = tuple[list[str], dict[str, str], str]

AROUND: dict[str, Around] = {
    "one job from elsewhere, with commas for points": (
        ["--root", "{root}", "--jobs", "1"],
        {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "1"},
        "/",
    ),
    "many jobs from inside, without UTF-8, in a time zone ahead": (
        ["--jobs", "7"],
        {
            **{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            **{"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "2"},
        },
        "content/posts",
    ),
    "optimised, in a time zone behind, with other settings of libraries": (
        ["--output", "public"],
        {"TZ": "Etc/GMT+12", "PYTHONOPTIMIZE": "2", "MPLBACKEND": "svg", "MPLCONFIGDIR": "/nowhere"},
        ".",
    ),
}


def site(root: Path) -> Space:
    root.mkdir(parents=True)
    space = Space(root)
    space.write("figures/bars.py", BARS)
    space.write("figures/peak.py", SCRIPT.format(expression='sum(map(len, {"a", "b", catalogue["one"].id}))'))
    space.write("site/hardware/one.yaml", chip("one"))
    space.write("content/posts/b/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')
    body = "Words {eval}`peak.x`, $x^2$.[^1]\n\n```{figure} bars\nBars\n```\n\n```python\nx = {1, 2}\n```\n"
    more = "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[^1]: A note.\n"
    for name in ("c", "a", "b", *(f"one_of_many_{n}" for n in range(6))):
        space.post(name, zh=body + more, en=body + more, tags="[roofline]")
    space.post("b", zh="![点](dot.svg)", en="![dot](dot.svg)")
    return space


def build(space: Space, words: list[str], variables: dict[str, str], folder: str) -> dict[str, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "-q", *(word.format(root=space.root) for word in words)],
        cwd=space.root / folder,
        env={**environment(), "SOURCE_DATE_EPOCH": "1795219200", **variables},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return outputs(space.root / "public")


def build_plainly(space: Space) -> dict[str, bytes]:
    process = start("-q", root=space.root, SOURCE_DATE_EPOCH="1795219200")
    assert process.communicate() == ("", "")
    assert process.wait() == 0
    return outputs(space.root / "public")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return build_plainly(site(tmp_path_factory.mktemp("plain") / "project"))


@pytest.mark.parametrize("around", AROUND)
def test_what_is_around_a_build_changes_no_byte(around: str, plain: dict[str, bytes], tmp_path: Path) -> None:
    if not diglot.__file__.isascii() and "LC_ALL" in AROUND[around][1]:
        pytest.skip("without UTF-8, Python does not find packages in a folder with such a name")
    made = build(site(tmp_path / "another place" / "项目"), *AROUND[around])
    assert sorted(made) == sorted(plain)
    assert [path for path in made if made[path] != plain[path]] == []


def test_the_order_in_which_files_were_made_changes_no_byte(plain: dict[str, bytes], tmp_path: Path) -> None:
    space = site(tmp_path / "project")
    for folder in ("content/posts/a", "content/posts/c", "figures"):
        away = space.root / folder
        aside = away.with_name("aside")
        os.rename(away, aside)
        away.mkdir()
        for path in sorted(aside.rglob("*"), reverse=True):
            path.rename(away / path.name)
        aside.rmdir()
    assert build_plainly(space) == plain
