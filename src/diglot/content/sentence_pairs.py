"""Sentences of two texts that stand for each other, where this is sure: where both have as many of them.

Translators join and divide sentences. So the lines of two texts are paired if there are as many, and the
sentences of two lines if there are as many; of all others nothing is known.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from diglot.content.prose import BOUND, CITED
from diglot.languages import HAN, Language

_CLOSERS = f'[”’」』）)"{CITED}]*'
_ENDS = {
    "zh": re.compile(rf"(?<=[。！？])({_CLOSERS})"),
    "en": re.compile(
        rf"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<!\bal\.)(?<!\b[A-Z]\.)(?<!\bFig\.)(?<!\bNo\.)"
        rf"(?<=[.!?])({_CLOSERS})\s+(?=[A-Z“\"(0-9{BOUND}{HAN}])"
    ),
}


def sentences_in(line: str, language: Language) -> list[str]:
    """The sentences of a line of prose."""
    ends = [end.end() for end in _ENDS[language].finditer(line)]
    pieces = [line[start:end].strip() for start, end in zip([0, *ends], [*ends, len(line)], strict=True)]
    return [piece for piece in pieces if piece]


def sentence_at(text: str, place: int, language: Language) -> str:
    """The sentence of a text in which a place is."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start:].partition("\n")[0]
    ends = [0, *(end.end() for end in _ENDS[language].finditer(line)), len(line)]
    return next(line[begin:end] for begin, end in pairwise(ends) if end > place - start or end == len(line))


def all_sentences(text: str, language: Language) -> list[str]:
    """The sentences of all lines of a text."""
    return [one for line in _lines(text) for one in sentences_in(line, language)]


def sentence_pairs(zh: str, en: str) -> Iterator[tuple[str, str]]:
    """The sentences of two texts that surely belong together."""
    for here, there in line_pairs(zh, en):
        ours, theirs = sentences_in(here, "zh"), sentences_in(there, "en")
        if len(ours) == len(theirs):
            yield from zip(ours, theirs, strict=True)


def line_pairs(zh: str, en: str) -> Iterator[tuple[str, str]]:
    """The lines of two texts, such as items of a list, where both have as many."""
    left, right = _lines(zh), _lines(en)
    if len(left) == len(right):
        yield from zip(left, right, strict=True)


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.split("\n")) if line]
