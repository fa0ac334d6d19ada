"""The first use of each of a site's terms in a half, with its name in the other language behind it."""

import html
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from diglot.content.records import Document, Parts
from diglot.content.terms import Term, pattern_of
from diglot.languages import HTML_LANG, Language, twin_of

_KINDS = ("paragraph", "list", "definitions", "quote", "admonition")
_HOLE = "\0"
"""Stands for a placeholder while the text around it is looked through; no text holds it."""
_PIECE = re.compile(
    r"<(?P<skipped>a|code|math|pre|svg|sup|h[1-6])\b.*?</(?P=skipped)>|<!--.*?-->|<[^<>]*>|(?P<text>[^<]+)",
    re.S,
)


def with_twins(half: Document, terms: Sequence[Term]) -> Document:
    """The half with the twin's name behind the first use of each term.

    Headings, captions, notes, code, and the texts of links stay as they are, and so does a term behind which
    the author has put something in parentheses.
    """
    waiting = {term.id: term for term in terms if term.names.zh != term.names.en}
    blocks = []
    for block in half.blocks:
        if waiting and block.kind in _KINDS:
            blocks.append(replace(block, parts=_in_parts(block.parts, waiting, half.language)))
        else:
            blocks.append(block)
    return replace(half, blocks=tuple(blocks))


def _in_parts(parts: Parts, waiting: dict[str, Term], language: Language) -> Parts:
    """Parts with the twins of the terms that are `waiting` for their first use; those met wait no more."""
    holes = [part for part in parts if not isinstance(part, str)]
    text = "".join(part if isinstance(part, str) else _HOLE for part in parts)
    literals = "".join(_pieces(text, waiting, language)).split(_HOLE)
    return tuple(part for pair in zip_longest(literals, holes) for part in pair if part)


def _pieces(text: str, waiting: dict[str, Term], language: Language) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        if piece["text"] is None or not waiting:
            yield piece[0]
            continue
        terms = [*waiting.values()]
        names = (pattern_of(html.escape(term.names.of(language), quote=False)) for term in terms)
        at = piece.start()
        for found in re.finditer("|".join(f"({name})" for name in names), piece[0]):
            term = terms[(found.lastindex or 1) - 1]
            if waiting.pop(term.id, None) is None:
                continue
            end = piece.start() + found.end()
            yield text[at:end]
            at = end
            if not text[end:].lstrip().startswith(("(", "（")):
                yield _twin(term, language)
        yield text[at : piece.end()]


def _twin(term: Term, language: Language) -> str:
    other = twin_of(language)
    opening, closing = ("（", "）") if language == "zh" else (" (", ")")
    name = html.escape(term.names.of(other), quote=False)
    return f'<span class="gloss">{opening}<span lang="{HTML_LANG[other]}">{name}</span>{closing}</span>'
