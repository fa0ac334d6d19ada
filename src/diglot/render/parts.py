"""Filling in the placeholders of parsed content: values, references, addresses and embeds."""

from collections.abc import Callable, Iterator

from markupsafe import Markup, escape

from diglot.content.records import Parts, Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, first_of_each_kind

Resolver = Callable[[Placeholder], str]
"""What goes into a placeholder: plain text, or `Markup` where it is HTML already."""


class Problems:
    """Diagnostics of one page, collected so that an author sees them together."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def caught(self, resolver: Resolver) -> Resolver:
        """The resolver, leaving a placeholder empty where it finds a mistake and noting the mistake."""

        def fill(placeholder: Placeholder) -> str:
            try:
                return resolver(placeholder)
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


def fill_html(parts: Parts, resolver: Resolver) -> Markup:
    """Parts as HTML, each filling escaped for where it lands."""
    return Markup("".join(part if isinstance(part, str) else _escaped(part, resolver) for part in parts))


def fill_text(parts: Parts, resolver: Resolver) -> str:
    """Parts as plain text, as in titles: nothing is escaped, markup of a filling is dropped."""
    return "".join(part if isinstance(part, str) else _plain(resolver(part)) for part in parts)


def placeholders_in(parts: Parts) -> Iterator[Placeholder]:
    """The placeholders of some parts, in their order."""
    return (part for part in parts if isinstance(part, Placeholder))


def _escaped(placeholder: Placeholder, resolver: Resolver) -> Markup:
    resolved = resolver(placeholder)
    if placeholder.context == "html":
        return escape(resolved)
    # Inside a quoted attribute, or in text that stands in HTML: no elements, quotes escaped.
    return escape(_plain(resolved)) if not isinstance(resolved, Attributes) else resolved


def _plain(resolved: str) -> str:
    return resolved.striptags() if isinstance(resolved, Markup) else resolved


class Attributes(Markup):
    """A filling that ends the quoted attribute it lands in and adds more: `a.png" width="10" height="20`."""
