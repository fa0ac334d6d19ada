"""The prose of rendered parts: what a reader reads, without code, formulas and the marks of notes."""

import html
import re

from diglot.content.records import Parts, Placeholder
from diglot.content.roles import CITE_NUMBER

BOUND = "\ufffc"
"""Stands for what is known only when the page is rendered, such as a figure's value."""

CITED = "\ufff9"
"""Stands for the mark of a footnote and for a link to another site: a sentence with one has a source."""

CITED_NUMBER, CITED_NUMBER_END = "\ufffa", "\ufffb"
"""Around the text of a `{cite-number}`: it has a source, and its sentence need not have one."""

_SKIPPED = re.compile(
    r"<(code|math|pre|script|style|svg)\b.*?</\1>|<sup class=\"mark[^\"]*\">.*?</sup>|<!--.*?-->", re.S
)
_ALT = re.compile(r"<img\b[^>]*?\balt=\"([^\"]*)\"[^>]*>")
_ENDS_A_SENTENCE = re.compile(r"</?(?:p|li|td|th|tr|div|dt|dd|h[1-6]|br|blockquote|ul|ol|table)\b[^>]*>")
_TAG = re.compile(r"<[^<>]*>")


def markup_of(parts: Parts) -> str:
    """HTML with `BOUND` for placeholders of values, and `CITED` as the address of another site."""
    return "".join(part if isinstance(part, str) else _stand_in(part) for part in parts)


def _stand_in(placeholder: Placeholder) -> str:
    if placeholder.kind in ("eval", "assert", "control", "ref"):
        return BOUND
    return CITED if placeholder.kind == "link" and "://" in placeholder.target else ""


_WITH_SOURCE = re.compile(rf'<data class="{CITE_NUMBER}"[^>]*>(.*?)</data>', re.S)


def _as_cited(found: re.Match[str]) -> str:
    return f"{CITED_NUMBER}{_TAG.sub('', _SKIPPED.sub('', found[1]))}{CITED_NUMBER_END}"


_LINK = re.compile(rf"<a href=\"{CITED}[^<>]*>")


def _without(found: re.Match[str]) -> str:
    """What stands for markup that is no prose."""
    if found[1] in ("code", "math"):
        return BOUND
    return CITED if found.group().startswith("<sup") else ""


def prose_of(parts: Parts) -> str:
    """The sentences of parts in HTML as plain text, blocks and cells on lines of their own."""
    markup = markup_of(parts).replace("\u2060", "").replace("\n", " ")  # lines of the file end no sentence
    markup = _WITH_SOURCE.sub(_as_cited, markup)
    markup = _SKIPPED.sub(_without, markup)
    markup = _LINK.sub(CITED, markup)
    markup = _ENDS_A_SENTENCE.sub("\n", _ALT.sub(r"\n\1\n", markup))
    return html.unescape(_TAG.sub("", markup))


def without_stand_ins(prose: str) -> str:
    """Prose as it can be shown: an ellipsis for what is known only when the page is rendered."""
    return re.sub(f"[{CITED}{CITED_NUMBER}{CITED_NUMBER_END}]", "", prose).replace(BOUND, "…")


def placeholders_of(parts: Parts, *kinds: str) -> tuple[str, ...]:
    """The targets of the placeholders of some kinds, in order."""
    return tuple(part.target for part in parts if isinstance(part, Placeholder) and part.kind in kinds)
