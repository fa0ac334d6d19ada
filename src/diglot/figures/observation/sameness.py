"""Gives scripts fixed values for what differs between machines; `FROZEN` lists them."""

import os
import sys
from collections.abc import Mapping

from diglot.figures.observation.replacing import replace_everywhere

FROZEN: Mapping[str, str] = {
    "os.cpu_count()": "1",
    "os.sched_getaffinity(0)": "{0}",
    "os.uname()": "the system's name and kind of processor; else `localhost` and `0`",
    "os.listxattr(path)": "[]",
    "sys.argv": '["diglot"]',
}
"""Names with their fixed values, for the documentation. `file_access` fixes the times of files."""


def install() -> None:
    """Fix the values in `FROZEN`. Changes the process: call it once, before modules store the originals."""
    if hasattr(os, "sched_getaffinity"):
        replace_everywhere(os.sched_getaffinity, lambda pid: {0})
    replace_everywhere(os.cpu_count, lambda: 1)
    if hasattr(os, "process_cpu_count"):
        os.process_cpu_count = lambda: 1
    if hasattr(os, "listxattr"):
        replace_everywhere(os.listxattr, lambda path=None, *, follow_symlinks=True: [])
    real = os.uname()
    uname = type(real)((real.sysname, "localhost", "0", "0", real.machine))
    replace_everywhere(os.uname, lambda: uname)
    sys.argv[:] = ["diglot"]
    sys.orig_argv[:] = ["diglot"]
