"""A process that builds repeatedly with one `Session`: results are as if it read the store each time."""

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.engine import FILE, LISTING, Key, Session, Target, Unfinished
from tests.engine.test_random_graphs import NODES, TARGETS, Node, edits, node, nodes, outcome
from tests.engine.workshop import Workshop, mistake, ran
from tests.hostile.profile import tries

NAMES = LISTING.key("nodes/*")


async def page(fetch: Any, name: str) -> str:
    text: bytes = await fetch(FILE, f"pages/{name}")
    return (await fetch(Target("word"))) + text.decode()


async def word(fetch: Any, name: str) -> str:
    return str(len(await fetch(FILE, "word")))


def shop(root: Path) -> Workshop:
    workshop = Workshop(root)
    workshop.rule(page)
    workshop.rule(word)
    workshop.write("pages/a", "A")
    workshop.write("pages/b", "B")
    workshop.write("word", "one")
    return workshop


PAGES = ("page a", "page b")


def test_only_what_is_said_to_be_touched_is_looked_at(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    workshop.build(*PAGES, session=session)
    workshop.write("pages/a", "AA")
    workshop.write("pages/b", "BB")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "pages/a")])
    assert ran(report) == ["page a"]
    assert session.changed_inputs(root=tmp_path, given={})
    assert ran(workshop.build(*PAGES, session=session)) == ["page b"]
    assert not session.changed_inputs(root=tmp_path, given={})


def test_a_touched_file_that_nobody_uses_makes_no_work(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    first = workshop.build(*PAGES, session=session)
    workshop.write("pages/c", "C")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "pages/c")])
    assert ran(report) == []
    assert outcome(report) == outcome(first)


def test_a_value_that_stays_the_same_stops_the_work_there(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    workshop.build(*PAGES, session=session)
    workshop.write("word", "two")
    assert ran(workshop.build(*PAGES, session=session, touched=[Key("file", "word")])) == ["word"]


def test_a_session_is_dropped_when_another_process_built_meanwhile(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    workshop.build(*PAGES, session=session)
    workshop.write("word", "longer")
    other = workshop.build(*PAGES)  # without a session
    report = workshop.build(*PAGES, session=session, touched=[])
    assert ran(report) == []
    assert outcome(report) == outcome(other)


def test_when_the_store_is_gone_all_is_built_again(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    first = workshop.build(*PAGES, session=session)
    for file in (tmp_path / ".diglot").glob("store.sqlite*"):
        file.unlink()
    report = workshop.build(*PAGES, session=session, touched=[])
    assert sorted(ran(report)) == sorted(ran(first))
    assert outcome(report) == outcome(first)


def test_inputs_of_a_build_that_remembers_are_those_of_one_that_does_not(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    first = workshop.build(*PAGES, session=session)
    workshop.write("pages/a", "AA")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "pages/a")])
    assert report.inputs() == first.inputs() == {Key("file", f) for f in ("pages/a", "pages/b", "word")}


def test_deferred_tasks_are_asked_for_again(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    workshop.build(*PAGES, session=session)
    late = True

    async def word(fetch: Any, name: str) -> str:
        text = str(len(await fetch(FILE, "word")))
        if late:
            raise Unfinished
        return text

    workshop.rule(word)
    workshop.write("word", "longer")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "word")])
    assert [(str(run.key), run.outcome) for run in report.ran] == [("word", "unfinished")]
    workshop.write("pages/a", "AA")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "pages/a")])
    assert {(str(run.key), run.outcome) for run in report.ran} == {
        *(("word", "unfinished"), ("page a", "changed"))
    }
    late = False
    report = workshop.build(*PAGES, session=session, touched=[])
    assert sorted(ran(report)) == ["page a", "page b", "word"]
    assert outcome(report) == outcome(workshop.build_clean(*PAGES))


async def careful(fetch: Any, name: str) -> str:
    """Like `word`, but fails on a digit."""
    text = (await fetch(FILE, "word")).decode()
    if text.isdigit():
        raise mistake("word", f"{text} is no word")
    return str(len(text))


careful.__name__ = "word"


def test_what_a_failed_task_made_last_stands_in_where_that_is_asked_for(tmp_path: Path) -> None:
    workshop, session = shop(tmp_path), Session()
    workshop.rule(careful, keeps_last_good=True)
    workshop.build(*PAGES, session=session)
    workshop.write("word", "12345")
    workshop.write("pages/a", "AA")
    report = workshop.build(*PAGES, session=session, keep_last_good=True)
    assert {(str(run.key), run.outcome) for run in report.ran} == {("word", "failed"), ("page a", "changed")}
    assert [one.message for one in report.diagnostics] == ["12345 is no word"]
    assert workshop.store().object(report.values[Key("page", "a")]) == msgspec.msgpack.encode("3AA")
    # The mistake is reported, and its inputs are watched, in every build; the session suffices for that.
    workshop.write("pages/b", "BB")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "pages/b")], keep_last_good=True)
    assert sorted(ran(report)) == ["page b", "word"]
    assert [one.message for one in report.diagnostics] == ["12345 is no word"]
    assert Key("file", "word") in report.inputs()
    workshop.write("word", "four")
    report = workshop.build(*PAGES, session=session, touched=[Key("file", "word")], keep_last_good=True)
    assert outcome(report) == outcome(workshop.build_clean(*PAGES))
    assert workshop.build(*PAGES, session=session, touched=[], keep_last_good=True).ran == ()


