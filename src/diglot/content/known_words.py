"""Words of the field with their translations: `known_words.json`, which comparisons of two halves share."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from diglot.languages import Language

Translations = dict[str, str]
"""Patterns of Chinese words, with patterns of their translations, without their borders."""


@cache
def tables() -> dict[str, Translations]:
    """Verbs and adjectives in `denied`, nouns in `things`, with translations; and `opposite` words."""
    data = Path(__file__).with_name("known_words.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Translations])


@cache
def translations() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """The patterns of verbs and adjectives in both languages."""
    return tuple(_patterns("denied"))


@cache
def all_translations() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """The same, of nouns as well."""
    return (*translations(), *_patterns("things"))


def _patterns(table: str) -> Iterator[tuple[re.Pattern[str], re.Pattern[str]]]:
    return ((re.compile(zh), re.compile(rf"\b(?:{en})\b", re.I)) for zh, en in tables()[table].items())


class KnownWords(NamedTuple):
    """How many known words of the field a text has, and the translations of how many its twin has."""

    known: int
    kept: int


def known_words(text: str, twin: str, language: Language) -> KnownWords:
    """The known words of a text in a language, and those of them that its twin in the other one has."""
    pairs = all_translations() if language == "zh" else ((en, zh) for zh, en in all_translations())
    kept = [there.search(twin) is not None for here, there in pairs if here.search(text)]
    return KnownWords(len(kept), sum(kept))
