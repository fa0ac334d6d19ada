"""Pages as tasks: each fetches only what it shows."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.records import Alignment, Document, FrontMatter
from diglot.content.terms import Term
from diglot.diagnostics import DiagnosticError
from diglot.engine import BlobReference, Key, Packs, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.languages import Language, twin_of
from diglot.listings import Listing, ListTopic, listing_of, term_listing
from diglot.processes import Shared
from diglot.project import Project
from diglot.render.article import Mode, article_page, template_of
from diglot.render.few_articles import few_articles_page
from diglot.render.lists import archive_page, landing_page, list_page, terms_page
from diglot.render.materials import Article, BehindBlock, FigureMaterial, Half, LinkedArticle, ManualPlace
from diglot.render.sitemaps import robots_txt, sitemap_xml
from diglot.render.small_pages import not_found_page, redirect_page
from diglot.render.theme import Theme
from diglot.rules.articles import align_article
from diglot.rules.chips import list_chips
from diglot.rules.few_articles import gather_few
from diglot.rules.figure_materials import gather_figure, source_urls
from diglot.rules.figures import compute_figure, draw_figure, find_scripts
from diglot.rules.frames import NO_EXPLORATIONS, Explorations, find_explorations
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_skeleton, read_document
from diglot.rules.ids import (
    DrawingId,
    HalfId,
    ListId,
    TermListId,
    as_language,
)
from diglot.rules.labels import NO_TERMS, Terms, all_terms, find_article_labels, find_terms
from diglot.rules.manual import find_manual_place
from diglot.rules.neighbours import find_neighbours
from diglot.rules.page_contexts import PageContext, compiled, encoded, gather_page_context, render
from diglot.rules.parsed_halves import body_of
from diglot.rules.projects import find_first_language, read_project, read_site_settings
from diglot.rules.references import Targets, resolve_references
from diglot.rules.sources import HOME_PAGE, find_post, kind_of
from diglot.rules.staleness import find_behind
from diglot.rules.summaries import find_addresses, find_article_at, map_articles, summarise
from diglot.rules.talk_lists import find_talks_about, has_talks, make_talks_page
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.terms import read_terms
from diglot.rules.value_mistakes import find_value_mistakes
from diglot.site_map import (
    HOME,
    TERM_GROUPS,
    ArticleKind,
    Neighbours,
    SiteMap,
    Summary,
    Taxonomy,
    group_of,
    home_path,
    term_name,
)
from diglot.which_pages import page_languages

_T = TypeVar("_T")


@task("article-page", bytes)
async def make_article_page(fetch: Fetch, half: HalfId) -> BlobReference:
    """The page of one half."""
    return await _article_page(fetch, half, "single")


@task("both-page", bytes)
async def make_both_page(fetch: Fetch, half: HalfId) -> BlobReference:
    """The page with both halves side by side. Its interface is in the language of `half`."""
    return await _article_page(fetch, half, "both")


@task("fallback-page", bytes)
async def make_fallback_page(fetch: Fetch, half: HalfId) -> BlobReference:
    """The page of an article for readers of the language that it lacks: the text of the half that it has."""
    return await _article_page(fetch, HalfId(half.article, twin_of(half.language)), "single", half.language)


@task("home-page", bytes)
async def make_home_page(fetch: Fetch, language: Language) -> BlobReference:
    """The list of a language's articles, below the text of `content/pages/home/` if there is one."""
    home = await _home(fetch)
    if language in home:
        return await _article_page(fetch, HalfId(HOME_PAGE, language), "single")
    name = ListId(ListTopic(language=language), 1)
    listing = await fetch(cut_listing, name)
    few = await gather_few(fetch, listing)
    if few is None:
        return await _list_page(fetch, name)
    return await render(fetch, ("few.html", "entry.html"), few_articles_page, listing, few)


@task("list-group")
async def group_articles(fetch: Fetch, group: str) -> Mapping[str, Mapping[Language, tuple[Summary, ...]]]:
    """The articles of each term in a group, by language: a slice of the site map that has few lists."""
    return (await fetch(map_articles)).by_group.get(int(group), {})


@task("list-slice")
async def cut_listing(fetch: Fetch, name: ListId) -> Listing:
    """What a page of a list shows: a slice of the site map, so that other articles do not make it again."""
    project, topic = await fetch(read_site_settings), name.topic
    if topic.taxonomy is None:
        return listing_of(await fetch(map_articles), topic, name.number, project.list_entries, project.first)
    term = term_name(topic.taxonomy, topic.term)
    listed = (await fetch(group_articles, str(group_of(term, TERM_GROUPS)))).get(term, {})
    return term_listing(listed, topic, name.number, project.list_entries)


