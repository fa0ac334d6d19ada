"""Finds the place in an author's file that a finding on a finished page comes from."""

import re
from collections.abc import Mapping

import msgspec

from diglot.diagnostics import Diagnostic, Location, Severity


class SourceText(msgspec.Struct, frozen=True, kw_only=True):
    """A file in which an author wrote part of a page."""

    path: str
    """Relative to the project."""
    text: str


Sources = Mapping[str, tuple[SourceText, ...]]
"""The files that the text of each page comes from, by output path."""


class Reporter:
    """Makes diagnostics that point to the author's file if the finding can be found there."""

    def __init__(self, path: str, html: str, sources: tuple[SourceText, ...]) -> None:
        self._path = path
        self._lines = html.split("\n")
        self._sources = sources

    def __call__(
        self,
        rule: str,
        message: str,
        line: int,
        written: str | tuple[str, ...],
        fix: str,
        *,
        last: bool = False,
        severity: Severity = "error",
    ) -> Diagnostic:
        """A diagnostic. `line` is the page's; the first or last `written` is located in the sources.

        Of several texts, the first one that a source contains is located.
        """
        texts = written if isinstance(written, tuple) else (written,)
        found = (self._in_source(one, last=last) for one in texts)
        location, text = next(filter(None, found), None) or self._in_output(line)
        return Diagnostic(
            rule=rule, message=message, severity=severity, location=location, source_line=text, fix=fix
        )

    def _in_source(self, written: str, *, last: bool) -> tuple[Location, str] | None:
        for source in self._sources if written else ():
            lines = [(n, text) for n, text in enumerate(source.text.splitlines(), 1) if written in text]
            if lines:
                number, text = lines[-1 if last else 0]
                return Location(path=source.path, line=number), text
        return None

    def _in_output(self, line: int) -> tuple[Location, str]:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return Location(path=f"(output)/{self._path}", line=line), _short(text)


_SCALED = re.compile(r"(.+)-(png|jpe?g|webp)-\d+\.[0-9a-f]{8,}\.(?:png|jpg|webp|avif)", re.I)
"""How pictures in several widths are published, see `PictureId.published`."""


def picture_name(address: str) -> str:
    """The name of a picture's file as its author knows it, without what is published in it.

    That is a digest, and of a picture in several widths the kind of the author's file and a width. Of a
    picture on another site, its address.
    """
    if "://" in address:
        return address
    if scaled := _SCALED.fullmatch(address.rpartition("/")[2]):
        return f"{scaled[1]}.{scaled[2]}"
    return re.sub(r"\.[0-9a-f]{8,}(?=\.\w+$)", "", address.rpartition("/")[2])


def in_html(name: str) -> tuple[str, ...]:
    """How an author's HTML may write a picture's name, which Markdown writes without quotation marks."""
    return f'{name}"', f"{name}'", name


def _short(line: str, width: int = 160) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"
