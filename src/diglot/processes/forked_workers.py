"""Forked copies of this process, which run calls for it."""

from __future__ import annotations

import gc
import os
import pickle
import selectors
import signal
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from diglot.processes.calls import Call, CallFailed, Outcome, Shared, outcome_of
from diglot.processes.framing import Inbox, framed
from diglot.processes.parent_death import end_with

BATCHES_AHEAD = 2
"""A worker is given at least so many batches, so that it has the next one when it has finished one."""

MOST_BATCHES = 32
"""A worker is given at most so many, however short they are."""

_UNKNOWN_S = 0.001
"""How long a call is expected to take before the first one of its function has come back."""

_REMEMBERED = 32
"""The expected time of a call is a moving average over about so many."""


class _Batch(NamedTuple):
    calls: list[Call]
    expected_s: float


class _Worker:
    """A forked process, as this one sees it."""

    __slots__ = ("batches", "expected_s", "inbox", "known", "link", "outgoing", "pid")

    def __init__(self, pid: int, link: socket.socket) -> None:
        self.pid = pid
        self.link = link
        self.batches: deque[_Batch] = deque()
        """What it was given and has not finished, in order."""
        self.expected_s = 0.0
        """How long that is expected to take."""
        self.inbox = Inbox(link)
        self.outgoing = bytearray()
        """What the link has not taken yet."""
        self.known: set[str] = set()
        """Names of the shared values it has."""


class ForkedWorkers:
    """The workers, and what each was given."""

    def __init__(self, jobs: int, *, batch_calls: int, ahead_s: float) -> None:
        """Fork so many. Each gets at most `batch_calls` at a time, and `ahead_s` of work in all."""
        self._batch_calls = batch_calls
        self._ahead_s = ahead_s
        self._takes_s: dict[Callable[..., Any], float] = {}
        """How long a call of each function takes."""
        self._selector: selectors.BaseSelector = selectors.DefaultSelector()
        self._workers = [self._fork() for _ in range(jobs)]

    def close(self) -> None:
        """Kill them; what they were given is lost."""
        for worker in self._workers:
            worker.link.close()
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
        self._selector.close()

    def finish(self) -> None:
        """Wait until they have finished what they were given."""
        with suppress(ChildProcessError):
            while self.receive():
                pass

    def send(self, waiting: deque[Call]) -> None:
        """Give batches of the waiting calls to the workers that have little to do."""
        while waiting:
            worker = min(self._workers, key=lambda worker: (worker.expected_s, len(worker.batches)))
            given = len(worker.batches)
            if given >= BATCHES_AHEAD and (worker.expected_s >= self._ahead_s or given >= MOST_BATCHES):
                return
            self._give(worker, waiting)

    def receive(self) -> bool:
        """Wait until one has finished a batch; False where none has one."""
        settled = False
        while not settled:
            if not any(worker.batches for worker in self._workers):
                return False
            for ready, events in self._selector.select():
                if events & selectors.EVENT_WRITE:
                    self._push(ready.data)
                if events & selectors.EVENT_READ:
                    settled |= self._pull(ready.data)
        return True

    def _fork(self) -> _Worker:
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
        worker = _Worker(pid, ours)
        self._selector.register(ours, selectors.EVENT_READ, worker)
        return worker

    def _give(self, worker: _Worker, waiting: deque[Call]) -> None:
        count = min(self._batch_calls, -(-len(waiting) // len(self._workers)))
        calls = [waiting.popleft() for _ in range(count)]
        batch = _Batch(calls, sum(self._takes_s.get(call.function, _UNKNOWN_S) for call in calls))
        worker.batches.append(batch)
        worker.expected_s += batch.expected_s
        new: dict[str, Shared] = {}
        named = [(call.function, _by_name(call.arguments, worker.known, new)) for call in calls]
        worker.outgoing += _message((new, named))
        self._push(worker)

    def _push(self, worker: _Worker) -> None:
        """Send as much as the link takes now."""
        try:
            with suppress(BlockingIOError):
                del worker.outgoing[: worker.link.send(worker.outgoing)]
        except OSError:
            raise _lost(worker) from None
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.outgoing else 0)
        if self._selector.get_key(worker.link).events != wanted:
            self._selector.modify(worker.link, wanted, worker)

    def _pull(self, worker: _Worker) -> bool:
        """Take in what the link brings; whether a batch was finished."""
        try:
            worker.inbox.take_in()
        except (EOFError, OSError):
            raise _lost(worker) from None
        settled = False
        while (outcomes := worker.inbox.next(pickle.loads)) is not None:
            batch = worker.batches.popleft()
            worker.expected_s = worker.expected_s - batch.expected_s if worker.batches else 0.0
            for call, outcome in zip(batch.calls, outcomes, strict=True):
                known_s = self._takes_s.get(call.function, outcome.took_s)
                self._takes_s[call.function] = known_s + (outcome.took_s - known_s) / _REMEMBERED
                call.pending.set_outcome(outcome)
            settled = True
        return settled


def _lost(worker: _Worker) -> ChildProcessError:
    return ChildProcessError(f"build process {worker.pid} ended unexpectedly: out of memory?")


class _Name(NamedTuple):
    """Stands for a shared value that the worker has already."""

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
    """What a worker does: batches, until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # what was there before the fork is there to the end: not to be looked through, nor copied
    gc.set_threshold(50_000, 10, 10)
    gc.enable()
    shared: dict[str, Shared] = {}
    inbox = Inbox(link)
    with suppress(EOFError, OSError):
        while True:
            while (message := inbox.next(pickle.loads)) is None:
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
    """Outcomes as bytes."""
    outcomes = [one if one.is_result else _travelling(one) for one in outcomes]
    try:
        return _message(outcomes)
    except Exception:  # one of the results cannot be encoded: it is too deep, or nothing that pickle knows
        return _message([_checked(one) for one in outcomes])


def _travelling(outcome: Outcome) -> Outcome:
    """An exception with its traceback; another exception in its place where it cannot be pickled."""
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
    return framed(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
