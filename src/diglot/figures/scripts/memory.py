"""How much memory a call may take: by the address space of its process, beyond what that began with."""

import contextlib
import errno
import resource

DEFAULT_MB = 4096
"""Of 1,000,000 bytes, as a site without `figure_memory_mb` has it."""
_SPARE_BYTES = 256 * 2**20
"""Kept back, for saying what went wrong."""
_LARGEST = 2**62
_limit_mb: list[int] = []


def limit(most_mb: int) -> None:
    """Let this process ask for so much more than it has. Changes the process, for good.

    Address space is what the system can hold a process to without watching it. What libraries reserve and
    never use counts, but they are loaded by now. Not all systems do it.
    """
    _limit_mb[:] = [most_mb]
    most = min(_address_space_bytes() + most_mb * 1_000_000, _LARGEST)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, min(most + _SPARE_BYTES, _LARGEST)))
    # Where all of the machine's memory runs out, a figure goes before the build and others at work.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("800")


def limit_mb() -> int:
    """What was set."""
    return _limit_mb[0] if _limit_mb else DEFAULT_MB


def ran_out(error: BaseException) -> bool:
    """Whether an exception says that there was no memory left."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def spare() -> None:
    """Let go of what was kept back: to be called where memory ran out."""
    with contextlib.suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _address_space_bytes() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0
