"""What `diglot check` looks at: finished pages, where their texts come from, and what the build read."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import msgpack

from diglot.check.addresses import SiteAddress
from diglot.check.feeds import check_feeds
from diglot.check.finished_site import FinishedSite
from diglot.check.heads import check_heads
from diglot.check.kept import Kept
from diglot.check.kept_facts import KeptFacts
from diglot.check.locating import SourceText
from diglot.check.page_facts import ReadPage, read_page
from diglot.check.pages import check_pages
from diglot.check.product_names import WORDS, ProductNames, read_names
from diglot.check.spelling import check_markdown, check_yaml
from diglot.check.unused import check_unlinked, check_unused_content, check_unused_static
from diglot.check.weights import check_weights
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.digests import ABSENT, digest_of
from diglot.engine import FILE, BlobReference, Key, Packs, Progress
from diglot.invariants import certain
from diglot.languages import LANGUAGES, Language
from diglot.processes import PendingCall
from diglot.project import Project
from diglot.rules.building import Site, SiteBuild
from diglot.rules.files import STATIC, copy_file
from diglot.rules.kept_mistakes import content_files
from diglot.rules.last_build import Contents, Records
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.pages import (
    make_article_page,
    make_both_page,
    make_fallback_page,
    make_home_page,
    make_landing_page,
)
from diglot.rules.sources import HOME_PAGE, PostFiles, Posts, find_posts
from diglot.rules.talks import make_talk_page, make_whole_talk
from diglot.rules.theme import theme_folders
from diglot.rules.traditional import is_copy

_CHECKS, _FACTS = "checks", "facts"
"""In the cache: what checks found out, and the folder of the facts of pages."""
_FILES_A_CALL = 16
"""Number of files that one call of the worker pool looks at."""
_TEXTS = (".css", ".js", ".json", ".xml", ".txt", ".svg", ".webmanifest", "_headers", "_redirects")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg")

_File = TypeVar("_File")
_Found = TypeVar("_Found")


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A site as it would be published, and what is known of its sources."""

    site: FinishedSite
    texts: Mapping[str, bytes]
    """Style sheets, scripts, feeds and the like, by output path."""
    pictures: Mapping[str, bytes]
    """By output path."""
    static: Mapping[str, str]
    """The files that are published unchanged at the site's root: their paths there, and in the project."""
    posts: Mapping[str, PostFiles]
    read: Mapping[str, str]
    """The files of the project that the build read, with their digests."""


