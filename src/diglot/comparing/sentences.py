"""Cuts the HTML of a block into sentences, each with the values that it quotes."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape

from diglot.comparing.records import BoundValue, Sentence
from diglot.content.plain_formulas import with_plain_formulas
from diglot.content.records import Parts, Placeholder
from diglot.render.parts import Resolver, fill_html

# Control characters, which no text may contain: around a value's number, and at its end.
_BEGIN, _BEHIND_NUMBER, _END = "\x02", "\x03", "\x04"
_VALUE = re.compile(f"{_BEGIN}(\\d+){_BEHIND_NUMBER}([^{_END}]*){_END}")
_ASSERTED = "\x05"
"""Around the expression of an assertion, where it stands."""
_ASSERTION = re.compile(f"{_ASSERTED}([^{_ASSERTED}]*){_ASSERTED}")
_MARK_OF_NOTE = re.compile(r'\u2060?<sup class="mark[^"]*">.*?</sup>')
_PICTURE = re.compile(r"<img\b[^>]*>")
_SAID = re.compile(r'\b(?:alt|title)="([^"]*)"')
_CELL = re.compile(r"</t[hd]>\s*(?=<t)")
_BREAK = re.compile(r"<br>|</(?:p|li|dt|dd|tr|h\d|pre|blockquote)>")
_TAG = re.compile(r"<[^>]*>")
_SPACES = re.compile(r"[^\S\n\N{NO-BREAK SPACE}]+")
_STOP = re.compile(r"(?<=[。！？；])(?![”’」』）])|(?<=[。！？；][”’」』）])|(?<=[.!?])\s+(?=[A-Z“\x02])")

Bind = Callable[[Placeholder, str], BoundValue]
"""The value that a placeholder of kind `eval` stands for, and its text."""


def sentences_of(parts: Parts, resolver: Resolver, bind: Bind, line: int, *, is_code: bool) -> list[Sentence]:
    """The sentences of a block's HTML. `line` is where it begins in its file; `resolver` gives plain text."""
    bound: list[BoundValue] = []

    def fill(placeholder: Placeholder) -> str:
        text = resolver(placeholder)
        if placeholder.kind == "assert":
            return f"{_ASSERTED}{placeholder.target}{_ASSERTED}"
        if placeholder.kind != "eval":
            return text
        bound.append(bind(placeholder, text))
        return f"{_BEGIN}{len(bound) - 1}{_BEHIND_NUMBER}{text}{_END}"

    html = fill_html(parts, fill)
    return [*cut(_plain(html, is_code=is_code), bound, line, is_code=is_code)]


def cut(text: str, bound: Sequence[BoundValue], line: int, *, is_code: bool = False) -> Iterator[Sentence]:
    """The sentences of a text whose values and assertions are between marks; each line ends one, too."""
    for each in text.split("\n"):
        for marked in [each] if is_code else _STOP.split(each):
            asserts, piece = tuple(_ASSERTION.findall(marked)), _ASSERTION.sub("", marked)
            if not piece.strip():
                continue
            values = tuple(bound[int(found[1])] for found in _VALUE.finditer(piece))
            yield Sentence(
                text=_VALUE.sub(r"\2", piece).strip(),
                template=_VALUE.sub(lambda found: f"{{{bound[int(found[1])].expression}}}", piece).strip(),
                values=values,
                line=values[0].line if values else line,
                asserts=asserts,
            )


def _plain(html: str, *, is_code: bool) -> str:
    """HTML as lines of text."""
    if "<math" in html:
        html = with_plain_formulas(html)
    if not is_code:
        html = html.replace("\n", " ")
    html = _PICTURE.sub(lambda found: "\n".join(["", *_SAID.findall(found[0]), ""]), html)
    html = _BREAK.sub("\n", _CELL.sub(" | ", _MARK_OF_NOTE.sub("", html)))
    text = unescape(_TAG.sub("", html))
    return text if is_code else _SPACES.sub(" ", text)
