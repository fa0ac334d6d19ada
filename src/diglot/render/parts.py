"""Resolves the placeholders of parsed content: values, references, addresses and embeds."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

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
            with self.collected():
                return resolver(placeholder)
            return ""

        return fill

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Collect the diagnostics of a DiagnosticError that is raised inside."""
        try:
            yield
        except DiagnosticError as error:
            self.add(*error.diagnostics)

    @property
    def found(self) -> Iterable[Diagnostic]:
        """What was collected, each once."""
        return dict.fromkeys(self._found)

    def add(self, *diagnostics: Diagnostic) -> None:
        """Add diagnostics."""
        self._found += diagnostics

    def raise_found(self) -> None:
        """Raise DiagnosticError with what was collected, if anything: the first hundred of each rule."""
        if self._found:
            raise DiagnosticError(*first_of_each_kind(self.found))


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
    match placeholder.context:
        case "srcset":
            return escape(in_srcset(resolved))
        case "style-attribute":
            return escape(_in_css(resolved))
        case "style":
            return Markup(_in_css(resolved))
    return escape(_plain(resolved))


def _plain(resolved: str) -> str:
    return resolved.striptags() if isinstance(resolved, Markup) else resolved


def in_srcset(address: str) -> str:
    """An address without what separates the files of `srcset`."""
    return address if address.startswith("data:") else address.replace(",", "%2C").replace(" ", "%20")


def _in_css(address: str) -> str:
    """An address without what would end `url(…)`, or the element that it is in."""
    return _ENDS_URL.sub(lambda found: f"%{ord(found[0]):02X}", address)


_ENDS_URL = re.compile(r"""[\x00-\x20"'()<>\\]""")
