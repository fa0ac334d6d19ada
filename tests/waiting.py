"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable

_LONG_S = 60.0
"""Nothing takes so long, on a busy machine either: who waits in vain is told so."""


def wait_until(happened: Callable[[], object], *, told: Callable[[], object] = lambda: "") -> None:
    """Until something is so; fails with what is `told` then where that never comes."""
    end = time.monotonic() + _LONG_S
    while not happened():
        assert time.monotonic() < end, f"it does not come: {told()}"
        time.sleep(0.02)
