"""Filling the holes of parsed content: text with places for values, references, addresses and embeds."""

from collections.abc import Callable, Iterator

from markupsafe import Markup, escape

from diglot.content.records import Hole, Parts
from diglot.diagnostics import Diagnostic, DiagnosticError, first_of_each_kind

Filler = Callable[[Hole], str]
"""What goes into a hole: plain text, or `Markup` where it is HTML already."""


class Problems:
    """Diagnostics of one page, collected so that an author sees them together."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def caught(self, filler: Filler) -> Filler:
        """The filler, leaving a hole empty where it finds a mistake and noting the mistake."""

        def fill(hole: Hole) -> str:
            try:
                return filler(hole)
            except DiagnosticError as error:
                self.add(*error.diagnostics)
                return ""

        return fill

    def add(self, *diagnostics: Diagnostic) -> None:
        """Note mistakes."""
        self._found += diagnostics

    def raise_found(self) -> None:
        """Raise DiagnosticError with all that was noted, if anything was."""
        if self._found:
            raise DiagnosticError(*first_of_each_kind(dict.fromkeys(self._found)))


def fill_html(parts: Parts, filler: Filler) -> Markup:
    """Parts as HTML, each filling escaped for where it lands."""
    return Markup("".join(part if isinstance(part, str) else _escaped(part, filler) for part in parts))


def fill_text(parts: Parts, filler: Filler) -> str:
    """Parts as plain text, as in titles: nothing is escaped, markup of a filling is dropped."""
    return "".join(part if isinstance(part, str) else _plain(filler(part)) for part in parts)


def holes_in(parts: Parts) -> Iterator[Hole]:
    """The holes of some parts, in their order."""
    return (part for part in parts if isinstance(part, Hole))


def _escaped(hole: Hole, filler: Filler) -> Markup:
    filling = filler(hole)
    if hole.context == "html":
        return escape(filling)
    # Inside a quoted attribute, or in text that stands in HTML: no elements, quotes escaped.
    return escape(_plain(filling)) if not isinstance(filling, Attributes) else filling


def _plain(filling: str) -> str:
    return filling.striptags() if isinstance(filling, Markup) else filling


class Attributes(Markup):
    """A filling that ends the quoted attribute it lands in and adds more: `a.png" width="10" height="20`."""
