"""What two blocks, titles or captions say differently, before it is told where."""

from typing import NamedTuple


class Difference(NamedTuple):
    """What two texts say differently."""

    rule: str
    message: str
    fix: str = "make both halves say the same."
