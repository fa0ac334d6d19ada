"""Forked copies of this process, which do calls."""

from __future__ import annotations

import gc
import os
import pickle
import selectors
import signal
import socket
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from diglot.crew.calls import Call, CallFailed, Outcome, Shared, outcome_of
from diglot.offspring import end_with

BATCHES_AHEAD = 2
"""So many batches a copy has at least, that it need not wait for this process when it is through with one."""

MOST_BATCHES = 32
"""More than these are not handed over, however short."""

_UNKNOWN_S = 0.001
"""What a call is taken to take, as long as none of its function has come back."""

_REMEMBERED = 32
"""How long calls take is known from about so many of the last."""

_HEAD = struct.Struct("!Q")
_CHUNK_BYTES = 1 << 18


class _Batch(NamedTuple):
    calls: list[Call]
    expected_s: float


class _Inbox:
    """Messages from the other end of a link, taken in as they come: it is not to wait with the next one."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._content = bytearray()

    def take_in(self, flags: int = 0) -> None:
        """Take what the link brings. Raises EOFError where the other side is gone."""
        content = self._link.recv(_CHUNK_BYTES, flags)
        if not content:
            raise EOFError
        self._content += content

    def next(self) -> Any:
        """The next message; None where it is not whole."""
        return _taken_from(self._content)


class _Copy:
    """A forked process, as this one sees it."""

    __slots__ = ("batches", "expected_s", "inbox", "known", "link", "outgoing", "pid")

    def __init__(self, pid: int, link: socket.socket) -> None:
        self.pid = pid
        self.link = link
        self.batches: deque[_Batch] = deque()
        """What it is at work on, in its order."""
        self.expected_s = 0.0
        """How long that is likely to take."""
        self.inbox = _Inbox(link)
        self.outgoing = bytearray()
        """What the link has not taken yet."""
        self.known: set[str] = set()
        """Names of the shared values it has."""


class Copies:
    """The copies, and who has what to do."""

    def __init__(self, jobs: int, *, batch_calls: int, ahead_s: float) -> None:
        """Fork so many. They get at most so many calls at a time, and so much work ahead."""
        self._batch_calls = batch_calls
        self._ahead_s = ahead_s
        self._takes_s: dict[Callable[..., Any], float] = {}
        """How long a call takes, of those that were done last."""
        self._selector: selectors.BaseSelector = selectors.DefaultSelector()
        self._copies = [self._fork() for _ in range(jobs)]

    def close(self) -> None:
        """End them; what they were at work on is lost."""
        for copy in self._copies:
            copy.link.close()
            with suppress(ProcessLookupError):
                os.kill(copy.pid, signal.SIGKILL)
            os.waitpid(copy.pid, 0)
        self._selector.close()

    def finish(self) -> None:
        """Wait for what they have begun."""
        with suppress(ChildProcessError):
            while self.receive():
                pass

    def send(self, waiting: deque[Call]) -> None:
        """Give those that have little to do their next batches of what is waiting."""
        while waiting:
            copy = min(self._copies, key=lambda copy: (copy.expected_s, len(copy.batches)))
            given = len(copy.batches)
            if given >= BATCHES_AHEAD and (copy.expected_s >= self._ahead_s or given >= MOST_BATCHES):
                return
            self._give(copy, waiting)

    def receive(self) -> bool:
        """Wait until one is through with a batch; False where none has one."""
        settled = False
        while not settled:
            if not any(copy.batches for copy in self._copies):
                return False
            for ready, events in self._selector.select():
                if events & selectors.EVENT_WRITE:
                    self._push(ready.data)
                if events & selectors.EVENT_READ:
                    settled |= self._pull(ready.data)
        return True

    def _fork(self) -> _Copy:
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                end_with(parent)
                _close_all_but(theirs.fileno())
                _serve(theirs, parent)
            finally:
                os._exit(0)
        theirs.close()
        ours.setblocking(False)  # else both could wait for the other to read
        copy = _Copy(pid, ours)
        self._selector.register(ours, selectors.EVENT_READ, copy)
        return copy

    def _give(self, copy: _Copy, waiting: deque[Call]) -> None:
        count = min(self._batch_calls, -(-len(waiting) // len(self._copies)))
        calls = [waiting.popleft() for _ in range(count)]
        batch = _Batch(calls, sum(self._takes_s.get(call.function, _UNKNOWN_S) for call in calls))
        copy.batches.append(batch)
        copy.expected_s += batch.expected_s
        new: dict[str, Shared] = {}
        named = [(call.function, _by_name(call.arguments, copy.known, new)) for call in calls]
        copy.outgoing += _message((new, named))
        self._push(copy)

    def _push(self, copy: _Copy) -> None:
        """Hand the link what it takes now."""
        try:
            with suppress(BlockingIOError):
                del copy.outgoing[: copy.link.send(copy.outgoing)]
        except OSError:
            raise _lost(copy) from None
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if copy.outgoing else 0)
        if self._selector.get_key(copy.link).events != wanted:
            self._selector.modify(copy.link, wanted, copy)

    def _pull(self, copy: _Copy) -> bool:
        """Take in what the link brings; whether a batch came to its end."""
        try:
            copy.inbox.take_in()
        except (EOFError, OSError):
            raise _lost(copy) from None
        settled = False
        while (outcomes := copy.inbox.next()) is not None:
            batch = copy.batches.popleft()
            copy.expected_s = copy.expected_s - batch.expected_s if copy.batches else 0.0
            for call, outcome in zip(batch.calls, outcomes, strict=True):
                known_s = self._takes_s.get(call.function, outcome.took_s)
                self._takes_s[call.function] = known_s + (outcome.took_s - known_s) / _REMEMBERED
                call.work.settle(outcome)
            settled = True
        return settled


def _lost(copy: _Copy) -> ChildProcessError:
    return ChildProcessError(f"build process {copy.pid} ended unexpectedly: out of memory?")


class _Name(NamedTuple):
    """Stands for a shared value that the copy has."""

    name: str


def _by_name(arguments: tuple[Any, ...], known: set[str], new: dict[str, Shared]) -> tuple[Any, ...]:
    for argument in arguments:
        if isinstance(argument, Shared) and argument.name not in known:
            known.add(argument.name)
            new[argument.name] = argument
    return tuple(_Name(one.name) if isinstance(one, Shared) else one for one in arguments)


def _close_all_but(kept: int) -> None:
    """Close what was inherited: a lock on a file, for one, lasts as long as anybody has the file open."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def _serve(link: socket.socket, parent: int) -> None:
    """What a copy does: batches, until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # what was there before the fork is there to the end: not to be looked through, nor copied
    gc.set_threshold(50_000, 10, 10)
    gc.enable()
    shared: dict[str, Shared] = {}
    inbox = _Inbox(link)
    with suppress(EOFError, OSError):
        while True:
            while (message := inbox.next()) is None:
                inbox.take_in()
            new, calls = message
            shared |= new
            outcomes = []
            for function, arguments in calls:
                if os.getppid() != parent:  # where `end_with` cannot see to it: the next build writes already
                    return
                named = tuple(shared[one.name] if isinstance(one, _Name) else one for one in arguments)
                outcomes.append(outcome_of(function, named))
                with suppress(BlockingIOError):  # the link holds little: room for what is yet to come
                    inbox.take_in(socket.MSG_DONTWAIT)
            link.sendall(_message_of(outcomes))


def _message_of(outcomes: list[Outcome]) -> bytes:
    """Outcomes, fit to travel."""
    outcomes = [one if one.is_result else _travelling(one) for one in outcomes]
    try:
        return _message(outcomes)
    except Exception:  # one of the results cannot be encoded: it is too deep, or nothing that pickle knows
        return _message([_checked(one) for one in outcomes])


def _travelling(outcome: Outcome) -> Outcome:
    """What was raised with its traceback; in other words, where it would not arrive as it is."""
    import traceback

    error: Exception = outcome.value
    if hasattr(error, "diagnostics"):
        return outcome
    text = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error, pickle.HIGHEST_PROTOCOL))
    except Exception:
        error = CallFailed(f"{type(error).__name__}: {error}")
    return outcome._replace(value=error, traceback=text)


def _checked(outcome: Outcome) -> Outcome:
    """The outcome, or that it cannot be encoded."""
    try:
        pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        failed = CallFailed(f"the result cannot be sent back: {type(error).__name__}: {error}")
        return Outcome(False, failed, outcome.took_s)
    return outcome


def _message(message: object) -> bytes:
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _HEAD.pack(len(content)) + content


def _taken_from(incoming: bytearray) -> Any:
    """The message that these bytes begin with, which is taken out of them; None where it is not whole."""
    if len(incoming) < _HEAD.size:
        return None
    (size,) = _HEAD.unpack_from(incoming)
    end = _HEAD.size + size
    if len(incoming) < end:
        return None
    with memoryview(incoming) as view:
        message = pickle.loads(view[_HEAD.size : end])
    del incoming[:end]
    return message