def check_files(site: Site, result: SiteBuild, project: Project, purpose: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a finished site, as far as its files show.

    What the last check with the same `purpose` found out is not looked for again, even if it was interrupted.
    """
    cache = site.options.cache
    kept, facts = Kept.read(cache / _CHECKS, purpose), KeptFacts(cache / _FACTS, purpose)
    with site.last_build.records() as records:
        finished = read_finished(site.options, records, result, project, kept=kept, facts=facts)
        whole = False
        try:
            _read_pages(site, finished.site, records)
            mistakes = tuple(_find_mistakes(finished, site, _reported_files(result)))
            whole = True
        finally:
            kept.write(cache / _CHECKS, purpose, whole=whole)
            facts.write(finished.site.index(whole=whole))
    return mistakes


def _read_pages(site: Site, pages: FinishedSite, records: Records) -> None:
    """Read the pages of which nothing is known. Small ones are read when they are asked for."""
    stored = [(path, blob) for path in pages.unread() if (blob := records.blob(pages.digest(path)))]
    read = partial(_read_some, Packs.of(site.options.cache), pages.address.base_url)
    _in_pool(site, Key("checking", "pages"), read, stored, pages.take)


def _read_some(packs: Packs, base_url: str, pages: Iterable[tuple[str, BlobReference]]) -> list[ReadPage]:
    address = SiteAddress(base_url)
    return [read_page(_text_in(packs.read(blob)), path, address) for path, blob in pages]


def _in_pool(
    site: Site,
    running: Key,
    work: Callable[[Sequence[_File]], Iterable[_Found]],
    files: Sequence[_File],
    take: Callable[[_Found], None],
) -> None:
    """Have the worker pool look at some files, many in a call; `take` gets what is found out of each."""
    pool, done = site.workers.pool, 0

    def note(call: PendingCall) -> None:
        nonlocal done
        for found in call.result():
            take(found)
            done += 1

    calls = [
        pool.call(work, files[start : start + _FILES_A_CALL]) for start in range(0, len(files), _FILES_A_CALL)
    ]
    for call in calls:
        call.add_done_callback(note)
    pool.settle(calls, waiting=lambda: site.progress(Progress(done, len(files), running)))


def read_finished(
    options: SiteOptions,
    records: Records,
    result: SiteBuild,
    project: Project,
    *,
    kept: Kept | None = None,
    facts: KeptFacts | None = None,
) -> Finished:
    """What a build has made. It can be read as long as the records are open.

    Converted pages and texts are left out, and talks as one file: what is wrong with one is wrong with its
    original, or with the talk's page.
    """
    manifest = certain(result.manifest, "pages are checked when all could be made")
    posts = records.value(find_posts, None) or Posts()
    digests = {output.path: output.digest for output in manifest.outputs}
    originals = {
        output.path: output.digest
        for output in manifest.outputs
        if not is_copy(output) and output.kind != make_whole_talk.kind
    }

    def contents(endings: tuple[str, ...]) -> Contents:
        return Contents(records, {path: one for path, one in originals.items() if path.endswith(endings)})

    copied = {output.path: output.name for output in manifest.outputs if output.kind == copy_file.kind}
    inputs = {
        key.name: digest for key, digest in result.report.input_digests().items() if key.kind == FILE.kind
    }
    return Finished(
        site=FinishedSite(
            _Decoded(contents((".html",))),
            digests,
            base_url=project.base_url,
            sources=_Sources(manifest, posts.articles, options.root),
            shared=_shared_sources(options, inputs),
            copies=_Copies(options.root, copied),
            digests=digests,
            kept=kept,
            facts=facts,
        ),
        texts=contents(_TEXTS),
        pictures=contents(_PICTURES),
        static={path: name for path, name in copied.items() if name == f"{STATIC}/{path}"},
        posts=posts.articles,
        read=inputs,
    )


def _reported_files(result: SiteBuild) -> frozenset[str]:
    """The files of which the build says already that nothing reads them."""
    diagnostics = result.report.diagnostics
    return frozenset(
        one.location.path
        for one in diagnostics
        if one.location is not None and one.rule in ("file-name", "content-unread")
    )


def _find_mistakes(finished: Finished, site: Site, reported: Collection[str]) -> Iterator[Diagnostic]:
    pages, options = finished.site, site.options
    yield from check_pages(pages)
    yield from check_heads(pages)
    yield from check_feeds(pages, finished.texts)
    yield from check_unlinked(pages, ["index.html", *(f"{language}/index.html" for language in LANGUAGES)])
    config = options.root / options.config
    yield from check_unused_static(pages, finished.static, finished.texts, config.read_bytes())
    files = (path for path in sorted(content_files(options.root)) if path not in reported)
    yield from check_unused_content(files, finished.read)
    yield from check_weights(pages, finished.pictures)
    yield from _spelling(finished, site)


def _spelling(finished: Finished, site: Site) -> Iterator[Diagnostic]:
    root, kept = site.options.root, finished.site.kept
    words = _text(root / WORDS)
    try:
        names = read_names(words)
    except DiagnosticError:  # reported by the build
        return
    list_digest = digest_of((words or "").encode())
    yaml = [site.options.config, *(post.shared for post in finished.posts.values())]
    halves = [path for post in finished.posts.values() for path in (post.zh, post.en) if path is not None]
    asked: dict[str, tuple[str, _Spelling]] = {}
    for paths, check in ((yaml, check_yaml), (halves, check_markdown)):
        for path in paths:
            if (digest := finished.read.get(path, ABSENT)) != ABSENT:
                asked[f"spelling {path} {digest} {list_digest}"] = path, check
    new = [(name, *one) for name, one in asked.items() if not kept.knows(name)]
    look = partial(_misspelt, str(root), names)
    _in_pool(site, Key("checking", "names"), look, new, lambda found: kept.keep(*found))
    for name in asked:
        yield from kept.known(name, tuple[Diagnostic, ...])


_Spelling = Callable[[str, str, ProductNames], Iterable[Diagnostic]]


def _misspelt(
    root: str, names: ProductNames, files: Iterable[tuple[str, str, _Spelling]]
) -> list[tuple[str, bytes]]:
    """The names that are misspelt in some files, encoded, each with the name under which it is kept."""
    texts = ((name, path, check, _text(Path(root, path))) for name, path, check in files)
    return [
        (name, msgpack.encode(() if text is None else [*check(text, path, names)]))
        for name, path, check, text in texts
    ]


def _text(path: Path) -> str | None:
    return _text_in(path.read_bytes()) if path.is_file() else None


def _text_in(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _source(root: Path, path: str) -> SourceText | None:
    text = _text(root / path)
    return None if text is None else SourceText(path=path, text=text)


def _shared_sources(options: SiteOptions, read: Iterable[str]) -> tuple[SourceText, ...]:
    """The files of which a part is on many pages: the configuration and the project's own templates."""
    own, built_in = theme_folders(options.root)[0], theme_folders(options.root)[-1]
    templates = [path for path in read if path.startswith(f"{own}/") and path.endswith(".html")]
    paths = [options.config, *(sorted(templates) if own != built_in else ())]
    return tuple(source for path in paths if (source := _source(options.root, path)) is not None)


class _Copies(Mapping[str, SourceText]):
    """The pages that are published as they are, by output path. Read when asked for."""

    def __init__(self, root: Path, copied: Mapping[str, str]) -> None:
        self._root = root
        self._paths = {path: name for path, name in copied.items() if path.endswith(".html")}

    def __getitem__(self, path: str) -> SourceText:
        return SourceText(path=self._paths[path], text=_text(self._root / self._paths[path]) or "")

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class _Decoded(Mapping[str, str]):
    """Pages as texts. Each is read when it is asked for."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    def __getitem__(self, path: str) -> str:
        return _text_in(self._contents[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


class _Sources(Mapping[str, tuple[SourceText, ...]]):
    """The author's files that each article page was made from, by output path. Read when asked for."""

    def __init__(self, manifest: Manifest, posts: Mapping[str, PostFiles], root: Path) -> None:
        self._manifest, self._posts = manifest, posts
        self._read = lru_cache(maxsize=None)(partial(_source, root))

    @cached_property
    def _keys(self) -> Mapping[str, Key]:
        return {output.path: output.key for output in self._manifest.outputs}

    def __getitem__(self, path: str) -> tuple[SourceText, ...]:
        article, languages = _text_of(self._keys[path])
        post = self._posts[article]
        paths = (*(post.half(one) for one in languages), post.shared)
        return tuple(source for one in paths if one is not None and (source := self._read(one)) is not None)

    def __iter__(self) -> Iterator[str]:
        return (path for path, key in self._keys.items() if _text_of(key)[0] in self._posts)

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
