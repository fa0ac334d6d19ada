"""The number of cases to try: about a minute's worth by default, all of them with `DIGLOT_HOSTILE=long`.

All cases are drawn from one seed, `DIGLOT_HOSTILE_SEED`. CI tries the same ones each time; a short run with
another seed tries other kinds of cases, too.
"""

import os
import random
import zlib

LONG = os.environ.get("DIGLOT_HOSTILE") == "long"
SEED = int(os.environ.get("DIGLOT_HOSTILE_SEED", "2026"))


def tries(short: int, *, long: int) -> int:
    """The number of cases of a family to try: `short` in an ordinary run of the tests."""
    return long if LONG else short


def draws(family: str) -> random.Random:
    """The random source of a family's cases, the same in every run with the same seed."""
    return random.Random(zlib.crc32(f"{SEED} {family}".encode()))
