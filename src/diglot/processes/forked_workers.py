"""Forked copies of this process that run calls for it."""

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
"""Minimum number of batches queued for a worker, so that it never waits for the next one."""

MOST_BATCHES = 32
"""Maximum number of batches queued for a worker, however short they are."""

_UNKNOWN_S = 0.001
"""Expected duration of a call, in seconds, before any call of its function has returned."""

_REMEMBERED = 32
"""The expected duration of a call is a moving average over about this many calls."""


class _Batch(NamedTuple):
    calls: list[Call]
    expected_s: float


class _Worker:
    """The parent's record of one forked process."""

    __slots__ = ("batches", "expected_s", "inbox", "known", "link", "outgoing", "pid")

    def __init__(self, pid: int, link: socket.socket) -> None:
        self.pid = pid
        self.link = link
        self.batches: deque[_Batch] = deque()
        """Batches that were sent and are not finished, in order."""
        self.expected_s = 0.0
        """Expected duration of these batches, in seconds."""
        self.inbox = Inbox(link)
        self.outgoing = bytearray()
        """Bytes that still have to be sent."""
        self.known: set[str] = set()
        """Names of the shared values that were sent to this worker."""


class ForkedWorkers:
    """The worker processes, and the calls that each was given."""

    def __init__(self, jobs: int, *, batch_calls: int, ahead_s: float) -> None:
        """Fork `jobs` workers. Each gets batches of at most `batch_calls` calls, up to `ahead_s` of work."""
        self._batch_calls = batch_calls
        self._ahead_s = ahead_s
        self._takes_s: dict[Callable[..., Any], float] = {}
        """Average duration of a call of each function, in seconds."""
        self._selector: selectors.BaseSelector = selectors.DefaultSelector()
        self._workers = [self._fork() for _ in range(jobs)]

    def close(self) -> None:
        """Kill the workers. Calls that are not finished are lost."""
        for worker in self._workers:
            worker.link.close()
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
        self._selector.close()

    def finish(self) -> None:
        """Wait until the workers have finished all their calls, or one of them has died."""
        with suppress(ChildProcessError):
            while self.receive():
                pass

    def send(self, waiting: deque[Call]) -> None:
        """Move waiting calls, in batches, to workers whose queues are short."""
        while waiting:
            worker = min(self._workers, key=lambda worker: (worker.expected_s, len(worker.batches)))
            given = len(worker.batches)
            if given >= BATCHES_AHEAD and (worker.expected_s >= self._ahead_s or given >= MOST_BATCHES):
                return
            self._give(worker, waiting)

    def receive(self) -> bool:
        """Wait until a worker finishes a batch. Returns False if no worker has one."""
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
        ours.setblocking(False)  # otherwise both sides could block, each waiting for the other to read
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
        """Send as much as the socket accepts without blocking."""
        try:
            with suppress(BlockingIOError):
                del worker.outgoing[: worker.link.send(worker.outgoing)]
        except OSError:
            raise _lost(worker) from None
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.outgoing else 0)
        if self._selector.get_key(worker.link).events != wanted:
            self._selector.modify(worker.link, wanted, worker)

    def _pull(self, worker: _Worker) -> bool:
        """Read from the socket. Returns whether a batch was finished."""
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
    """The error for a worker that has gone. Leaves its exit status to `close`."""
    status = None
    with suppress(ChildProcessError):
        status = os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    why = ": out of memory?" if status is not None and status.si_status == signal.SIGKILL else ""
    return ChildProcessError(f"build process {worker.pid} ended unexpectedly{why}")


class _Name(NamedTuple):
    """Replaces a shared value, which the worker looks up by this name."""

    name: str


def _by_name(arguments: tuple[Any, ...], known: set[str], new: dict[str, Shared]) -> tuple[Any, ...]:
    for argument in arguments:
        if isinstance(argument, Shared) and argument.name not in known:
            known.add(argument.name)
            new[argument.name] = argument
    return tuple(_Name(one.name) if isinstance(one, Shared) else one for one in arguments)


def _close_all_but(kept: int) -> None:
    """Close inherited descriptors. A file lock, for example, lasts while any process has the file open."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def _serve(link: socket.socket, parent: int) -> None:
    """The worker's main loop: run batches until the parent closes the socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # inherited objects live to the end: scanning them (in a preview) would copy their pages
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
                if os.getppid() != parent:  # `end_with` works only on Linux; the next build may have begun
                    return
                named = tuple(shared[one.name] if isinstance(one, _Name) else one for one in arguments)
                outcomes.append(outcome_of(function, named))
                with suppress(BlockingIOError):  # drain the small socket buffer, so that the parent can send
                    inbox.take_in(socket.MSG_DONTWAIT)
            link.sendall(_message_of(outcomes))


def _message_of(outcomes: list[Outcome]) -> bytes:
    """The outcomes as a framed message. Those that cannot be pickled become a `CallFailed`."""
    outcomes = [one if one.is_result else _travelling(one) for one in outcomes]
    try:
        return _message(outcomes)
    except Exception:  # pickle cannot encode one of the results: it is nested too deeply, or of such a type
        return _message([_checked(one) for one in outcomes])


def _travelling(outcome: Outcome) -> Outcome:
    """The outcome with its traceback as text. A `CallFailed` replaces an exception that cannot be pickled.

    Exceptions that carry diagnostics are returned unchanged: they are an author's mistakes.
    """
    import traceback  # noqa: PLC0415  (only failures need it)

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
    """The outcome, or a `CallFailed` if it cannot be pickled."""
    try:
        pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        failed = CallFailed(f"the result cannot be sent back: {type(error).__name__}: {error}")
        return Outcome(False, failed, outcome.took_s)
    return outcome


def _message(message: object) -> bytes:
    return framed(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
