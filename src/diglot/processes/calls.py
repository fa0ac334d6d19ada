"""Calls that are handed to the pool, and their pending results."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from diglot.invariants import certain


class Shared:
    """An argument that many calls share. The pool sends it to each worker only once."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Any) -> None:
        """`name` is a digest of the value: equal names mean equal values."""
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shared) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class PendingCall:
    """The result of a call that may not have run yet, and its running time in seconds without waiting.

    A single-threaded `concurrent.futures.Future`, so that a build that forks nothing need not import it.
    """

    __slots__ = ("_callbacks", "_outcome", "took_s")

    def __init__(self) -> None:
        self.took_s = 0.0
        self._outcome: Outcome | None = None
        self._callbacks: list[Callable[[PendingCall], object]] = []

    def done(self) -> bool:
        """Whether the call has finished."""
        return self._outcome is not None

    def result(self) -> Any:
        """The call's return value. Raises what the call raised. Valid only once `done()` is true."""
        outcome = certain(self._outcome, "the pool has to work before a result can be read")
        if not outcome.is_result:
            if outcome.traceback is not None:
                raise outcome.value from RaisedInWorker(outcome.traceback)
            raise outcome.value
        return outcome.value

    def add_done_callback(self, callback: Callable[[PendingCall], object]) -> None:
        """Call `callback(self)` when the call finishes, or at once if it has finished."""
        if self.done():
            callback(self)
        else:
            self._callbacks.append(callback)

    def set_outcome(self, outcome: Outcome) -> None:
        """Store the outcome and run the callbacks."""
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
    """The return value, or the exception."""
    took_s: float
    traceback: str | None = None
    """Text of the traceback from a worker, because pickle drops it from exceptions."""


class RaisedInWorker(Exception):
    """Set as the cause of an exception from a worker, to show the worker's traceback."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class CallFailed(Exception):
    """Replaces a worker's exception or result that cannot be pickled."""


def outcome_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function, and return its result or exception with the time that it took."""
    since = time.perf_counter()
    try:
        value, is_result = function(*arguments), True
    except Exception as error:
        value, is_result = error, False
    return Outcome(is_result, value, time.perf_counter() - since)
