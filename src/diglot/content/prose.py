"""The prose of rendered parts: what a reader reads, without code, formulas and the marks of notes."""

import html
import re

from diglot.content.records import Parts, Placeholder

BOUND = "\ufffc"
"""Stands for what is known only when the page is rendered, such as a figure's value."""

_SKIPPED = re.compile(
    r"<(code|math|pre|script|style|svg)\b.*?</\1>|<sup class=\"mark[^\"]*\">.*?</sup>|<!--.*?-->", re.S
)
_ALT = re.compile(r"<img\b[^>]*?\balt=\"([^\"]*)\"[^>]*>")
_ENDS_A_SENTENCE = re.compile(r"</?(?:p|li|td|th|tr|div|dt|dd|h[1-6]|br|blockquote|ul|ol|table)\b[^>]*>")
_TAG = re.compile(r"<[^<>]*>")


def markup_of(parts: Parts) -> str:
    """HTML with `BOUND` for each placeholder that shows a value; the others are left out."""
    return "".join(
        part if isinstance(part, str) else BOUND if part.kind in ("eval", "control", "ref") else ""
        for part in parts
    )


def prose_of(parts: Parts) -> str:
    """The sentences of parts in HTML as plain text, blocks and cells on lines of their own."""
    markup = _SKIPPED.sub(lambda found: BOUND if found[1] in ("code", "math") else "", markup_of(parts))
    markup = _ENDS_A_SENTENCE.sub("\n", _ALT.sub(r"\n\1\n", markup))
    return html.unescape(_TAG.sub("", markup))


def placeholders_of(parts: Parts, kind: str) -> tuple[str, ...]:
    """The targets of the placeholders of one kind, in order."""
    return tuple(part.target for part in parts if isinstance(part, Placeholder) and part.kind == kind)
