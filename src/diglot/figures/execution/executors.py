"""Executors, which run calls of scripts: in processes of this machine, or on an existing cluster."""

import contextlib
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
from diglot.installed import path_files
from diglot.processes.cancellation import Cancellation

T = TypeVar("T")
PROCESSES = "processes"
_SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "ucx://")
CONNECT_S = 10
"""Seconds that a scheduler may take to answer, at the first connection and after one was lost."""
_COUNTED_S = 2.0
"""Seconds for which a count of a cluster's threads is reused."""


def check_executor(text: str) -> str:
    """Return the text if it names a usable executor: `processes`, or `dask:tcp://host:port`.

    Raises ExecutorTrouble otherwise. Does not connect to the scheduler.
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


class Machine(Protocol):
    """Runs calls until it is closed."""

    remote: bool
    """Whether calls run on other machines, where files may differ."""

    def width(self) -> int:
        """Number of calls that run at a time."""

    def submit(self, job: Job, cancellation: Cancellation) -> "Future[Called]":
        """Run a call. Both this method and the future may raise ExecutorTrouble.

        The cancellation stops the call if it runs on this machine. The future then raises CancelledError if
        the call had not begun, and otherwise returns the outcome of a killed process.
        """

    def close(self) -> None:
        """Stop, without waiting for calls that run on other machines."""


class LocalCalls:
    """Runs calls in forked processes of this machine, up to `jobs` at a time."""

    remote = False

    def __init__(self, *, root: Path, cache: Path, jobs: int, limits: Limits) -> None:
        self._root, self._cache, self._limits = root, cache, limits
        self._jobs = max(1, jobs)
        self._threads = ThreadPoolExecutor(max_workers=self._jobs, thread_name_prefix="figure")
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        """Held by a call that is tried again alone."""
        self._fork_server: ForkServerProcess | None = None
        self._path_files = path_files()
        self._others: list[ForkServerProcess] = []
        """Fork servers besides the one for new calls: outdated ones with calls to finish, or for one call."""
        self._closed = False

    def width(self) -> int:
        """Number of calls that run at a time: `jobs`, but at least 1."""
        return self._jobs

    def submit(self, job: Job, cancellation: Cancellation) -> "Future[Called]":
        """Run a call in a process of its own."""
        return self._threads.submit(self._call, job, cancellation)

    def then(self, job: Job, made: Callable[[Called], T], cancellation: Cancellation) -> "Future[T]":
        """Run a call. The future returns the result of `made` for the outcome of the call."""
        return self._threads.submit(lambda: made(self._call(job, cancellation)))

    def close(self) -> None:
        """Kill all running calls and the fork server."""
        with self._lock:
            self._closed = True
            fork_servers, self._others = [*self._others, self._fork_server], []
            self._fork_server = None
        for fork_server in fork_servers:
            if fork_server is not None:
                fork_server.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _call(self, job: Job, cancellation: Cancellation) -> Called:
        try:
            return self._process().call(job, cancellation)
        except ForkServerLost:
            self._let_go()
        # Something killed the fork server, and all calls with it. Each is tried once more with a fork server
        # of its own, one after the other, so that none is blamed for what another one does.
        with self._alone:
            fork_server = self._another_process()
            try:
                return fork_server.call(job, cancellation)
            except ForkServerLost as lost:
                raise fork_server_lost(job, str(lost)) from lost
            finally:
                self._end(fork_server)

    def _process(self) -> ForkServerProcess:
        """The fork server, which is started if necessary. Raises RuntimeError if this object is closed."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the figure workers are closed")
            if (files := path_files()) != self._path_files and self._fork_server is not None:
                # A package was installed that Python finds by such a file, which it reads when it starts.
                self._others.append(self._fork_server)
                self._fork_server = None
            self._path_files = files
            if self._fork_server is None or not self._fork_server.alive:
                self._fork_server = ForkServerProcess(self._root, self._cache, self._limits)
            return self._fork_server

    def _another_process(self) -> ForkServerProcess:
        """A fork server for one call. Raises RuntimeError if this object is closed."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the figure workers are closed")
            self._others.append(ForkServerProcess(self._root, self._cache, self._limits))
            return self._others[-1]

    def _end(self, fork_server: ForkServerProcess) -> None:
        with self._lock:
            is_ours = fork_server in self._others
            if is_ours:
                self._others.remove(fork_server)
        if is_ours:
            fork_server.close()

    def _let_go(self) -> None:
        """Drop a fork server that has ended, even if the system still reports it as running."""
        with self._lock:
            lost, self._fork_server = self._fork_server, None
        if lost is not None:
            lost.close()


class DaskCalls:
    """Runs calls on a Dask cluster, through its `concurrent.futures.Executor`."""

    remote = True

    def __init__(self, address: str, *, root: Path, limits: Limits) -> None:
        """Connect to the scheduler. Raises ExecutorTrouble if it does not answer."""
        import logging  # noqa: PLC0415  (only a cluster needs it)

        from distributed import Client  # noqa: PLC0415  (only a cluster needs it)

        from diglot.figures.execution.dask_worker import CallContext  # noqa: PLC0415  (only a cluster needs it)
        from diglot.figures.observation.versions import versions  # noqa: PLC0415  (only a cluster needs it)

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # diagnostics report errors
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
        """Number of threads of all workers, counted repeatedly because workers may come and go."""
        now = time.monotonic()
        if self._counted is None or now - self._counted[0] > _COUNTED_S:
            try:
                threads = sum(self._client.nthreads().values())
            except Exception as error:
                raise self._lost() from error
            self._counted = now, max(1, threads)
        return self._counted[1]

    def submit(self, job: Job, cancellation: Cancellation) -> "Future[Called]":
        """Run a call on any worker. The cancellation is ignored: the call runs to its end."""
        from diglot.figures.execution.dask_worker import call  # noqa: PLC0415  (only a cluster needs it)

        told: Future[Called] = Future()
        told.set_running_or_notify_cancel()
        try:
            asked = self._executor.submit(call, self._context, msgspec.msgpack.encode(job))
        except Exception as error:
            raise self._lost() from error
        asked.add_done_callback(lambda done: self._tell(told, done))
        return told

    def close(self) -> None:
        """Drop waiting calls, and disconnect."""
        with contextlib.suppress(Exception):  # the scheduler may have ended
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
    """Connect to an executor other than `processes`. Raises ExecutorTrouble."""
    return DaskCalls(check_executor(executor).partition(":")[2], root=root, limits=limits)
