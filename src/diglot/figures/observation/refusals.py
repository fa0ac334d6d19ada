"""Actions that scripts are refused because their effects cannot be tracked, each with what to do instead."""

import os
import sys
import sysconfig
from collections.abc import Callable, Mapping
from functools import cache
from types import FrameType
from typing import Any

from diglot.figures.observation.replacing import replace_everywhere
from diglot.figures.scripts.refused import Refused

NETWORK = "use the network: download the data yourself and put it into the project"
PROGRAM = "start a program: run it yourself and put its output into the project"
PROCESS = "start a process: call the function here, or use `sweep`, which has several processes"
COMPILED = (
    "call compiled code through ctypes, because what it reads cannot be tracked: use a "
    "package with a Python interface"
)
MACHINE = (
    "ask about this machine, because the figure would differ on another one: write the value into the "
    "script, or read an environment variable with `env`"
)
ATTRIBUTES = "read extended attributes, because changes to them cannot be detected: put the data into a file"
SIGNALS = "send signals to other processes: delete this call"
EXTENSION = "load an SQLite extension, because what it reads cannot be tracked: work it out in Python"

REFUSED_EVENTS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"),
            *("socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"),
            *("socket.getservbyname", "socket.getservbyport"),
        ),
        NETWORK,
    ),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"), PROGRAM),
    **dict.fromkeys(("os.fork", "os.forkpty", "pty.spawn", "cpython.PyInterpreterState_New"), PROCESS),
    **dict.fromkeys(("socket.gethostname", "socket.sethostname"), MACHINE),
    "os.getxattr": ATTRIBUTES,
    "sqlite3.load_extension": EXTENSION,
}
"""Audit events that always raise `Refused`. For others it depends on their arguments: see `why_refused`."""

REFUSED_FUNCTIONS: Mapping[str, str] = {
    "_posixsubprocess.fork_exec": PROGRAM,
    **dict.fromkeys(("os.pidfd_open", "signal.pidfd_send_signal"), SIGNALS),
    "_posixshmem.shm_open": PROCESS,
    **dict.fromkeys(("os.statvfs", "os.fstatvfs", "os.getloadavg", "os.getlogin"), MACHINE),
    **dict.fromkeys(("uuid.uuid1", "uuid.getnode"), MACHINE),
}
"""Functions without audit events, replaced by ones that raise `Refused` if a script is running."""

_BY_COMPILED_CODE = ("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function")
_HARMLESS_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
)
_CHANCE = ("/dev/random", "/dev/urandom", "/dev/hwrng")
_MOMENT = ("/proc", "/sys")
AF_UNIX = 1


def why_refused(event: str, args: tuple[Any, ...]) -> str | None:
    """The refused action of an audit event, to follow "may not" in a message; None if it is allowed."""
    if (why := REFUSED_EVENTS.get(event)) is not None:
        return why
    if event == "socket.__new__":
        return NETWORK if args[1] != AF_UNIX else None
    if event in _BY_COMPILED_CODE:
        return None if asked_by_a_library() else COMPILED
    if event == "sqlite3.enable_load_extension":
        return EXTENSION if args[1] else None
    if event == "resource.prlimit":
        return None if args[0] in (0, os.getpid()) else "limit other processes: delete this call"
    if event in ("os.kill", "os.killpg"):
        own = os.getpid() if event == "os.kill" else None
        return None if args[0] == own else SIGNALS
    return None


def why_not_opened(path: str) -> str | None:
    """The same as `why_refused`, for opening a path, which must be absolute and without symbolic links."""
    if path in _CHANCE:
        return (
            "read random numbers that cannot be reproduced: use `random` or `numpy.random`, which are seeded"
        )
    if path.startswith("/dev/") and not path.startswith(("/dev/shm/", "/dev/fd/", "/dev/pts/")):
        return None if path in _HARMLESS_DEVICES else f"read the device {path}: read a file of the project"
    if path.startswith(_MOMENT) and not asked_by_a_library():
        return (
            f"read {path}, because it describes the current state of this machine: "
            "write the value into the script"
        )
    return None


def refuse_functions(is_at_work: Callable[[], bool]) -> None:
    """Replace `REFUSED_FUNCTIONS`; they raise Refused if `is_at_work()`. Call once: changes the process."""
    for name, why in REFUSED_FUNCTIONS.items():
        module_name, _, function = name.rpartition(".")
        try:
            real = getattr(__import__(module_name), function)
        except (ImportError, AttributeError):  # some systems do not have all of them
            continue
        replace_everywhere(real, _refusing(real, why, is_at_work))


def _refusing(real: Callable[..., Any], why: str, is_at_work: Callable[[], bool]) -> Any:
    def refused(*args: Any, **options: Any) -> Any:
        if is_at_work():
            raise Refused(why)
        return real(*args, **options)

    return refused


def asked_by_a_library() -> bool:
    """Whether the innermost caller outside diglot and the standard library is an installed package."""
    frame: FrameType | None = sys._getframe(1)
    standard, installed = _libraries()
    own = os.path.dirname(os.path.dirname(__file__))
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(own):  # diglot may be an installed package itself
            if path.startswith(installed):
                return True
            if not path.startswith(("<frozen", *standard)):
                return False
        frame = frame.f_back
    return False


@cache
def _libraries() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders of the standard library and of installed packages; the latter may be inside the former."""
    paths = sysconfig.get_paths()
    installed = {paths[name] + os.sep for name in ("purelib", "platlib")}
    standard = {paths[name] + os.sep for name in ("stdlib", "platstdlib")}
    return tuple(standard), tuple(installed)
