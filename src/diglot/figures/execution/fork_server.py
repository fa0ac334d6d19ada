"""The fork server: loads matplotlib once, and forks a fresh worker for each call.

    python -P -m diglot.figures.execution.fork_server CONTROL_FD ROOT CACHE TIMEOUT_S MEMORY_MB AHEAD_S

For each call the parent sends one byte with two sockets over the control socket. The worker receives its job
and sends its answer over the first. Over the second, this process reports how the worker ended. When the
control socket closes, for whatever reason, this process kills the workers and ends.
"""

import contextlib
import errno
import faulthandler
import gc
import mmap
import os
import resource
import select
import selectors
import signal
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import BinaryIO

import msgspec

from diglot.figures.drawing.font_cache import checked
from diglot.figures.execution.call_watcher import CallWatcher, ask_to_watch
from diglot.figures.jobs import CONNECTION_CLOSED, WORKER_FAILED
from diglot.figures.scripts.environment import seal
from diglot.processes.framing import receive, send
from diglot.processes.parent_death import end_with

MOST_PRINTED_BYTES = 16 * 2**20
"""Limit on a script's printed output, so that an endless loop that prints does not fill the disk."""
_SHOWN_BYTES = 4096
_PROGRESS = struct.Struct("!Q")
_LOOK_S = 0.25
"""Interval, in seconds, of checks for the parent while matplotlib is loaded."""
_GRACE_S = 0.5
"""Seconds between SIGABRT, at which a worker prints its running line, and SIGKILL."""


class Worker(msgspec.Struct):
    """A running worker."""

    exit_socket: socket.socket
    output: BinaryIO
    progress: mmap.mmap
    """Memory shared with the worker, which writes the index of the current point of a sweep there."""
    started: float
    """Seconds on the monotonic clock, as is its deadline."""
    deadline: float
    timed_out: bool = False


def main() -> None:
    """Start up, and serve until the parent closes the control socket."""
    number, root, faces, timeout_s, memory_mb, ahead_s = sys.argv[1:]
    control, cache = socket.socket(fileno=int(number)), Path(faces)
    gc.disable()  # until all is loaded that stays to the end
    seal()
    time.tzset()
    with _ending_with(control), checked(cache):
        make_alike(int(ahead_s))
        preload()
    gc.collect()
    gc.freeze()
    gc.enable()
    server = ForkServer(control, Path(root), cache, timeout_s=float(timeout_s), memory_mb=int(memory_mb))
    server.serve()


def make_alike(ahead_s: int) -> None:
    """Replace functions whose results differ between runs or machines, and those without audit events."""
    from diglot.figures.observation import chance, file_access, refusals, sameness  # noqa: PLC0415  (before matplotlib is loaded, and in no other process)

    if ahead_s:
        from diglot.figures.observation.clock import live_ahead  # noqa: PLC0415  (before matplotlib is loaded, and in no other process)

        live_ahead(ahead_s)
    sameness.install()
    chance.install()
    file_access.install()
    refusals.refuse_functions(file_access.is_heard)


