"""Resolves the placeholders of parsed content: values, references, addresses and embeds."""

from collections.abc import Callable, Iterator

from markupsafe import Markup, escape

from diglot.content.records import Parts, Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, first_of_each_kind

Resolver = Callable[[Placeholder], str]
"""Returns the text of a placeholder: plain text, or `Markup` where it is HTML already."""


class Problems:
    """Diagnostics of one page, collected so that authors see them together."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def caught(self, resolver: Resolver) -> Resolver:
        """The resolver, but a placeholder with a mistake becomes empty, and its diagnostics are collected."""

        def fill(placeholder: Placeholder) -> str:
            try:
                return resolver(placeholder)
            except DiagnosticError as error:
                self.add(*error.diagnostics)
                return ""

        return fill

    def add(self, *diagnostics: Diagnostic) -> None:
        """Add diagnostics."""
        self._found += diagnostics

    def raise_found(self) -> None:
        """Raise DiagnosticError with what was collected, if anything: the first hundred of each rule."""
        if self._found:
            raise DiagnosticError(*first_of_each_kind(dict.fromkeys(self._found)))


def fill_html(parts: Parts, resolver: Resolver) -> Markup:
    """Parts as HTML, each resolved text escaped for its context."""
    return Markup("".join(part if isinstance(part, str) else _escaped(part, resolver) for part in parts))


def fill_text(parts: Parts, resolver: Resolver) -> str:
    """Parts as plain text, as in titles: nothing is escaped, and tags in resolved texts are dropped."""
    return "".join(part if isinstance(part, str) else _plain(resolver(part)) for part in parts)


def placeholders_in(parts: Parts) -> Iterator[Placeholder]:
    """The placeholders of parts, in order."""
    return (part for part in parts if isinstance(part, Placeholder))


def _escaped(placeholder: Placeholder, resolver: Resolver) -> Markup:
    resolved = resolver(placeholder)
    if placeholder.context == "html":
        return escape(resolved)
    # Inside a quoted attribute, or as text in HTML: without tags, and with quotes escaped.
    return escape(_plain(resolved)) if not isinstance(resolved, Attributes) else resolved


def _plain(resolved: str) -> str:
    return resolved.striptags() if isinstance(resolved, Markup) else resolved


class Attributes(Markup):
    """A resolved text that closes its quoted attribute and adds others: `a.png" width="10" height="20`."""
