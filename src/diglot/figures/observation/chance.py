"""Reproducible random numbers: if a script gives no seed, one comes from a fixed stream.

`random.Random()`, `numpy.random.default_rng()`, `SeedSequence()` and everything else that would read the
system's entropy read the stream instead, including `os.urandom`, `secrets` and `uuid.uuid4`. Install this
before numpy is loaded, because numpy imports its source of entropy by name.
"""

import os
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from diglot.figures.observation.replacing import replace_everywhere

_stream = random.Random(0)


@cache
def install() -> None:
    """Replace the system's entropy by the stream. Changes the process: later calls do nothing."""
    replace_everywhere(os.urandom, _bytes)
    if hasattr(os, "getrandom"):
        replace_everywhere(os.getrandom, lambda size, flags=0: _bytes(size))
    random.Random.seed = _seeded(random.Random.seed)  # type: ignore[method-assign]  # seeds every generator
    # The module's functions are methods of one generator; `random.seed` must be its new method, too.
    random.seed = random.random.__self__.seed  # type: ignore[attr-defined]  # random.random is a method


def begin() -> None:
    """Reset the stream, `random`, and numpy's legacy global generator to their fixed seed."""
    import numpy as np  # noqa: PLC0415  (only scripts that use it load it)

    _restart(_stream, 0)
    random.seed(0)
    np.random.seed(0)


_restart = random.Random.seed


def _bytes(size: int) -> bytes:
    return _stream.randbytes(size)


def _seeded(seed: Callable[..., None]) -> Callable[..., None]:
    def seed_or_draw(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, _stream.getrandbits(128) if a is None else a, version)

    return seed_or_draw
