"""The process that forks workers, from its parent's side: started once, asked for one call after another."""

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
    """The process that forks workers ended, and they with it."""


class ForkServerProcess:
    """The process of `diglot.figures.execution.fork_server`; its scripts are those of the project at `root`.

    `cache` is a folder that matplotlib keeps its list of faces in.
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
        """Its number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def call(self, job: Job, cancellation: Cancellation) -> Called:
        """One job, waited for. Raises ZygoteLost where the process is gone, CancelledError once pulled."""
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
                with contextlib.suppress(OSError):  # it ended before it listened: its ending says why
                    send(channel, job)
                answer = receive(channel, Answer)
                ended = receive(exit_socket, ExitStatus)
        if ended is None:
            raise ForkServerLost(self._last_words())
        return Called(answer=answer, exit_status=ended, took_s=time.perf_counter() - since)

    def close(self) -> None:
        """End it and all it started."""
        self._control.close()
        self._process.terminate()  # heard only while it still loads, and has started nothing yet
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
    """Start the process; `control` is its end of the socket, and what it complains about goes to `errors`."""
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
        start_new_session=True,  # Ctrl-C is for the parent, which then closes the control socket
    )


def environment_of_workers(cache: Path) -> dict[str, str]:
    """What makes a worker the same on every machine; the variables that scripts ask for are passed along."""
    paths = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    fixed = {
        "PYTHONPATH": os.pathsep.join([str(PACKAGES), *paths]),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": str(cache),
        "MPLBACKEND": "agg",
        # One thread: sums in one order, and nothing running while workers are forked.
        **dict.fromkeys(THREADS, "1"),
    }
    return fix(os.environ, fixed)