@task("list-page", bytes)
async def make_list_page(fetch: Fetch, name: ListId) -> BlobReference:
    """A page of a list: all of a home page's but the first, those of a tag, an author or a year."""
    return await _list_page(fetch, name)


@task("archive-page", bytes)
async def make_archive_page(fetch: Fetch, language: Language) -> BlobReference:
    """The years in which there are articles."""
    return await _listing(fetch, "archive.html", partial(archive_page, language=language))


@task("terms-page", bytes)
async def make_terms_page(fetch: Fetch, name: TermListId) -> BlobReference:
    """The list of a language's tags, categories, series or authors."""
    labels = all_terms(await fetch(read_project))
    render = partial(_terms_page_of, labels=labels, language=name.language, taxonomy=name.taxonomy)
    return await _listing(fetch, "terms.html", render)


def _terms_page_of(
    theme: Theme,
    project: Project,
    site_map: SiteMap,
    *,
    labels: Terms,
    language: Language,
    taxonomy: Taxonomy,
) -> str:
    return terms_page(theme, labels.in_project(project), site_map, language=language, taxonomy=taxonomy)


@task("landing-page", bytes)
async def make_landing_page(fetch: Fetch, _name: None) -> BlobReference:
    """The page at the root: the neutral one, or the home page of the first language if it has a text."""
    first = await fetch(find_first_language)
    if first in await _home(fetch):
        return await _article_page(fetch, HalfId(HOME_PAGE, first), "single", path="")
    return await _listing(fetch, "landing.html", landing_page)


@task("not-found-page", bytes)
async def make_not_found_page(fetch: Fetch, name: str) -> BlobReference:
    """The page that hosts show for unknown addresses, below a language's if `name` is one."""
    render = partial(not_found_page, language=as_language(name) if name else None)
    return await _listing(fetch, "not_found.html", render)


@task("redirect-page")
async def make_redirect_page(fetch: Fetch, half: HalfId) -> bytes:
    """The page at an old address, which redirects to the half."""
    summary = await fetch(summarise, half.article)
    shown = summary.half(half.language)
    if shown is None:  # the half is gone, and the site map is that of the last good build
        raise UpstreamFailed(summarise.key(half.article))
    page_context = compiled(await gather_page_context(fetch, "redirect.html"))
    path = summary.path(half.language)
    return encoded(redirect_page(page_context.theme, page_context.project, path, shown.title, half.language))


LISTS = frozenset(
    one.kind
    for one in (
        *(make_home_page, make_list_page, make_archive_page, make_terms_page, make_landing_page),
        *(make_not_found_page, make_talks_page),
    )
)
"""Kinds of pages that link to articles."""


async def _listing(
    fetch: Fetch, template: str, render: Callable[[Theme, Project, SiteMap], str]
) -> BlobReference:
    page_context = await gather_page_context(fetch, template, "entry.html")
    site_map = await _shared_site_map(fetch)
    return await in_worker(fetch, _render_list, page_context, site_map, render)


_OF_LISTS = ("list.html", "year.html", "term.html", "entry.html")
"""One page context for all lists, so that the entry of an article is made once for all of them."""


async def _list_page(fetch: Fetch, name: ListId) -> BlobReference:
    listing = await fetch.encoded(cut_listing, name)
    labels = await _labels_of_list(fetch, _decode_listing(listing))
    return await render(fetch, _OF_LISTS, _list_page_of, listing, labels)


def _list_page_of(theme: Theme, project: Project, listing: bytes, labels: Terms) -> str:
    return list_page(theme, labels.in_project(project), _decode_listing(listing))


async def _labels_of_list(fetch: Fetch, listing: Listing) -> Terms:
    """The terms that a page of a list shows: its own, and the tags of its articles."""
    topic = listing.topic
    own = [] if topic.taxonomy is None else [(topic.taxonomy, topic.term)]
    return await find_terms(fetch, [*own, *(("tags", tag) for tag, _ in listing.terms)])


async def _shared_site_map(fetch: Fetch) -> Shared:
    name = f"site-map {await fetch.digest(map_articles)}"
    return Shared(name=name, value=await fetch.encoded(map_articles))


async def _home(fetch: Fetch) -> Mapping[Language, str]:
    """The addresses of the home pages that have a text."""
    name = await fetch(find_article_at, HOME)
    return (await fetch(find_addresses, name)).paths if name else {}


