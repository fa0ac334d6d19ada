"""Where calls of scripts run: in processes of this machine, or on a cluster that is there already."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from diglot.figures.execution.exit_status import fork_server_lost
from diglot.figures.execution.fork_server_process import ForkServerLost, ForkServerProcess
from diglot.figures.jobs import Called, ExecutorTrouble, Job, Limits
from diglot.processes.cancellation import Cancellation

T = TypeVar("T")
PROCESSES = "processes"
_SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "ucx://")
CONNECT_S = 10
"""How long a scheduler may take to answer, when it is first asked and when its connection was lost."""
_COUNTED_S = 2.0
"""How long a count of a cluster's threads is believed."""


def check_executor(text: str) -> str:
    """The text, where it names an executor that can be had: `processes`, or `dask:tcp://host:port`.

    Raises ExecutorTrouble. Connects to nothing.
    """
    if text == PROCESSES:
        return text
    kind, _, address = text.partition(":")
    if kind != "dask":
        raise ExecutorTrouble(
            f'"{text}" is not an executor', "use processes, or a Dask scheduler as in dask:tcp://host:8786."
        )
    if not address.startswith(_SCHEMES) or address.endswith("://"):
        raise ExecutorTrouble(
            f'"{address}" is not the address of a Dask scheduler', "write it like dask:tcp://host:8786."
        )
    if find_spec("distributed") is None:
        raise ExecutorTrouble("Dask is not installed", "install the extra: pip install 'diglot[dask]'.")
    return text


class Calls(Protocol):
    """Something that runs calls."""

    remote: bool
    """Whether they run where files may differ from those here."""

    def width(self) -> int:
        """How many run at a time."""

    def submit(self, job: Job) -> "Future[Called]":
        """Run a call. Raises ExecutorTrouble, and so does the future."""


class Machine(Protocol):
    """Something that runs calls until it is closed."""

    remote: bool

    def width(self) -> int:
        """How many run at a time."""

    def submit(self, job: Job, cancellation: Cancellation | None = None) -> "Future[Called]":
        """Run a call. Raises ExecutorTrouble, and so does the future.

        A `cancellation` ends it, where it runs on this machine: the future then raises CancelledError.
        """

    def close(self) -> None:
        """End, without waiting for what still runs elsewhere."""


class CancellableCalls:
    """Calls that one cancellation ends."""

    def __init__(self, machine: Machine, cancellation: Cancellation) -> None:
        self._machine, self._cancellation = machine, cancellation
        self.remote = machine.remote

    def width(self) -> int:
        """How many run at a time."""
        return self._machine.width()

    def submit(self, job: Job) -> "Future[Called]":
        """Run a call."""
        return self._machine.submit(job, self._cancellation)


