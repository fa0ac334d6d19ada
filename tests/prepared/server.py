"""Loads slow modules once, and forks a process for each request: `python -P server.py KIND… CONTROL_FD`.

For fork servers it imports nothing else from the tests, because their workers run figure scripts. A request
is one message with file descriptors. The first is a socket, over which the server sends the process id, then
the exit status.
"""

import contextlib
import gc
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NoReturn

Begin = Callable[[dict[str, Any], list[int]], NoReturn]
"""Runs in the forked process, with the request and its file descriptors."""


def main() -> None:
    """Serve until the other end of the control socket is closed."""
    control = socket.socket(fileno=int(sys.argv[-1]))
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    begin: Begin | None = None
    running: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if woken in ready:
                os.read(woken, 4096)
                _reap(running)
            if control not in ready:
                continue
            message, numbers, _, _ = socket.recv_fds(control, 2**20, 8)
            if not message:
                return
            if begin is None:
                gc.disable()  # until all is loaded that stays to the end
                begin = _load_command() if sys.argv[1] == "command" else _load_fork_server()
                gc.collect()
                gc.freeze()
                gc.enable()
            pid = os.fork()
            if pid == 0:
                selector.close()
                for number in (control.detach(), woken, wake, *(one.detach() for one in running.values())):
                    os.close(number)
                _become(json.loads(message), numbers, begin)
            asker = socket.socket(fileno=numbers[0])
            for number in numbers[1:]:
                os.close(number)
            running[pid] = asker
            _tell(asker, pid)


def _reap(running: dict[int, socket.socket]) -> None:
    for pid in [*running]:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with running.pop(pid) as asker:
                _tell(asker, os.waitstatus_to_exitcode(status))


def _tell(asker: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # the client has ended
        asker.sendall(number.to_bytes(4, "big", signed=True))


def _become(request: dict[str, Any], numbers: list[int], begin: Begin) -> NoReturn:
    """In the child: become like a process that was started for the request."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        os.close(numbers[0])
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["environment"])
        time.tzset()
        tempfile.tempdir = None
        begin(request, numbers[1:])
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    os._exit(70)


def _load_fork_server() -> Begin:
    """Load what `diglot.figures.execution.fork_server` loads at its start."""
    from pathlib import Path

    from diglot.figures.drawing.font_cache import checked
    from diglot.figures.execution import fork_server
    from diglot.figures.scripts import environment

    environment.seal()
    with tempfile.TemporaryDirectory() as folder, checked(Path(folder)):
        os.environ["MPLCONFIGDIR"] = folder
        fork_server.make_alike(int(sys.argv[2]))
        fork_server.preload()

    def begin(request: dict[str, Any], numbers: list[int]) -> NoReturn:
        environment.seal()
        control, errors = numbers
        os.dup2(errors, 2)
        os.close(errors)
        root, cache, timeout_s, memory_mb = request["words"]
        fork_server.ForkServer(
            socket.socket(fileno=control),
            Path(root),
            Path(cache),
            timeout_s=float(timeout_s),
            memory_mb=int(memory_mb),
        ).serve()
        os._exit(0)

    return begin


def _load_command() -> Begin:
    """Load what `python -m diglot` loads. The command starts its fork server through `Prepared`, too."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path.insert(0, root)
    from tests import prepared
    from tests.hostile.forked import load_what_builds_need
    from tests.prepared.templates import compile_once

    compile_once()
    load_what_builds_need()
    sys.path.remove(root)

    def begin(request: dict[str, Any], numbers: list[int]) -> NoReturn:
        out, errors, *fork_servers = numbers
        os.dup2(out, 1)
        os.dup2(errors, 2)
        os.close(out)
        os.close(errors)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115  (to the end)
        sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115  (to the end)
        prepared.use(prepared.Prepared(socket.socket(fileno=number) for number in fork_servers))
        sys.argv[:] = ["diglot", *request["words"]]
        from diglot.cli import run

        run()

    return begin


if __name__ == "__main__":
    main()
