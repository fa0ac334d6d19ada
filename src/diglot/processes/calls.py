"""Calls that are handed to the pool, and their results to come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from diglot.invariants import certain


class Shared(NamedTuple):
    """An argument that many calls have in common: it is sent to each worker once."""

    name: str
    """The same name always means the same value: a digest."""
    value: Any


class PendingCall:
    """The result of a call that may not have run yet, with the time it took apart from waiting.

    Like `concurrent.futures.Future`, but for one thread: a build that forks nothing need not import that.
    """

    __slots__ = ("_callbacks", "_outcome", "took_s")

    def __init__(self) -> None:
        self.took_s = 0.0
        self._outcome: Outcome | None = None
        self._callbacks: list[Callable[[PendingCall], object]] = []

    def done(self) -> bool:
        """Whether the result is there."""
        return self._outcome is not None

    def result(self) -> Any:
        """What the call returned, or raises what it raised. To be read once it is `done`."""
        outcome = certain(self._outcome, "the pool has to work before a result can be read")
        if not outcome.is_result:
            if outcome.traceback is not None:
                raise outcome.value from RaisedInWorker(outcome.traceback)
            raise outcome.value
        return outcome.value

    def add_done_callback(self, callback: Callable[[PendingCall], object]) -> None:
        """Have a function called when the result is there, with this."""
        if self.done():
            callback(self)
        else:
            self._callbacks.append(callback)

    def set_outcome(self, outcome: Outcome) -> None:
        """Take the result in, and call the callbacks."""
        self.took_s, self._outcome = outcome.took_s, outcome
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)


class Call(NamedTuple):
    """A call that was handed to the pool."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    pending: PendingCall


class Outcome(NamedTuple):
    """What a call returned or raised."""

    is_result: bool
    value: Any
    """The result, or what was raised."""
    took_s: float
    traceback: str | None = None
    """Of what was raised in a worker: pickle leaves it out."""


class RaisedInWorker(Exception):
    """The cause of an exception that a worker raised: prints the traceback it had there."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class CallFailed(Exception):
    """Stands for an exception or a result of a worker that cannot be pickled."""


def outcome_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function."""
    since = time.perf_counter()
    try:
        value, is_result = function(*arguments), True
    except Exception as error:
        value, is_result = error, False
    return Outcome(is_result, value, time.perf_counter() - since)
