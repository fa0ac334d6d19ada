"""The scheduler: tasks that wait at the same time, in a cycle, and very deep."""

import os
import signal
import sqlite3
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from diglot.engine import FILE, Key, Target
from tests.engine.workshop import Workshop, mistake, ran
from tests.waiting import wait_until


def test_futures_of_different_tasks_are_worked_on_at_the_same_time(workshop: Workshop) -> None:
    """Each of the two passes the barrier only because the other one reaches it too."""
    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:

        async def draw(fetch: Any, name: str) -> str:
            await fetch.wait(pool.submit(barrier.wait, 60))
            return name

        async def article(fetch: Any, name: str) -> str:
            return " ".join(await fetch.all(Target("draw"), ("a", "b")))

        workshop.rule(draw)
        workshop.rule(article)
        report = workshop.build("article")
    assert sorted(ran(report)) == ["article", "draw a", "draw b"]
    assert workshop.value("article") == b"\xa3a b"


def test_what_was_fetched_together_is_also_rebuilt_together(workshop: Workshop) -> None:
    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:

        async def draw(fetch: Any, name: str) -> str:
            style = await fetch(FILE, "style")
            await fetch.wait(pool.submit(barrier.wait, 60))
            return f"{name} {style}"

        async def article(fetch: Any, name: str) -> str:
            return " ".join(await fetch.all(Target("draw"), ("a", "b")))

        workshop.rule(draw)
        workshop.rule(article)
        workshop.write("style", "1")
        workshop.build("article")
        workshop.write("style", "2")
        assert sorted(ran(workshop.build("article"))) == ["article", "draw a", "draw b"]


def test_a_task_goes_on_as_soon_as_its_future_is_done_though_others_keep_the_build_busy(
    workshop: Workshop,
) -> None:
    future: Future[str] = Future()

    async def patient(fetch: Any, name: str) -> str:
        return str(await fetch.wait(future))

    async def busy(fetch: Any, name: str) -> str:
        if name == "3":
            future.set_result("done")
        return name

    workshop.rule(patient)
    workshop.rule(busy)
    order = ran(workshop.build("patient", *(f"busy {i}" for i in range(10))))
    assert order.index("patient") == order.index("busy 3") + 1


def test_values_come_in_the_order_of_the_keys_not_in_that_of_finishing(workshop: Workshop) -> None:
    begun: list[Future[None]] = []
    finished: list[str] = []

    def finish_the_newest() -> bool:
        begun.pop().set_result(None)
        return True

    async def wait(fetch: Any, name: str) -> str:
        begun.append(Future())
        await fetch.wait(begun[-1])
        finished.append(name)
        return name

    async def all_of_them(fetch: Any, name: str) -> str:
        return " ".join(await fetch.all(Target("wait"), ("a", "b", "c")))

    workshop.work = finish_the_newest
    workshop.rule(wait)
    workshop.rule(all_of_them)
    workshop.build("all_of_them")
    assert finished == ["c", "b", "a"]
    assert workshop.value("all_of_them") == b"\xa5a b c"


def test_several_tasks_may_wait_for_one_future(workshop: Workshop) -> None:
    shared: Future[None] = Future()

    def work() -> bool:
        shared.set_result(None)
        return True

    async def user(fetch: Any, name: str) -> str:
        await fetch.wait(shared)
        return name

    workshop.work = work
    workshop.rule(user)
    assert sorted(ran(workshop.build("user a", "user b"))) == ["user a", "user b"]


def test_what_is_finished_is_saved_before_the_build_waits(workshop: Workshop) -> None:
    """A figure may take minutes. A build that is killed meanwhile must lose only that figure."""
    seen = []
    future: Future[str] = Future()

    def look_and_go_on() -> None:
        other = sqlite3.connect(workshop.root / ".diglot" / "store.sqlite")
        try:
            wait_until(lambda: seen.extend(other.execute("SELECT kind FROM traces").fetchall()) or seen)
        finally:
            other.close()
            future.set_result("done")

    async def quick(fetch: Any, name: str) -> str:
        return name

    async def slow(fetch: Any, name: str) -> str:
        await fetch(Target("quick"))
        threading.Thread(target=look_and_go_on).start()
        return str(await fetch.wait(future))

    workshop.rule(quick)
    workshop.rule(slow)
    workshop.build("slow")
    assert seen == [("quick",)]


def test_an_interrupt_ends_the_wait_for_a_future(workshop: Workshop) -> None:
    main = threading.main_thread().ident

    def interrupt() -> None:
        wait_until(lambda: sys._current_frames()[main].f_code.co_name == "_collect_futures")
        os.kill(os.getpid(), signal.SIGINT)

    async def endless(fetch: Any, name: str) -> str:
        threading.Thread(target=interrupt).start()
        return str(await fetch.wait(Future()))

    workshop.rule(endless)
    with pytest.raises(KeyboardInterrupt):
        workshop.build("endless")


