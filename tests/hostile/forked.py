"""Runs commands in forks of this process: nearly as quick as a call, and the test sees whatever ends them.

A forked process may crash, hang or be killed. It has a session of its own, and limits on time and memory.
"""

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from diglot.figures.execution import executors
from diglot.figures.execution.fork_server_process import ForkServerProcess
from diglot.figures.jobs import Called, Job, Limits
from diglot.processes.cancellation import Cancellation
from tests import prepared
from tests.prepared.templates import compile_all

MEMORY_BYTES = 6 << 30
LIMIT_S = 60.0


@dataclass(frozen=True)
class Ended:
    """How a forked process ended."""

    status: int
    """The exit code; negative for the signal that ended it."""
    output: str
    errors: str
    hung: bool = False

    def trouble(self) -> str | None:
        """What no command may do: hang, die of a signal, print a traceback. None if all is well."""
        if self.hung:
            return f"hung: {self.errors[-2000:]}"
        if self.status < 0:
            return f"ended by signal {-self.status}: {self.errors[-2000:]}"
        if "Traceback" in self.errors:
            return self.errors[-3000:]
        return None


class ForkedProcess:
    """A function that runs in a fork of this process; its result is the exit code."""

    def __init__(self, work: Callable[[], int], *, cwd: Path) -> None:
        # `wait` reads and closes them.
        self._files: tuple[BinaryIO, BinaryIO] = (
            tempfile.TemporaryFile(),  # noqa: SIM115  (closed when the process has ended)
            tempfile.TemporaryFile(),  # noqa: SIM115  (closed when the process has ended)
        )
        self.pid = os.fork()
        if self.pid == 0:
            _become(work, cwd, self._files)

    def wait(self, limit_s: float = LIMIT_S) -> Ended:
        """Wait until the process ends. Kills it after `limit_s`."""
        end = time.monotonic() + limit_s
        hung = False
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                hung = True
                self.send(signal.SIGKILL)
            time.sleep(0.002)
        told = []
        for file in self._files:
            file.seek(0)
            told.append(file.read().decode("utf-8", "replace"))
            file.close()
        return Ended(os.waitstatus_to_exitcode(status), told[0], told[1], hung)

    def send(self, number: signal.Signals) -> None:
        """Send a signal; the process may be a zombie already."""
        os.kill(self.pid, number)


def _become(work: Callable[[], int], cwd: Path, files: tuple[BinaryIO, BinaryIO]) -> None:
    code = 70
    try:
        os.setsid()
        os.chdir(cwd)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, file in enumerate(files, start=1):
            os.dup2(file.fileno(), number)
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
            signal.signal(one, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115  (closed when the process has ended)  (to the end)
        code = work()
    except KeyboardInterrupt:  # before the work began
        code = 130
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class SharedForkServer:
    """A fork server that is started once and used by all forked processes, because loading matplotlib takes
    longer than everything else."""

    alive = True

    def __init__(self, root: Path, cache: Path) -> None:
        self._process = ForkServerProcess(root, cache, Limits(timeout_s=LIMIT_S, memory_mb=4000))
        self.pid = self._process.pid

    def call(self, job: Job, cancellation: Cancellation) -> Called:
        """Like `ForkServerProcess.call`."""
        return self._process.call(job, cancellation)

    def close(self) -> None:
        """Does nothing, because other processes use it too."""

    def end(self) -> None:
        """End the fork server."""
        self._process.close()

    def used_by(self, work: Callable[[], int]) -> Callable[[], int]:
        """Wrap work for a forked process, so that it uses this fork server and starts none."""

        def run() -> int:
            executors.ForkServerProcess = lambda *_: self
            return work()

        return run


def with_real_processes(work: Callable[[], int]) -> Callable[[], int]:
    """Wrap work for a forked process, so that it starts its own fork server, as outside of tests."""

    def run() -> int:
        prepared.use(None)
        return work()

    return run


def command(*words: str) -> Callable[[], int]:
    """A command of diglot, with its words as on the command line."""

    def run() -> int:
        from diglot.cli import main

        return main(words)

    return run


def run(work: Callable[[], int], *, cwd: Path) -> Ended:
    """Run a function in a forked process, and wait for its end."""
    return ForkedProcess(work, cwd=cwd).wait()


def left_behind(root: Path, *, but: int | None, within_s: float = 20.0) -> list[str]:
    """The command lines of processes in a project, except `but`, after up to `within_s` for them to end."""
    end = time.monotonic() + within_s
    while (found := _at_work_in(root, but)) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def _at_work_in(root: Path, but: int | None) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.name != str(but) and Path(os.readlink(process / "cwd")).is_relative_to(root):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it ended, or belongs to another user
            continue
    return found


def load_what_builds_need() -> None:
    """Import modules and compile templates here, once, instead of in every forked process."""
    for name in _LOADED:
        import_module(f"diglot.{name}")
    compile_all()


_LOADED = (
    *("cli.building.running", "content", "figures.execution.workers", "render.article", "serve.running"),
    *("rules.articles", "rules.figures", "rules.files", "rules.halves", "rules.live", "rules.references"),
    *("assembly.outputs", "rules.pages", "rules.summaries", "rules.theme", "use.verification"),
)
