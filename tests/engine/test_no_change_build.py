"""A build without changes only compares digests: it loads no values, and imports nothing for them."""

import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from diglot.engine import FILE, Key, Store
from tests.engine.workshop import LONG_AGO_S, Workshop, mistake, ran

SITE = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from diglot.engine import FILE, Given, Key, Rule, Store, Surroundings, Target, build

    COUNT = 2500

    async def document(fetch, name):
        return (name, (await fetch(FILE, f"posts/{int(name) % 50}")).decode())

    async def page(fetch, name):
        around = await fetch.all(Target("document"), [str((int(name) + i) % COUNT) for i in range(3)])
        return repr((around, await fetch(Given("site")))).encode()

    RULES = {
        "document": Rule(run=document, value_type=tuple[str, str], code="1"),
        "page": Rule(run=page, value_type=bytes, code="1"),
    }

    root = Path(sys.argv[1])
    store = Store(root / ".diglot")
    targets = [Key("page", str(i)) for i in range(COUNT)]
    report = build(RULES, targets, store=store, surroundings=Surroundings(root=root, given={"site": "x"}))
    store.close()
    heavy = {"asyncio", "logging", "concurrent.futures", "threading"} & set(sys.modules)
    print(len(report.ran), report.verified, sorted(heavy))
    """
)


def run(root: Path) -> str:
    path = [str(Path(__file__).parents[2] / "src")]
    command = [sys.executable, "-c", SITE, str(root)]
    environment = {"PYTHONPATH": path[0]}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def test_five_thousand_tasks_are_verified_without_importing_what_running_them_takes(tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    for i in range(50):
        (tmp_path / "posts" / str(i)).write_text(str(i))
    assert run(tmp_path).startswith("5000 0 ")
    assert run(tmp_path) == "0 5000 []"


async def page(fetch: Any, name: str) -> bytes:
    content: bytes = await fetch(FILE, f"{name}.txt")
    if content == b"broken":
        raise mistake(f"{name}.txt")
    return content


@pytest.fixture
def site(workshop: Workshop) -> Workshop:
    workshop.write("a.txt", "text of a", modified_s=LONG_AGO_S)
    workshop.write("b.txt", "text of b", modified_s=LONG_AGO_S)
    workshop.rule(page, value_type=bytes)
    return workshop


def test_while_no_input_changed_no_trace_is_read(site: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    first = site.build("page a", "page b")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "memory", lambda _: pytest.fail("the traces were read"))
        again = site.build("page a", "page b")
    assert (again.ran, again.values, again.diagnostics) == ((), first.values, first.diagnostics)
    assert again.verified == len(first.visited or ())


def test_a_build_of_other_targets_in_between_does_not_mislead(site: Workshop) -> None:
    before = site.build("page a")
    site.write("a.txt", "other")
    site.build("page a", "page b")
    site.write("a.txt", "text of a")
    assert site.build("page a").values == before.values
    assert ran(site.build("page a")) == []


def test_a_build_begins_at_its_own_snapshot_after_builds_of_other_targets(
    site: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.build("page a")
    site.build("page b")
    site.write("a.txt", "other")
    site.build("page a", "page b")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "memory", lambda _: pytest.fail("all traces were read"))
        assert ran(site.build("page a")) == []
        assert ran(site.build("page b")) == []
        site.write("a.txt", "text of a")
        assert ran(site.build("page a")) == ["page a"]
        assert ran(site.build("page a", "page b")) == []


@pytest.mark.parametrize("column", ["snapshot", "keys"])
def test_a_damaged_note_of_what_was_written_since_is_not_used(site: Workshop, column: str) -> None:
    site.build("page a")
    site.write("a.txt", "other")
    site.build("page a", "page b")
    with closing(sqlite3.connect(site.root / ".diglot" / "store.sqlite")) as connection, connection:
        assert connection.execute(f"UPDATE overtaken SET {column} = CAST('x' AS BLOB)").rowcount
    report = site.build("page a")
    assert report.values == site.build_clean("page a").values
    assert [one.rule for one in report.diagnostics] == ["store-discarded"]


def test_what_failed_fails_again_with_the_same_words(site: Workshop) -> None:
    site.write("a.txt", "broken")
    first = site.build("page a")
    again = site.build("page a")
    assert again.ran == ()
    assert again.diagnostics == first.diagnostics != ()
    assert list(again.values.values()) == [None]


def test_a_build_of_other_targets_begins_where_the_last_one_of_any_ended(
    site: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.write("c.txt", "broken")
    site.build("page a", "page b", "page c")
    site.write("a.txt", "other")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "memory", lambda _: pytest.fail("all traces were read"))
        fewer = site.build("page b", "page a")
    assert ran(fewer) == ["page a"]
    assert fewer.diagnostics == ()  # page c was no target
    assert fewer.visited == {Key("page", "a"), Key("page", "b")}
    assert ran(site.build("page b", "page a", "page c")) == []