async def _article_page(
    fetch: Fetch, half: HalfId, mode: Mode, readers: Language | None = None, *, path: str | None = None
) -> BlobReference:
    """A page of an article, for `readers` of another language or at `path` if that is not its own address.

    A home page lists the posts too.
    """
    reading = readers or half.language
    sources = await gather_sources(fetch, half, mode, reading)
    if (await fetch(find_post, half.article)).sync is not None and len(sources.halves) == 2:
        shown = sources.halves if mode == "both" else (half.language,)
        found = {one: await fetch(find_behind, HalfId(half.article, one)) for one in shown}
        sources = sources._replace(behind=found)
    if mode != "both" and (await fetch(read_site_settings)).first_use == "twin":
        sources = sources._replace(terms=await fetch(read_terms))
    is_home = half.article == HOME_PAGE
    listing = await fetch(cut_listing, ListId(ListTopic(language=reading), 1)) if is_home else None
    if listing is not None:
        labels = await _labels_of_list(fetch, listing)
        sources = sources._replace(labels=replace(sources.labels, tags=(*sources.labels.tags, *labels.tags)))
    page_context = await gather_page_context(fetch, "home.html" if is_home else template_of(sources.manual))
    page = partial(article_page, mode=mode, listing=listing, path=path)
    return await in_worker(fetch, render_article, page_context, sources, reading, page)


@lru_cache(1)
def _site_map(sources: Shared) -> SiteMap:
    return msgpack.decode(sources.value, type=SiteMap)


def _render_list(
    packs: Packs,
    context_sources: Shared,
    site_map: Shared,
    render: Callable[[Theme, Project, SiteMap], str],
) -> BlobReference:
    page_context = compiled(context_sources)
    return packs.add(encoded(render(page_context.theme, page_context.project, _site_map(site_map))))


_decode_listing = msgpack.Decoder(Listing).decode
_decode_front_matter = msgpack.Decoder(FrontMatter).decode
_decode_document = msgpack.Decoder(Document).decode
_decode_alignment = msgpack.Decoder(Alignment).decode
_decode_targets = msgpack.Decoder(Targets).decode
_NO_TARGETS = Targets(links={}, images={})
_NO_NEIGHBOURS = msgpack.encode(Neighbours(newer=None, older=None))


def render_article(
    packs: Packs,
    context_sources: Shared,
    sources: "PageSources",
    readers: Language,
    page: Callable[[Theme, Project, Article, Language], str],
) -> BlobReference:
    """What `page` makes of an article for readers of a language."""
    return packs.add(encoded(page(*material_of(packs, context_sources, sources, readers), readers)))


def material_of(
    packs: Packs, context_sources: Shared, sources: "PageSources", readers: Language
) -> tuple[Theme, Project, Article]:
    """What an article's pages for readers of a language are made of."""
    page_context = compiled(context_sources)
    project = sources.labels.in_project(page_context.project)
    return page_context.theme, project, _article_from(packs, page_context, sources, readers)


def _article_from(
    packs: Packs, page_context: PageContext, sources: "PageSources", readers: Language
) -> Article:
    """The material of an article's pages for readers of a language, decoded."""
    return Article(
        paths=sources.paths,
        expired=sources.expired,
        kind=sources.kind,
        halves={
            one: Half(
                front_matter=page_context.decode(half.front_matter, _decode_front_matter),
                document=_with_twins(body_of(packs, half.document), sources.terms)
                if isinstance(half.document, BlobReference)
                else page_context.decode(half.document, _decode_document),
                links=targets.links,
                images=targets.images,
                citations=targets.citations,
                diagrams=targets.diagrams,
                explorations=half.explorations.found,
                following=half.explorations.following,
                values=half.explorations.values,
            )
            for one, half in sources.halves.items()
            for targets in (
                _NO_TARGETS if half.targets is None else page_context.decode(half.targets, _decode_targets),
            )
        },
        alignment=page_context.decode(sources.alignment, _decode_alignment),
        figures=sources.figures,
        neighbours={readers: msgpack.decode(sources.neighbours, type=Neighbours)},
        source_urls=sources.source_urls,
        talks=sources.talks,
        behind=sources.behind,
        manual=sources.manual,
    )


def _with_twins(body: Document, terms: tuple[Term, ...]) -> Document:
    if not terms:
        return body
    from diglot.content.first_uses import with_twins  # noqa: PLC0415  (only sites that ask for it need its patterns)

    return with_twins(body, terms)


class HalfSources(NamedTuple):
    """A half in the form in which it is sent to a worker: encoded, or as a blob reference."""

    front_matter: bytes
    document: BlobReference | bytes
    """Reference to a `ParsedHalf`; for a half that the page does not show, its skeleton, encoded."""
    targets: bytes | None
    """A `Targets`, encoded; None for a half that the page does not show."""
    explorations: Explorations = NO_EXPLORATIONS


