"""Calls that are handed in, and what comes of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from diglot.invariants import certain


class Shared(NamedTuple):
    """An argument that many calls have in common: it is sent to each copy once."""

    name: str
    """The same name always means the same value: a digest."""
    value: Any


class Work:
    """The result of a call to come, as a future has it; and how long it took without the time it waited.

    It is for one thread alone: a build without crew is spared what `concurrent.futures` imports.
    """

    __slots__ = ("_callbacks", "_outcome", "took_s")

    def __init__(self) -> None:
        self.took_s = 0.0
        self._outcome: Outcome | None = None
        self._callbacks: list[Callable[[Work], object]] = []

    def done(self) -> bool:
        """Whether the result is there."""
        return self._outcome is not None

    def result(self) -> Any:
        """What the call returned; what it raised is raised. Asked of work that is done."""
        outcome = certain(self._outcome, "nobody waits here: the crew has to work first")
        if not outcome.is_result:
            raise outcome.value
        return outcome.value

    def add_done_callback(self, callback: Callable[[Work], object]) -> None:
        """Have a function called when the result is there, with this."""
        if self.done():
            callback(self)
        else:
            self._callbacks.append(callback)

    def settle(self, outcome: Outcome) -> None:
        """The result is there."""
        self.took_s, self._outcome = outcome.took_s, outcome
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)


class Call(NamedTuple):
    """A call that was handed in."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    work: Work


class Outcome(NamedTuple):
    """What came of a call."""

    is_result: bool
    value: Any
    """The result, or what was raised."""
    took_s: float


def outcome_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function."""
    since = time.perf_counter()
    try:
        value, is_result = function(*arguments), True
    except Exception as error:
        value, is_result = error, False
    return Outcome(is_result, value, time.perf_counter() - since)
