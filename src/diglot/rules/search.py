"""Tasks of the search: the text of each page that can be found, and the index of each language."""

from collections.abc import Mapping
from typing import NamedTuple, Self
from urllib.parse import quote

from diglot.engine import BlobReference, Packs, Target
from diglot.figure_request import FigureRequest
from diglot.languages import TRADITIONAL, Edition
from diglot.rules.chips import list_chips
from diglot.rules.figures import find_scripts
from diglot.rules.gallery import make_figure_page
from diglot.rules.glossary import make_glossary_page
from diglot.rules.hardware import make_chip_page
from diglot.rules.ids import ChipId, DrawingId, FileId, HalfId, as_edition
from diglot.rules.navigation import find_navigation
from diglot.rules.options import INDEXES_SEARCH, PAGEFIND
from diglot.rules.pages import make_article_page
from diglot.rules.projects import read_site_settings
from diglot.rules.sources import HOME_PAGE
from diglot.rules.summaries import find_page_languages, map_articles
from diglot.rules.talks import make_talk_page
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.traditional import make_traditional
from diglot.search.pagefind import make_index
from diglot.site_map import chip_path, figure_path, glossary_path, output_path, search_path, traditional_path

FOUND = (
    *(make_article_page.kind, make_talk_page.kind, make_figure_page.kind, make_chip_page.kind),
    make_glossary_page.kind,
)
"""Kinds of pages that readers find."""


class SearchTextId(NamedTuple):
    """The text of a page, with the task that makes the page: `zh article-page roofline:zh`."""

    edition: Edition
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.edition} {self.kind} {self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        edition, kind, name = text.split(" ", 2)
        return cls(as_edition(edition), kind, name)


class SearchFileId(NamedTuple):
    """A file of a language's index: `zh index/zh-hans_6113421.pf_index`."""

    edition: Edition
    path: str

    def __str__(self) -> str:
        return f"{self.edition} {self.path}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        edition, path = text.split(" ", 1)
        return cls(as_edition(edition), path)


@task("search-text", bytes)
async def make_search_text(fetch: Fetch, page: SearchTextId) -> BlobReference:
    """The words of a page and the ids that they are under, as HTML for Pagefind."""
    original: Target[str, bytes] = Target(page.kind)
    blob = await fetch.blob(original, page.name)
    return await in_worker(fetch, _text, blob, page.edition)


@task("search-index")
async def make_search_index(fetch: Fetch, edition: Edition) -> Mapping[str, bytes]:
    """The files of the index of all pages in a language that readers find, by their paths in its folder."""
    await fetch(PAGEFIND)  # another version makes another index
    pages = {path: SearchTextId.parse(one) for path, one in await fetch(list_found_pages, edition)}
    await fetch.digests([make_search_text.key(one) for one in pages.values()])
    texts = {path: await fetch.blob(make_search_text, one) for path, one in pages.items()}
    return await in_worker(fetch, _index, texts)


@task("search-file")
async def cut_search_file(fetch: Fetch, file: SearchFileId) -> bytes:
    """A file of the index: a slice of it."""
    return (await fetch(make_search_index, file.edition))[file.path]


async def find_search_files(fetch: Fetch) -> Mapping[str, "SearchFileId"]:
    """The files of the index by output path; none where the site has no search, or makes it when asked."""
    if not await fetch(INDEXES_SEARCH) or not (await fetch(find_navigation)).search:
        return {}
    languages = await fetch(find_page_languages)
    is_converted = (await fetch(read_site_settings)).traditional is not None and "zh" in languages
    editions: list[Edition] = [*languages, *((TRADITIONAL,) if is_converted else ())]
    indexes = await fetch.all(make_search_index, editions)
    return {
        f"{search_path(edition)}{path}": SearchFileId(edition, path)
        for edition, index in zip(editions, indexes, strict=True)
        for path in index
    }


@task("found-pages")
async def list_found_pages(fetch: Fetch, edition: Edition) -> tuple[tuple[str, str], ...]:
    """The pages that readers find: articles, talks, and where they have pages, figures, chips and terms.

    The path of each, and the name of its `search-text`.
    """
    if edition == TRADITIONAL:
        return _converted(await fetch(list_found_pages, "zh"))
    language = edition
    site_map, project = await fetch(map_articles), await fetch(read_site_settings)
    found = {
        article.path(language): SearchTextId(
            language,
            make_talk_page.kind if article.kind == "talk" else make_article_page.kind,
            str(HalfId(article.name, language)),
        )
        for article in site_map.everything
        if article.name != HOME_PAGE and language in article.languages
    }
    for figure_id in (await fetch(find_scripts)).ids if project.gallery else ():
        drawing = DrawingId(FigureRequest.of(figure_id), language)
        found[figure_path(language, figure_id)] = SearchTextId(language, make_figure_page.kind, str(drawing))
    for chip in (await fetch(list_chips)).chips if project.hardware else ():
        name = str(ChipId(chip.slug, language))
        found[chip_path(language, chip.slug)] = SearchTextId(language, make_chip_page.kind, name)
    if project.glossary:
        found[glossary_path(language)] = SearchTextId(language, make_glossary_page.kind, language)
    return tuple((path, str(text)) for path, text in found.items())


def _converted(found: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    pages = []
    for path, text in found:
        _, kind, name = SearchTextId.parse(text)
        page = str(FileId(quote(output_path(path)), kind, name))
        converted = SearchTextId(TRADITIONAL, make_traditional.kind, page)
        pages.append((traditional_path(path), str(converted)))
    return tuple(pages)


OF_INDEX = frozenset(
    one.kind for one in (list_found_pages, make_search_text, make_search_index, cut_search_file)
)
"""Kinds of tasks that make the index."""


def _text(packs: Packs, page: BlobReference, edition: Edition) -> BlobReference:
    from diglot.search.texts import search_text  # noqa: PLC0415  (most builds of most sites make no text)

    return packs.add(search_text(packs.read(page).decode(), edition).encode())


def _index(packs: Packs, texts: Mapping[str, BlobReference]) -> Mapping[str, bytes]:
    return make_index({path: packs.read(text) for path, text in texts.items()})
