"""Starts processes quickly, by forking them from one that has loaded all they need.

Loading matplotlib, or the web server, takes longer than most tests. Tests start two kinds of processes by the
hundred: fork servers for figure workers, and commands of diglot. `Prepared` forks both from `server.py`. In
all else they are like processes of their own: session, folder, environment and end. A real process is started
where the environment would change how modules are loaded.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from diglot.figures.execution import fork_server_process
from diglot.figures.jobs import Limits
from diglot.use.repetition import _AHEAD_S

_SERVER = Path(__file__).with_name("server.py")
_LOADED_WITH = ("PYTHON", "LANG", "LC_", "LD_", "FONT", "MPL", "XDG_", "HOME", "PATH", "TMPDIR")
"""Prefixes of the variables that change how modules are loaded."""
_FORK_SERVERS = ("fork_server 0", f"fork_server {_AHEAD_S}")
"""The kinds of fork servers. `diglot check` uses the second, with its clock ahead, to make figures again."""
_start_really = fork_server_process.start_fork_server
_PACKAGES = fork_server_process.PACKAGES


class Forked:
    """A process with the interface of `subprocess.Popen`, although another process is its parent."""

    def __init__(
        self, asked: socket.socket, stdout: IO[str] | None = None, stderr: IO[str] | None = None
    ) -> None:
        self._asked = asked
        self.stdout, self.stderr = stdout, stderr
        self.pid = self._hear(None)
        self.returncode: int | None = None

    def _hear(self, timeout_s: float | None) -> int:
        self._asked.settimeout(timeout_s)
        told = self._asked.recv(4)
        if not told:
            raise RuntimeError("what forks processes for tests ended")
        return int.from_bytes(told, "big", signed=True)

    def poll(self) -> int | None:
        """The exit status; None while the process runs."""
        if self.returncode is None:
            try:
                self.returncode = self._hear(0)
            except BlockingIOError:
                return None
            self._asked.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended. Returns its exit status."""
        if self.returncode is None:
            try:
                self.returncode = self._hear(timeout)
            except TimeoutError as error:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from error
            self._asked.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended, and its parent has not reported that yet
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait until the process has ended. Returns its standard output and standard error."""
        said: dict[int, str] = {}

        def read(number: int, stream: IO[str]) -> None:
            said[number] = stream.read()

        readers = [
            threading.Thread(target=read, args=[number, stream], daemon=True)
            for number, stream in enumerate((self.stdout, self.stderr))
            if stream is not None
        ]
        for one in readers:
            one.start()
        self.wait(timeout)
        for one in readers:
            one.join(timeout)
        return said[0], said[1]


class Prepared:
    """The servers that fork processes. Each is started at its first request."""

    def __init__(self, controls: Iterable[socket.socket] = ()) -> None:
        """Start with the controls of fork servers that run, in the order of their kinds."""
        self._controls: dict[str, socket.socket] = dict(zip(_FORK_SERVERS, controls, strict=False))
        self._servers: list[subprocess.Popen[bytes]] = []
        self._environment = dict(os.environ)
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the servers. The processes that they forked go on."""
        for control in self._controls.values():
            control.close()
        for server in self._servers:
            server.wait()

    def start_fork_server(
        self, root: Path, cache: Path, limits: Limits, control: socket.socket, errors: IO[bytes]
    ) -> "subprocess.Popen[bytes] | Forked":
        """Replaces the function of this name in `diglot.figures.execution.fork_server_process`."""
        environment = fork_server_process.environment_of_workers(cache)
        kind = f"fork_server {limits.ahead_s}"
        is_prepared = kind in _FORK_SERVERS and fork_server_process.PACKAGES == _PACKAGES
        if not is_prepared or not self.is_as_prepared(os.environ):
            return _start_really(root, cache, limits, control, errors)
        words = [str(root), str(cache), str(limits.timeout_s), str(limits.memory_mb)]
        return Forked(self._ask(kind, words, root, environment, control.fileno(), errors.fileno()))

    def start_command(self, *words: str, root: Path, environment: Mapping[str, str]) -> Forked:
        """Run a command of diglot in a project, with its output in pipes."""
        fork_servers = [self._control(kind).fileno() for kind in _FORK_SERVERS]
        out, stdout = os.pipe()
        errors, stderr = os.pipe()
        asked = self._ask("command", [*words], root, environment, stdout, stderr, *fork_servers)
        os.close(stdout)
        os.close(stderr)
        return Forked(asked, open(out, encoding="utf-8"), open(errors, encoding="utf-8"))

    def is_as_prepared(self, environment: Mapping[str, str]) -> bool:
        """Whether modules would be loaded in the same way with these variables."""
        return _matters(environment) == _matters(self._environment)

    def _ask(
        self, kind: str, words: list[str], cwd: Path, environment: Mapping[str, str], *numbers: int
    ) -> socket.socket:
        request = {"words": words, "cwd": str(cwd), "environment": dict(environment)}
        asked, theirs = socket.socketpair()
        with theirs:
            message = json.dumps(request).encode()
            socket.send_fds(self._control(kind), [message], [theirs.fileno(), *numbers])
        return asked

    def _control(self, kind: str) -> socket.socket:
        with self._lock:
            if kind not in self._controls:
                # Several processes send. Messages stay whole, and the server notices when the last one ends.
                self._controls[kind], theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    self._servers.append(self._start(kind, theirs))
            return self._controls[kind]

    def _start(self, kind: str, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        environment = {**self._environment, "PYTHONPATH": str(_PACKAGES)}
        if kind in _FORK_SERVERS:
            environment = fork_server_process.environment_of_workers(Path(os.devnull))
        return subprocess.Popen(
            [sys.executable, "-P", str(_SERVER), *kind.split(), str(theirs.fileno())],
            cwd=os.sep,
            env=environment,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )


def _matters(environment: Mapping[str, str]) -> dict[str, str]:
    environment = {"PYTHONPATH": str(_PACKAGES), **environment}  # where they are found in any case
    return {name: value for name, value in environment.items() if value and name.startswith(_LOADED_WITH)}


_used: list[Prepared] = []


def use(one: Prepared | None) -> None:
    """Start processes with these servers from now on; real processes if None."""
    _used[:] = [] if one is None else [one]
    fork_server_process.start_fork_server = _start_really if one is None else one.start_fork_server  # type: ignore[assignment]  (it does as much as is used)


def start_command(
    *words: str, root: Path, environment: Mapping[str, str]
) -> "subprocess.Popen[str] | Forked":
    """Run `python -m diglot …` in a project, in a session of its own, so that signals reach only it."""
    if _used and _used[0].is_as_prepared(environment):
        return _used[0].start_command(*words, root=root, environment=environment)
    return subprocess.Popen(
        [sys.executable, "-m", "diglot", *words],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
