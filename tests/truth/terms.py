"""Slips in terms: a word that the glossary refuses, or another word than the twin's term."""

import random
import re

from diglot.languages import LANGUAGES, Language, count_han, twin_of
from tests.truth.planting import Block, Fault
from tests.truth.published import TERMS

_HIDDEN = re.compile(r"^```.*$|^:\w+:.*$|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\{[^}]*\}", re.M)
"""What is no prose, although it may hold the word."""
_KINDS = ("paragraph", "list", "table", "figure", "notes", "admonition", "heading", "footnote")
_OTHERS: dict[Language, tuple[str, ...]] = {
    "zh": ("分水岭", "搬运", "那一堆"),
    "en": ("watershed", "haulage", "the lot"),
}
"""Words that are no term of the site."""


def refused_word(block: Block, chance: random.Random) -> Fault | None:
    """A term is called by a word that the glossary refuses."""
    return _slip(block, chance, refused=True)


def word_of_ones_own(block: Block, chance: random.Random) -> Fault | None:
    """One half calls a term by another word, everywhere in a block."""
    return _slip(block, chance, refused=False)


def _slip(block: Block, chance: random.Random, *, refused: bool) -> Fault | None:
    if block.kind not in _KINDS:
        return None
    slips = []
    for language in LANGUAGES:
        text, twin = block.of(language), twin_of(language)
        hidden = [one.span() for one in _HIDDEN.finditer(text)]
        for term in TERMS:
            words = term.refused(language) if refused else _OTHERS[language]
            said = [term.names.of(language)] if refused else term.accepted(language)
            places = [
                one
                for one in re.finditer("|".join(map(_whole, said)), text, re.I)
                if not any(start <= one.start() < end for start, end in hidden)
            ]
            in_twin = re.search(_whole(term.names.of(twin)), _HIDDEN.sub(" ", block.of(twin)), re.I)
            if places and words and (refused or in_twin):
                slips.append((language, places[:1] if refused else places, chance.choice(words)))
    if not slips:
        return None
    language, places, word = chance.choice(slips)
    text = block.of(language)
    for place in reversed(places):
        text = text[: place.start()] + word + text[place.end() :]
    rules = frozenset(("glossary-word", "glossary-twin")) if refused else frozenset(("glossary-twin",))
    return Fault(block.having(language, text), rules)


def _whole(word: str) -> str:
    return re.escape(word) if count_han(word) else rf"\b{re.escape(word)}s?\b"


PLANTERS = (refused_word, word_of_ones_own)
