"""What two blocks, titles or captions say differently, before its place is known."""

from typing import NamedTuple


class Difference(NamedTuple):
    """What two texts say differently."""

    rule: str
    message: str
    fix: str = "make both halves say the same."
