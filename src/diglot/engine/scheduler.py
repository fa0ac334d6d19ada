"""The scheduler: runs tasks that can go on, and suspends tasks that have to wait.

A trampoline over generators. Each key has a process. It yields what it waits for, either a tuple of keys or a
future, and is resumed when that is done. Nothing here recurses, so a chain of a hundred thousand keys is as
good as a short one. (asyncio would do, but takes as long to import as a whole build without changes.)
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Generator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine.keys import Key
from diglot.invariants import certain

if TYPE_CHECKING:
    from queue import SimpleQueue


class Pending(Protocol):
    """A future, or an object like one: work in another thread or process."""

    def add_done_callback(self, callback: Callable[[Any], object], /) -> None:
        """Call a function with this object when it is done, from any thread."""

    def result(self) -> Any:
        """The result, once it is done."""


Awaited: TypeAlias = "tuple[Key, ...] | Pending"
"""What a process waits for: until all these keys are finished, or until this future is done."""

Steps: TypeAlias = Generator[Awaited, None, None]
"""The generator of a process: yields what the process waits for, and returns when its key is finished."""


class DependencyCycle(DiagnosticError):
    """A task needs its own value. It runs in every build, as an edit of any task in the cycle may help."""

    retry = True


@types.coroutine
def suspend(wanted: Awaited) -> Generator[Awaited, None, None]:
    """Suspend the running task until what it waits for is done."""
    yield wanted


class _Process:
    """A key that was started and is not finished."""

    __slots__ = ("awaited", "key", "missing", "steps", "trouble")

    def __init__(self, key: Key, steps: Steps) -> None:
        self.key = key
        self.steps = steps
        self.awaited: tuple[Key, ...] = ()
        self.missing = 0
        """How many of the awaited keys are not finished."""
        self.trouble: DependencyCycle | None = None
        """The exception to raise in the process when it is resumed."""


class Scheduler:
    """Brings keys up to date, each once. While a task waits, others go on."""

    def __init__(
        self,
        begin: Callable[[Key], Steps | None],
        finished: Collection[Key],
        *,
        work: Callable[[], bool] = lambda: False,
        before_waiting: Callable[[], None] = lambda: None,
    ) -> None:
        """`begin` starts on a key, or finishes it at once and returns None; `finished` grows as keys finish.

        When no process can go on until a future is done, `work` may do what a future waits for, and returns
        whether it did anything. `before_waiting` is called before waiting for other threads or processes.
        """
        self._begin = begin
        self._finished = finished
        self._work = work
        self._before_waiting = before_waiting
        self._ready: list[_Process] = []
        self._processes: dict[Key, _Process] = {}
        self._waiting: dict[Key, list[_Process]] = {}
        self._futures: dict[Pending, list[_Process]] = {}
        self._done: SimpleQueue[Pending] | None = None

    def run(self, keys: Sequence[Key]) -> None:
        """Return when all the keys are finished. An exception that a process raises ends the run."""
        try:
            self._want(keys)
            while True:
                if self._futures:
                    self._collect_futures()
                if self._ready:
                    self._resume(self._ready.pop())
                elif self._waiting:
                    self._break_cycle()
                else:
                    return
        finally:
            for process in self._processes.values():
                process.steps.close()

    def _want(self, keys: Sequence[Key]) -> list[Key]:
        """Start on those keys that were not started; returns the keys that are not finished."""
        started: list[_Process] = []
        missing = []
        for key in keys:
            if key in self._finished:
                continue
            if key not in self._processes:
                steps = self._begin(key)
                if steps is None:
                    continue
                self._processes[key] = process = _Process(key, steps)
                started.append(process)
            missing.append(key)
        # `_ready` is a stack: depth first, and keys start in the order in which they were asked for.
        self._ready.extend(reversed(started))
        return missing

    def _resume(self, process: _Process) -> None:
        """Run a process until it has to wait or is finished."""
        steps, trouble = process.steps, process.trouble
        process.trouble = None
        try:
            wanted = steps.send(None) if trouble is None else steps.throw(trouble)
            while True:
                if not isinstance(wanted, tuple):
                    self._await_future(process, wanted)
                    return
                if missing := self._want(wanted):
                    process.awaited, process.missing = wanted, len(missing)
                    for key in missing:
                        self._waiting.setdefault(key, []).append(process)
                    return
                wanted = steps.send(None)
        except StopIteration:
            del self._processes[process.key]
            for waiting in self._waiting.pop(process.key, ()):
                waiting.missing -= 1
                if not waiting.missing:
                    self._ready.append(waiting)

    def _await_future(self, process: _Process, future: Pending) -> None:
        if self._done is None:
            from queue import SimpleQueue  # noqa: PLC0415  (only builds that wait for other threads need it)

            self._done = SimpleQueue()
        self._futures.setdefault(future, []).append(process)
        future.add_done_callback(self._done.put)

    def _collect_futures(self) -> None:
        """Make processes ready whose futures are done. If no process is ready, wait for a future."""
        done = certain(self._done, "a scheduler that waits for futures has a queue")
        while not self._ready and done.empty():
            if not self._work():
                self._before_waiting()
                break
        while not done.empty() or (self._futures and not self._ready):
            self._ready += self._futures.pop(done.get(), ())

    def _break_cycle(self) -> None:
        """Every process waits for another: find a cycle, and raise DependencyCycle in one of its tasks."""
        chain: dict[Key, None] = {}
        key = next(iter(self._processes))
        while key not in chain:
            chain[key] = None
            key = next(awaited for awaited in self._processes[key].awaited if awaited in self._processes)
        circle = list(chain)[list(chain).index(key) :]
        # The cycle starts at its smallest key, so that the message does not depend on where it was entered.
        first = circle.index(min(circle))
        circle = circle[first:] + circle[:first]
        process = self._processes[circle[0]]
        for key in process.awaited:
            if process in (others := self._waiting.get(key, [])):
                others.remove(process)
                if not others:
                    del self._waiting[key]
        process.trouble = DependencyCycle(
            Diagnostic(
                rule="dependency-cycle",
                message=f"depends on itself: {' → '.join(map(str, [*circle, circle[0]]))}",
                fix="remove one of these steps.",
            )
        )
        self._ready.append(process)
