"""The memory limit of a call: address space of its process, in addition to what it used at the start."""

import contextlib
import errno
import resource
import sys

from diglot.figures.scripts.worker_state import state

DEFAULT_MB = 4096
"""Default limit in units of 1,000,000 bytes, for sites that do not set `figure_memory_mb`."""
_SPARE_BYTES = 256 * 2**20
"""Address space that is reserved for reporting the failure."""
_LARGEST = 2**62


def limit(most_mb: int) -> None:
    """Limit this process to `most_mb` million bytes more address space than it has now.

    Address space is what the system can limit without monitoring. It includes memory that is reserved and
    never used, but the libraries that reserve much are loaded by now. Some systems do not enforce the limit.
    """
    state.memory_limit_mb = most_mb
    most = min(_used_bytes(_ALL) + most_mb * 1_000_000, _LARGEST)
    with contextlib.suppress(OSError, ValueError):
        _, highest = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, highest))
    # If the machine runs out of memory, the system should kill a figure before the build or other programs.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("800")


def limit_mb() -> int:
    """The limit that was set, in millions of bytes."""
    return DEFAULT_MB if state.memory_limit_mb is None else state.memory_limit_mb


def ran_out(error: BaseException) -> bool:
    """Whether an exception means that memory ran out."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def spare() -> None:
    """Raise the limit by the reserve. Call this when memory has run out, to report it."""
    with contextlib.suppress(OSError, ValueError):
        most, highest = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_AS, (most + _SPARE_BYTES, highest))


def let_reserve() -> None:
    """Let libraries reserve address space without limit. On Linux, what they can write to stays limited.

    V8, which draws charts of Altair, reserves much that it never uses.
    """
    with contextlib.suppress(OSError, ValueError):
        if sys.platform == "linux":
            most = min(_used_bytes(_WRITABLE) + limit_mb() * 1_000_000, _LARGEST)
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        _, highest = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (highest, highest))


_ALL, _WRITABLE = 0, 5
"""Places in the kernel's account of a process."""


def _used_bytes(place: int) -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[place]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0
