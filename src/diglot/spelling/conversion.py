"""Texts from simplified to traditional characters, by OpenCC."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Protocol

from diglot.languages import HAN
from diglot.spelling.corrections import CORRECTIONS, TAIWANESE_TERMS
from diglot.spelling.settings import Spelling, TraditionalVariant

_CONFIGURATIONS: dict[TraditionalVariant, str] = {
    "standard": "s2t",
    "taiwan": "s2tw",
    "taiwan-terms": "s2twp",
    "hong-kong": "s2hk",
    "hong-kong-terms": "s2hkp",
}
"""What OpenCC calls each of them; those that end in p replace words, too."""
_WITHOUT_TERMS: dict[TraditionalVariant, TraditionalVariant] = {
    "taiwan-terms": "taiwan",
    "hong-kong-terms": "hong-kong",
}
_BETWEEN = "\x1f"
"""What separates texts that are converted in one call: no text of a page contains it."""
_HAN = re.compile(f"[{HAN}]")
_CORNERS = str.maketrans("“”", "「」")
_INNER = re.compile(f"‘([^‘’{_BETWEEN}]*)’")
"""What is in quotation marks within others; an apostrophe stands alone."""


class _OpenCC(Protocol):
    def convert(self, text: str) -> str: ...


def is_chinese(text: str) -> bool:
    """Whether there is anything in a text to convert."""
    return _HAN.search(text) is not None


class Converter:
    """Converts texts: first the phrases with a conversion of their own, then all others."""

    def __init__(self, spelling: Spelling) -> None:
        variant = spelling.variant
        terms = TAIWANESE_TERMS if variant == "taiwan-terms" else {}
        own = CORRECTIONS | terms | dict(spelling.exceptions)
        as_long = {phrase: becomes for phrase, becomes in own.items() if len(phrase) == len(becomes)}
        has_corners = variant != "standard"
        self._words = _Words(own, variant, has_corners=has_corners)
        self._characters = _Words(as_long, _WITHOUT_TERMS.get(variant, variant), has_corners=has_corners)

    def text(self, text: str) -> str:
        """A text in traditional characters."""
        return self.texts([text])[0] if is_chinese(text) else text

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Some texts in traditional characters."""
        return self._words.converted(texts) if texts else []

    def labels(self, labels: Sequence[str]) -> list[str]:
        """Some texts with as many characters as before, for drawings, in which each label has its room."""
        return [
            after if len(before) == len(after) else self._characters.converted([before])[0]
            for before, after in zip(labels, self.texts(labels), strict=True)
        ]


class _Words:
    """A way to convert: phrases, and a variant for what is between them."""

    def __init__(self, own: Mapping[str, str], variant: TraditionalVariant, *, has_corners: bool) -> None:
        """With `has_corners`, quotation marks become 「」, as Taiwan and Hong Kong write them."""
        self._own, self._opencc, self._has_corners = own, _opencc(variant), has_corners
        longest_first = sorted(own, key=lambda phrase: (-len(phrase), phrase))
        self._phrase = re.compile(f"({'|'.join(map(re.escape, longest_first))})")

    def converted(self, texts: Sequence[str]) -> list[str]:
        pieces = self._phrase.split(_BETWEEN.join(texts))
        pieces[::2] = self._opencc.convert("\x1e".join(pieces[::2])).split("\x1e")
        pieces[1::2] = (self._own[phrase] for phrase in pieces[1::2])
        converted = "".join(pieces)
        if self._has_corners:
            converted = _INNER.sub(r"『\1』", converted.translate(_CORNERS))
        return converted.split(_BETWEEN)


@lru_cache
def _opencc(variant: TraditionalVariant) -> _OpenCC:
    opencc: _OpenCC = import_module("opencc").OpenCC(_CONFIGURATIONS[variant])
    return opencc


@lru_cache(4)
def converter(spelling: Spelling) -> Converter:
    """The converter of a spelling, made once in each process."""
    return Converter(spelling)
