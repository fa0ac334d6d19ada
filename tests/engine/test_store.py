"""The store: which damage loses values, and what is never lost."""

import os
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from diglot.digests import digest_of
from diglot.engine import FILE, Key, Packs, Store, Target, build, forget, prune
from diglot.engine.database import APPLICATION_ID, VERSION
from diglot.engine.inputs import CHANGE_TICK_NS
from diglot.engine.lock import locked
from diglot.engine.store import INLINE_BYTES, ObjectMissing
from tests.engine.workshop import Workshop, ran


async def page(fetch: Any, name: str) -> bytes:
    """A small page is stored in SQLite, a large one in a pack."""
    part = await fetch(Target("part"), name)
    return part * (INLINE_BYTES if name.startswith("large") else 1)


async def part(fetch: Any, name: str) -> bytes:
    return bytes(await fetch(FILE, name))


@pytest.fixture
def site(workshop: Workshop) -> Workshop:
    workshop.write("small", "small")
    workshop.write("large", "large")
    workshop.rule(page, value_type=bytes)
    workshop.rule(part, value_type=bytes)
    return workshop


PAGES = ("page small", "page large")


def database(site: Workshop) -> Path:
    return site.root / ".diglot" / "store.sqlite"


def packs(site: Workshop) -> list[Path]:
    return [path for path in (site.root / ".diglot" / "objects").rglob("*") if path.is_file()]


def test_a_large_value_lies_in_a_pack_and_can_be_copied_from_there(site: Workshop, tmp_path: Path) -> None:
    digest = site.build(*PAGES).values[Key("page", "large")]
    assert digest is not None
    blob = site.store().blob(digest)
    assert blob is not None
    Packs.of(site.root / ".diglot").copy_out([(blob, str(tmp_path / "new" / "file"))])
    assert (tmp_path / "new" / "file").read_bytes() == b"large" * INLINE_BYTES
    (pack,) = packs(site)
    assert pack.name == blob.pack


def test_a_small_value_lies_in_no_pack(site: Workshop) -> None:
    digest = site.build(*PAGES).values[Key("page", "small")]
    assert digest is not None
    assert site.store().blob(digest) is None
    assert site.store().object(digest) == b"small"


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble_the_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)


def drop_a_table(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE stamps")


def another_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID + 1}")


DAMAGE = (garbage, halve, scramble_the_middle, drop_a_table, another_version, another_program)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d.__name__)
def test_a_damaged_store_is_thrown_away_with_one_warning(site: Workshop, damage: Any) -> None:
    clean = site.build(*PAGES)
    damage(database(site))
    report = site.build(*PAGES)
    assert report.values == clean.values
    assert sorted(ran(report)) == sorted(ran(clean))
    assert [(d.rule, d.severity) for d in report.diagnostics] == [("store-discarded", "warning")]
    after = site.build(*PAGES)
    assert (ran(after), after.diagnostics) == ([], ())


def test_a_preview_is_warned_once_not_at_each_build(site: Workshop) -> None:
    site.build(*PAGES)
    garbage(database(site))
    store = site.store()
    reports = [
        build(site.rules, [Key("page", "small")], store=store, surroundings=site.surroundings()) for _ in "ab"
    ]
    assert [len(report.diagnostics) for report in reports] == [1, 0]
    store.close()


def test_an_empty_store_is_a_new_one(site: Workshop) -> None:
    site.build(*PAGES)
    empty(database(site))
    report = site.build(*PAGES)
    assert len(report.ran) == 4
    assert report.diagnostics == ()