@contextlib.contextmanager
def _ending_with(control: socket.socket) -> Iterator[None]:
    """End this process if the parent ends during this block, because loading may take many seconds."""
    hung_up = select.poll()
    hung_up.register(control, 0)  # a closed socket is reported with an empty event mask, too

    def look(_signal: int, _frame: FrameType | None) -> None:
        if hung_up.poll(0):
            os._exit(0)

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_S, _LOOK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def preload() -> None:
    """Load and warm up what every call needs.

    What a figure's numbers come from must be imported in the worker, where the observer records it: the
    hardware models are loaded and put away until then.
    """
    from diglot.figures.observation import system_calls  # noqa: PLC0415  (loading it raises events that are refused once a script runs)

    system_calls.load()
    # fontTools would load it where it is installed. It reads files on its own, and so has to be loaded in a
    # worker, which is watched from then on.
    sys.modules["lxml"] = None  # type: ignore[assignment]  # makes importing it fail
    # matplotlib reads settings from the current folder when it is imported, before the observer listens.
    root = Path.cwd()
    os.chdir(os.sep)
    import matplotlib.backends.backend_pdf  # noqa: F401, PLC0415  (so that forked workers have it)
    import numpy.random  # noqa: F401, PLC0415  (otherwise numpy would load it at first use, in each worker)
    import yaml  # noqa: F401, PLC0415  (the hardware models read files with it)

    from diglot.figures.execution import worker_process  # noqa: F401, PLC0415  (so that forked workers have it)
    from diglot.figures.execution.ready_modules import load_ahead  # noqa: PLC0415  (to be there when workers are forked)
    from diglot.figures.execution.warming import warm_up  # noqa: PLC0415  (to be there when workers are forked)
    from diglot.figures.observation.observer import installed_places  # noqa: PLC0415  (to be there when workers are forked)
    from diglot.figures.scripts import messages  # noqa: F401, PLC0415  (loads Jinja2)

    os.chdir(root)
    if (metadata := sys.modules.get("importlib.metadata")) is not None:
        # What it remembers of folders would be no look that the observer sees.
        metadata.MetadataPathFinder.invalidate_caches()
    installed_places()
    warm_up()
    load_ahead()
    del sys.modules["lxml"]


