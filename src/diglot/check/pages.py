"""Checks on finished pages, whatever wrote their HTML: an author's raw HTML is checked like our own."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from diglot.diagnostics import Diagnostic, Location, did_you_mean


@dataclass(slots=True)
class _Page(HTMLParser):
    """What one page holds that others can miss."""

    ids: list[str] = field(default_factory=list)
    targets: list[tuple[str, int]] = field(default_factory=list)
    textless: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self, convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        line = self.getpos()[0]
        if identifier := attributes.get("id"):
            self.ids.append(identifier)
        for name in ("href", "src"):
            if (target := attributes.get(name)) is not None and tag != "use":
                self.targets.append((target, line))
        if tag == "img" and "alt" not in attributes:
            self.textless.append((attributes.get("src") or "", line))


def check_pages(pages: Mapping[str, str], files: Iterable[str], *, base_path: str) -> tuple[Diagnostic, ...]:
    """What is wrong in finished pages.

    `pages` maps output paths to HTML, `files` are all output paths; locations name the output file.
    """
    known = {*files, *pages}
    parsed = {path: _parse(html) for path, html in pages.items()}
    ids = {path: set(page.ids) for path, page in parsed.items()}
    found: list[Diagnostic] = []
    for path, page in sorted(parsed.items()):
        lines = pages[path].splitlines()

        report = _Reporter(path, lines, found)
        for identifier in sorted({i for i in page.ids if page.ids.count(i) > 1}):
            report(
                "id-twice", f'the id "{identifier}" stands twice on this page', None, "give one another name."
            )
        for source, line in page.textless:
            report("image-text", f'the image "{source}" has no alternative text', line, 'write alt="…".')
        for target, line in page.targets:
            goal, fragment = _goal(target, path, base_path)
            if goal is None:
                continue
            if goal not in known:
                report(
                    "link-dead",
                    f'"{target}" leads nowhere',
                    line,
                    did_you_mean(goal, known, otherwise="mend it."),
                )
            elif fragment and goal in ids and fragment not in ids[goal]:
                fix = did_you_mean(fragment, ids[goal], otherwise="mend the part behind #.")
                report("link-fragment", f'"{target}" leads to no block of that page', line, fix)
    return tuple(found)


class _Reporter:
    """Adds what is wrong on one page."""

    def __init__(self, path: str, lines: list[str], found: list[Diagnostic]) -> None:
        self._path = path
        self._lines = lines
        self._found = found

    def __call__(self, rule: str, message: str, line: int | None, fix: str) -> None:
        self._found.append(
            Diagnostic(
                rule=rule,
                message=message,
                location=Location(path=f"(output)/{self._path}", line=line),
                source_line=_short(self._lines[line - 1]) if line else None,
                fix=fix,
            )
        )


def _parse(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    page.close()
    return page


def _goal(target: str, page: str, base_path: str) -> tuple[str | None, str]:
    """The output file a link leads to, None where it leaves the site; and the part behind #."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None, ""
    fragment = unquote(parts.fragment)
    if not parts.path:
        return page, fragment
    path = unquote(parts.path)
    if path.startswith("/"):
        if not path.startswith(base_path):
            return path, fragment  # a link out of the site's own folder: reported as dead
        inside = path.removeprefix(base_path)
    else:
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        inside = "" if inside == "." else inside + ("/" if path.endswith("/") else "")
    return (f"{inside}index.html" if inside == "" or inside.endswith("/") else inside), fragment


def _short(line: str, width: int = 160) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"