def test_what_stood_in_for_a_failed_task_is_recorded_nowhere(tmp_path: Path) -> None:
    workshop = shop(tmp_path)
    workshop.rule(careful, keeps_last_good=True)
    workshop.build(*PAGES)
    workshop.write("word", "12345")
    assert None not in workshop.build(*PAGES, keep_last_good=True).values.values()
    assert set(workshop.build(*PAGES).values.values()) == {None}
    assert outcome(workshop.build(*PAGES)) == outcome(workshop.build_clean(*PAGES))
    # Now no good value is left that could stand in.
    assert set(workshop.build(*PAGES, keep_last_good=True).values.values()) == {None}


def _edit(workshop: Workshop, edited: list[tuple[int, Node | None]]) -> set[Key]:
    """Write files, or delete those with None. Returns their keys."""
    for n, edit in edited:
        if edit is not None:
            workshop.write(f"nodes/{n}", repr(edit))
        elif (workshop.root / f"nodes/{n}").exists():
            workshop.delete(f"nodes/{n}")
    return {Key("file", f"nodes/{n}") for n, _ in edited}


@settings(max_examples=tries(30, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)),
    rounds=st.lists(
        st.tuples(edits, st.sets(st.sampled_from(NODES), max_size=2), st.booleans(), st.booleans()),
        max_size=5,
    ),
)
def test_whatever_is_broken_meanwhile_a_build_without_stand_ins_is_that_of_one_that_begins_anew(
    first: list[Node], rounds: list[tuple[list[tuple[int, Node | None]], set[int], bool, bool]]
) -> None:
    async def sometimes_wrong(fetch: Any, name: str) -> int:
        value = await node(fetch, name)
        if await fetch(FILE, f"wrong/{name}"):
            raise mistake(f"wrong/{name}")
        return value

    sometimes_wrong.__name__ = "node"
    with tempfile.TemporaryDirectory() as folder:
        workshop, session = Workshop(Path(folder)), Session()
        workshop.rule(sometimes_wrong, value_type=int, keeps_last_good=True)
        for n, content in enumerate(first):
            workshop.write(f"nodes/{n}", repr(content))
            workshop.write(f"wrong/{n}", "")
        workshop.build(*TARGETS, session=session, keep_last_good=True)
        for edited, wrong_ones, knows_touched, another_process in rounds:
            touched = {NAMES, *(Key("file", f"wrong/{n}") for n in NODES)}
            for n in NODES:
                workshop.write(f"wrong/{n}", "x" if n in wrong_ones else "")
            touched |= _edit(workshop, edited)
            workshop.build(
                *TARGETS, session=session, touched=touched if knows_touched else None, keep_last_good=True
            )
            if another_process:
                assert outcome(workshop.build(*TARGETS)) == outcome(workshop.build_clean(*TARGETS))
        for n in NODES:
            workshop.write(f"wrong/{n}", "")
        clean = workshop.build_clean(*TARGETS)
        live = workshop.build(*TARGETS, session=session, keep_last_good=True)
        assert live.diagnostics == clean.diagnostics
        if None not in clean.values.values():
            assert outcome(live) == outcome(clean)
        assert outcome(workshop.build(*TARGETS, session=session)) == outcome(clean)
        assert outcome(workshop.build(*TARGETS)) == outcome(clean)


@settings(max_examples=tries(30, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)),
    rounds=st.lists(st.tuples(edits, st.sets(st.sampled_from(NODES), max_size=2), st.booleans()), max_size=5),
)
def test_whatever_is_edited_and_whatever_takes_long_it_ends_in_what_building_anew_gives(
    first: list[Node], rounds: list[tuple[list[tuple[int, Node | None]], set[int], bool]]
) -> None:
    late: set[int] = set()

    async def sometimes_late(fetch: Any, name: str) -> int:
        value = await node(fetch, name)
        if int(name) in late:
            raise Unfinished
        return value

    sometimes_late.__name__ = "node"
    with tempfile.TemporaryDirectory() as folder:
        workshop, session = Workshop(Path(folder)), Session()
        workshop.rule(sometimes_late, value_type=int)
        for n, content in enumerate(first):
            workshop.write(f"nodes/{n}", repr(content))
        workshop.build(*TARGETS, session=session)
        for edited, late_ones, another_process in rounds:
            touched = {NAMES}
            touched |= _edit(workshop, edited)
            late = late_ones
            workshop.build(*TARGETS, session=session, touched=touched)
            late = set()
            if another_process:
                workshop.build(*TARGETS)
            clean = workshop.build_clean(*TARGETS)
            assert outcome(workshop.build(*TARGETS, session=session, touched=())) == outcome(clean)
            assert not session.changed_inputs(root=workshop.root, given={})
            again = workshop.build(*TARGETS)
            assert outcome(again) == outcome(clean)
            assert again.ran == ()
