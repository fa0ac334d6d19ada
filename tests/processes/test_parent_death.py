"""Forked processes end with their parent, even if it is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import diglot
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system's own means")

PARENT = """
import os, signal
from diglot.processes.parent_death import end_with

parent = os.getpid()
if os.fork() == 0:
    end_with(parent)
    print(os.getpid(), flush=True)
    signal.pause()
os.wait()
"""


def test_a_child_ends_when_its_parent_is_killed() -> None:
    source = Path(diglot.__file__).parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    child = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    wait_until(lambda: _has_ended(child))


def _has_ended(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"  # a zombie, until its new parent asks for its exit status
