"""Calls of figure workers that may outlive the build that asked for them.

A preview does not wait long for a figure: it goes on with what it has, and a later build asks for the same
call again and finds it under way, or done. A build that is not told to hurry waits to the end.
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


class _Call(msgspec.Struct, kw_only=True, eq=False):
    pending: PendingCall
    script: Script
    stop: Callable[[PendingCall], None]
    asked_in: int
    """The last build that asked for it."""
    awaited: PendingCall | None = None
    """What that build waits for: done with `pending`, or when patience ends."""
    given_up: bool = False
    """Whether that build went on without it."""


class FigureCalls:
    """The calls under way, by what they make."""

    def __init__(self) -> None:
        self.finished: Callable[[], None] = lambda: None
        """Called, from any thread, when a call is done that a build did not wait for: time for another."""
        self._lock = threading.Lock()
        self._calls: dict[Hashable, _Call] = {}
        self._build = 0
        self._patience_s: float | None = None
        self._old_ones = True
        self._timer: threading.Timer | None = None
        self._impatient = False

    def begin(self, patience_s: float | None = None, *, old_ones: bool = True) -> None:
        """A build begins; it waits so many seconds for calls, None for as long as they take.

        Calls of earlier builds are not waited for at all where `old_ones` is false.
        """
        with self._lock:
            self._build += 1
            self._patience_s, self._old_ones, self._impatient = patience_s, old_ones, False

    def end(self, *, whole: bool) -> None:
        """The build is over. Calls that it did not ask for are given up if it got to all it wanted."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        if whole:
            self._drop(lambda call: call.asked_in != self._build)

    def hurry(self, build: int | None = None) -> None:
        """Let the build under way go on without what it waits for; from any thread."""
        with self._lock:
            if self._patience_s is None or build not in (None, self._build):
                return
            self._impatient = True
            for call in self._calls.values():
                if call.awaited is not None and not call.pending.done():
                    call.given_up = True
                    call.awaited.set_exception(Unfinished())
                    call.awaited = None

    def ask(
        self,
        what: Hashable,
        script: Script,
        start: Callable[[], PendingCall],
        stop: Callable[[PendingCall], None],
    ) -> tuple[PendingCall, bool]:
        """A call that makes `what`, and whether an earlier build began it: then it may have seen old files.

        The future raises Unfinished where patience ends.
        """
        call = self._calls.get(what)
        is_old = call is not None
        if call is None:
            call = _Call(pending=start(), script=script, stop=stop, asked_in=self._build)
            with self._lock:
                self._calls[what] = call
            call.pending.add_done_callback(lambda _: self._done(call))
        with self._lock:
            call.asked_in, call.given_up = self._build, False
            if call.pending.done() or self._patience_s is None:
                return call.pending, is_old
            from concurrent.futures import Future  # noqa: PLC0415  (only builds that wait for figures need it)

            awaited: PendingCall = Future()
            call.awaited = awaited
            if self._impatient or (is_old and not self._old_ones):
                call.given_up, call.awaited = True, None
                awaited.set_exception(Unfinished())
            elif self._timer is None:
                self._timer = threading.Timer(self._patience_s, self.hurry, [self._build])
                self._timer.daemon = True
                self._timer.start()
            return awaited, is_old

    def deliver(self, what: Hashable) -> None:
        """Forget a call whose outcome has been taken."""
        with self._lock:
            self._calls.pop(what, None)

    def outdate(self, paths: Collection[str]) -> None:
        """Give up the calls that a change of these files, relative to the project, is likely to change.

        This only saves time, a loop that was mended would go on to its end: whoever takes the outcome of an
        old call looks whether what it read is still the same.
        """
        code = [path for path in paths if path.endswith(".py") and not _is_script(path)]
        self._drop(lambda call: bool(code) or (call.script.source is None and call.script.path in paths))

    def drop_all(self) -> None:
        """Give up every call."""
        self._drop(lambda _: True)

    def _drop(self, is_unwanted: Callable[[_Call], bool]) -> None:
        with self._lock:
            dropped = {what: call for what, call in self._calls.items() if is_unwanted(call)}
            for what, call in dropped.items():
                call.given_up, call.awaited = False, None
                del self._calls[what]
        for call in dropped.values():
            call.stop(call.pending)

    def _done(self, call: _Call) -> None:
        with self._lock:
            awaited, call.awaited = call.awaited, None
            if awaited is not None:
                _pass_on(call.pending, awaited)
        if call.given_up:
            self.finished()


def _is_script(path: str) -> bool:
    """Whether a Python file is a figure's own, and no module that any figure may import."""
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
