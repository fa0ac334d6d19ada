"""Numbers changed in one half of this project's own article and talk: each is found, and nothing else is.

Their values come from figures. Here each is written out as a number that its expression determines, the same
in both halves, so that there are numbers to change.
"""

import hashlib
import random
import re
from functools import cache
from pathlib import Path

import pytest

from diglot.content.agreement import compare_contents
from diglot.content.document import parse_document
from diglot.content.pairs import pair_documents
from diglot.content.records import Document
from diglot.languages import LANGUAGES, Language, twin_of

CONTENT = Path(__file__).parents[2] / "content"
ARTICLES = ("posts/gpu-vs-tpu", "talks/gpu-vs-tpu")
FAULTS = 40

_VALUE = re.compile(r"\{(?:eval|control)\}`([^`|]*)(?:\|([^`]*))?`")
_NUMBER = re.compile(r"(?<![\w.,$#/`{-])\d[\d,]*(?:\.\d+)?%?(?![\w`.)])")
_NOT_PROSE = re.compile(
    r"(?s)\A---.*?\n---\n|```(?:python|\{figure-script\}).*?\n```|^:\w+:.*?$|\$[^$]*\$", re.M
)
_NAMED = re.compile(r"(?:Llama|cycle|row|第)[ \u00a0]?\Z")


def _written_out(found: re.Match[str]) -> str:
    expression, filters = "".join(found[1].split()), found[2] or ""
    digest = int(hashlib.sha256(expression.encode()).hexdigest(), 16)
    if "tile_shape" in expression:
        return f"{digest % 4 * 64 + 64}×{digest % 3 * 64 + 64}"
    if "percent" in filters:
        return f"{digest % 97 + 2}%"
    decimals = re.search(r"number\(([1-9])\)", filters)
    return f"{digest % 4000 / 8:,.{decimals[1]}f}" if decimals else f"{digest % 1900 + 11:,}"


@cache
def text_of(article: str, language: Language) -> str:
    return _VALUE.sub(_written_out, (CONTENT / article / f"{language}.md").read_text("utf-8"))


def parsed(article: str, language: Language, text: str) -> Document:
    return parse_document(text, f"content/{article}/{language}.md", language)


@cache
def half_of(article: str, language: Language) -> Document:
    return parsed(article, language, text_of(article, language))


def differences(article: str, changed: Document) -> list[str]:
    halves = {
        changed.language: changed,
        twin_of(changed.language): half_of(article, twin_of(changed.language)),
    }
    alignment = pair_documents(halves["zh"], halves["en"])
    return [one.message for one in compare_contents(halves["zh"], halves["en"], alignment)]


def _fault(text: str, chance: random.Random) -> str:
    """The text with one number changed: its first digits swapped, its unit, or its last digit."""
    hidden = [found.span() for found in _NOT_PROSE.finditer(text)]
    places = [
        found
        for found in _NUMBER.finditer(text)
        if not any(start <= found.start() < end for start, end in hidden)
        and not _NAMED.search(text[: found.start()])
    ]
    found = chance.choice(places)
    digits = [*found.group()]
    if digits[-1] == "%" and chance.random() < 0.3:
        digits[-1] = "×"
    elif digits[:2] != digits[1::-1] and "".join(digits[:2]).isdigit() and chance.random() < 0.5:
        digits[:2] = digits[1::-1]
    else:
        last = max(i for i, one in enumerate(digits) if one.isdigit())
        digits[last] = str((int(digits[last]) + 1) % 10)
    return text[: found.start()] + "".join(digits) + text[found.end() :]


@pytest.mark.parametrize("article", ARTICLES)
def test_nothing_is_found_in_what_is_published(article: str):
    assert differences(article, half_of(article, "en")) == []


@pytest.mark.parametrize("article", ARTICLES)
def test_changed_numbers_are_found(article: str):
    chance = random.Random(article)
    missed = []
    for _ in range(FAULTS):
        language = chance.choice(LANGUAGES)
        text = _fault(text_of(article, language), chance)
        if not differences(article, parsed(article, language, text)):
            missed.append(text)
    assert len(missed) <= FAULTS * 0.03
