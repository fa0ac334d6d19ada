"""Computes and draws figures in other processes, a fresh one for each call.

This module loads neither numpy nor matplotlib, and starts nothing before the first call.
docs/decisions/020-own-fork-server.md explains why it is not a process pool of the standard library.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location
from diglot.figure_request import FigureRequest
from diglot.figures.execution.executors import PROCESSES, LocalCalls, Machine, connect
from diglot.figures.execution.exit_status import answer_of, crash_of, printed_warning
from diglot.figures.execution.point_runs import PointRuns
from diglot.figures.execution.point_store import PointStore
from diglot.figures.jobs import Answer, Called, ExecutorTrouble, Job, Limits, Sheet
from diglot.figures.observation.current_state import CurrentState
from diglot.figures.observation.versions import versions
from diglot.figures.records import ComputedFigure, ExtensionCall, Observed, Room, Script, WorkerReport
from diglot.figures.scripts.datasets import READER
from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.scripts.memory import DEFAULT_MB
from diglot.invariants import certain
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.processes.cancellation import Cancellation
from diglot.spelling.settings import Spelling

_COORDINATORS = 32
"""Maximum number of computations at a time on a cluster."""
FACES = "matplotlib"
"""Name of the folder for matplotlib's font list, in the cache."""
_RETRY_S = 30.0
"""Seconds before a scheduler that did not answer is tried again."""