def test_a_future_that_fails_fails_its_task_alone(workshop: Workshop) -> None:
    failing: Future[str] = Future()
    failing.set_exception(mistake("figures/a.py"))

    async def draw(fetch: Any, name: str) -> str:
        return str(await fetch.wait(failing)) if name == "a" else name

    workshop.rule(draw)
    report = workshop.build("draw a", "draw b")
    assert [report.values[Key("draw", name)] is None for name in "ab"] == [True, False]
    assert [d.message for d in report.diagnostics] == ["is wrong"]


def test_one_failure_among_several_lets_the_others_finish(workshop: Workshop) -> None:
    async def draw(fetch: Any, name: str) -> str:
        if name == "b":
            raise mistake(name)
        return name

    async def article(fetch: Any, name: str) -> str:
        return " ".join(await fetch.all(Target("draw"), "abc"))

    workshop.rule(draw)
    workshop.rule(article)
    outcomes = {str(run.key): run.outcome for run in workshop.build("article").ran}
    assert outcomes == {
        "draw a": "changed",
        "draw b": "failed",
        "draw c": "changed",
        "article": "upstream failed",
    }


def chain(workshop: Workshop) -> None:
    """The file of each link names the next link; `end` ends the chain."""

    async def link(fetch: Any, name: str) -> int:
        following = (await fetch(FILE, name)).decode()
        return 0 if following == "end" else 1 + await fetch(Target("link"), following)

    workshop.rule(link, value_type=int)


def test_a_circle_is_told_with_all_its_steps(workshop: Workshop) -> None:
    chain(workshop)
    for name, following in {"start": "c", "a": "b", "b": "c", "c": "a"}.items():
        workshop.write(name, following)
    report = workshop.build("link start")
    assert [d.message for d in report.diagnostics] == ["depends on itself: link a → link b → link c → link a"]
    assert report.values[Key("link", "start")] is None


def test_a_task_that_fetches_itself_is_a_circle(workshop: Workshop) -> None:
    chain(workshop)
    workshop.write("a", "a")
    report = workshop.build("link a")
    assert [d.message for d in report.diagnostics] == ["depends on itself: link a → link a"]


def test_a_circle_leaves_the_rest_alone(workshop: Workshop) -> None:
    chain(workshop)
    for name, following in {"a": "b", "b": "a", "good": "end"}.items():
        workshop.write(name, following)
    report = workshop.build("link a", "link good")
    assert report.values[Key("link", "good")] is not None


@pytest.mark.parametrize("target", ["link start", "link a", "link b"])
def test_a_circle_is_told_again_in_the_same_words(workshop: Workshop, target: str) -> None:
    chain(workshop)
    for name, following in {"start": "b", "a": "b", "b": "a"}.items():
        workshop.write(name, following)
    first = workshop.build(target).diagnostics
    assert len(first) == 1
    assert workshop.build(target).diagnostics == first
    assert workshop.build("link start", "link a", "link b").diagnostics == first


def test_a_circle_that_closes_later_is_found(workshop: Workshop) -> None:
    chain(workshop)
    for name, following in {"a": "b", "b": "c", "c": "end"}.items():
        workshop.write(name, following)
    workshop.build("link a")
    workshop.write("c", "a")
    assert [d.rule for d in workshop.build("link a").diagnostics] == ["dependency-cycle"]


@pytest.mark.parametrize("mended", ["a", "b", "c"])
def test_a_circle_can_be_opened_anywhere(workshop: Workshop, mended: str) -> None:
    chain(workshop)
    for name, following in {"start": "a", "a": "b", "b": "c", "c": "a"}.items():
        workshop.write(name, following)
    workshop.build("link start")
    workshop.write(mended, "end")
    report = workshop.build("link start")
    assert report.diagnostics == ()
    assert report.values[Key("link", "start")] is not None


def test_turning_a_dependency_round_is_no_circle(workshop: Workshop) -> None:
    chain(workshop)
    workshop.write("a", "b")
    workshop.write("b", "end")
    workshop.build("link a", "link b")
    workshop.write("a", "end")
    workshop.write("b", "a")
    report = workshop.build("link a", "link b")
    assert report.diagnostics == ()
    assert None not in report.values.values()


def test_a_chain_of_five_thousand_tasks_is_no_deeper_than_a_short_one(workshop: Workshop) -> None:
    async def step(fetch: Any, name: str) -> int:
        below = int(name) - 1
        return 0 if below < 0 else 1 + await fetch(Target("step"), str(below))

    workshop.rule(step, value_type=int)
    assert len(ran(workshop.build("step 5000"))) == 5_001
    assert workshop.build("step 5000").verified == 5_001
    assert workshop.value("step 5000") == b"\xcd\x13\x88"
    assert len(workshop.explain("step 5000").edges) == 5_000
