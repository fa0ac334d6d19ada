"""Orders of magnitude, which stand for a multiple: `two orders of magnitude`, `2个数量级`."""

import re

from diglot.quantities.numerals import Numeral
from diglot.quantities.spans import TIMES, Span, stated

_ORDERS = re.compile("[ \u00a0]orders? of magnitude|[ \u00a0]?个?数量级")
_MOST = 30


def orders_at(text: str, number: Numeral) -> Span | None:
    """The multiple that a number of orders of magnitude is; None if none follows it."""
    found = _ORDERS.match(text, number.end)
    if found is None or not 0 < number.value <= _MOST:
        return None
    return stated(found.end(), 10**number.value, TIMES)
