"""Inputs: files, listings, the environment and given values."""

import datetime
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.digests import ABSENT, digest_of, digest_of_names
from diglot.engine import FILE, LISTING, Key, Lazy, Target
from diglot.engine import inputs as inputs_module
from diglot.engine.inputs import CHANGE_TICK_NS, RACY_NS, Inputs, Stamp
from tests.engine.workshop import LONG_AGO_S, Workshop, ran

NOW_NS = 4_000_000_000_000_000_000
"""Nanoseconds since 1970; later than any change a test makes, because change times (ctime) cannot be set."""


def look(root: Path, *, stamps: dict[str, Stamp] | None = None, **more: Any) -> Inputs:
    settings: dict[str, Any] = {"given": {}, "environment": {}, "clock_ns": lambda: NOW_NS, **more}
    return Inputs(str(root), stamps=stamps or {}, **settings)


def age(path: Path, ns: int) -> None:
    os.utime(path, ns=(NOW_NS - ns, NOW_NS - ns))


def test_a_file_is_told_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    assert look(tmp_path).digest(Key("file", "a")) == digest_of(b"text")
    assert look(tmp_path).read(Key("file", "a")) == (b"text", digest_of(b"text"))


@pytest.mark.parametrize("name", ["missing", "folder", "file/below", "pipe"])
def test_what_is_no_file_is_absent(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    assert look(tmp_path).digest(Key("file", name)) == ABSENT
    assert look(tmp_path).read(Key("file", name)) == (None, ABSENT)


def test_a_file_may_be_named_absolutely(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    assert look(Path("/")).digest(Key("file", str(tmp_path / "a"))) == digest_of(b"text")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The contents of the files that were read, in order."""
    names: list[str] = []

    def noted(content: bytes) -> str:
        names.append(content.decode())
        return digest_of(content)

    monkeypatch.setattr(inputs_module, "digest_of", noted)
    return names


def test_a_file_that_looks_the_same_is_not_read_again(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "a").write_text("text")
    age(tmp_path / "a", RACY_NS + 1)
    first = look(tmp_path)
    first.digest(Key("file", "a"))
    second = look(tmp_path, stamps=first.new_stamps)
    assert second.digest(Key("file", "a")) == digest_of(b"text")
    assert reads == ["text"]
    assert second.new_stamps == {}


def test_a_file_saved_just_before_it_was_read_is_read_again(tmp_path: Path) -> None:
    """Within one tick of the clock it could be saved again with the same size and times."""
    (tmp_path / "a").write_text("old")
    age(tmp_path / "a", 0)
    first = look(tmp_path)
    first.digest(Key("file", "a"))
    (tmp_path / "a").write_text("new")
    age(tmp_path / "a", 0)
    assert look(tmp_path, stamps=first.new_stamps).digest(Key("file", "a")) == digest_of(b"new")


def test_a_stamp_from_the_future_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    age(tmp_path / "a", -3600 * 10**9)
    first = look(tmp_path)
    first.digest(Key("file", "a"))
    assert first.new_stamps == {}


@pytest.mark.parametrize("change", ["size", "time", "inode"])
def test_a_file_that_looks_different_is_read(tmp_path: Path, change: str, reads: list[str]) -> None:
    file = tmp_path / "a"
    file.write_text("text")
    age(file, 2 * RACY_NS)
    first = look(tmp_path)
    first.digest(Key("file", "a"))
    match change:
        case "size":
            file.write_text("longer text")
            age(file, 2 * RACY_NS)
        case "time":
            age(file, 3 * RACY_NS)
        case "inode":
            (tmp_path / "b").write_text("TEXT")
            os.replace(tmp_path / "b", file)
            age(file, 2 * RACY_NS)
    look(tmp_path, stamps=first.new_stamps).digest(Key("file", "a"))
    assert len(reads) == 2


def test_the_store_remembers_how_files_looked(workshop: Workshop, reads: list[str]) -> None:
    async def copy(fetch: Any, name: str) -> bytes:
        return bytes(await fetch(FILE, name))

    workshop.rule(copy, value_type=bytes)
    workshop.write("a", "text", modified_s=LONG_AGO_S)
    time.sleep(CHANGE_TICK_NS / 1e9)  # a stamp counts once the clock of file times has ticked
    workshop.build("copy a")
    workshop.build("copy a")
    assert reads == ["text"]


def test_a_text_of_the_same_size_under_the_old_time_is_noticed(workshop: Workshop) -> None:
    async def copy(fetch: Any, name: str) -> bytes:
        return bytes(await fetch(FILE, name))

    workshop.rule(copy, value_type=bytes)
    workshop.write("a", "old", modified_s=LONG_AGO_S)
    time.sleep(CHANGE_TICK_NS / 1e9)  # a stamp counts once the clock of file times has ticked
    workshop.build("copy a")
    workshop.write("a", "new", modified_s=LONG_AGO_S)
    workshop.build("copy a")
    assert workshop.value("copy a") == b"new"


@pytest.mark.parametrize("shift_s", [-86400, 86400])
def test_edits_are_noticed_whichever_way_the_clock_goes(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, shift_s: int
) -> None:
    async def copy(fetch: Any, name: str) -> bytes:
        return bytes(await fetch(FILE, name))

    workshop.rule(copy, value_type=bytes)
    now_s, now_ns = time.time(), time.time_ns()
    for number in range(4):
        monkeypatch.setattr(inputs_module.time, "time_ns", lambda n=number: now_ns + n * shift_s * 10**9)
        workshop.write("a", f"text {number}", modified_s=now_s + number * shift_s - 10)
        workshop.build("copy a")
        assert workshop.value("copy a") == f"text {number}".encode()


def test_a_file_that_changes_during_a_build_fails_its_reader_until_the_next_build(workshop: Workshop) -> None:
    async def reader(fetch: Any, name: str) -> str:
        await fetch.digest(FILE, "a")
        if name == "meddling":
            workshop.write("a", "new")
        return str(await fetch(FILE, "a"))

    workshop.rule(reader)
    workshop.write("a", "old")
    report = workshop.build("reader meddling")
    assert [d.message for d in report.diagnostics] == ['"a" changed while the site was being built']
    report = workshop.build("reader meddling")
    assert report.diagnostics == ()
    assert ran(workshop.build("reader meddling")) == []


def test_a_listing_changes_with_names_not_with_contents(tmp_path: Path) -> None:
    key = Key("listing", "*.md")
    (tmp_path / "a.md").write_text("1")
    before = look(tmp_path).digest(key)
    (tmp_path / "a.md").write_text("2")
    assert look(tmp_path).digest(key) == before
    (tmp_path / "b.md").touch()
    assert look(tmp_path).digest(key) != before
    assert look(tmp_path).read(key) == (("a.md", "b.md"), digest_of_names(["a.md", "b.md"]))


def test_a_folder_is_listed_as_a_worker_lists_it(tmp_path: Path) -> None:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    (tmp_path / "data" / ".hidden").touch()
    names = os.listdir(tmp_path / "data")
    assert look(tmp_path).digest(Key("folder", "data")) == digest_of_names(names)
    assert look(tmp_path).read(Key("folder", "data"))[0] == (".hidden", "deep")
    assert look(tmp_path).digest(Key("folder", "none")) == ABSENT


def test_the_environment_is_an_input(tmp_path: Path) -> None:
    there = look(tmp_path, environment={"LANG": "C"})
    assert there.read(Key("env", "LANG")) == ("C", digest_of(b"C"))
    assert there.read(Key("env", "HOME")) == (None, ABSENT)


def test_given_values_are_told_apart_by_what_they_are(tmp_path: Path) -> None:
    def digest(value: object) -> str:
        return look(tmp_path, given={"x": value}).digest(Key("given", "x"))

    values = [1, "1", True, None, (1,), datetime.date(2026, 11, 20), Key("file", "x")]
    assert len({digest(value) for value in values}) == len(values)
    assert digest(datetime.date(2026, 11, 20)) == digest(datetime.date(2026, 11, 20))


def test_a_given_value_that_says_nothing_of_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="the repr of a given object"):
        look(tmp_path, given={"x": object()}).digest(Key("given", "x"))


def test_asking_for_a_value_that_was_not_given_is_our_mistake(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        look(tmp_path).read(Key("given", "x"))


def test_all_tasks_of_a_build_see_the_same_listing(workshop: Workshop) -> None:
    async def first(fetch: Any, name: str) -> str:
        seen = await fetch(LISTING, "*.md")
        workshop.write("late.md", str(time.time()))
        return str(seen)

    async def second(fetch: Any, name: str) -> str:
        await fetch(Target("first"))
        return str(await fetch(LISTING, "*.md"))

    workshop.write("a.md", "")
    workshop.rule(first)
    workshop.rule(second)
    report = workshop.build("first", "second")
    assert len(set(report.values.values())) == 1


def test_a_lazy_value_is_looked_up_once_and_only_if_something_depends_on_it(tmp_path: Path) -> None:
    asked: list[str] = []

    def version() -> str:
        asked.append("dot")
        return "2.43"

    inputs = look(tmp_path, given={"dot": Lazy(version), "x": 1})
    inputs.digest(Key("given", "x"))
    assert asked == []
    key = Key("given", "dot")
    assert inputs.read(key) == ("2.43", look(tmp_path, given={"dot": "2.43"}).digest(key))
    assert asked == ["dot"]
