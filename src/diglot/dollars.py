"""Which dollar signs enclose a formula: the same rule in prose and in drawings, so that money stays money."""

from typing import NamedTuple


class Dollars(NamedTuple):
    """A formula in a text: where it begins and ends between its dollar signs, and how many those are."""

    first: int
    closing: int
    width: int

    @property
    def after(self) -> int:
        """The place behind the closing signs."""
        return self.closing + self.width


def formula_at(text: str, start: int, end: int) -> Dollars | None:
    """The formula whose dollar sign is at `start`, if it is closed before `end`; None for money.

    A formula has no spaces just inside its signs and no digits just outside them: `$5 and $6` is none.
    It does not begin with a slash, as a price does: `$/h`.
    """
    width = 2 if text.startswith("$$", start) else 1
    first = start + width
    if (
        first >= end
        or text[first].isspace()
        or text[first] == "/"
        or (start > 0 and text[start - 1].isdigit())
    ):
        return None
    closing = first
    while True:
        closing = text.find("$" * width, closing, end)
        if closing < 0:
            return None
        backslashes = len(text[first:closing]) - len(text[first:closing].rstrip("\\"))
        if backslashes % 2 == 0:
            break
        closing += 1
    after = closing + width
    if closing == first or text[closing - 1].isspace() or (after < end and text[after].isdigit()):
        return None
    return Dollars(first, closing, width)
