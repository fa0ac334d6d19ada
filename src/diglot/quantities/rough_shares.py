"""Shares of which only is said whether they are more or less than half: `most of`, `大多数`, `少数`.

They are no quantities, because they have no number. Where the other half of a text has one, it lies on the
same side of a half.
"""

import re
from typing import NamedTuple

from diglot.languages import Language
from diglot.quantities.quantity import Quantity

_SLACK = 0.05
"""By how much a number may lie on the other side of a half, because it is rounded."""


class RoughShare(NamedTuple):
    """A share that is more or less than half."""

    is_most: bool
    text: str

    def contradicts(self, share: Quantity) -> bool:
        """Whether a number is on the other side of a half."""
        return share.high < 0.5 - _SLACK if self.is_most else share.low > 0.5 + _SLACK


_PATTERNS: dict[Language, tuple[tuple[re.Pattern[str], bool], ...]] = {
    "zh": (
        (re.compile("绝?大?多数(?![组据字值学])|绝?大部分"), True),
        (re.compile("(?<!不)(?:少数(?![据字值学])|[小少]部分)"), False),
    ),
    "en": (
        (
            re.compile(r"(?<!the )(?<!at )\bmost (?:of\b|(?=[a-z]+s\b))|\bmajority\b|\bthe bulk of\b", re.I),
            True,
        ),
        (
            re.compile(
                r"\bminority\b|\blittle of (?:the|this|these|its|their)\b|\bhardly any\b"
                r"|\bsmall(?:er)? (?:part|share|fraction|portion) of\b"
                r"|(?<!the )(?<!last )(?<!next )(?<!first )\bfew (?:of\b|(?=[a-z]+s\b))",
                re.I,
            ),
            False,
        ),
    ),
}


def rough_shares_in(text: str, language: Language) -> list[RoughShare]:
    """The rough shares of a text."""
    return [
        RoughShare(is_most, found.group().strip())
        for pattern, is_most in _PATTERNS[language]
        for found in pattern.finditer(text)
    ]
