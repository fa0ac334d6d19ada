"""Waits for what another process or thread does."""

import time
from collections.abc import Callable

_LONG_S = 60.0
"""Seconds after which a test fails: even on a busy machine nothing takes so long."""


def wait_until(happened: Callable[[], object], *, told: Callable[[], object] = lambda: "") -> None:
    """Wait until a condition holds. Fails with the result of `told` if that takes a minute."""
    end = time.monotonic() + _LONG_S
    while not happened():
        assert time.monotonic() < end, f"it does not come: {told()}"
        time.sleep(0.02)
