"""The worker pool: collects calls until there are enough for workers, and runs a few in this process."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from diglot.processes.calls import Call, PendingCall, outcome_of

if TYPE_CHECKING:
    from diglot.processes.forked_workers import ForkedWorkers

BATCH_CALLS = 8
"""Maximum number of calls in a batch, small enough that no worker is left with a long last batch."""

AHEAD_S = 0.25
"""Seconds of work to queue for each worker, estimated from earlier calls. This process may do something else
for that long, such as write to the store, before a worker runs dry."""

WORTH_CALLS = 24
"""Number of waiting calls below which forking costs more than it saves."""

FULL_CALLS = 512
"""Number of waiting calls at which some are run before another is accepted, so that memory stays bounded."""


class WorkerPool:
    """Runs calls: in forked workers if there are many calls, more than one job is allowed, and no other
    thread was running when the workers were to be forked; otherwise in this process."""

    def __init__(self, jobs: int, *, worth_calls: int = WORTH_CALLS, ahead_s: float = AHEAD_S) -> None:
        """Use workers once `worth_calls` calls wait, and queue `ahead_s` seconds of work for each worker."""
        self._jobs = jobs
        self._worth_calls = worth_calls
        self._ahead_s = ahead_s
        self._waiting: deque[Call] = deque()
        self._workers: ForkedWorkers | None = None
        self._at_work: ForkedWorkers | None = None
        """The workers, once there have been enough calls for them."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> PendingCall:
        """Queue `function(*arguments)`: a module-level function with arguments that can be pickled.

        `PendingCall.result` raises what the function raises.
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
        """Whether calls run in workers, so that this process is free meanwhile."""
        return self._at_work is not None

    def start(self) -> None:
        """Fork the workers. Call this before another thread starts, even if there is no work yet.

        Does nothing if other threads run: a lock that one of them holds would stay locked in a worker.
        """
        if self._workers is not None or self._jobs == 1 or not hasattr(os, "fork"):
            return
        if threading.active_count() == 1:
            from diglot.processes.forked_workers import ForkedWorkers  # noqa: PLC0415  (only builds that fork need it)

            self._workers = ForkedWorkers(self._jobs, batch_calls=BATCH_CALLS, ahead_s=self._ahead_s)

    def work(self) -> bool:
        """Run some of the calls, or wait until workers finish some. Returns False if there are none."""
        if self._at_work is not None:
            self._at_work.send(self._waiting)
            settled = self._at_work.receive()
            self._at_work.send(self._waiting)
            return settled
        here = [self._waiting.popleft() for _ in range(min(BATCH_CALLS, len(self._waiting)))]
        for call in here:
            call.pending.set_outcome(outcome_of(call.function, call.arguments))
        return bool(here)

    def settle(self, calls: Collection[PendingCall], *, waiting: Callable[[], object]) -> None:
        """Work until some calls are done, and call `waiting` meanwhile. Raises what one of them raises."""
        while not all(call.done() for call in calls):
            waiting()
            self.work()
        for call in calls:
            call.result()

    def forget(self) -> None:
        """Drop the waiting calls, and wait for those that workers have, because they may write files."""
        self._waiting.clear()
        if self._workers is not None:
            self._workers.finish()

    def close(self) -> None:
        """Kill the workers. Calls that are not finished are lost."""
        workers, self._workers, self._at_work = self._workers, None, None
        if workers is not None:
            workers.close()
        self._waiting.clear()
