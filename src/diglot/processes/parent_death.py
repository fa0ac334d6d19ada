"""Makes forked processes end with their parent, however it ends."""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Have Linux kill this process when its parent ends. End it now if the parent has already ended.

    Call this in a process that the parent's main thread forked, because Linux watches the forking thread.
    A parent that is killed cannot end its children, which would go on to write into the next build's files
    or loop for ever. Systems other than Linux get only the check for a parent that has already ended.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  (few builds need it)

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
