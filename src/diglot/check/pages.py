"""Checks of finished pages. The source of the HTML does not matter: authors' raw HTML is checked too."""

from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec

from diglot.diagnostics import Diagnostic, Location, did_you_mean, sorted_diagnostics

_LINKS = {"href", "src", "poster"}
_ALWAYS_THERE = ("", "top")


class SourceText(msgspec.Struct, frozen=True, kw_only=True):
    """A file in which an author wrote part of a page."""

    path: str
    """Relative to the project."""
    text: str


def check_pages(
    pages: Mapping[str, str],
    files: Iterable[str],
    *,
    base_url: str,
    sources: Mapping[str, tuple[SourceText, ...]] | None = None,
) -> tuple[Diagnostic, ...]:
    """Diagnostics for finished pages, without duplicates.

    `pages` maps output paths to HTML, `files` are all output paths, and `base_url` is the site's address.
    `sources` maps an output path to the files its text comes from: a mistake that is found in one of them is
    reported there, any other in the output.
    """
    site = _Site(pages, files, base_url)
    found: list[Diagnostic] = []
    for path in sorted(pages):
        reporter = _Reporter(path, pages[path], (sources or {}).get(path, ()))
        found += site.check(path, reporter)
    return sorted_diagnostics(found)


class _Mistake(NamedTuple):
    """What is wrong with a link."""

    rule: str
    message: str
    fix: str


class _Site:
    """All pages, parsed, because a link is checked against the page it leads to."""

    def __init__(self, pages: Mapping[str, str], files: Iterable[str], base_url: str) -> None:
        base = urlsplit(base_url)
        self._base_url = base_url
        self._origin = f"{base.scheme}://{base.netloc}"
        self._base_path = unquote(base.path)
        self._known = {*files, *pages}
        self._pages = {path: _parse(html) for path, html in pages.items()}

    def check(self, path: str, report: "_Reporter") -> list[Diagnostic]:
        """Diagnostics for one page."""
        page = self._pages[path]
        found = []
        for identifier, line in page.repeated:
            message = f'the id "{identifier}" is used twice on the page'
            found.append(
                report("id-twice", message, line, f'id="{identifier}"', "rename one of them.", last=True)
            )
        for source, line in page.textless:
            message = f'the image "{source}" has no alternative text'
            fix = 'add alt="…", or alt="" if it is only decoration.'
            found.append(report("image-text", message, line, source, fix))
        for target, line in page.targets:
            if (mistake := self._mistake(target, path)) is not None:
                found.append(report(mistake.rule, f'"{target}" {mistake.message}', line, target, mistake.fix))
        return found

    def _mistake(self, target: str, page: str) -> _Mistake | None:
        """What is wrong with a link; None if it works."""
        try:
            goal, fragment = self._goal(target, page)
        except ValueError:
            fix = "write it as a browser's address bar shows it."
            return _Mistake(rule="link-dead", message="is not a valid address", fix=fix)
        if goal is None:
            return None
        if goal not in self._known and f"{goal}/index.html" in self._known:
            goal = f"{goal}/index.html"  # hosts redirect to the address with a slash
        if goal not in self._known:
            fix = did_you_mean(goal, self._known, otherwise="correct or delete it.")
            return _Mistake(rule="link-dead", message="is a broken link", fix=fix)
        if goal not in self._pages or fragment in _ALWAYS_THERE or fragment.startswith(":~:"):
            return None
        names = self._pages[goal].names
        if fragment in names:
            return None
        fix = did_you_mean(fragment, names, otherwise="correct the part after #.")
        return _Mistake(rule="link-fragment", message="does not match any block of that page", fix=fix)

    def _goal(self, target: str, page: str) -> tuple[str | None, str]:
        """The output file a link leads to (None outside the site), and the fragment.

        Raises ValueError if the target is no address.
        """
        target = target.strip()
        parts = urlsplit(urljoin(self._base_url + quote(page), target))
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            return None, ""
        path = unquote(parts.path)
        if not path.startswith(self._base_path):
            # A link to another site on the same host is fine, but only with its complete URL.
            return (None if urlsplit(target).netloc else path), ""
        inside = path.removeprefix(self._base_path)
        return (f"{inside}index.html" if inside == "" or inside.endswith("/") else inside), unquote(
            parts.fragment
        )


class _Page(HTMLParser):
    """What a page offers to links and what must be checked, each with its line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: set[str] = set()
        """Ids, and names of anchors."""
        self.repeated: list[tuple[str, int]] = []
        self.targets: list[tuple[str, int]] = []
        self.textless: list[tuple[str, int]] = []
        self._templates = 0

    def handle_endtag(self, tag: str) -> None:
        self._templates -= tag == "template"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        line = self.getpos()[0]
        self._templates += tag == "template"
        if self._templates:  # no part of the page: a talk keeps its other language there
            return
        if identifier := attributes.get("id"):
            if identifier in self.names:
                self.repeated.append((identifier, line))
            self.names.add(identifier)
        if tag == "a" and (name := attributes.get("name")):
            self.names.add(name)
        self.targets += [(value, line) for name, value in attrs if name in _LINKS and value is not None]
        if tag == "img" and "alt" not in attributes:
            self.textless.append((attributes.get("src") or "", line))


class _Reporter:
    """Makes diagnostics that point to the author's file if the mistake can be found there."""

    def __init__(self, path: str, html: str, sources: tuple[SourceText, ...]) -> None:
        self._path = path
        self._lines = html.splitlines()
        self._sources = sources

    def __call__(
        self, rule: str, message: str, line: int, written: str, fix: str, *, last: bool = False
    ) -> Diagnostic:
        """A diagnostic. `line` is the page's; the first or last `written` is located in the sources."""
        location, text = self._in_source(written, last=last) or self._in_output(line)
        return Diagnostic(rule=rule, message=message, location=location, source_line=text, fix=fix)

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


def _parse(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    page.close()
    return page


def _short(line: str, width: int = 160) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"
