"""The points of a sweep: reads known ones from the store, and computes the others in parallel."""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of
from diglot.figures.execution.executors import Machine
from diglot.figures.execution.exit_status import answer_of, crash_of, printed_warning
from diglot.figures.execution.point_store import Batch, PointStore
from diglot.figures.jobs import Answer, Called, Job, Limits
from diglot.figures.records import Observed, ObservedKind
from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.scripts.input_requests import Points
from diglot.invariants import certain, require
from diglot.processes.cancellation import Cancellation

MOST_AT_ONCE = 4096
"""Maximum number of points sent to one worker, which stops earlier if they take long."""
_WORTH_S = 0.5
"""Seconds of work that are worth a separate process."""


class Swept(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a sweep."""

    results: tuple[bytes, ...]
    """Result of each point as JSON, in their order."""
    observed: tuple[Observed, ...]
    warnings: tuple[Diagnostic, ...]
    variables: tuple[tuple[str, str | None], ...] | None
    """The variables of the job, and those that the points requested."""


class PointRuns(msgspec.Struct, frozen=True, kw_only=True):
    """Computes points on a machine, and stores them."""

    root: Path
    limits: Limits
    machine: Machine
    cancellation: Cancellation
    """Of the computation that the sweep is a part of."""
    result: Callable[[Job, "Future[Called]"], Called]
    """Waits for a call of a job, and returns its outcome."""
    store: PointStore
    versions: tuple[tuple[str, str], ...]
    now: Callable[[ObservedKind, str], str]
    """The current digest of a dependency, by kind and name."""
    tell: Callable[[str, int, int], None]
    """Reports progress: the figure, the number of finished points, the number of all points."""

    def run(self, job: Job, points: Points) -> Swept:
        """The results of the points that a call of `compute` requested.

        Raises FigureFailed with the diagnostics of the failing point that comes first in the grid.
        """
        return _Run(self, job, points).swept()


class _Run:
    """One running sweep."""

    def __init__(self, runs: PointRuns, job: Job, points: Points) -> None:
        self._runs, self._job, self._points = runs, job, points
        script = job.script
        place = (runs.versions, script.path, script.figure_id, points.module, points.function, points.code)
        self._code = digest_of(msgspec.msgpack.encode(place))
        self._now: dict[tuple[str, str], str] = {}
        self._variables = job.variables
        self._used: list[Batch] = []
        self._known: dict[bytes, bytes] = {}
        self._failure: tuple[int, FigureFailed] | None = None
        self._waiting: list[int] = []
        """Indices of points that are not computed or submitted yet, in order."""

    def swept(self) -> Swept:
        wanted = dict.fromkeys(self._points.arguments)
        for batch in self._runs.store.find(self._code, self._holds):
            if fresh := {a: r for a, r in batch.results.items() if a in wanted and a not in self._known}:
                self._use(batch, fresh)
        numbers = {arguments: n for n, arguments in reversed(list(enumerate(self._points.arguments)))}
        self._waiting = sorted(numbers[one] for one in wanted if one not in self._known)
        if self._waiting:
            self._compute()
        if self._failure is not None:
            failure = self._failure[1]
            raise FigureFailed(
                failure.diagnostics, (*self._observed(), *failure.observed), retry=failure.retry
            )
        return Swept(
            results=tuple(self._known[one] for one in self._points.arguments),
            observed=tuple(self._observed()),
            warnings=tuple(_once(one for batch in self._used for one in batch.warnings)),
            variables=self._variables,
        )

    def _compute(self) -> None:
        flying: dict[Future[Called], tuple[Job, list[int], float]] = {}
        points, spent_s = 0, 0.0
        self._tell()
        try:
            while self._waiting or flying:
                width = self._runs.machine.width()
                while self._waiting and len(flying) < width:
                    # Shares shrink so that all workers end together, but not below what a process is worth.
                    share = max(
                        -(-len(self._waiting) // (2 * width)), int(_WORTH_S * points / (spent_s or 1))
                    )
                    count = min(share, MOST_AT_ONCE)
                    taken, self._waiting = self._waiting[:count], self._waiting[count:]
                    job = self._job_for(taken)
                    future = self._runs.machine.submit(job, self._runs.cancellation)
                    flying[future] = job, taken, time.monotonic()
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    job, taken, since = flying.pop(future)
                    before = len(self._known)
                    self._take_in(job, taken, self._runs.result(job, future))
                    points, spent_s = points + len(self._known) - before, spent_s + time.monotonic() - since
                    self._tell()
        finally:
            for future in flying:
                future.cancel()

    def _job_for(self, numbers: list[int]) -> Job:
        arguments = tuple(self._points.arguments[n] for n in numbers)
        return replace(
            self._job,
            points=replace(self._points, arguments=arguments),
            most_s=self._runs.limits.timeout_s / 8,
            swept=(),
            variables=self._variables,
        )

    def _take_in(self, job: Job, numbers: list[int], called: Called) -> None:
        """Process the outcome of a call with some of the points. Those that it did not reach wait again."""
        answer = answer_of(called)
        if answer is None:
            at = min(called.exit_status.at_point, len(numbers) - 1)
            self._fail(numbers[at], crash_of(job, called.exit_status, self._runs.root, self._runs.limits))
            self._wait_again(numbers[:at])
            return
        if answer.input_request is not None:
            name = certain(answer.input_request.variable, "points sweep nothing")
            self._variables = (*(self._variables or ()), (name, os.environ.get(name)))
            self._wait_again(numbers)
            return
        done = len(answer.points)
        require(bool(done or answer.failed), "a call computes one point at least")
        if done:
            self._keep(job, answer, called.exit_status.printed)
        if answer.failed:
            errors = [one for one in answer.diagnostics if one.severity == "error"]
            self._fail(numbers[done], FigureFailed(errors, answer.observed))
        else:
            self._wait_again(numbers[done:])

    def _keep(self, job: Job, answer: Answer, printed: str) -> None:
        points = certain(job.points, "what is kept are points of a sweep")
        results = dict(zip(points.arguments, answer.points, strict=False))
        warnings = [one for one in answer.diagnostics if one.severity == "warning"]
        batch = Batch(
            results=results,
            observed=answer.observed,
            warnings=(*warnings, *printed_warning(job, printed)),
        )
        self._runs.store.add(self._code, batch)
        self._use(batch, results)

    def _use(self, batch: Batch, results: dict[bytes, bytes]) -> None:
        self._known.update(results)
        self._used.append(batch)

    def _fail(self, number: int, failure: FigureFailed) -> None:
        """Record a failed point. Later points are dropped; earlier ones are computed: they may fail, too."""
        if self._failure is not None and self._failure[0] < number:
            return
        where = _shown(self._points.arguments[number])
        told = [replace(one, message=f"{one.message} (at {where})") for one in failure.diagnostics]
        self._failure = number, FigureFailed(told, failure.observed, retry=failure.retry)
        self._wait_again([])

    def _wait_again(self, numbers: list[int]) -> None:
        last = self._failure[0] if self._failure is not None else len(self._points.arguments)
        self._waiting = sorted(n for n in (*self._waiting, *numbers) if n < last)

    def _holds(self, observed: tuple[Observed, ...]) -> bool:
        """Whether all dependencies are unchanged."""
        for one in observed:
            name = (one.kind, one.name)
            if name not in self._now:
                self._now[name] = self._runs.now(one.kind, one.name)
            if self._now[name] != one.digest:
                return False
        return True

    def _observed(self) -> Iterator[Observed]:
        yield from dict.fromkeys(one for batch in self._used for one in batch.observed)

    def _tell(self) -> None:
        count = len(self._points.arguments)
        self._runs.tell(self._job.figure_id, min(len(self._known), count), count)


def _shown(arguments: bytes) -> str:
    """The arguments of a point for a message: `m=3, dtype='fp8'`."""
    text = ", ".join(f"{name}={value!r}" for name, value in json.loads(arguments).items())
    return text if len(text) <= 200 else f"{text[:200]} …"


def _once(warnings: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """The warnings without those that repeat rule, location and message."""
    return {(one.rule, one.location, one.message): one for one in warnings}.values()
