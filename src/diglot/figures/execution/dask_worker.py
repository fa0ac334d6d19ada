"""Runs calls on a worker of a cluster, with the same fork server as on the building machine.

The project's folder must be at the same path there (a shared file system). The building machine compares the
dependencies that a call observed with its own.
"""

import atexit
import tempfile
import threading
from functools import cache
from pathlib import Path

import msgspec

from diglot.figures.execution.fork_server_process import ForkServerProcess
from diglot.figures.jobs import ExecutorTrouble, Job, Limits
from diglot.figures.observation.versions import versions
from diglot.processes.cancellation import Cancellation


class CallContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker needs for a call besides the job."""

    root: str
    """The project's folder, absolute."""
    limits: Limits
    versions: tuple[tuple[str, str], ...]
    """Versions of the software that makes figures, on the building machine."""


class _ForkServers:
    """This worker's fork servers, one for each project and its limits. They live as long as the worker."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started: dict[tuple[str, Limits], ForkServerProcess] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def of(self, context: CallContext) -> ForkServerProcess:
        name = (context.root, context.limits)
        with self._lock:
            found = self._started.get(name)
            if found is None or not found.alive:
                if self._folder is None:
                    self._folder = tempfile.TemporaryDirectory(prefix="diglot-worker-")
                    atexit.register(self.close)
                found = ForkServerProcess(Path(context.root), Path(self._folder.name), context.limits)
                self._started[name] = found
            return found

    def close(self) -> None:
        for fork_server in self._started.values():
            fork_server.close()
        if self._folder is not None:
            self._folder.cleanup()


_fork_servers = _ForkServers()
_own_versions = cache(versions)


def call(context: bytes, job: bytes) -> bytes:
    """Run one call. Context, job and the returned `Called` are msgpack. Raises ExecutorTrouble."""
    here = msgspec.msgpack.decode(context, type=CallContext)
    if differing := [
        f"{name} is {theirs} here and {own} there"
        for (name, own), (_, theirs) in zip(_own_versions(), here.versions, strict=True)
        if own != theirs
    ]:
        raise ExecutorTrouble(
            f"the Dask workers have different versions: {', '.join(differing)}",
            "install the same versions into both environments, and restart the workers.",
        )
    if not Path(here.root).is_dir():
        raise ExecutorTrouble(
            f"a Dask worker cannot see the project folder {here.root}",
            "put the project on a file system that the workers share, at the same path there.",
        )
    called = _fork_servers.of(here).call(msgspec.msgpack.decode(job, type=Job), Cancellation())
    return msgspec.msgpack.encode(called)