class FigureWorkers:
    """Runs at most `jobs` calls at a time on this machine, within limits. Use it as a context manager.

    matplotlib stores its font list in a folder below `cache`. `points` is the file for points of sweeps, by
    default in `cache`. `executor` says where `compute` and points run: `processes` of this machine, or a Dask
    cluster (`dask:tcp://host:port`). Drawing always runs here. `tell` reports the progress of sweeps, on
    other threads: the figure, the number of finished points, and the number of all points.
    """

    def __init__(
        self,
        *,
        root: Path,
        cache: Path,
        jobs: int,
        timeout_s: float = 60.0,
        memory_mb: int = DEFAULT_MB,
        ahead_s: int = 0,
        points: Path | None = None,
        executor: str = PROCESSES,
        tell: Callable[[str, int, int], None] = lambda *_: None,
    ) -> None:
        self._root = root.resolve()
        self.timeout_s = timeout_s
        """Time limit of a call."""
        self.memory_mb = memory_mb
        """Memory limit of a call, in millions of bytes."""
        self._limits = Limits(timeout_s=timeout_s, memory_mb=memory_mb, ahead_s=ahead_s)
        faces = cache.resolve() / FACES
        self._local = LocalCalls(root=self._root, cache=faces, jobs=jobs, limits=self._limits)
        self._store = PointStore(points or cache / "points.db")
        self._executor = executor
        self._tell = tell
        self._coordinators = ThreadPoolExecutor(
            max_workers=max(1, jobs) if executor == PROCESSES else _COORDINATORS,
            thread_name_prefix="compute",
        )
        self._lock = threading.Lock()
        self._remote: Machine | None = None
        self._trouble: tuple[float, ExecutorTrouble] | None = None
        self._cancellations: WeakKeyDictionary[Future[WorkerReport], Cancellation] = WeakKeyDictionary()

    def __enter__(self) -> "FigureWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all running calls and processes, and close the store of points."""
        self._local.close()
        with self._lock:
            remote, self._remote = self._remote, None
        if remote is not None:
            remote.close()
        self._coordinators.shutdown(wait=True, cancel_futures=True)
        self._store.close()

    def compute(self, script: Script, request: FigureRequest) -> "Future[WorkerReport]":
        """Run `compute`. The report's result is msgpack of a ComputedFigure.

        The future raises FigureFailed if the script fails.
        """
        job, cancellation = _job(script, request), Cancellation()
        return self._cancellable(cancellation, self._coordinators.submit(self._compute, job, cancellation))

    def draw(
        self, script: Script, request: FigureRequest, computed: ComputedFigure, room: Room | None = None
    ) -> "Future[WorkerReport]":
        """Run `draw`, `describe` and `table`. The report's result has it in both languages.

        A script without `draw` has no drawings, but may have a table. With `room`, the drawings are for a
        slide and a phone instead of for pages.
        """
        return self._here(_job(script, request, computed, languages=LANGUAGES, room=room))

    def read_dataset(self, dataset: str) -> "Future[WorkerReport]":
        """Read the rows of a dataset. The report's result is JSON, from row to its stored value."""
        return self._here(_dataset_job(dataset))

    def call_extension(self, script: Script, call: ExtensionCall) -> "Future[WorkerReport]":
        """Run a function of an extension. The report's result is msgpack of what it returns."""
        return self._here(Job(script=script, figure_id=script.figure_id, parameters=(), extension=call))

    def export(
        self,
        script: Script,
        request: FigureRequest,
        computed: ComputedFigure,
        languages: tuple[Language, ...],
        sheet: Sheet,
        *,
        spelling: Spelling | None = None,
    ) -> "Future[WorkerReport]":
        """Draw the figure for standalone files. The report's result has one for each language and format.

        With a `spelling`, its Chinese texts are in traditional characters.
        """
        job = _job(script, request, computed, languages=languages, sheet=sheet, spelling=spelling)
        return self._here(job)

    def stop(self, call: "Future[WorkerReport]") -> None:
        """Cancel a call: kill its processes on this machine. Its outcome is meaningless."""
        if not call.cancel() and (cancellation := self._cancellations.get(call)) is not None:
            cancellation.cancel()

    def _here(self, job: Job) -> "Future[WorkerReport]":
        """Run a call that makes no input requests, on this machine."""
        cancellation = Cancellation()
        made = self._local.then(
            job, lambda called: _report(job, self._answer(job, called), called), cancellation
        )
        return self._cancellable(cancellation, made)

    def _cancellable(
        self, cancellation: Cancellation, call: "Future[WorkerReport]"
    ) -> "Future[WorkerReport]":
        self._cancellations[call] = cancellation
        return call

    def _compute(self, job: Job, cancellation: Cancellation) -> WorkerReport:
        """Run `compute`, again with each input that it requests, until it returns the figure's data."""
        machine = self._machine(job)
        try:
            return self._computed(job, machine, cancellation)
        except ExecutorTrouble as trouble:
            self._lose(trouble)
            raise _without_executor(job, trouble) from trouble

    def _computed(self, job: Job, machine: Machine, cancellation: Cancellation) -> WorkerReport:
        observed: dict[Observed, None] = {}
        warnings: list[Diagnostic] = []
        took_s = 0.0
        current = CurrentState(self._root, self._rows)
        if machine.remote:
            job = replace(job, variables=())
        while True:
            called = self._result(current, job, machine.submit(job, cancellation))
            answer = self._answer(job, called)
            took_s += called.took_s
            observed |= dict.fromkeys(answer.observed)
            if answer.input_request is None:
                break
            if answer.input_request.points is None:
                name = certain(answer.input_request.variable, "a request names an input")
                job = replace(job, variables=(*(job.variables or ()), (name, os.environ.get(name))))
                continue
            points = answer.input_request.points
            runs = PointRuns(
                root=self._root,
                limits=self._limits,
                machine=machine,
                cancellation=cancellation,
                result=partial(self._result, current),
                store=self._store,
                versions=versions(),
                now=current.digest,
                tell=self._tell,
            )
            since = time.perf_counter()
            try:
                swept = runs.run(job, points)
            except FigureFailed as failure:
                seen = tuple(observed | dict.fromkeys(failure.observed))
                raise FigureFailed(failure.diagnostics, seen, retry=failure.retry) from failure
            took_s += time.perf_counter() - since
            observed |= dict.fromkeys(swept.observed)
            warnings += swept.warnings
            job = replace(job, swept=(*job.swept, (points.digest, swept.results)), variables=swept.variables)
        report = _report(job, answer, called, tuple(observed))
        told = (*report.warnings, *(w for w in warnings if w not in report.warnings))
        return replace(report, warnings=told, took_s=took_s)

    def _machine(self, job: Job) -> Machine:
        """The machine on which computations run. Raises FigureFailed if it is not available."""
        if self._executor == PROCESSES:
            return self._local
        with self._lock:
            if self._trouble is not None and time.monotonic() - self._trouble[0] > _RETRY_S:
                self._trouble = None
            if self._trouble is not None:
                raise _without_executor(job, self._trouble[1])
            try:
                if self._remote is None:
                    self._remote = connect(self._executor, root=self._root, limits=self._limits)
            except ExecutorTrouble as trouble:
                self._trouble = time.monotonic(), trouble
                raise _without_executor(job, trouble) from trouble
            return self._remote

    def _lose(self, trouble: ExecutorTrouble) -> None:
        """Disconnect from an executor that failed. It is not tried again for `_RETRY_S`."""
        with self._lock:
            remote, self._remote = self._remote, None
            self._trouble = self._trouble or (time.monotonic(), trouble)
        if remote is not None:
            remote.close()

    def _result(self, current: CurrentState, job: Job, future: "Future[Called]") -> Called:
        """Wait for a call. Raises ExecutorTrouble, or FigureFailed if its dependencies differ from here."""
        called = future.result()
        if self._executor != PROCESSES and called.answer is not None:
            self._compare(current, job, called.answer)
        return called

    def _compare(self, current: CurrentState, job: Job, answer: Answer) -> None:
        """Raise FigureFailed if a worker on a cluster observed something that is different here."""
        for one in answer.observed:
            if current.digest(one.kind, one.name) != one.digest:
                raise _without_executor(
                    job,
                    ExecutorTrouble(
                        f'a worker of {self._executor} has a different "{one.name}" from the one '
                        "on this machine",
                        "workers need this project at the same path, on a shared file system, and "
                        "the same environment; if a file was being edited, build again.",
                    ),
                )

    def _rows(self, dataset: str) -> Mapping[str, str]:
        """The stored value of each row of a dataset; empty if it cannot be read."""
        job = _dataset_job(dataset)
        answer = self._answer(job, self._local.submit(job, Cancellation()).result())
        return {} if answer.failed else msgspec.json.decode(answer.result, type=dict[str, str])

    def _answer(self, job: Job, called: Called) -> Answer:
        """The answer of a call. Raises FigureFailed if there is none."""
        answer = answer_of(called)
        if answer is None:
            raise crash_of(job, called.exit_status, self._root, self._limits)
        return answer


