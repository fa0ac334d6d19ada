"""The pool: calls wait here until there are enough of them for workers; a few run in this process."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from diglot.processes.calls import Call, PendingCall, outcome_of

if TYPE_CHECKING:
    from diglot.processes.forked_workers import ForkedWorkers

BATCH_CALLS = 8
"""At most so many calls travel together: few enough that no worker is left with a long last batch."""

AHEAD_S = 0.25
"""How much work a worker is given, by how long such calls took so far: this process may be busy for that long
with something else, such as writing to the store."""

WORTH_CALLS = 24
"""With fewer calls waiting, forking costs more than it saves."""

FULL_CALLS = 512
"""With more calls waiting, some are run before another is taken, so that memory stays bounded."""


class WorkerPool:
    """Runs calls: in forked workers where there are many calls, more than one job is allowed, and no other
    thread was running when they were to be forked; otherwise in this process."""

    def __init__(self, jobs: int, *, worth_calls: int = WORTH_CALLS, ahead_s: float = AHEAD_S) -> None:
        """`worth_calls` have to wait before the first are given to workers, which get `ahead_s` of work."""
        self._jobs = jobs
        self._worth_calls = worth_calls
        self._ahead_s = ahead_s
        self._waiting: deque[Call] = deque()
        self._workers: ForkedWorkers | None = None
        self._at_work: ForkedWorkers | None = None
        """The workers, once there was enough for them to do."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> PendingCall:
        """Take in `function(*arguments)`: a function of a module, with arguments that can be pickled.

        What it raises is raised by `PendingCall.result`.
        """
        pending = PendingCall()
        self._waiting.append(Call(function, arguments, pending))
        if self._at_work is None and len(self._waiting) >= self._worth_calls:
            self.start()
            self._at_work = self._workers
        if len(self._waiting) >= FULL_CALLS:
            self.work()
        elif self._at_work is not None and len(self._waiting) >= BATCH_CALLS * self._jobs:
            self._at_work.send(self._waiting)
        return pending

    @property
    def is_elsewhere(self) -> bool:
        """Whether calls run in workers, while this process is free."""
        return self._at_work is not None

    def start(self) -> None:
        """Fork the workers before there is work for them: to be called before another thread is started.

        They cannot be forked later: a lock that another thread holds would stay locked in a worker.
        """
        if self._workers is not None or self._jobs == 1 or not hasattr(os, "fork"):
            return
        import threading

        if threading.active_count() == 1:
            from diglot.processes.forked_workers import ForkedWorkers

            self._workers = ForkedWorkers(self._jobs, batch_calls=BATCH_CALLS, ahead_s=self._ahead_s)

    def work(self) -> bool:
        """Run some of the calls, or wait for some of them; False where there are none."""
        if self._at_work is not None:
            self._at_work.send(self._waiting)
            settled = self._at_work.receive()
            self._at_work.send(self._waiting)
            return settled
        here = [self._waiting.popleft() for _ in range(min(BATCH_CALLS, len(self._waiting)))]
        for call in here:
            call.pending.set_outcome(outcome_of(call.function, call.arguments))
        return bool(here)

    def forget(self) -> None:
        """Drop the calls that wait. What workers have begun is waited for: it may write files."""
        self._waiting.clear()
        if self._workers is not None:
            self._workers.finish()

    def close(self) -> None:
        """Kill the workers; what they were given is lost."""
        workers, self._workers, self._at_work = self._workers, None, None
        if workers is not None:
            workers.close()
        self._waiting.clear()
