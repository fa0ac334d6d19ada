"""The parent's side of the fork server: starts it and sends it calls."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from diglot.cache_files import make_folder
from diglot.figures.jobs import Answer, Called, ExitStatus, Job, Limits
from diglot.figures.scripts.environment import THREADS, fix
from diglot.processes.cancellation import Cancellation
from diglot.processes.framing import receive, send

PACKAGES = Path(__file__).resolve().parents[3]


class ForkServerLost(RuntimeError):
    """The fork server ended, and its workers with it."""


class ForkServerProcess:
    """A running `diglot.figures.execution.fork_server` for the scripts of the project at `root`.

    `cache` is the folder for matplotlib's font list.
    """

    def __init__(self, root: Path, cache: Path, limits: Limits) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        if not hasattr(os, "fork"):
            raise RuntimeError(
                "figures are drawn in forked processes, which this system does not support; use WSL"
            )
        make_folder(cache)
        with theirs:
            self._process = start_fork_server(root, cache, limits, theirs, self._errors)

    @property
    def pid(self) -> int:
        """Process id of the fork server."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the fork server is running."""
        return self._process.poll() is None

    def call(self, job: Job, cancellation: Cancellation) -> Called:
        """Run one job, and wait for its outcome.

        Raises ForkServerLost if the fork server has ended, and CancelledError if the call was cancelled
        before it began. A call that is cancelled later returns the exit status of its killed process.
        """
        since = time.perf_counter()
        channel, theirs = socket.socketpair()
        exit_socket, their_exit_socket = socket.socketpair()
        with channel, exit_socket:
            with theirs, their_exit_socket, self._lock:
                try:
                    socket.send_fds(self._control, [b"!"], [theirs.fileno(), their_exit_socket.fileno()])
                except OSError as error:
                    raise ForkServerLost(self._last_words()) from error
            with cancellation.covers(exit_socket):
                with contextlib.suppress(OSError):  # a worker that ended before reading: see its exit status
                    send(channel, job)
                answer = receive(channel, Answer)
                ended = receive(exit_socket, ExitStatus)
        if ended is None:
            raise ForkServerLost(self._last_words())
        return Called(answer=answer, exit_status=ended, took_s=time.perf_counter() - since)

    def close(self) -> None:
        """End the fork server and its workers."""
        self._control.close()
        self._process.terminate()  # ignored once it serves, when it ends with the control socket instead
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _last_words(self) -> str:
        if self._errors.closed:
            return "the figure workers were closed"
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        return f"the process that starts figure workers ended{': ' + said if said else ''}"


def start_fork_server(
    root: Path, cache: Path, limits: Limits, control: socket.socket, errors: IO[bytes]
) -> "subprocess.Popen[bytes]":
    """Start the fork server. `control` is its end of the socket; its standard error goes to `errors`."""
    return subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "diglot.figures.execution.fork_server"),
            *(str(control.fileno()), str(root), str(cache)),
            *map(str, (limits.timeout_s, limits.memory_mb, limits.ahead_s)),
        ],
        cwd=root,
        env=environment_of_workers(cache),
        pass_fds=[control.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,  # only the parent gets Ctrl-C, and then closes the control socket
    )


def environment_of_workers(cache: Path) -> dict[str, str]:
    """The environment of the fork server, which makes workers the same on every machine.

    It also carries the variables that scripts may read with `env`.
    """
    paths = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    fixed = {
        "PYTHONPATH": os.pathsep.join([str(PACKAGES), *paths]),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": str(cache),
        "MPLBACKEND": "agg",
        # One thread, so that sums have a fixed order and no other thread runs while workers are forked.
        **dict.fromkeys(THREADS, "1"),
    }
    return fix(os.environ, fixed)
