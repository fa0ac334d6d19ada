"""Texts from simplified to traditional characters, by OpenCC."""

import re
from collections.abc import Sequence
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
"""What stands in quotation marks within others; an apostrophe stands alone."""


class _OpenCC(Protocol):
    def convert(self, text: str) -> str: ...


def is_chinese(text: str) -> bool:
    """Whether there is anything in a text to convert."""
    return _HAN.search(text) is not None


class Converter:
    """Converts texts: first the phrases with a conversion of their own, then all others."""

    def __init__(self, spelling: Spelling) -> None:
        variant = spelling.variant
        plain = _WITHOUT_TERMS.get(variant, variant)
        terms = TAIWANESE_TERMS if variant == "taiwan-terms" else {}
        self._own = CORRECTIONS | terms | dict(spelling.exceptions)
        longest_first = sorted(self._own, key=lambda phrase: (-len(phrase), phrase))
        self._phrase = re.compile(f"({'|'.join(map(re.escape, longest_first))})")
        self._opencc, self._plain = _opencc(variant), _opencc(plain)
        self._has_corners = variant != "standard"
        """Whether quotation marks become 「」, as Taiwan and Hong Kong write them."""

    def text(self, text: str) -> str:
        """A text in traditional characters."""
        return self.texts([text])[0] if is_chinese(text) else text

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Some texts in traditional characters."""
        return self._converted(texts, self._opencc) if texts else []

    def labels(self, labels: Sequence[str]) -> list[str]:
        """Some texts with as many characters as before, for drawings, in which each label has its room."""
        kept = self.texts(labels)
        for at, (before, after) in enumerate(zip(labels, kept, strict=True)):
            if len(before) != len(after):
                kept[at] = self._converted([before], self._plain)[0]
            if len(before) != len(kept[at]):
                kept[at] = self._plain.convert(before)
        return kept

    def _converted(self, texts: Sequence[str], opencc: _OpenCC) -> list[str]:
        pieces = self._phrase.split(_BETWEEN.join(texts))
        pieces[::2] = opencc.convert("\x1e".join(pieces[::2])).split("\x1e")
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
