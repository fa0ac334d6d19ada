"""Money, whose sign is before the number: `$1.56 per million tokens`, `US$2–3 an hour`."""

import re

from diglot.quantities.numerals import number_at
from diglot.quantities.ranges import range_mark_at
from diglot.quantities.spans import Span
from diglot.quantities.units import Unit, per_at

CURRENCIES = ("USD", "CNY", "EUR", "GBP")
SIGN = re.compile(r"(?:(?P<usd>(?:US)?\$)|(?P<cny>[¥￥])|(?P<eur>€)|(?P<gbp>£))[ \u00a0]?(?=\d)")


def money_at(text: str, sign: re.Match[str]) -> Span | None:
    """The sum behind a currency's sign."""
    low = number_at(text, sign.end())
    if low is None:
        return None
    high = low
    to = range_mark_at(text, low.end, text[: sign.start()])
    if to is not None:
        again = SIGN.match(text, to)
        is_other = again is not None and again.lastgroup != sign.lastgroup  # £20 or €24
        second = None if is_other else number_at(text, again.end() if again else to)
        high = second if second is not None and second.value > low.value else low
    unit, end = per_at(
        text, high.end, Unit((sign.lastgroup or "usd").upper(), 1.0), before=text[: sign.start()]
    )
    return Span(end, low, high, unit)
