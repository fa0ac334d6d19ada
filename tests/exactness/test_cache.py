"""The cache: its size is bounded, and it works in another checkout than its own."""

import os
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.engine.database import VERSION
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.exactness.chips import chip
from tests.exactness.test_catalogue_rows import SCRIPT
from tests.space import BARS, CHIPS, Space, errors, ran, told

SQUARES = """\
from diglot.figures import sweep

TITLE = {"zh": "方", "en": "Squares"}


def square(m):
    return m * m


def compute():
    return {"a": sweep(square, {"m": range(3)})}
"""


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("built"))
    space.write("figures/bars.py", BARS)
    space.write("figures/chips.py", CHIPS)
    space.write("figures/peak.py", SCRIPT.format(expression='catalogue["one"].peak_flops_per_s("bf16")'))
    space.write("site/hardware/one.yaml", chip("one"))
    space.write("site/static/note.txt", "note")
    space.write("templates/static/extra.css", "a { color: red }")
    body = "Words, {eval}`chips.h200.ridge`, {eval}`peak.x`.\n\n```{figure} bars\nBars\n```\n"
    space.post("pair", zh=body, en=body)
    space.post("other", zh="别的。", en="Other.")
    result = space.build()
    assert not errors(result), told(result)
    return space


@pytest.fixture
def built(space: Space, built_once: Space) -> Space:
    """A project with a figure of each kind, built."""
    return space.copied_from(built_once)


def stored(space: Space) -> int:
    store = sqlite3.connect(space.root / ".diglot/store.sqlite")
    small, large = (
        store.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("objects", "blobs")
    )
    store.close()
    return int(small + large)


def test_a_fresh_checkout_with_the_cache_of_another_runs_nothing(built: Space, tmp_path: Path) -> None:
    """As in CI: another folder, new file times, no output, and a restored cache."""
    before = built.outputs()
    checkout = tmp_path / "elsewhere" / "checkout"
    for name in ("content", "figures", "site", "templates", ".diglot"):
        shutil.copytree(
            built.root / name,
            checkout / name,
            copy_function=shutil.copyfile,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for path in checkout.rglob("*"):
        os.utime(path, (time.time() - 60, time.time() - 60))
    with Site(SiteOptions(root=checkout, output=checkout / "public")) as site:
        result = site.build()
    assert ran(result) == []
    elsewhere = Space(checkout).outputs()
    assert elsewhere == before


def test_times_alone_run_nothing(built: Space) -> None:
    for path in (built.root / "content").rglob("*.md"):
        os.utime(path)
    assert ran(built.build()) == []


def test_many_edits_leave_a_cache_of_bounded_size(built: Space) -> None:
    needed = stored(built)
    for number in range(20):
        built.write(
            "content/posts/other/zh.md", f"---\ntitle: 别的\ndate: 2026-11-01\n---\n\n第{number}次。\n"
        )
        result = built.build()
        assert not errors(result), told(result)
        assert stored(built) <= needed * 9 / 8 + 16 + 8
    assert stored(built) > 0


def test_edits_of_a_site_that_fails_leave_a_cache_of_bounded_size(built: Space) -> None:
    built.post("broken", zh="{eval}`nope.x`", en="Words.")
    built.build()
    needed = stored(built)
    for number in range(20):
        built.write(
            "content/posts/other/zh.md", f"---\ntitle: 别的\ndate: 2026-11-01\n---\n\n第{number}次。\n"
        )
        assert built.build().published is None
        assert stored(built) <= needed * 9 / 8 + 16 + 8


def test_what_the_last_build_rests_on_is_not_forgotten_however_old(
    built: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built.root)
    store = sqlite3.connect(built.root / ".diglot/store.sqlite")
    with store:
        store.execute("UPDATE traces SET finished_at = 0")
    store.close()
    assert main(["-q", "clean", "--older-than", "30d"]) == 0
    assert ran(built.build()) == []


def test_points_of_sweeps_are_forgotten_by_age_and_the_figure_stays(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write("figures/squares.py", SQUARES)
    space.post("sweep", zh="{eval}`squares.a[2]`", en="{eval}`squares.a[2]`")
    result = space.build()
    assert not errors(result), told(result)
    points = sqlite3.connect(space.root / ".diglot/points.db", isolation_level=None)
    points.execute("UPDATE batches SET used_s = used_s - 20 * 86400")
    points.close()
    monkeypatch.chdir(space.root)
    for age, left in (("30d", 3), ("10d", 0)):
        assert main(["-q", "clean", "--older-than", age]) == 0
        points = sqlite3.connect(space.root / ".diglot/points.db")
        assert points.execute("SELECT count(*) FROM points").fetchone() == (left,)
        points.close()
    assert ran(space.build()) == []


def test_after_a_failed_build_no_task_is_forgotten(built: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.root)
    built.change("site/site.yaml", "title:", "titel:")
    built.build()
    assert main(["-q", "clean", "--older-than", "0d"]) == 0
    built.change("site/site.yaml", "titel:", "title:")
    assert not any(one.startswith(("data", "drawing", "document")) for one in ran(built.build()))


def test_cleaning_shrinks_the_file(built: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.root)
    for number in range(40):
        built.write(f"site/static/{number}.txt", f"{number}" * 5000)
    built.build()
    for number in range(40):
        built.remove(f"site/static/{number}.txt")
    built.build()
    file = built.root / ".diglot/store.sqlite"
    before = file.stat().st_size
    assert main(["-q", "clean", "--older-than", "0d"]) == 0
    assert file.stat().st_size < before - 200_000


@pytest.mark.parametrize("damage", ["garbage", "half", "version", "log"])
def test_a_damaged_or_foreign_store_is_thrown_away_once_and_the_site_is_right(
    built: Space, damage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(built.root)
    before = built.outputs()
    file = built.root / ".diglot/store.sqlite"
    match damage:
        case "garbage":
            file.write_bytes(b"no database" * 500)
        case "half":
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        case "log":
            file.with_name("store.sqlite-wal").write_bytes(os.urandom(5000))
        case _:
            store = sqlite3.connect(file)
            store.execute(f"PRAGMA user_version = {VERSION + 1}")
            store.close()
    assert main(["--strict"]) == 0
    told_first = capsys.readouterr().err
    assert told_first.count("everything is built again") == (damage != "log")
    assert built.outputs() == before
    assert main([]) == 0
    assert "everything is built again" not in capsys.readouterr().err
