"""Calls of figure workers that take longer than a build waits."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from diglot.engine import Unfinished
from diglot.figures.records import Script, WorkerReport
from diglot.rules.figure_calls import FigureCalls

OWN = Script(figure_id="a", path="figures/a.py")
REPORT = WorkerReport(result=b"made", observed=(), warnings=())


class Workers:
    """Pending calls that a test finishes."""

    def __init__(self) -> None:
        self.started: list[Future[WorkerReport]] = []
        self.stopped: list[Future[WorkerReport]] = []

    def start(self) -> "Future[WorkerReport]":
        self.started.append(Future())
        return self.started[-1]


@pytest.fixture
def workers() -> Workers:
    return Workers()


@pytest.fixture
def calls() -> Iterator[FigureCalls]:
    calls = FigureCalls()
    calls.due = 0  # type: ignore[attr-defined]  (ours)

    def finished() -> None:
        calls.due += 1  # type: ignore[attr-defined]  (ours)

    calls.finished = finished
    yield calls
    calls.end(whole=False)  # a build that still waits would keep a thread


def _ask(calls: FigureCalls, workers: Workers, what: str = "a") -> "tuple[Future[WorkerReport], bool]":
    _, work, is_old = calls.ask(what, OWN, workers.start, workers.stopped.append)
    return work, is_old


def test_without_a_limit_the_work_itself_is_waited_for(calls: FigureCalls, workers: Workers) -> None:
    calls.begin()
    work, is_old = _ask(calls, workers)
    assert work is workers.started[0]
    assert not is_old
    calls.hurry()
    assert not work.done()


def test_when_patience_ends_the_build_goes_on_and_is_due_again_when_the_work_is_done(
    calls: FigureCalls, workers: Workers
) -> None:
    calls.begin(0.05)
    work, _ = _ask(calls, workers)
    with pytest.raises(Unfinished):
        work.result()
    calls.end(whole=True)
    assert calls.due == 0  # type: ignore[attr-defined]  (ours)
    workers.started[0].set_result(REPORT)
    assert calls.due == 1  # type: ignore[attr-defined]  (ours)
    calls.begin(60)
    work, is_old = _ask(calls, workers)
    assert is_old
    assert work.result(0) is REPORT
    assert len(workers.started) == 1


def test_work_that_is_done_in_time_makes_no_other_build_due(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60)
    work, _ = _ask(calls, workers)
    workers.started[0].set_result(REPORT)
    assert work.result(0) is REPORT
    assert calls.due == 0  # type: ignore[attr-defined]  (ours)


def test_failures_are_passed_on(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60)
    work, _ = _ask(calls, workers)
    workers.started[0].set_exception(ValueError("no"))
    with pytest.raises(ValueError, match="no"):
        work.result(0)


def test_another_save_ends_the_waiting_at_once(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60)
    work, _ = _ask(calls, workers)
    calls.hurry()
    with pytest.raises(Unfinished):
        work.result(0)
    other, _ = _ask(calls, workers, "b")  # later calls are not waited for either
    with pytest.raises(Unfinished):
        other.result(0)


def test_after_a_save_only_new_work_is_waited_for(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60)
    _ask(calls, workers)
    calls.hurry()
    calls.end(whole=True)
    calls.begin(60, old_ones=False)
    old, _ = _ask(calls, workers)
    new, _ = _ask(calls, workers, "b")
    assert isinstance(old.exception(0), Unfinished)
    assert not new.done()
    calls.hurry()


def test_an_outcome_is_taken_as_often_as_tasks_can_use_it(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60, old_ones=False)
    call, zh, was_there = calls.ask("a", OWN, workers.start, workers.stopped.append, takers=2)
    same, en, is_there = calls.ask("a", OWN, workers.start, workers.stopped.append, takers=2)
    assert call is same
    assert (was_there, is_there) == (False, True)
    workers.started[0].set_result(REPORT)
    assert zh.result(0) is en.result(0) is REPORT
    calls.deliver(call)
    assert calls.is_under_way("a")
    calls.deliver(call)
    assert not calls.is_under_way("a")
    _, is_old = _ask(calls, workers)
    assert not is_old
    assert len(workers.started) == 2


def test_an_outcome_that_not_all_tasks_used_is_gone_after_the_build(
    calls: FigureCalls, workers: Workers
) -> None:
    calls.begin(60)
    call, _, _ = calls.ask("a", OWN, workers.start, workers.stopped.append, takers=2)
    workers.started[0].set_result(REPORT)
    calls.deliver(call)
    calls.end(whole=True)
    assert not calls.is_under_way("a")


def test_a_call_that_does_not_hold_is_forgotten_but_not_the_one_after_it(
    calls: FigureCalls, workers: Workers
) -> None:
    calls.begin()
    old, _, _ = calls.ask("a", OWN, workers.start, workers.stopped.append)
    calls.forget(old)
    _ask(calls, workers)
    calls.forget(old)
    assert calls.is_under_way("a")


def test_work_that_no_build_asks_for_any_more_is_stopped(calls: FigureCalls, workers: Workers) -> None:
    calls.begin(60)
    _ask(calls, workers)
    calls.hurry()
    calls.end(whole=True)
    calls.begin(60)
    calls.end(whole=False)  # it ended before it could ask
    assert workers.stopped == []
    calls.begin(60)
    calls.end(whole=True)
    assert workers.stopped == workers.started
    workers.started[0].set_result(REPORT)
    assert calls.due == 0  # type: ignore[attr-defined]  (ours)


@pytest.mark.parametrize(
    ("saved", "stopped"),
    [
        ("figures/a.py", True),
        ("src/library/model.py", True),
        ("figures/_helper.py", True),
        ("figures/b.py", False),
        ("content/posts/x/figures/c.py", False),
        ("content/posts/x/zh.md", False),
        ("figures/data.csv", False),
    ],
)
def test_a_saved_script_or_module_stops_the_work_that_rests_on_it(
    calls: FigureCalls, workers: Workers, saved: str, stopped: bool
) -> None:
    calls.begin(60)
    _ask(calls, workers)
    calls.hurry()
    calls.end(whole=True)
    calls.outdate({saved})
    assert bool(workers.stopped) == stopped
