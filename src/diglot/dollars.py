"""Which dollar signs enclose a formula: the same rule in prose and in drawings, so that money stays money."""

import re
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


_PRICE = re.compile(r"\$(?=/|[0-9][0-9.,]*+(?![\\^_{]))|(?<=[0-9])\$")
"""The dollar sign of a price: `$5`, `5$`, `$/h`, but not that of `$2^n`."""
_CODE = re.compile(r"(?P<ticks>`++)[^`]+(?P=ticks)(?!`)")
_MOST_DOLLARS = 20
"""How many dollars are looked at for one behind closed braces."""


def formula_at(text: str, start: int, end: int) -> Dollars | None:
    """The formula whose dollar sign is at `start`, if it is closed before `end`; None for money.

    A formula has no spaces just inside its signs and no digits just outside them: `$5 and $6` is none.
    It neither begins nor ends with a slash, as prices do: `$/h`, `7 €/$`, nor is its sign a price's: `US$5`.
    """
    width = 2 if text.startswith("$$", start) else 1
    first = start + width
    if (
        first >= end
        or text[first].isspace()
        or text[first] == "/"
        or (start > 0 and text[start - 1].isdigit())
        or (start > 0 and text[first].isdigit() and text[start - 1].isascii() and text[start - 1].isalpha())
    ):
        return None
    closing = _closing_dollars(text, first, end, width)
    if closing < 0:
        return None
    after = closing + width
    if (
        closing == first
        or text[closing - 1].isspace()
        or text[closing - 1] == "/"
        or (after < end and text[after].isdigit())
    ):
        return None
    return Dollars(first, closing, width)


def _closing_dollars(text: str, first: int, end: int, width: int) -> int:
    r"""Where a formula ends; -1 if it does not. Dollars inside of `\text{…}` do not end it."""
    closing, earliest = first, -1
    for _ in range(_MOST_DOLLARS):
        closing = text.find("$" * width, closing, end)
        if closing < 0:
            break
        inside = text[first:closing]
        if (len(inside) - len(inside.rstrip("\\"))) % 2 == 0:
            earliest = closing if earliest < 0 else earliest
            opened = inside.count("{") - inside.count("\\{")
            if "\\text" not in inside and "box" not in inside:
                return earliest
            if opened <= inside.count("}") - inside.count("\\}"):
                return closing
        closing += 1
    return earliest


def has_lone_dollar(text: str) -> bool:
    """Whether a dollar sign in Markdown, none of a price, may begin or end a formula that is not whole."""
    text = _CODE.sub("", text)
    at = text.find("$")
    while at >= 0:
        whole = formula_at(text, at, len(text))
        if whole is None and _PRICE.match(text, at) is None:
            return True
        at = text.find("$", at + 1 if whole is None else whole.after)
    return False
