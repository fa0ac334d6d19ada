"""`diglot build --verify`: an incremental build is compared with a clean one."""

import json
import sqlite3
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.databases import check_of
from diglot.digests import digest_of
from diglot.output_paths import MARK
from diglot.publishing.output_mark import mark_of
from diglot.publishing.publisher import Publisher
from tests.space import BARS, Space


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("built"))
    space.write("figures/bars.py", BARS)
    space.post(
        "pair", zh="第一段。\n\n```{figure} bars\n两根柱\n```", en="First.\n\n```{figure} bars\nTwo\n```"
    )
    assert main(["-q", "--root", str(space.root)]) == 0
    return space


@pytest.fixture
def built(space: Space, built_once: Space, monkeypatch: pytest.MonkeyPatch) -> Space:
    """A project with a figure, built; it is the current folder."""
    space.copied_from(built_once)
    monkeypatch.chdir(space.root)
    return space


def corrupt_traces(space: Space, path: str, text: str) -> None:
    """Change a file, and make the store hold the old results as if they came from the new content."""
    old = digest_of((space.root / path).read_bytes())
    space.write(path, text)
    store = sqlite3.connect(space.root / ".diglot/store.sqlite")
    store.create_function("check_of", -1, check_of)
    with store:
        for table, column in (("traces", "dependencies"), ("stamps", "digest")):
            store.execute(
                f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (old, digest_of(text.encode()))
            )
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            covered = ",".join(columns[: columns.index("whole")])
            store.execute(f"UPDATE {table} SET whole = check_of({covered})")
    store.close()


def test_a_right_build_is_verified_and_leaves_nothing_behind(
    built: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    built.change("content/posts/pair/zh.md", "第一段。", "改过。")
    assert main(["build", "--verify"]) == 0
    told = capsys.readouterr().err
    assert f"verified: {len(built.outputs()) - 1} files, identical to a build from scratch" in told
    assert not (built.root / ".diglot/verify").exists()


def test_a_stale_value_is_traced_to_the_task_that_went_wrong_first(
    built: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    corrupt_traces(built, "figures/bars.py", BARS.replace("[3, 5]", "[3, 7]"))
    assert main(["build", "--verify"]) == 1
    told = capsys.readouterr().err
    assert '"en/posts/pair/index.html" differs from a build from scratch' in told
    assert "made by the task article-page pair:en, from data bars, which was the first to differ" in told
    assert "not verified:" in told


def test_files_too_many_and_too_few_are_told(
    built: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Publisher.publish

    def careless(publisher, manifest, **more):  # type: ignore[no-untyped-def]  (as the original's)
        done = original(publisher, manifest, **more)
        output = publisher._output
        if output == built.root / "public":
            (output / "robots.txt").unlink()
            (output / "old.html").write_text("x")
            (output / MARK).write_bytes(mark_of([*manifest, "old.html"]))
        return done

    monkeypatch.setattr(Publisher, "publish", careless)
    assert main(["build", "--verify", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["verified"]) == (False, False)
    assert [(one["message"], one["detail"]) for one in report["differences"]] == [
        ('"old.html" is published, but a build from scratch does not make it', "not made by any task"),
        ('"robots.txt" is missing, but a build from scratch makes it', "made by the task robots"),
    ]


def test_a_site_with_mistakes_is_verified_by_its_words(
    built: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    built.change("content/posts/pair/zh.md", "第一段。", "{eval}`nope.x`")
    assert main(["build", "--verify"]) == 1
    assert "verified: a build from scratch finds the same errors" in capsys.readouterr().err


def test_a_mistake_that_only_one_build_finds_is_a_difference(
    built: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    corrupt_traces(built, "figures/bars.py", "TITLE = 1")
    assert main(["build", "--verify"]) == 1
    told = capsys.readouterr().err
    assert "a build from scratch reports something that this one does not" in told
    assert "figures/bars.py" in told


def test_what_a_killed_verification_left_is_cleared_away(built: Space) -> None:
    leftover = built.root / ".diglot/verify/public/foreign.html"
    leftover.parent.mkdir(parents=True)
    leftover.write_text("x")
    assert main(["build", "-q", "--verify"]) == 0
    assert not Path(built.root / ".diglot/verify").exists()


def test_a_figure_that_depends_on_where_the_project_lies_is_found(
    built: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    built.write("figures/bars.py", "import os\n" + BARS.replace("[3, 5]", "[3, len(os.getcwd())]"))
    assert main(["build", "--verify"]) == 1
    told = capsys.readouterr().err
    assert "from data bars, which was the first to differ" in told
    assert "the script may give a different figure in another folder" in told
