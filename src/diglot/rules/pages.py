"""Pages as tasks: each fetches what it shows, no more."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import msgpack

from diglot.content.records import Alignment, Document, FrontMatter
from diglot.crew import Crew, Shared
from diglot.engine import Fetch, Key, Packs, Place, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, DrawnFigure, Script
from diglot.invariants import require
from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.render.article import Mode, article_page
from diglot.render.feeds import atom_feed
from diglot.render.lists import landing_page, list_page, term_page, terms_page
from diglot.render.materials import Article, FigureMaterial, Half
from diglot.render.recent import Recent
from diglot.render.sitemaps import robots_txt, sitemap_xml
from diglot.render.small_pages import not_found_page, redirect_page
from diglot.render.strings import Strings
from diglot.render.templates import Templates
from diglot.render.theme import Theme
from diglot.rules.halves import body_of
from diglot.rules.needs import Needs, Targets
from diglot.rules.sources import PostFiles, as_language, split_half
from diglot.rules.tasks import Setting, Task
from diglot.rules.theme import Assets, TemplateSet
from diglot.site_map import TAXONOMIES, Neighbours, SiteMap, Summary, Taxonomy

_T = TypeVar("_T")

DOWNLOADS = ("svg", "png", "csv")


def tasks(setting: Setting) -> Mapping[str, Task]:
    """Pages, feeds and maps."""
    cache = setting.options.cache
    work = PageTasks(setting.crew, Packs.of(cache), cache / "templates")
    return {
        "article-page": Task(work.article, bytes),
        "both-page": Task(work.both, bytes),
        "redirect-page": Task(work.redirect, bytes),
        "home-page": Task(work.home, bytes),
        "terms-page": Task(work.terms, bytes),
        "term-page": Task(work.term, bytes),
        "landing-page": Task(work.landing, bytes),
        "not-found-page": Task(work.not_found, bytes),
        "feed": Task(feed, bytes),
        "sitemap": Task(sitemap, bytes),
        "robots": Task(robots, bytes),
    }


class PageTasks:
    """The tasks that render, with templates compiled once a process."""

    def __init__(self, crew: Crew, packs: Packs, compiled: Path) -> None:
        self._crew = crew
        self._packs = packs
        self._compiled = compiled
        self._frames: dict[tuple[str, ...], Shared] = {}

    async def article(self, fetch: Fetch, name: str) -> Place:
        """The page of one half; `name` is `<article>:<language>`."""
        return await self._article_page(fetch, name, "single")

    async def both(self, fetch: Fetch, name: str) -> Place:
        """The page with both halves beside each other; `name` is `<article>:<language of the interface>`."""
        return await self._article_page(fetch, name, "both")

    async def home(self, fetch: Fetch, language: str) -> Place:
        """The list of a language's articles."""
        return await self._listing(fetch, "list.html", partial(list_page, language=as_language(language)))

    async def terms(self, fetch: Fetch, name: str) -> Place:
        """The list of a language's tags or categories; `name` is `<taxonomy>:<language>`."""
        taxonomy, language = split_half(name)
        render = partial(terms_page, language=language, taxonomy=as_taxonomy(taxonomy))
        return await self._listing(fetch, "terms.html", render)

    async def term(self, fetch: Fetch, name: str) -> Place:
        """The articles that have a tag or category; `name` is `<taxonomy>/<term>:<language>`."""
        path, language = split_half(name)
        taxonomy, _, term = path.partition("/")
        render = partial(term_page, language=language, taxonomy=as_taxonomy(taxonomy), term=term)
        return await self._listing(fetch, "term.html", render)

    async def landing(self, fetch: Fetch, _name: str) -> Place:
        """The neutral page at the root."""
        return await self._listing(fetch, "landing.html", landing_page)

    async def not_found(self, fetch: Fetch, _name: str) -> Place:
        """What hosts show where there is no page."""
        return await self._listing(fetch, "not_found.html", not_found_page)

    async def redirect(self, fetch: Fetch, name: str) -> bytes:
        """What stands at an old address; `name` is `<article>:<language>`."""
        article, language = split_half(name)
        summary: Summary = await fetch("summary", article)
        half = summary.half(language)
        if half is None:  # it went away, and the map of articles is that of the last good build
            raise UpstreamFailed(Key("summary", article))
        frame = _compiled(await self._frame(fetch, "redirect.html"))
        return redirect_page(frame.theme, frame.project, summary.slug, half.title, language).encode()

    async def _listing(
        self, fetch: Fetch, template: str, render: Callable[[Theme, Project, SiteMap], str]
    ) -> Place:
        frame = await self._frame(fetch, template, "entry.html")
        name = f"site-map {await fetch.digest('site-map')}"
        site_map = Shared(name=name, value=await fetch.encoded("site-map"))
        place: Place = await fetch.wait(self._crew.call(_render_list, self._packs, frame, site_map, render))
        return place

    async def _article_page(self, fetch: Fetch, name: str, mode: Mode) -> Place:
        article, language = split_half(name)
        sources = await gather_sources(fetch, article, language, mode)
        frame = await self._frame(fetch, "article.html")
        call = self._crew.call(_render_article, self._packs, frame, sources, language, mode)
        place: Place = await fetch.wait(call)
        return place

    async def _frame(self, fetch: Fetch, *names: str) -> Shared:
        """What a page is made with besides its own content; read only where a part of it changed.

        The names are those of its template, and of others that parts of it are shown by.
        """
        keys = [
            *(Key("templates", name) for name in names),
            *(Key("words", language) for language in LANGUAGES),
            Key("assets"),
            Key("project"),
        ]
        digests = await fetch.digests(keys)
        if digests not in self._frames:
            templates: list[TemplateSet]
            zh: Strings
            en: Strings
            assets: Assets
            project: Project
            *templates, zh, en, assets, project = await fetch.all(keys)
            joined = {name: source for one in templates for name, source in one.sources}
            sources = FrameSources(
                compiled=self._compiled,
                templates=TemplateSet(sources=tuple(joined.items())),
                zh=zh,
                en=en,
                assets=assets,
                project=project,
            )
            self._frames[digests] = Shared(name=" ".join(digests), value=sources)
            _keep_recent(self._frames)
        return self._frames[digests]


