"""Waits for what another process or thread does."""

import time
from collections.abc import Callable

HANG_S = 900.0
"""Seconds after which a test says that something hangs: no machine is so slow that one step takes as long."""


def wait_until(happened: Callable[[], object], *, told: Callable[[], object] = lambda: "") -> None:
    """Wait until a condition holds. Fails with the result of `told` if it never does.

    It looks often at first and then ten times a second: looking takes time from what it waits for.
    """
    end, pause_s = time.monotonic() + HANG_S, 0.01
    while not happened():
        assert time.monotonic() < end, f"it does not come: {told()}"
        time.sleep(pause_s)
        pause_s = min(1.5 * pause_s, 0.1)
