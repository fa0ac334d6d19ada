"""Calls of figure workers that may outlive the build that asked for them.

A preview waits for a figure only briefly: it goes on with the last value, and a later build asks for the same
call and finds it running or done. Other builds wait until the call is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from diglot.engine import Unfinished

if TYPE_CHECKING:
    from concurrent.futures import Future

    from diglot.figures.records import Script, WorkerReport

PendingCall: TypeAlias = "Future[WorkerReport]"


class FigureCall(msgspec.Struct, kw_only=True, eq=False):
    """A running call, or one whose result was not used by all tasks yet."""

    what: Hashable
    """What it makes."""
    pending: PendingCall
    script: Script
    stop: Callable[[PendingCall], None]
    begun_in: int
    """Number of the build that started it."""
    asked_in: int
    """Number of the last build that asked for it."""
    takers: int
    """How many tasks can still use the result."""
    awaited: list[PendingCall] = msgspec.field(default_factory=list)
    """The futures that this build's tasks wait for: done with `pending`, or when the build stops waiting."""
    given_up: bool = False
    """Whether this build went on without the result."""
    is_used: bool = False
    """Whether a task has used the result."""


class FigureCalls:
    """The running calls, by what they make."""

    def __init__(self) -> None:
        self.finished: Callable[[], None] = lambda: None
        """Called from any thread when a call is done that a build did not wait for: time to build again."""
        self._lock = threading.Lock()
        self._calls: dict[Hashable, FigureCall] = {}
        self._build = 0
        self._patience_s: float | None = None
        self._old_ones = True
        self._timer: threading.Timer | None = None
        self._impatient = False

    def begin(self, patience_s: float | None = None, *, old_ones: bool = True) -> None:
        """Start a build that waits at most `patience_s` seconds for calls, without limit if it is None.

        If `old_ones` is false, such a limited build does not wait for calls of earlier builds at all.
        """
        with self._lock:
            self._build += 1
            self._patience_s, self._old_ones, self._impatient = patience_s, old_ones, False

    def end(self, *, whole: bool) -> None:
        """End the build. If it was `whole`, drop the calls that it did not ask for: nothing needs them.

        A result that only some tasks used is dropped, too, such as the drawing for the other language of an
        article in one.
        """
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        if whole:
            self._drop(lambda call: call.asked_in != self._build or (call.is_used and not call.given_up))

    def hurry(self, build: int | None = None) -> None:
        """Let the current build, if it is limited, go on without the calls it waits for. From any thread."""
        with self._lock:
            if self._patience_s is None or build not in (None, self._build):
                return
            self._impatient = True
            for call in self._calls.values():
                if call.awaited and not call.pending.done():
                    call.given_up = True
                    for awaited in call.awaited:
                        awaited.set_exception(Unfinished())
                    call.awaited = []

    def ask(
        self,
        what: Hashable,
        script: Script,
        start: Callable[[], PendingCall],
        stop: Callable[[PendingCall], None],
        *,
        takers: int = 1,
    ) -> tuple[FigureCall, PendingCall, bool]:
        """The call that makes `what`, its result, and whether it was there and may have read old files.

        `takers` tasks can use its result before it is forgotten. The future raises Unfinished when the build
        stops waiting.
        """
        call = self._calls.get(what)
        is_old = call is not None
        if call is None:
            call = FigureCall(
                what=what,
                pending=start(),
                script=script,
                stop=stop,
                begun_in=self._build,
                asked_in=self._build,
                takers=takers,
            )
            with self._lock:
                self._calls[what] = call
            call.pending.add_done_callback(lambda _: self._done(call))
        with self._lock:
            call.asked_in, call.given_up = self._build, False
            if call.pending.done() or self._patience_s is None:
                return call, call.pending, is_old
            from concurrent.futures import Future  # noqa: PLC0415  (only builds that wait for figures need it)

            awaited: PendingCall = Future()
            if self._impatient or (call.begun_in != self._build and not self._old_ones):
                call.given_up = True
                awaited.set_exception(Unfinished())
                return call, awaited, is_old
            call.awaited.append(awaited)
            if self._timer is None:
                self._timer = threading.Timer(self._patience_s, self.hurry, [self._build])
                self._timer.daemon = True
                self._timer.start()
            return call, awaited, is_old

    def is_under_way(self, what: Hashable) -> bool:
        """Whether a call that makes `what` was begun, and nobody has taken its result yet."""
        with self._lock:
            return what in self._calls

    def deliver(self, call: FigureCall) -> None:
        """Note that a task has used a call's result. Forgets the call after the last of them."""
        with self._lock:
            call.takers, call.is_used = call.takers - 1, True
        if call.takers <= 0:
            self.forget(call)

    def forget(self, call: FigureCall) -> None:
        """Forget a call, whose result does not hold any more or has been used."""
        with self._lock:
            if self._calls.get(call.what) is call:
                del self._calls[call.what]

    def outdate(self, paths: Collection[str]) -> None:
        """Stop calls whose result probably differs after changes of these files (relative to the project).

        This only saves time, as when a fixed endless loop would run until its timeout: the task that takes
        the result of an old call checks whether the files it read are still the same.
        """
        code = [path for path in paths if path.endswith(".py") and not _is_script(path)]
        self._drop(lambda call: bool(code) or (call.script.source is None and call.script.path in paths))

    def drop_all(self) -> None:
        """Stop all calls."""
        self._drop(lambda _: True)

    def _drop(self, is_unwanted: Callable[[FigureCall], bool]) -> None:
        with self._lock:
            dropped = {what: call for what, call in self._calls.items() if is_unwanted(call)}
            for what, call in dropped.items():
                call.given_up, call.awaited = False, []
                del self._calls[what]
        for call in dropped.values():
            call.stop(call.pending)

    def _done(self, call: FigureCall) -> None:
        with self._lock:
            awaited, call.awaited = call.awaited, []
            for one in awaited:
                _pass_on(call.pending, one)
        if call.given_up:
            self.finished()


def _is_script(path: str) -> bool:
    """Whether a Python file is a figure script, and not a module that any figure may import."""
    folder, _, name = path.rpartition("/")
    return f"/{folder}".endswith("/figures") and not name.startswith("_")


def _pass_on(pending: PendingCall, awaited: PendingCall) -> None:
    if pending.cancelled():
        from concurrent.futures import CancelledError  # noqa: PLC0415  (only builds that wait for figures need it)

        awaited.set_exception(CancelledError())
    elif (error := pending.exception()) is not None:
        awaited.set_exception(error)
    else:
        awaited.set_result(pending.result())