class ForkServer:
    """The main loop: forks a worker for each request, reaps workers, and kills those that take too long."""

    def __init__(
        self, control: socket.socket, root: Path, cache: Path, *, timeout_s: float, memory_mb: int
    ) -> None:
        self._control = control
        self._root, self._cache, self._timeout_s, self._memory_mb = root, cache, timeout_s, memory_mb
        self._workers: dict[int, Worker] = {}
        self._watcher = CallWatcher(str(root))
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)

    def serve(self) -> None:
        """Serve requests until the control socket closes."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # ending at once would leave the workers behind
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        with self._selector as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            selector.register(self._watcher.requests, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select(self._until_next_deadline())}
                self._kill_cancelled(ready)
                if self._watcher.requests in ready:
                    self._watcher.accept(self._register)
                for listener in [number for number in ready if isinstance(number, int)]:
                    self._watcher.serve(listener)
                if self._woken in ready:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._woken, 4096)
                    self._reap()
                self._kill_the_late()
                if self._control in ready and not self._accept():
                    return self._end()

    def _register(self, descriptor: int) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ)

    def _until_next_deadline(self) -> float | None:
        deadlines = [worker.deadline for worker in self._workers.values()]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _accept(self) -> bool:
        """Start a worker for a request. Returns False if the parent has closed the control socket."""
        try:
            byte, sockets, _, _ = socket.recv_fds(self._control, 1, 2)
        except ConnectionError:
            return False
        if not byte:
            return False
        channel, exit_socket = (socket.socket(fileno=number) for number in sockets)
        output = tempfile.TemporaryFile()  # noqa: SIM115  (closed when the worker is reaped)
        progress = mmap.mmap(-1, _PROGRESS.size)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            end_with(parent)
            self._become_worker(channel, output, progress)
        channel.close()
        self._workers[pid] = Worker(
            exit_socket=exit_socket,
            output=output,
            progress=progress,
            started=(now := time.monotonic()),
            deadline=now + self._timeout_s,
        )
        self._selector.register(exit_socket, selectors.EVENT_READ)
        return True

    def _become_worker(self, channel: socket.socket, output: BinaryIO, progress: mmap.mmap) -> None:
        """In the child: do the job and exit, even if it fails."""
        status = WORKER_FAILED
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            gc.set_threshold(50_000, 10, 10)  # it lives for one call, as most that it makes does
            self._let_go()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            output.close()
            faulthandler.enable(2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_PRINTED_BYTES, MOST_PRINTED_BYTES))
            from diglot.figures.execution.worker_process import answer  # noqa: PLC0415  (loaded while the fork server starts, not before)
            from diglot.figures.jobs import Job  # noqa: PLC0415  (loaded while the fork server starts, not before)
            from diglot.figures.scripts import memory  # noqa: PLC0415  (loaded while the fork server starts, not before)

            memory.limit(self._memory_mb)
            job = receive(channel, Job)
            if job is not None:
                answered = answer(
                    job,
                    self._root,
                    self._cache,
                    at_point=partial(_PROGRESS.pack_into, progress, 0),
                    ask_to_watch=partial(ask_to_watch, self._watcher.door),
                )
                send(channel, answered)
                status = 0
        except OSError as error:
            status = CONNECTION_CLOSED if error.errno == errno.EBADF else WORKER_FAILED
        finally:
            with contextlib.suppress(Exception):
                import traceback  # noqa: PLC0415  (only failures need it)

                if status == WORKER_FAILED:
                    traceback.print_exc()
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def _let_go(self) -> None:
        """In the child: close the descriptors and memory of the main loop and of other workers."""
        self._control.close()
        self._watcher.let_go()
        self._selector.close()
        os.close(self._woken)
        os.close(self._wake)
        for other in self._workers.values():
            other.exit_socket.close()
            other.output.close()
            other.progress.close()

    def _reap(self) -> None:
        for pid in list(self._workers):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._watcher.end(pid, self._selector.unregister)
                self._tell(self._workers.pop(pid), os.waitstatus_to_exitcode(status))

    def _kill_cancelled(self, ready: Collection[object]) -> None:
        """Kill workers whose calls were cancelled: the parent shut down their exit socket for writing."""
        for pid, worker in self._workers.items():
            if worker.exit_socket in ready:
                self._selector.unregister(worker.exit_socket)
                os.kill(pid, signal.SIGKILL)

    def _kill_the_late(self) -> None:
        now = time.monotonic()
        for pid, worker in self._workers.items():
            if worker.deadline <= now and not worker.timed_out:
                worker.deadline = worker.started + self._timeout_s + _waited_s(pid)
            if worker.deadline > now:
                continue
            # At SIGABRT, faulthandler prints the running line, even inside C code, and the worker ends.
            os.kill(pid, signal.SIGKILL if worker.timed_out else signal.SIGABRT)
            worker.timed_out = True
            worker.deadline = now + _GRACE_S

    def _tell(self, worker: Worker, code: int) -> None:
        from diglot.figures.jobs import ExitStatus  # noqa: PLC0415  (loaded while the fork server starts, not before)

        exit_status = ExitStatus(
            code=code,
            timed_out=worker.timed_out,
            printed=_printed(worker.output),
            at_point=_PROGRESS.unpack_from(worker.progress)[0],
        )
        with contextlib.suppress(OSError):  # the parent may have ended
            send(worker.exit_socket, exit_status)
        with contextlib.suppress(KeyError):  # a cancelled worker is not registered any more
            self._selector.unregister(worker.exit_socket)
        worker.exit_socket.close()
        worker.output.close()
        worker.progress.close()

    def _end(self) -> None:
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)
        for pid in self._workers:
            os.waitpid(pid, 0)


def _waited_s(pid: int) -> float:
    """How long a process has been ready to run while others had the processors, which is not its fault.

    Only Linux tells; elsewhere 0.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _printed(output: BinaryIO) -> str:
    """The first and last part of a worker's output."""
    length = output.seek(0, os.SEEK_END)
    output.seek(0)
    text = output.read(_SHOWN_BYTES)
    if length > 2 * _SHOWN_BYTES:
        output.seek(-_SHOWN_BYTES, os.SEEK_END)
        text += f"\n… {length - 2 * _SHOWN_BYTES:,} bytes left out …\n".encode()
    return (text + output.read(_SHOWN_BYTES)).decode("utf-8", "replace")


if __name__ == "__main__":
    main()