@pytest.mark.parametrize("damaged", [False, True])
def test_a_store_that_another_process_makes_meanwhile_is_used(
    site: Workshop, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    site.store().close()
    if damaged:
        garbage(database(site))
    else:
        database(site).unlink()

    def after_another(path: Path, *, waiting: Any) -> Any:
        monkeypatch.undo()
        with closing(site.store()) as other:
            other.save_value(b"of the other")
        return locked(path, waiting=waiting)

    monkeypatch.setattr("diglot.engine.database.locked", after_another)
    with closing(site.store()) as store:
        assert store.object(digest_of(b"of the other")) == b"of the other"
        assert store.take_notices() == ()


def test_all_that_open_a_new_folder_at_once_find_one_store(tmp_path: Path) -> None:
    notices = []

    def open_some(folder: Path, start: threading.Barrier) -> None:
        start.wait(20)
        for _ in range(3):
            with closing(Store(folder)) as store:
                notices.append(store.take_notices())

    for number in range(40):
        start = threading.Barrier(3)
        openers = [threading.Thread(target=open_some, args=(tmp_path / str(number), start)) for _ in range(3)]
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join(20)
    assert notices == [()] * 360


def test_damage_found_in_the_middle_of_a_build_is_mended(site: Workshop) -> None:
    async def vandal(fetch: Any, name: str) -> bytes:
        await fetch(Target("part"), "small")
        vandalize()
        return bytes(await fetch(Target("part"), "large")) + bytes(await fetch(Target("part"), "small"))

    def vandalize() -> None:
        if damaged:  # only once: then the build starts again
            return
        damaged.append(True)
        store.commit()
        store._database._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store._database._connection.execute("DROP TABLE objects")

    damaged: list[bool] = []
    site.rule(vandal, value_type=bytes)
    store = site.store()
    report = build(site.rules, [Key("vandal")], store=store, surroundings=site.surroundings())
    digest = report.values[Key("vandal")]
    assert digest is not None
    assert store.object(digest) == b"largesmall"
    assert [d.rule for d in report.diagnostics] == ["store-discarded"]
    store.close()


def test_a_missing_object_is_made_again(site: Workshop) -> None:
    clean = site.build(*PAGES)
    for file in packs(site):
        file.unlink()
    report = site.build(*PAGES)
    assert [str(run.reason) for run in report.ran] == ["its stored value is missing or damaged"]
    assert report.values == clean.values


def test_a_damaged_object_is_never_handed_out(site: Workshop) -> None:
    site.build(*PAGES)
    (file,) = packs(site)
    file.write_bytes(b"x" * file.stat().st_size)
    with pytest.raises(ObjectMissing):
        site.store().object(digest_of(b"large" * INLINE_BYTES))


def test_a_damaged_object_is_made_again_when_somebody_fetches_it(site: Workshop) -> None:
    async def size(fetch: Any, name: str) -> int:
        return len(await fetch(Target("page"), name)) + len(await fetch(FILE, "small"))

    site.rule(size, value_type=int)
    first = site.build("size large")
    (file,) = packs(site)
    file.write_bytes(b"x")
    site.write("small", "smaller")
    report = site.build("size large")
    assert ran(report) == ["page large", "size large"]
    assert report.verified == 1
    assert report.values != first.values
    assert ran(site.build("size large")) == []


def test_of_values_that_are_read_together_those_lost_or_damaged_are_made_again(site: Workshop) -> None:
    names = ("small", "large", "lost", "damaged", "empty")

    async def sizes(fetch: Any, name: str) -> list[int]:
        await fetch(FILE, "other")
        return [len(one) for one in await fetch.all(Target("page"), names)]

    site.rule(sizes, value_type=list[int])
    for name in (*names, "other"):
        site.write(name, "" if name == "empty" else name)
    first = site.build("sizes")
    with closing(sqlite3.connect(database(site))) as connection, connection:
        connection.execute("DELETE FROM objects WHERE digest = ?", (digest_of(b"lost"),))
        connection.execute("UPDATE objects SET content = ? WHERE digest = ?", (b"x", digest_of(b"damaged")))
    site.write("other", "changed")
    report = site.build("sizes")
    again = {"page lost", "page damaged", "part lost", "part damaged", "sizes"}
    assert again >= {*ran(report)} >= {"page lost", "page damaged", "sizes"}
    assert report.values == first.values


def test_a_value_whose_type_changed_is_made_again(workshop: Workshop) -> None:
    async def count(fetch: Any, name: str) -> Any:
        await fetch(FILE, "a")
        return answers[0]

    async def shown(fetch: Any, name: str) -> str:
        return f"{await fetch(Target('count'))} {await fetch(FILE, 'b')}"

    answers: list[Any] = ["three"]
    workshop.rule(count, value_type=str)
    workshop.rule(shown)
    workshop.write("b", "1")
    workshop.build("shown")
    answers[0] = 3
    workshop.rule(count, value_type=int)
    workshop.write("b", "2")
    assert workshop.build("shown").diagnostics == ()
    assert workshop.value("shown") == b"\xa63 b'2'"


def test_pruning_forgets_what_no_target_rests_on(site: Workshop) -> None:
    site.build(*PAGES)
    report = site.build("page small")
    store = site.store()
    prune(store, report.visited)
    memory = store.memory()
    assert set(memory.traces) == {Key("page", "small"), Key("part", "small")}
    assert memory.stored == {digest_of(b"small")}
    assert packs(site) == []
    store.close()
    assert ran(site.build("page small")) == []
    assert sorted(ran(site.build(*PAGES))) == ["page large", "part large"]


def test_pruning_forgets_older_values(site: Workshop) -> None:
    site.build(*PAGES)
    site.write("large", "other")
    store = site.store()
    report = build(site.rules, list(map(Key.parse, PAGES)), store=store, surroundings=site.surroundings())
    (pack,) = packs(site)
    assert pack.read_bytes() == b"large" * INLINE_BYTES + b"other" * INLINE_BYTES
    prune(store, report.visited)
    (pack,) = packs(site)
    assert pack.read_bytes() == b"other" * INLINE_BYTES
    store.close()
    assert ran(site.build(*PAGES)) == []


def test_pruning_again_has_nothing_to_do(site: Workshop) -> None:
    store = site.store()
    report = build(site.rules, list(map(Key.parse, PAGES)), store=store, surroundings=site.surroundings())
    prune(store, report.visited)
    before = store.memory()
    prune(store, report.visited)
    assert store.memory() == before
    store.close()
    assert ran(site.build(*PAGES)) == []


def test_pruning_removes_what_killed_builds_and_older_versions_left(site: Workshop) -> None:
    report = site.build(*PAGES)
    (pack,) = packs(site)
    pack.with_name("123").write_bytes(b"words that no row names")
    (pack.parent / "ab").mkdir()
    (pack.parent / "ab" / "cdef").write_bytes(b"old")
    store = site.store()
    prune(store, report.visited - {Key("page", "small")})
    assert packs(site) == [pack]
    store.close()


def test_little_waste_stays_in_a_pack_until_somebody_cleans(site: Workshop) -> None:
    names = [f"large{number}" for number in range(5)]
    for name in names:
        site.write(name, name)
    keys = [f"page {name}" for name in names]
    site.build(*keys)
    site.write("large0", "other0")
    visited = site.build(*keys).visited
    before = {pack.name: pack.stat().st_size for pack in packs(site)}
    store = site.store()
    prune(store, visited)
    assert {pack.name: pack.stat().st_size for pack in packs(site)} == before
    forget(store, visited, before=0)
    store.close()
    (pack,) = packs(site)
    assert pack.stat().st_size == sum(before.values()) * 5 // 6
    assert ran(site.build(*keys)) == []
    clean = {site.value(key) for key in keys}
    assert clean == {name.encode() * INLINE_BYTES for name in [*names[1:], "other0"]}


def test_a_second_build_waits_for_the_first_and_says_so(site: Workshop) -> None:
    store = site.store()
    waiting = threading.Event()
    finished = []

    def second() -> None:
        other = Workshop(site.root)
        other.rules = site.rules
        other.progress = Watch(waiting)
        finished.append(other.build(*PAGES))

    with store.lock():
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(20)
        assert finished == []
    thread.join(20)
    assert len(finished[0].ran) == 4
    store.close()


class Watch(list[Any]):
    """A list of progress that sets an event when a build waits."""

    def __init__(self, waiting: threading.Event) -> None:
        super().__init__()
        self._waiting = waiting

    def append(self, progress: Any) -> None:
        if progress.waiting:
            self._waiting.set()


def test_a_store_may_be_used_by_another_thread_than_opened_it(site: Workshop) -> None:
    store = site.store()
    reports = []
    thread = threading.Thread(
        target=lambda: reports.append(
            build(site.rules, [Key("page", "small")], store=store, surroundings=site.surroundings())
        )
    )
    thread.start()
    thread.join(20)
    assert len(reports[0].ran) == 2
    store.close()


def test_a_build_without_changes_writes_nothing(site: Workshop) -> None:
    for name in ("small", "large"):
        site.write(name, name, modified_s=1_000_000_000)
    time.sleep(CHANGE_TICK_NS / 1e9)  # a stamp counts once the clock of file times has ticked
    site.build(*PAGES)
    before = database(site).stat().st_mtime_ns
    site.build(*PAGES)
    assert database(site).stat().st_mtime_ns == before


def test_a_full_disk_is_the_machine_s_fault_and_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    (pages,) = store._database._connection.execute("PRAGMA page_count").fetchone()
    store._database._connection.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for number in range(100):
            store.save_value(bytes([number]) * 4000)
        store.commit()

    with pytest.raises(OSError, match=r"the cache cannot be used .*full"):
        fill()
    store._database._connection.close()


def change(site: Workshop, statement: str, *values: object) -> None:
    """Change the database as a failing disk would: the checksum of the row stays the same."""
    with closing(sqlite3.connect(database(site), isolation_level=None)) as connection:
        assert connection.execute(statement, values).rowcount > 0


CHANGES = {
    "a trace's digest": "UPDATE traces SET digest = replace(digest, 'a', 'b')",
    "a trace's dependencies": "UPDATE traces SET dependencies = dependencies || 'x' WHERE kind = 'page'",
    "a trace's name": "UPDATE traces SET name = 'smalm' WHERE kind = 'page' AND name = 'small'",
    "a trace's diagnostics": "UPDATE traces SET diagnostics = '[]'",
    "a trace's code, which is no text": "UPDATE traces SET code = x'ff'",
    "a blob": "UPDATE blobs SET offset = offset + 1",
    "a blob in no file": "UPDATE blobs SET pack = '../../small'",
    "a blob without end": "UPDATE blobs SET size = 'many'",
    "a stamp": "UPDATE stamps SET digest = replace(digest, substr(digest, 1, 1), 'x')",
    "a stamp's time": "UPDATE stamps SET mtime_ns = mtime_ns + 1",
    "a snapshot": "UPDATE snapshots SET content = content || 'x'",
    "a snapshot that is text": "UPDATE snapshots SET content = 'x'",
    "text that is none": "UPDATE traces SET code = CAST(x'ff' AS TEXT)",
}


@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("edited", [False, True])
def test_a_damaged_row_is_not_used(site: Workshop, statement: str, edited: bool) -> None:
    """SQLite itself notices nothing, because its B-trees are intact."""
    for name in ("small", "large"):  # old enough for their stamps to count
        os.utime(site.root / name, ns=(0, 0))
    time.sleep(2 * CHANGE_TICK_NS / 1e9)  # a stamp counts once the clock of file times has ticked
    site.build(*PAGES)
    change(site, statement)
    if edited:
        site.write("large", "larger")
    report = site.build(*PAGES)
    assert site.value("page small") == b"small"
    assert site.value("page large") == (b"larger" if edited else b"large") * INLINE_BYTES
    assert {d.rule for d in report.diagnostics} <= {"store-discarded"}
    after = site.build(*PAGES)
    assert (ran(after), after.diagnostics) == ([], ())


def test_when_a_task_last_ran_is_not_told_from_a_damaged_row(site: Workshop) -> None:
    site.build(*PAGES)
    change(site, "UPDATE traces SET reason = 'because'")
    store = site.store()
    assert store.last_run(Key("page", "small")) is None
    assert [one.rule for one in store.take_notices()] == ["store-discarded"]
    store.close()


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_file_makes_way_for_the_store(site: Workshop, ending: str, kind: str) -> None:
    site.build(*PAGES)
    path = database(site).with_name(f"store.sqlite{ending}")
    path.unlink(missing_ok=True)
    match kind:
        case "folder":
            (path / "in it").mkdir(parents=True)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to(site.root / "small")
    site.build(*PAGES)
    assert site.value("page small") == b"small"
    assert (site.root / "small").read_text() == "small"
    assert ran(site.build(*PAGES)) == []


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_file_makes_way_for_a_pack(site: Workshop, kind: str) -> None:
    site.build(*PAGES)
    (pack,) = packs(site)
    pack.unlink()
    match kind:
        case "folder":
            (pack / "in it").mkdir(parents=True)
        case "pipe":
            os.mkfifo(pack)
        case _:
            pack.symlink_to(site.root / "small")
    site.build(*PAGES)
    assert site.value("page large") == b"large" * INLINE_BYTES
    assert (site.root / "small").read_text() == "small"


@pytest.mark.parametrize("size", [1, 100, 4095])
def test_the_beginning_of_a_store_is_none(site: Workshop, size: int) -> None:
    """SQLite treats a file shorter than a page as new, until it writes to it."""
    site.build(*PAGES)
    path = database(site)
    path.write_bytes(path.read_bytes()[:size])
    site.build(*PAGES)
    assert site.value("page small") == b"small"
    assert ran(site.build(*PAGES)) == []


def test_a_store_that_looks_like_a_new_one_and_holds_something_is_thrown_away(site: Workshop) -> None:
    site.build(*PAGES)
    content = bytearray(database(site).read_bytes())
    for start in (40, 60, 68):  # schema version, user version, application id
        content[start : start + 4] = bytes(4)
    database(site).write_bytes(content)
    site.build(*PAGES)
    assert site.value("page small") == b"small"
    assert ran(site.build(*PAGES)) == []
