"""Files that nothing refers to, and pages that no link leads to."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from diglot.check.finished_site import FinishedSite
from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of_names

_KNOWN_BY_NAME = re.compile(
    r"\.well-known/.*|CNAME|\.nojekyll|_headers|_redirects|_routes\.json|_worker\.js|custom\.css"
    r"|(?:robots|humans|ads|app-ads|security|llms|llms-full)\.txt|google[0-9a-f]+\.html|BingSiteAuth\.xml"
    r"|yandex_[0-9a-f]+\.html|[0-9a-f]{32}\.txt|favicon\.(?:ico|svg|png)|apple-touch-icon.*\.png"
    r"|browserconfig\.xml|(?:site|manifest)\.webmanifest|manifest\.json|opensearch\.xml|\.htaccess|keybase\.txt"
)
"""Files at the root of a site that programs and hosts look for by their names."""

_IGNORED = re.compile(r"(?:^|/)(?:_[^/]*|\.[^/]*|README\.md|notes\.md|(?:[^/]*\.)?sync\.txt|Thumbs\.db)$")
"""Files in `content/` that are there for their author."""


def check_unlinked(site: FinishedSite, homes: Iterable[str]) -> Iterator[Diagnostic]:
    """Pages with an author's text that no link leads to, from one of the home pages on."""
    homes = [*homes]
    name = f"unlinked {site.state('goals', 'head')} {homes}"
    told: set[str] = set()
    for path in site.kept.value(name, tuple[str, ...], lambda: tuple(_unlinked(site, homes))):
        if site.sources.get(path) and path not in told:
            alternates = site.pages[path].alternates
            told.update(site.there(one.goal) for one in alternates if one.goal)  # once for both languages
            yield Diagnostic(
                rule="page-unlinked",
                severity="warning",
                message=f'no link leads to "{site.address.of(path).removeprefix(site.address.origin)}"',
                location=Location(path=site.sources[path][0].path, line=1),
                fix="link to it from another page, or add it to `navigation:` in the configuration.",
            )


def _unlinked(site: FinishedSite, homes: Iterable[str]) -> Iterator[str]:
    """The pages for search engines that no link leads to."""
    reached = {home for home in homes if home in site.pages}
    waiting = list(reached)
    while waiting:
        path = waiting.pop()
        for goal in map(site.there, site.pages[path].followed - reached):
            if goal in site.pages and goal not in reached:
                reached.add(goal)
                waiting.append(goal)
    return (path for path in site.listed() if path not in reached)


def check_unused_static(
    site: FinishedSite, static: Mapping[str, str], texts: Mapping[str, bytes], config: bytes
) -> Iterator[Diagnostic]:
    """Files that are published unchanged, although no page, style sheet or script names them.

    `static` maps output paths to the project's files, `texts` to the contents of files that may name others.
    """
    name = f"unnamed {site.state('goals')} {digest_of_names(static)}"
    unnamed = site.kept.value(name, frozenset[str], lambda: _unnamed(site, static))
    unknown = [path for path in static if path in unnamed and not _KNOWN_BY_NAME.fullmatch(path)]
    everything = b"\n".join([*texts.values(), config]) if unknown else b""
    for path in unknown:
        if posixpath.basename(path).encode() not in everything:
            source = static[path]
            yield _unused(source, "is published, but nothing on the site refers to it")


def _unnamed(site: FinishedSite, files: Iterable[str]) -> frozenset[str]:
    """Those of some files that no page names."""
    return frozenset(files).difference(
        *(one for page in site.pages.values() for one in (page.followed, page.loaded))
    )


def check_unused_content(files: Iterable[str], read: Collection[str]) -> Iterator[Diagnostic]:
    """Files in `content/` that the build did not read, and so did not publish."""
    for path in files:
        if path not in read and not _IGNORED.search(path):
            yield _unused(path, "is not published: no article and no figure uses it")


def _unused(path: str, what: str) -> Diagnostic:
    return Diagnostic(
        rule="file-unused",
        severity="warning",
        message=f'"{path}" {what}',
        location=Location(path=path),
        fix="use it, delete it, or begin its name with `_`."
        if path.startswith("content/")
        else "use it, or delete it.",
    )
