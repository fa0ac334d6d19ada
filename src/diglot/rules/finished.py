"""What `diglot check` looks at: finished pages, where their texts come from, and what the build read."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diglot.check.feeds import check_feeds
from diglot.check.finished_site import FinishedSite
from diglot.check.heads import check_heads
from diglot.check.locating import SourceText
from diglot.check.pages import check_pages
from diglot.check.product_names import WORDS, read_names
from diglot.check.spelling import check_markdown, check_yaml
from diglot.check.unused import check_unlinked, check_unused_content, check_unused_static
from diglot.check.weights import check_weights
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine import FILE, Key
from diglot.engine.traces import read_dependencies
from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.rules.building import Site, SiteBuild
from diglot.rules.files import STATIC, copy_file
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.pages import (
    make_article_page,
    make_both_page,
    make_fallback_page,
    make_home_page,
    make_landing_page,
)
from diglot.rules.sources import HOME_PAGE, PostFiles, find_post
from diglot.rules.talks import make_talk_page
from diglot.rules.traditional import is_copy

_TEXTS = (".css", ".js", ".json", ".xml", ".txt", ".svg", ".webmanifest", "_headers", "_redirects")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg")


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A site as it would be published, and what is known of its sources."""

    site: FinishedSite
    texts: Mapping[str, bytes]
    """Style sheets, scripts, feeds and the like, by output path."""
    sizes: Mapping[str, int]
    """The bytes of pictures, by output path."""
    static: Mapping[str, str]
    """The files that are published unchanged at the site's root: their paths there, and in the project."""
    posts: Mapping[str, PostFiles]
    read: frozenset[str]
    """The files of the project that the build read."""


def read_finished(site: Site, result: SiteBuild, manifest: Manifest, project: Project) -> Finished:
    """What a build has made, without converted files: what is wrong with one is wrong with its original."""
    posts = site.last_build.values(find_post)
    originals = (one for one in manifest.outputs if not is_copy(one))
    written = replace(manifest, outputs=tuple(originals))
    pages = site.last_build.contents(written, (".html",))
    copied = {output.path: output.name for output in manifest.outputs if output.kind == copy_file.kind}
    return Finished(
        site=FinishedSite(
            {path: content.decode("utf-8", "replace") for path, content in pages.items()},
            [output.path for output in manifest.outputs],
            base_url=project.base_url,
            sources=_sources(manifest, posts, site.options.root),
        ),
        texts=site.last_build.contents(written, _TEXTS),
        sizes={path: len(one) for path, one in site.last_build.contents(manifest, _PICTURES).items()},
        static={path: name for path, name in copied.items() if name == f"{STATIC}/{path}"},
        posts=posts,
        read=_read_files(site, result),
    )


def find_mistakes(finished: Finished, options: SiteOptions) -> Iterator[Diagnostic]:
    """All that is wrong with a finished site, as far as files can tell."""
    site = finished.site
    yield from check_pages(site)
    yield from check_heads(site)
    yield from check_feeds(site, finished.texts)
    yield from check_unlinked(site, ["index.html", *(f"{language}/index.html" for language in LANGUAGES)])
    config = options.root / options.config
    yield from check_unused_static(site, finished.static, finished.texts, config.read_bytes())
    there = (
        path.relative_to(options.root)
        for path in sorted((options.root / "content").rglob("*"))
        if path.is_file()
    )
    yield from check_unused_content(map(Path.as_posix, there), finished.read)
    yield from check_weights(site, finished.sizes)
    yield from _spelling(finished, options)


def _spelling(finished: Finished, options: SiteOptions) -> Iterator[Diagnostic]:
    try:
        names = read_names(_text(options.root / WORDS))
    except DiagnosticError as error:
        yield from error.diagnostics
        return
    if (text := _text(options.root / options.config)) is not None:
        yield from check_yaml(text, options.config, names)
    for post in finished.posts.values():
        if (text := _text(options.root / post.shared)) is not None:
            yield from check_yaml(text, post.shared, names)
        for path in filter(None, (post.zh, post.en)):
            if (text := _text(options.root / path)) is not None:
                yield from check_markdown(text, path, names)


def _text(path: Path) -> str | None:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else None


def _read_files(site: Site, result: SiteBuild) -> frozenset[str]:
    visited = result.report.visited
    return frozenset(
        one.key.name
        for key, trace in site.cache.traces().items()
        if visited is None or key in visited
        for one in read_dependencies(trace.dependencies)
        if one.key.kind == FILE.kind
    )


def _sources(
    manifest: Manifest, posts: Mapping[str, PostFiles], root: Path
) -> dict[str, tuple[SourceText, ...]]:
    """The author's files that each article page was made from, by output path."""
    found = {}
    for output in manifest.outputs:
        article, languages = _text_of(output.key)
        if article in posts:
            post = posts[article]
            paths = (*(post.half(one) for one in languages), post.shared)
            texts = ((path, _text(root / path)) for path in paths if path is not None)
            found[output.path] = tuple(
                SourceText(path=path, text=text) for path, text in texts if text is not None
            )
    return found


def _text_of(page: Key) -> tuple[str, tuple[Language, ...]]:
    """The article whose text a page shows, and the languages that the text may be in; empty if none is."""
    for half in make_article_page.names_in([page]):
        return half.article, (half.language,)
    for half in (*make_both_page.names_in([page]), *make_fallback_page.names_in([page])):
        return half.article, LANGUAGES
    for half in make_talk_page.names_in([page]):
        return half.article, (half.language, *(one for one in LANGUAGES if one != half.language))
    for language in make_home_page.names_in([page]):
        return HOME_PAGE, (language,)
    return (HOME_PAGE, LANGUAGES) if page.kind == make_landing_page.kind else ("", ())
