"""The worker pool: runs calls in forked workers if there are enough of them."""

import os
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.processes import PendingCall, Shared, WorkerPool
from diglot.processes.forked_workers import BATCHES_AHEAD
from diglot.processes.worker_pool import BATCH_CALLS, FULL_CALLS, WORTH_CALLS


@pytest.fixture(autouse=True)
def alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides threads that other tests left behind: a worker pool forks only if there is one thread."""
    if request.node.name != "test_beside_another_thread_nothing_is_forked":
        monkeypatch.setattr("threading.active_count", lambda: 1)


def done(pool: WorkerPool, *works: PendingCall) -> list[Any]:
    while not all(work.done() for work in works):
        assert pool.work(), "somebody waits for work that nobody does"
    return [work.result() for work in works]


def square(number: int) -> int:
    return number * number


def whose(_number: int) -> int:
    return os.getpid()


def refused(number: int) -> None:
    raise DiagnosticError(Diagnostic(rule="odd", message=f"{number} is odd"))


def times(factor: Shared, number: int) -> tuple[int, int]:
    return id(factor), factor.value[0] * number


def test_little_work_is_done_by_the_process_itself() -> None:
    pool = WorkerPool(4)
    assert done(pool, *(pool.call(whose, n) for n in range(WORTH_CALLS - 1))) == [os.getpid()] * (
        WORTH_CALLS - 1
    )


def test_many_calls_run_in_one_worker_for_each_job_and_results_come_back_in_order() -> None:
    pool = WorkerPool(2)
    try:
        doers = set(done(pool, *(pool.call(whose, n) for n in range(200))))
        assert len(doers) == 2
        assert os.getpid() not in doers
        assert done(pool, *(pool.call(square, n) for n in range(2000))) == [n * n for n in range(2000)]
    finally:
        pool.close()
    for pid in doers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_with_one_job_nothing_is_forked() -> None:
    pool = WorkerPool(1)
    assert set(done(pool, *(pool.call(whose, n) for n in range(100)))) == {os.getpid()}


def test_beside_another_thread_nothing_is_forked() -> None:
    pool, over = WorkerPool(2), threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert set(done(pool, *(pool.call(whose, n) for n in range(100)))) == {os.getpid()}
    finally:
        over.set()
        thread.join()


def test_workers_started_before_another_thread_do_what_comes_when_it_is_much() -> None:
    pool, over = WorkerPool(2), threading.Event()
    pool.start()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert done(pool, pool.call(whose, 0)) == [os.getpid()]
        assert os.getpid() not in done(pool, *(pool.call(whose, n) for n in range(100)))
    finally:
        over.set()
        thread.join()
        pool.close()


@pytest.mark.parametrize("count", [3, 100])
def test_what_a_call_raises_is_raised_by_its_work_alone(count: int) -> None:
    pool = WorkerPool(2)
    try:
        good, bad = [pool.call(square, n) for n in range(count)], pool.call(refused, 7)
        assert done(pool, *good) == [n * n for n in range(count)]
        while not bad.done():
            pool.work()
        with pytest.raises(DiagnosticError, match="7 is odd"):
            bad.result()
    finally:
        pool.close()


def test_a_shared_argument_is_sent_to_each_worker_once() -> None:
    pool = WorkerPool(2)
    try:
        factor = Shared(name="factor", value=[3])
        found = done(pool, *(pool.call(times, factor, n) for n in range(400)))
        assert [value for _, value in found] == [3 * n for n in range(400)]
        assert len({place for place, _ in found}) <= 2
    finally:
        pool.close()


def test_calls_that_pile_up_are_worked_off_while_they_are_handed_in() -> None:
    pool = WorkerPool(1)
    works = [pool.call(square, n) for n in range(3 * FULL_CALLS)]
    assert sum(work.done() for work in works) > FULL_CALLS


def append(path: Path, _load: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def test_workers_go_on_while_the_process_is_busy_with_something_else(tmp_path: Path) -> None:
    pool, log = WorkerPool(2, ahead_s=0.25), tmp_path / "log"
    try:
        load = bytes(20_000)  # twenty of these fill the socket between the processes
        done(pool, *(pool.call(append, log, load) for _ in range(200)))
        before = log.stat().st_size
        works = [pool.call(append, log, load) for _ in range(1000)]
        ahead = 0
        while ahead <= 2 * BATCHES_AHEAD * BATCH_CALLS:
            assert pool.work(), "the workers never got further ahead than their shortest queue"
            time.sleep(0.02)  # the process does something else
            ahead = log.stat().st_size - before - sum(work.done() for work in works)
        done(pool, *works)
    finally:
        pool.close()


def test_what_was_handed_out_ends_at_about_the_same_time() -> None:
    pool = WorkerPool(2)
    try:
        done(pool, *(pool.call(time.sleep, 0.001) for _ in range(200)))
        works = [pool.call(whose, n) for n in range(24)]
        doers = done(pool, *works)
        assert abs(doers.count(doers[0]) - 12) <= 4
    finally:
        pool.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_forgotten_is_not_done_later(jobs: int, tmp_path: Path) -> None:
    pool = WorkerPool(jobs, ahead_s=0)
    try:
        for number in range(100):
            pool.call(Path.touch, tmp_path / str(number))
        pool.work()
        pool.forget()
        begun = os.listdir(tmp_path)
        assert not pool.work()
        assert done(pool, pool.call(square, 3)) == [9]
        assert 0 < len(begun) < 100
        assert os.listdir(tmp_path) == begun
    finally:
        pool.close()


def test_a_killed_worker_ends_the_build_with_a_message() -> None:
    pool = WorkerPool(2)
    try:
        doers = set(done(pool, *(pool.call(whose, n) for n in range(100))))
        assert os.getpid() not in doers
        for pid in doers:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(ChildProcessError, match="ended unexpectedly"):
            done(pool, *(pool.call(square, n) for n in range(100)))
    finally:
        pool.close()


def test_work_says_how_long_it_took_and_not_how_long_it_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0

    def take(seconds: float) -> None:
        nonlocal now_s
        now_s += seconds

    monkeypatch.setattr("diglot.processes.calls.time", SimpleNamespace(perf_counter=lambda: now_s))
    pool = WorkerPool(1)
    works = [pool.call(take, 20), pool.call(take, 1)]
    done(pool, *works)
    assert [work.took_s for work in works] == [20, 1]