def _report(
    job: Job, answer: Answer, called: Called, observed: tuple[Observed, ...] | None = None
) -> WorkerReport:
    """The report of a call. Raises FigureFailed if its script failed."""
    seen = answer.observed if observed is None else observed
    printed = printed_warning(job, called.exit_status.printed)
    if answer.failed:
        out_of_memory = any(one.rule == "figure-memory" for one in answer.diagnostics)
        raise FigureFailed((*answer.diagnostics, *printed), seen, retry=out_of_memory, wrote=answer.wrote)
    return WorkerReport(
        result=answer.result,
        observed=seen,
        warnings=(*answer.diagnostics, *printed),
        wrote=answer.wrote,
        took_s=called.took_s,
    )


def _without_executor(job: Job, trouble: ExecutorTrouble) -> FigureFailed:
    """The failure of a figure because of its executor. It is tried again in the next build."""
    found = Diagnostic(
        rule="figure-executor",
        message=f'the figure "{job.figure_id}" could not be computed: {trouble.message}',
        location=Location(path=job.script.path),
        fix=trouble.fix,
    )
    return FigureFailed([found], retry=True)


def _job(
    script: Script,
    request: FigureRequest,
    computed: ComputedFigure | None = None,
    *,
    languages: tuple[Language, ...] = (),
    sheet: Sheet | None = None,
    spelling: Spelling | None = None,
    room: Room | None = None,
) -> Job:
    return Job(
        script=script,
        figure_id=request.figure_id,
        parameters=request.parameters,
        data=computed.data if computed is not None else None,
        data_digest=computed.digest if computed is not None else "",
        message=computed.message if computed is not None else Bilingual("", ""),
        provenance=computed.provenance if computed is not None else (),
        languages=languages,
        sheet=sheet,
        spelling=spelling,
        room=room,
    )


def _dataset_job(dataset: str) -> Job:
    return Job(script=READER, figure_id=READER.figure_id, parameters=(), dataset=dataset)