class FrameSources(msgspec.Struct, frozen=True, kw_only=True):
    """What surrounds the content of pages, as it travels."""

    compiled: Path
    """Where compiled templates are kept."""
    templates: TemplateSet
    zh: Strings
    en: Strings
    assets: Assets
    project: Project


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The same, ready to render with."""

    theme: Theme
    project: Project


_FRAMES: dict[str, Frame] = {}
"""Frames by the names of their sources: templates are compiled once a process."""
_MOST_FRAMES = 32
"""A preview sees many versions of a theme."""


def _keep_recent(frames: dict[Any, Any]) -> None:
    while len(frames) > _MOST_FRAMES:
        del frames[next(iter(frames))]


def _compiled(sources: Shared) -> Frame:
    if sources.name not in _FRAMES:
        value: FrameSources = sources.value
        theme = Theme(
            templates=Templates(dict(value.templates.sources), compiled=value.compiled),
            strings={"zh": value.zh, "en": value.en},
            assets=dict(value.assets.paths),
        )
        _FRAMES[sources.name] = Frame(theme=theme, project=value.project)
        _keep_recent(_FRAMES)
    return _FRAMES[sources.name]


@lru_cache(1)
def _site_map(sources: Shared) -> SiteMap:
    return msgpack.decode(sources.value, type=SiteMap)


def _render_list(
    packs: Packs,
    frame_sources: Shared,
    site_map: Shared,
    render: Callable[[Theme, Project, SiteMap], str],
) -> Place:
    frame = _compiled(frame_sources)
    return packs.add(render(frame.theme, frame.project, _site_map(site_map)).encode())


_DECODED: Recent[tuple[Callable[[bytes], Any], bytes], Any] = Recent(12)
"""What the four pages of an article have in common, decoded once."""


def _decoded(encoded: bytes, decode: Callable[[bytes], _T]) -> _T:
    value: _T | None = _DECODED.find((decode, encoded))
    if value is None:
        value = decode(encoded)
        _DECODED.keep((decode, encoded), value)
    return value


_decode_front_matter = msgpack.Decoder(FrontMatter).decode
_decode_document = msgpack.Decoder(Document).decode
_decode_alignment = msgpack.Decoder(Alignment).decode
_decode_targets = msgpack.Decoder(Targets).decode
_NO_TARGETS = Targets(links={}, images={})


def _render_article(
    packs: Packs, frame_sources: Shared, sources: "PageSources", language: Language, mode: Mode
) -> Place:
    frame = _compiled(frame_sources)
    article = Article(
        slug=sources.slug,
        halves={
            one: Half(
                front_matter=_decoded(half.front_matter, _decode_front_matter),
                document=body_of(packs, half.document)
                if isinstance(half.document, Place)
                else _decoded(half.document, _decode_document),
                links=targets.links,
                images=targets.images,
            )
            for one, half in sources.halves.items()
            for targets in (_NO_TARGETS if half.targets is None else _decoded(half.targets, _decode_targets),)
        },
        alignment=_decoded(sources.alignment, _decode_alignment),
        figures=sources.figures,
        neighbours={language: msgpack.decode(sources.neighbours, type=Neighbours)},
        source_urls=sources.source_urls,
    )
    return packs.add(article_page(frame.theme, frame.project, article, language, mode).encode())


def as_taxonomy(word: str) -> Taxonomy:
    """A taxonomy out of the name of a task."""
    require(word in TAXONOMIES, f"{word!r} is no taxonomy")
    return "tags" if word == "tags" else "categories"


class HalfSources(NamedTuple):
    """A half as it travels to where its page is rendered: encoded, or as the place where it is read."""

    front_matter: bytes
    document: Place | bytes
    """The place of a `ParsedHalf`; of a half that the page does not show, the frame alone, encoded."""
    targets: bytes | None
    """Where its links and pictures lead, encoded; None for a half that the page does not show."""


class PageSources(NamedTuple):
    """All that a page of an article is rendered from, as it travels: tuples do so fastest."""

    slug: str
    halves: Mapping[Language, HalfSources]
    alignment: bytes
    figures: Mapping[str, FigureMaterial]
    neighbours: bytes
    """A `Neighbours`, encoded."""
    source_urls: Mapping[str, str]


async def gather_sources(fetch: Fetch, name: str, language: Language, mode: Mode) -> PageSources:
    """What a page of an article is made from. Raises UpstreamFailed for a half that has no file.

    Of a half that the page does not show, only the frame is fetched, so that its text may change.
    """
    post: PostFiles = await fetch("post", name)
    post.path(language)
    alignment = await fetch.encoded("alignment", name)
    shown = post.languages if mode == "both" else (language,)
    halves: dict[Language, HalfSources] = {}
    asked: dict[FigureRequest, bool] = {}
    for one in post.languages:
        half = f"{name}:{one}"
        if one not in shown:
            halves[one] = HalfSources(
                front_matter=await fetch.encoded("front-matter", half),
                document=await fetch.encoded("frame", half),
                targets=None,
            )
            continue
        needs: Needs = await fetch("needs", half)
        halves[one] = HalfSources(
            front_matter=await fetch.encoded("front-matter", half),
            document=await fetch.place("document", half),
            targets=bytes(needs.targets),
        )
        asked |= dict.fromkeys(map(FigureRequest.parse, needs.embedded), True)
        for text in needs.quoted:
            asked.setdefault(FigureRequest.parse(text), False)
    await fetch.digests(_figure_keys(asked, shown))  # all of them side by side
    figures = {
        str(one): await _gather_figure(fetch, one, shown if is_drawn else ())
        for one, is_drawn in asked.items()
    }
    project: Project = await fetch("project")
    return PageSources(
        slug=await fetch("address", name),
        halves=halves,
        alignment=alignment,
        figures=figures,
        neighbours=await fetch.encoded("neighbours", f"{name}:{language}"),
        source_urls=_source_urls(project, figures.values()),
    )


def _source_urls(project: Project, figures: Iterable[FigureMaterial]) -> dict[str, str]:
    """Where scripts, and the data files they read, can be looked at; none where nobody said so."""
    if project.source_url is None:
        return {}
    found: set[str] = set()
    for figure in figures:
        found |= {figure.script_path, *figure.computed.provenance}
    return {path: project.source_url + path for path in found if not path.startswith(("/", "diglot/"))}


def _figure_keys(asked: Mapping[FigureRequest, bool], languages: tuple[Language, ...]) -> Iterable[Key]:
    for request, is_drawn in asked.items():
        if is_drawn:
            yield from (Key("drawing", f"{request}@{language}") for language in languages)
        else:
            yield Key("data", str(request))


async def _gather_figure(
    fetch: Fetch, request: FigureRequest, languages: tuple[Language, ...]
) -> FigureMaterial:
    script: Script = await fetch("script", request.figure_id)
    computed: ComputedFigure = await fetch("data", str(request))
    drawn: dict[Language, DrawnFigure] = {
        language: await fetch("drawing", f"{request}@{language}") for language in languages
    }
    return FigureMaterial(
        computed=computed,
        script_path=script.path,
        drawn=drawn,
        downloads={
            language: tuple(
                (word.upper(), download_path(request, language, word)) for word in downloads_of(one)
            )
            for language, one in drawn.items()
        },
    )


def downloads_of(drawn: DrawnFigure) -> tuple[str, ...]:
    """The formats a figure can be had in."""
    return tuple(word for word in DOWNLOADS if (drawn.csv if word == "csv" else drawn.svgs))


def download_path(request: FigureRequest, language: Language, word: str) -> str:
    """Where a figure's file is published, from the site's root."""
    return f"figures/{request.figure_id}/{request.file_stem}.{language}.{word}"


async def feed(fetch: Fetch, language: str) -> bytes:
    """The Atom feed of a language."""
    return atom_feed(await fetch("project"), await fetch("site-map"), as_language(language)).encode()


async def sitemap(fetch: Fetch, _name: str) -> bytes:
    """`sitemap.xml`."""
    return sitemap_xml(await fetch("project"), await fetch("site-map")).encode()


async def robots(fetch: Fetch, _name: str) -> bytes:
    """`robots.txt`."""
    return robots_txt(await fetch("project")).encode()
