"""References of MyST and Quarto: their names hold in a whole project, here in one article.

One that leads to another document becomes a link; one that leads nowhere becomes its words.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from diglot.content.roles import read_reference, short_references_in
from diglot.importing.text.body import Body, Replacement
from diglot.importing.text.counting import count_characters, substitute
from diglot.languages import Bilingual, Language

_NAME = re.compile(
    r"^[ \t]*\((?P<target>[\w:.-]+)\)=[ \t]*$"
    r"|^[ \t]*(?:\#\||:)[ \t]*(?:label|name):[ \t]*(?P<option>[\w:.-]+)[ \t]*$"
    r"|\{[^{}\n]*\#(?P<id>[\w:.-]+)[^{}\n]*\}[ \t]*$"
    r"|\$\$[ \t]*\((?P<formula>[^()\s]+)\)[ \t]*$"
    r"|\\label\{(?P<label>[^{}\s]+)\}",
    re.MULTILINE,
)
_HEADING = re.compile(r"\s*(#{1,6})[ \t]+(\S[^\n]*?)[ \t]*#*[ \t]*(?:\n|$)")
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}\n]*\}")
_ROLE = re.compile(r"(?<!`)\{(ref|numref|eq|prf:ref)\}`([^`\n]+(?:\n[^`\n]+)?)`")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\((#?)([A-Za-z][\w:.-]*)\)")
_FORMULA_IN = Bilingual(zh="《{}》中的公式", en="the formula in {}")


class Named(NamedTuple):
    """What a name stands for."""

    words: str
    """Of a heading; empty for other blocks."""
    is_title: bool
    """Whether it is the heading of the whole document."""
    is_formula: bool


class Elsewhere(NamedTuple):
    """What a name stands for in another document."""

    address: str
    """As it is marked until all addresses are known."""
    title: str
    """Of the document."""
    named: Named

    def words(self, language: Language) -> str:
        """What a link to it says if its author does not."""
        if self.named.is_formula:
            return _FORMULA_IN.of(language).format(self.title)
        return self.title if self.named.is_title else self.named.words or self.title


def names_in(body: Body) -> dict[str, Named]:
    """The names that a document gives, before it is converted."""
    found: dict[str, Named] = {}
    text = body.text
    first = re.search(r"^#{1,6}[ \t]", text, re.MULTILINE)
    for match in _NAME.finditer(text):
        name = next(filter(None, match.groups()))
        if match["id"]:
            begin = text.rfind("\n", 0, match.start()) + 1
            heading = _HEADING.match(text, begin) or _HEADING.match(text, match.end())
        else:
            heading = _HEADING.match(text, match.end()) if match["target"] else None
        is_title = (
            heading is not None
            and first is not None
            and heading.start(1) == first.start()
            and len(heading[1]) == 1
        )
        words = _ATTRIBUTES.sub("", heading[2]) if heading is not None else ""
        is_formula = bool(match["formula"] or match["label"]) or name.startswith(("eq-", "eq:"))
        found.setdefault(name, Named(words, is_title, is_formula))
    return found


def lead_elsewhere(
    body: Body, own: Collection[str], elsewhere: Mapping[str, Elsewhere], language: Language
) -> None:
    """Make links of references to names of other documents, and of links that name no file but a label."""

    def linked(words: str, name: str) -> str:
        there = elsewhere[name]
        return f"[{words.strip() or there.words(language)}]({there.address})"

    def role(found: re.Match[str]) -> str | None:
        before, number, after, name = read_reference(found[2])
        return linked("" if number else before + after, name) if name in elsewhere else None

    def link(found: re.Match[str]) -> str | None:
        words, mark, name = found.groups()
        if name in own:
            return None if mark else f"[{words}](#{name})"
        return linked(words, name) if name in elsewhere else None

    substitute(body, _ROLE, role, in_code=True)
    substitute(body, _LINK, link)
    changes: list[Replacement] = [
        (start, end, linked("", name))
        for start, end, name in short_references_in(body.text)
        if name in elsewhere and not body.is_code(start)
    ]
    _replace(body, changes)


def drop_unknown(body: Body, names: Collection[str]) -> None:
    """Leave the words of references whose names nothing has."""

    def shown(name: str, words: str, start: int) -> str:
        message = f'a reference names "{name}", which nothing in the source has; its words stay'
        body.report(start, message, "write what it refers to, or give the block this name.")
        return words or f"`{name}`"

    def role(found: re.Match[str]) -> str | None:
        before, number, after, name = read_reference(found[2])
        words = "" if number else f"{before}{after}".strip()
        return None if name in names else shown(name, words, found.start())

    substitute(body, _ROLE, role, in_code=True)
    changes: list[Replacement] = [
        (start, end, shown(name, "", start))
        for start, end, name in short_references_in(body.text)
        if name not in names and not body.is_code(start)
    ]
    _replace(body, changes)


def _replace(body: Body, changes: Sequence[Replacement]) -> None:
    """Names are no text that is lost."""
    for start, end, new in changes:
        body.count -= count_characters(body.text[start:end]) - count_characters(new)
    body.replace(changes)
