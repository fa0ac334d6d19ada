"""How much is tried: a minute's worth by default, `DIGLOT_HOSTILE=long` for all of it.

Everything is drawn from one seed. `DIGLOT_HOSTILE_SEED` draws other cases, in a short run other kinds, too:
`.ci/run` has another one each day, so that all of them come to their turn.
"""

import os
import random
import zlib

LONG = os.environ.get("DIGLOT_HOSTILE") == "long"
SEED = int(os.environ.get("DIGLOT_HOSTILE_SEED", "2026"))


def tries(short: int, *, long: int) -> int:
    """How many cases of a family are tried: `short` of them in an ordinary run of the tests."""
    return long if LONG else short


def draws(family: str) -> random.Random:
    """The source of a family's cases: the same in every run with the same seed."""
    return random.Random(zlib.crc32(f"{SEED} {family}".encode()))