class LocalCalls:
    """Calls in forked processes of this machine, so many at a time."""

    remote = False

    def __init__(self, *, root: Path, cache: Path, jobs: int, limits: Limits) -> None:
        self._root, self._cache, self._limits = root, cache, limits
        self._jobs = max(1, jobs)
        self._threads = ThreadPoolExecutor(max_workers=self._jobs, thread_name_prefix="figure")
        self._lock = threading.Lock()
        self._fork_server: ForkServerProcess | None = None
        self._closed = False

    def width(self) -> int:
        """As many as were asked for."""
        return self._jobs

    def submit(self, job: Job, cancellation: Cancellation | None = None) -> "Future[Called]":
        """Run a call in a process of its own."""
        return self._threads.submit(self._call, job, cancellation)

    def then(self, job: Job, made: Callable[[Called], T], cancellation: Cancellation) -> "Future[T]":
        """Run a call, and make something of what came of it."""
        return self._threads.submit(lambda: made(self._call(job, cancellation)))

    def close(self) -> None:
        """Kill what still runs, and leave no process behind."""
        with self._lock:
            self._closed = True
            fork_server, self._fork_server = self._fork_server, None
        if fork_server is not None:
            fork_server.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _call(self, job: Job, cancellation: Cancellation | None) -> Called:
        cancellation = cancellation or Cancellation()
        try:
            return self._process().call(job, cancellation)
        except ForkServerLost:
            self._let_go()
        try:  # it was killed, and not by us: once more with a new one
            return self._process().call(job, cancellation)
        except ForkServerLost as lost:
            self._let_go()
            raise fork_server_lost(job, str(lost)) from lost

    def _process(self) -> ForkServerProcess:
        """The process that forks workers."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the figure workers are closed")
            if self._fork_server is None or not self._fork_server.alive:
                self._fork_server = ForkServerProcess(self._root, self._cache, self._limits)
            return self._fork_server

    def _let_go(self) -> None:
        """Ask no more of a process that is gone, though the system may not say so yet."""
        with self._lock:
            lost, self._fork_server = self._fork_server, None
        if lost is not None:
            lost.close()


class DaskCalls:
    """Calls on a Dask cluster, through its `concurrent.futures.Executor`."""

    remote = True

    def __init__(self, address: str, *, root: Path, limits: Limits) -> None:
        """Raises ExecutorTrouble where no scheduler answers."""
        import logging

        from distributed import Client

        from diglot.figures.execution.dask_worker import CallContext
        from diglot.figures.observation.versions import versions

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what happens is told by diagnostics
        self._address = address
        self._context = msgspec.msgpack.encode(
            CallContext(root=str(root), limits=limits, versions=versions())
        )
        try:
            make: Any = Client  # untyped in distributed
            self._client = make(address, timeout=CONNECT_S, set_as_default=False, name="diglot")
        except (OSError, ValueError, RuntimeError) as error:
            raise ExecutorTrouble(
                f"no Dask scheduler answers at {address}: {str(error).splitlines()[0]}",
                "start it (`dask scheduler`), correct its address, or leave out --executor.",
            ) from error
        self._executor: Executor = self._client.get_executor(pure=False)
        self._counted: tuple[float, int] | None = None

    def width(self) -> int:
        """The threads of all workers: they may come and go."""
        now = time.monotonic()
        if self._counted is None or now - self._counted[0] > _COUNTED_S:
            try:
                threads = sum(self._client.nthreads().values())
            except Exception as error:
                raise self._lost() from error
            self._counted = now, max(1, threads)
        return self._counted[1]

    def submit(self, job: Job, cancellation: Cancellation | None = None) -> "Future[Called]":
        """Run a call on some worker, to its end."""
        from diglot.figures.execution.dask_worker import call

        told: Future[Called] = Future()
        told.set_running_or_notify_cancel()
        try:
            asked = self._executor.submit(call, self._context, msgspec.msgpack.encode(job))
        except Exception as error:
            raise self._lost() from error
        asked.add_done_callback(lambda done: self._tell(told, done))
        return told

    def close(self) -> None:
        """Give up what still waits there."""
        import contextlib

        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be told
            self._executor.shutdown(wait=False)
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)

    def _tell(self, told: "Future[Called]", done: "Future[bytes]") -> None:
        if done.cancelled():
            told.set_exception(self._lost())
            return
        error = done.exception()
        if error is None:
            told.set_result(msgspec.msgpack.decode(done.result(), type=Called))
        elif isinstance(error, ExecutorTrouble):
            told.set_exception(error)
        elif isinstance(error, ModuleNotFoundError):
            told.set_exception(
                ExecutorTrouble(
                    f"the Dask workers of {self._address} lack a module: {error}",
                    "install the same version of diglot into their environment.",
                )
            )
        else:
            told.set_exception(
                ExecutorTrouble(
                    f"the Dask workers of {self._address} failed: {type(error).__name__}: {error}",
                    "check their logs; without --executor, figures are computed on this machine.",
                )
            )

    def _lost(self) -> ExecutorTrouble:
        return ExecutorTrouble(
            f"the connection to the Dask scheduler at {self._address} was lost",
            "build again when it is back, or leave out --executor; finished work is kept.",
        )


def connect(executor: str, *, root: Path, limits: Limits) -> DaskCalls:
    """The calls of an executor that is not `processes`. Raises ExecutorTrouble."""
    return DaskCalls(check_executor(executor).partition(":")[2], root=root, limits=limits)
