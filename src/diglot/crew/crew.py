"""The crew: what is handed in waits here, and is done here where it is little."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from diglot.crew.calls import Call, Work, outcome_of

if TYPE_CHECKING:
    from diglot.crew.copies import Copies

BATCH_CALLS = 8
"""At most so many calls travel together: few enough that no copy is left with the last long batch."""

AHEAD_S = 0.25
"""So much work a copy is given, by how long such calls took so far: this process has other things to do, and
may be at one of them for that long, such as writing to the store."""

WORTH_CALLS = 24
"""With fewer calls waiting, to fork costs more than it saves."""

FULL_CALLS = 512
"""With more calls waiting, whoever hands in another works off some first: memory stays bounded."""


class Crew:
    """Runs calls: in forked copies when there are many, more than one job is allowed, and no other thread was
    running when they were to be forked; else here."""

    def __init__(self, jobs: int, *, worth_calls: int = WORTH_CALLS, ahead_s: float = AHEAD_S) -> None:
        """`worth_calls` have to wait before the first are handed to copies, which get `ahead_s` of work."""
        self._jobs = jobs
        self._worth_calls = worth_calls
        self._ahead_s = ahead_s
        self._waiting: deque[Call] = deque()
        self._copies: Copies | None = None
        self._at_work: Copies | None = None
        """The copies, when there was so much to do that they do it: from then on they know all they need."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Work:
        """Hand in `function(*arguments)`: a function of a module, with arguments that pickle can carry.

        What it raises is raised by the work's `result`.
        """
        work = Work()
        self._waiting.append(Call(function, arguments, work))
        if self._at_work is None and len(self._waiting) >= self._worth_calls:
            self.muster()
            self._at_work = self._copies
        if len(self._waiting) >= FULL_CALLS:
            self.work()
        elif self._at_work is not None and len(self._waiting) >= BATCH_CALLS * self._jobs:
            self._at_work.send(self._waiting)
        return work

    @property
    def is_elsewhere(self) -> bool:
        """Whether what was handed in is done by copies, while this process has time."""
        return self._at_work is not None

    def muster(self) -> None:
        """Fork the copies before there is work for them: to be called before another thread is started.

        They cannot be forked later, for a lock that another thread holds would stay locked in a copy.
        """
        if self._copies is not None or self._jobs == 1 or not hasattr(os, "fork"):
            return
        import threading

        if threading.active_count() == 1:
            from diglot.crew.copies import Copies

            self._copies = Copies(self._jobs, batch_calls=BATCH_CALLS, ahead_s=self._ahead_s)

    def work(self) -> bool:
        """Do some of what was handed in, or wait for some of it; False where there is nothing."""
        if self._at_work is not None:
            self._at_work.send(self._waiting)
            settled = self._at_work.receive()
            self._at_work.send(self._waiting)
            return settled
        here = [self._waiting.popleft() for _ in range(min(BATCH_CALLS, len(self._waiting)))]
        for call in here:
            call.work.settle(outcome_of(call.function, call.arguments))
        return bool(here)

    def forget(self) -> None:
        """Drop what was handed in. What copies have begun is waited for: it may write files."""
        self._waiting.clear()
        if self._copies is not None:
            self._copies.finish()

    def close(self) -> None:
        """End the copies; what they were at work on is lost."""
        copies, self._copies, self._at_work = self._copies, None, None
        if copies is not None:
            copies.close()
        self._waiting.clear()
