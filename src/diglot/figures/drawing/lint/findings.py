"""What a look at a finished drawing found."""

import msgspec
from matplotlib.artist import Artist


class Finding(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A mistake in a drawing that the script's author should hear of."""

    rule: str
    message: str
    fix: str
    detail: str | None = None
    artist: Artist | None = None
    """The mark or text that it is about, which leads to the script's line; None for the whole drawing."""
    word: str = "def draw"
    """Text of the script's line, where the mark does not lead to one."""
    in_words: bool = False
    """Whether it is about the words of one language."""
