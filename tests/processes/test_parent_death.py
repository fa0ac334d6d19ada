"""Forked processes end with the process they were forked from, even where that one is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import diglot

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system's own means")

PARENT = """
import os, time
from diglot.processes.parent_death import end_with

parent = os.getpid()
if os.fork() == 0:
    end_with(parent)
    print(os.getpid(), flush=True)
    while True:
        time.sleep(60)
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
    end = time.monotonic() + 20
    while Path(f"/proc/{child}").exists():
        state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":  # nobody has asked for it yet
            return
        assert time.monotonic() < end, "it lives on"
        time.sleep(0.01)
