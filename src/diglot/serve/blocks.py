"""Where the served pages show an article's blocks and figures: output paths of pages, and ids of rows.

Read from what the last build recorded. What was read before is kept, so that only what changed is read again.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

import msgspec

from diglot.content.records import FigureEmbed, TableEmbed
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES, Language
from diglot.render.numbering import embed_of
from diglot.rules.articles import align_article
from diglot.rules.halves import cut_references, cut_skeleton
from diglot.rules.ids import HalfId
from diglot.rules.last_build import Records
from diglot.rules.parsed_halves import References
from diglot.rules.sources import PostFiles, find_post
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Task
from diglot.site_map import Summary, both_path, output_path

TOP = "_top"
"""The id of the row with an article's title."""

_NameT = TypeVar("_NameT")
_ValueT = TypeVar("_ValueT")
_MadeT = TypeVar("_MadeT")


class BlockPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A block on a page."""

    page: str
    """The page's output path, `zh/posts/roofline/index.html`."""
    row: str
    """The id of its row; empty for the page as a whole."""


class ShownFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, or its table, on a page."""

    request: FigureRequest
    language: Language
    """The half that shows it, which on a side-by-side page is one of two."""
    place: BlockPlace


class SiteBlocks:
    """Finds articles by their files, and figures by the articles that show them."""

    def __init__(self) -> None:
        self._posts = _Kept(find_post, _files)
        self._embedded = _Kept(cut_references, _embedded)

    def half_of(self, records: Records, path: str) -> tuple[HalfId, bool] | None:
        """The half that a file belongs to, and whether both halves share the file; None for other files."""
        for name, (halves, shared) in self._posts.read(records).items():
            if path in shared:
                return HalfId(name, "zh"), True
            for language, file in halves:
                if path == file:
                    return HalfId(name, language), False
        return None

    def showing(
        self, records: Records, is_wanted: Callable[[FigureRequest, Language], bool]
    ) -> Iterator["ShownFigure"]:
        """Where the wanted figures are shown, in the order of lists: newest articles first."""
        site_map = records.value(map_articles, None)
        embedded = self._embedded.read(records)
        for article in site_map.articles if site_map else ():
            for language in article.languages:
                requests = embedded.get(HalfId(article.name, language), ())
                wanted = {one for one in requests if is_wanted(FigureRequest.parse(one), language)}
                skeleton = records.value(cut_skeleton, HalfId(article.name, language)) if wanted else None
                if skeleton is None:
                    continue
                rows = row_ids(records, article.name, language)
                for index, block in enumerate(skeleton.blocks):
                    embed = embed_of(block, skeleton)
                    if embed is not None and index in rows and str(request_of(embed)) in wanted:
                        shown = partial(ShownFigure, request=request_of(embed), language=language)
                        yield from (shown(place=one) for one in places(article, language, rows[index]))


def article_named(records: Records, name: str) -> Summary | None:
    """An article as the last build shows it; None if there is none of this name."""
    site_map = records.value(map_articles, None)
    articles = site_map.everything if site_map else ()
    return next((article for article in articles if article.name == name), None)


def places(article: Summary, language: Language, row: str) -> Iterator[BlockPlace]:
    """The pages that show a block of one half: its own page, and those with both halves."""
    yield BlockPlace(page=output_path(article.path(language)), row=row)
    if article.has_both:
        for interface in (language, *(one for one in LANGUAGES if one != language)):
            yield BlockPlace(page=output_path(both_path(article.path(interface))), row=row)


def row_ids(records: Records, article: str, language: Language) -> dict[int, str]:
    """The id of the row of each block of a half, by the block's index."""
    alignment = records.value(align_article, article)
    rows = alignment.rows if alignment else ()
    indexes = ((row.zh if language == "zh" else row.en, row.id) for row in rows)
    return {index: row_id for index, row_id in indexes if index is not None}


def request_of(embed: FigureEmbed | TableEmbed) -> FigureRequest:
    """The figure that an embed shows."""
    return FigureRequest.of(embed.figure_id, embed.parameters)


class _Kept(Generic[_NameT, _ValueT, _MadeT]):
    """Something made from each value of a kind, made again only from values that changed."""

    def __init__(self, task: Task[_NameT, _ValueT], make: Callable[[_ValueT], _MadeT]) -> None:
        self._task = task
        self._make = make
        self._kept: dict[_NameT, tuple[str, _MadeT]] = {}

    def read(self, records: Records) -> dict[_NameT, _MadeT]:
        found: dict[_NameT, tuple[str, _MadeT]] = {}
        for name, digest in records.digests(self._task).items():
            kept = self._kept.get(name)
            if kept is not None and kept[0] == digest:
                found[name] = kept
            elif (value := records.value(self._task, name, digest)) is not None:
                found[name] = digest, self._make(value)
        self._kept = found
        return {name: made for name, (_, made) in found.items()}


def _files(post: PostFiles) -> tuple[tuple[tuple[Language, str], ...], tuple[str, ...]]:
    halves = ((language, post.half(language)) for language in LANGUAGES)
    shared = (post.shared, *post.folders)
    return tuple((language, path) for language, path in halves if path is not None), shared


def _embedded(references: References) -> tuple[str, ...]:
    return tuple(dict.fromkeys(request for request, _ in references.embedded))
