"""Forked processes that do not outlive the one they were forked from, however that one ends."""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Have the system kill this process when its parent ends, on Linux; it ends here if that is over.

    To be called by a process that was forked by the main thread: that is whose end counts. A parent that is
    killed can tell nobody, and what it left behind would write into the next build's files, or loop for ever.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
