"""The text that is left of a block when everything that Markdown understands is taken away."""

from collections.abc import Collection, Sequence

import msgspec
from markdown_it.token import Token

from diglot.content.quotes import inside_code
from diglot.content.twins import as_ascii

LINK_OPEN, LINK_CLOSE, IMAGE, CODE, OTHER = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3", "\ufffc"
"""Stand for what is no text, one character for each token. The first four are no characters of any script."""
TAKERS = f"{LINK_CLOSE}{IMAGE}{CODE}"
"""What attributes in braces may follow."""
NO_TEXT = f"{LINK_OPEN}{LINK_CLOSE}{IMAGE}{CODE}{OTHER}"

_STAND_INS = {"link_open": LINK_OPEN, "link_close": LINK_CLOSE, "image": IMAGE, "code_inline": CODE}
_STAND_INS |= {"span_open": OTHER, "span_close": CODE, "role": CODE}
_MARKUP = {"formula": "$…$", "link_open": "[", "link_close": "](…)", "image": "![…](…)", "code_inline": "`…`"}


class Remainder(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a block, with one character in place of each token that is none."""

    text: str
    ascii: str
    """The same with ASCII twins of full-width marks: what the author may have meant."""
    markups: dict[int, str]
    """What the file has in place of a character that stands for a token, by position."""
    targets: dict[int, str]
    """Addresses of links, by the position where they begin."""
    source: str
    """The Markdown that it is left of."""
    place: str
    """`paragraph`, `item` for the first of a list item, `heading`, or `inline`: cells, captions, titles."""
    labels: Collection[str] = ()
    """Labels of the link definitions in the file."""

    def written(self, start: int, end: int) -> str:
        """What the file has at these positions, shortened where it is no text."""
        return "".join(self.markups.get(at, self.text[at]) for at in range(start, end))

    def is_text(self, start: int, end: int) -> bool:
        """Whether there is nothing but text at these positions."""
        return not any(at in self.markups for at in range(start, end))

    def line_of(self, start: int, end: int) -> int:
        """The line of the block, from 0, on which a piece is written."""
        piece = self.text[start:end]
        if self.is_text(start, end) and self.source.count(piece) == 1:  # code may hide line breaks
            return self.source.count("\n", 0, self.source.index(piece))
        return self.text.count("\n", 0, start)


def remainder(tokens: Sequence[Token], source: str, place: str, labels: Collection[str]) -> Remainder:
    """What is left of inline tokens whose escaped characters are still tokens of their own."""
    pieces: list[str] = []
    markups: dict[int, str] = {}
    targets: dict[int, str] = {}
    verbatim = {id(token) for token in inside_code(tokens)}
    at = 0
    for token in tokens:
        piece, markup = _piece(token, is_verbatim=id(token) in verbatim)
        if markup is not None:
            markups.update(dict.fromkeys(range(at, at + len(piece)), ""))
            markups[at] = markup
        if token.type == "link_open":
            targets[at] = str(token.attrs.get("href", ""))
        pieces.append(piece)
        at += len(piece)
    text = "".join(pieces)
    return Remainder(
        text=text,
        ascii=as_ascii(text),
        markups=markups,
        targets=targets,
        source=source,
        place=place,
        labels=labels,
    )


def _piece(token: Token, *, is_verbatim: bool) -> tuple[str, str | None]:
    """The characters for a token, and its markup if they stand for it."""
    if token.type == "text":
        return (OTHER, token.content) if is_verbatim else (token.content, None)
    if token.type in ("softbreak", "hardbreak"):
        return "\n", None
    if token.type == "text_special":
        if token.content == token.markup:  # a backslash before a letter is one, as in LaTeX
            return token.content, None
        if token.content == "&":  # an address is often written with &amp;
            return token.content, token.markup
        return OTHER, token.markup
    # Code, roles and formulas may span lines, but only formulas and roles still know.
    breaks = "\n" * (token.content.count("\n") or int(token.meta.get("line_breaks", 0)))
    markup = _MARKUP.get(token.type) or (token.content if token.type == "html_inline" else token.markup)
    return _STAND_INS.get(token.type, OTHER) + breaks, markup or "…"