class PageSources(NamedTuple):
    """All that an article's page is rendered from. A tuple, which is the fastest type to send to a worker."""

    paths: Mapping[Language, str]
    expired: bool
    kind: ArticleKind
    halves: Mapping[Language, HalfSources]
    alignment: bytes
    figures: Mapping[str, FigureMaterial]
    source_urls: Mapping[str, str]
    talks: tuple[LinkedArticle, ...]
    neighbours: bytes = _NO_NEIGHBOURS
    """A `Neighbours`, encoded."""
    behind: Mapping[Language, tuple[BehindBlock, ...]] | None = None
    terms: tuple[Term, ...] = ()
    """The terms whose first use shows their twins."""
    labels: Terms = NO_TERMS
    """Its tags, categories and series."""
    manual: ManualPlace | None = None


async def gather_sources(fetch: Fetch, half: HalfId, mode: Mode, reading: Language) -> PageSources:
    """What an article's page for readers of a language is rendered from.

    Raises UpstreamFailed if `half` has no file.

    Of a half that the page does not show, only the front matter and the skeleton are fetched, so that edits
    of its text do not rerun the page.
    """
    name, language = half
    post = await fetch(find_post, name)
    post.path(language)
    alignment = await fetch.encoded(align_article, name)
    shown = post.languages if mode == "both" else (language,)
    halves: dict[Language, HalfSources] = {}
    asked: dict[FigureRequest, bool] = {}
    quoted: list[str] = []
    for one in post.languages:
        other = HalfId(name, one)
        if one not in shown:
            halves[one] = HalfSources(
                front_matter=await fetch.encoded(read_front_matter, other),
                document=await fetch.encoded(cut_skeleton, other),
                targets=None,
            )
            continue
        needs = await fetch(resolve_references, other)
        halves[one] = HalfSources(
            front_matter=await fetch.encoded(read_front_matter, other),
            document=await fetch.blob(read_document, other),
            targets=bytes(needs.targets),
            explorations=await find_explorations(fetch, other) if needs.has_controls else NO_EXPLORATIONS,
        )
        asked |= dict.fromkeys(map(FigureRequest.parse, needs.embedded), True)
        quoted += needs.quoted
        for text in needs.quoted:
            asked.setdefault(FigureRequest.parse(text), False)
    try:
        await fetch.digests(_figure_keys(asked, shown))  # all of them in parallel
    except UpstreamFailed as failure:  # a figure that fails must not hide what is wrong with other values
        mistakes = [
            mistake
            for one in shown
            for mistake in await find_value_mistakes(fetch, HalfId(name, one), quoted)
        ]
        if mistakes:
            raise DiagnosticError(*mistakes) from failure
        raise
    figures = {
        str(one): await gather_figure(fetch, one, shown if is_drawn else ())
        for one, is_drawn in asked.items()
    }
    project = await fetch(read_site_settings)
    addresses = await fetch(find_addresses, name)
    paths = addresses.paths
    if name == HOME_PAGE:  # without a text, a home page is there all the same
        paths = {one: home_path(one) for one in page_languages(await fetch(map_articles))}
    return PageSources(
        paths=paths,
        expired=addresses.expired,
        kind=kind_of(name),
        halves=halves,
        alignment=alignment,
        figures=figures,
        neighbours=_NO_NEIGHBOURS
        if kind_of(name) != "post"
        else await fetch.encoded(find_neighbours, HalfId(name, reading)),
        source_urls=source_urls(project, figures.values()),
        talks=await fetch(find_talks_about, name) if await fetch(has_talks) else (),
        labels=await fetch(find_article_labels, name),
        manual=await fetch(find_manual_place, HalfId(name, reading)) if kind_of(name) == "page" else None,
    )


def _figure_keys(asked: Mapping[FigureRequest, bool], languages: tuple[Language, ...]) -> Iterable[Key]:
    for request, is_drawn in asked.items():
        if is_drawn:
            yield from (draw_figure.key(DrawingId(request, language)) for language in languages)
        else:
            yield compute_figure.key(request)


@task("sitemap")
async def make_sitemap(fetch: Fetch, _name: None) -> bytes:
    """`sitemap.xml`."""
    project = await fetch(read_site_settings)
    figures = (await fetch(find_scripts)).ids if project.gallery else ()
    chips = [one.slug for one in (await fetch(list_chips)).chips] if project.hardware else []
    return sitemap_xml(project, await fetch(map_articles), figures, chips).encode()


@task("robots")
async def make_robots(fetch: Fetch, _name: None) -> bytes:
    """`robots.txt`."""
    return robots_txt(await fetch(read_site_settings)).encode()
