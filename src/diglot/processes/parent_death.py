"""Forked processes that end with their parent, however it ends."""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Have Linux kill this process when its parent ends; end it now if the parent has ended already.

    To be called in a process that the parent's main thread forked: the system watches that thread. A parent
    that is killed cannot end its children: they would write into the next build's files, or loop for ever.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
