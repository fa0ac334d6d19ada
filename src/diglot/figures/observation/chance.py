"""Chance that is the same every time: where a script names no seed, one is drawn from a fixed stream.

`random.Random()`, `numpy.random.default_rng()`, `SeedSequence()` and all else that would ask the system for
entropy ask the stream instead, also `os.urandom`, `secrets` and `uuid.uuid4`. To be put in place before numpy
is loaded, which takes its source of entropy by name.
"""

import os
import random
from collections.abc import Callable
from typing import Any

from diglot.figures.observation.replacing import replace_everywhere

_stream = random.Random(0)
_installed: list[bool] = []


def install() -> None:
    """Let the stream stand in for the system's entropy. Changes the process, once."""
    if _installed:
        return
    _installed.append(True)
    replace_everywhere(os.urandom, _bytes)
    if hasattr(os, "getrandom"):
        replace_everywhere(os.getrandom, lambda size, flags=0: _bytes(size))
    random.Random.seed = _seeded(random.Random.seed)  # type: ignore[method-assign]  # replaced, so that all chance is seeded
    # The functions of the module are methods of one generator, which `random.seed` is bound to.
    random.seed = random.random.__self__.seed  # type: ignore[attr-defined]  # a bound method


def begin() -> None:
    """Begin chance anew: the stream, `random`, and numpy's old generator."""
    import numpy as np

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
