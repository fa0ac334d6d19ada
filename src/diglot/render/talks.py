"""Renders the page of a talk, and the talk as one file that works by itself, in both languages."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import msgspec
from markupsafe import Markup, escape
from msgspec.structs import replace

from diglot.content.records import Alignment, Block, Document, FigureEmbed, Row, TableEmbed
from diglot.content.slides import Slide, first_notes, is_picture, slides_of
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure, Room
from diglot.invariants import certain
from diglot.languages import HTML_LANG, Language, twin_of
from diglot.project import Project
from diglot.render.addresses import Addresses, WholeAddresses
from diglot.render.article import ArticlePage
from diglot.render.embedded_faces import without_unused_faces
from diglot.render.materials import Article, FigureMaterial
from diglot.render.numbering import embed_of
from diglot.render.page_parts import page_view, render_page, toggle_words
from diglot.render.parts import fill_html, fill_text
from diglot.render.second_language import second, table_with_second, with_second
from diglot.render.talk_lists import link_to
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import (
    DeckView,
    EmbedView,
    FootView,
    HalfView,
    PageView,
    SlideBlockView,
    SlideView,
    TalkView,
)
from diglot.site_map import without_language

_INSIDE = re.compile(r"<(h\d|p)[^>]*>(.*)</\1>\s*", re.DOTALL)
_WIDTH, _HEIGHT = 640, 346
"""Pixels of a drawing, which a slide enlarges by 7/4: 1,120 × 607 between the margins."""
_FULL_WIDTH, _FULL_HEIGHT = 686, 368
_WORDS = ("paragraph", "list", "definitions", "formula", "quote", "admonition", "html")
"""Kinds of blocks that a slide shows for the language that alone has them; others are warned of."""
_TITLE, _FULL_TITLE = 46, 36
"""Height of a title in a line with its gap, on slides with margins and without. Controls are at its end."""
_BESIDE, _GAP = 480, 34
"""Width of a figure with text next to it, and the gap between columns."""


def rooms_of(document: Document) -> dict[str, Room]:
    """The room that each figure of a half has on its slide, by the figure's name."""
    found: dict[str, Room] = {}
    for slide in slides_of(document):
        for index in slide.body:
            embed = embed_of(document.blocks[index], document)
            if isinstance(embed, FigureEmbed):
                found[embed.name] = _room(slide, embed)
    return found


def _room(slide: Slide, embed: FigureEmbed) -> Room:
    width, height = (_FULL_WIDTH, _FULL_HEIGHT) if slide.layout == "full" else (_WIDTH, _HEIGHT)
    if slide.layout == "columns":
        width = (width - _GAP * (len(slide.columns) - 1)) // len(slide.columns)
    elif slide.layout == "points":
        width = _BESIDE
    if slide.title is not None or _named_by_figure(slide) or embed.explored:
        height -= _FULL_TITLE if slide.layout == "full" else _TITLE
    return Room(width=width, height=height)


def _named_by_figure(slide: Slide) -> bool:
    """Whether a slide without a title has that of its figure: what the figure says."""
    return slide.layout in ("figure", "points")


class WholeTalk(msgspec.Struct, frozen=True, kw_only=True):
    """What a talk that is one file contains besides what its page does."""

    states: Mapping[str, bytes]
    """JSON that controls need, by id."""
    embedded: Mapping[str, str]
    """Files of the theme, by name."""


def talk_page(
    theme: Theme,
    project: Project,
    article: Article,
    language: Language,
    *,
    drawn: Mapping[tuple[str, Language, Room], DrawnFigure],
    files: Mapping[Language, str],
    whole: WholeTalk | None,
) -> str:
    """The HTML of a talk that opens in `language`: its page, or with `whole` the talk as one file.

    `drawn` are the figures for the room that they have, by request; `files` are the paths of the talk as one
    file. Raises DiagnosticError with every mistake in placeholders, embeds or templates.
    """
    page = _TalkPage(theme, project, article, language, drawn=drawn, files=files, whole=whole)
    return page.talk_html()


class _TalkPage(ArticlePage):
    _captions_pictures = False

    def __init__(
        self,
        theme: Theme,
        project: Project,
        article: Article,
        language: Language,
        *,
        drawn: Mapping[tuple[str, Language, Room], DrawnFigure],
        files: Mapping[Language, str],
        whole: WholeTalk | None,
    ) -> None:
        self._files, self._whole = files, whole
        super().__init__(theme, project, article, language, "both", listing=None, path=None)
        self._on_slides = drawn
        self._rooms = {one: rooms_of(document) for one, document in self._documents.items()}
        self._lonely = {one: self._lonely_rows(one) for one in self._shown}

    def _links(self) -> Addresses:
        return super()._links() if self._whole is None else WholeAddresses(base_url=self._project.base_url)

    def _draws(self, language: Language) -> bool:
        return True

    def _lonely_rows(self, language: Language) -> dict[int, list[Row]]:
        """What only the other language says, by the block of this one that it follows."""
        found: dict[int, list[Row]] = {}
        other, last = twin_of(language), None
        for row in self._article.alignment.rows:
            own, twin = _index(row, language), _index(row, other)
            if own is not None:
                last = own
            elif last is not None and twin is not None and self._documents[other].blocks[twin].kind in _WORDS:
                found.setdefault(last, []).append(row)
        return found

    def talk_html(self) -> str:
        """The page. Raises DiagnosticError with every mistake."""
        language, whole = self._language, self._whole
        path, other = self._article.paths[language], twin_of(language)
        front = self._article.halves[language].front_matter
        minutes = front.params.get("minutes", "")
        deck = self._deck(language)
        twin = self._deck(other) if whole and other in self._shown else None
        talk = TalkView(
            name=without_language(path),
            deck=deck,
            file="" if whole else self._addresses.path(self._files[language]),
            twin=twin,
            twin_digest=digest_of(repr(twin).encode())[:8] if twin else "",
            states=tuple((name, _script_safe(file)) for name, file in whole.states.items()) if whole else (),
            has_controls=any(one.explored for half in self._documents.values() for one in half.figures),
            minutes=str(minutes) if isinstance(minutes, (int, float)) else "",
            # The file may lie anywhere.
            values=self._values(partial(posixpath.relpath, start=path) if whole else self._addresses.path),
        )
        page = self._frame()
        self._share_resolved()
        html = render_page(
            self._theme,
            self._project,
            "talk.html",
            page,
            talk=talk,
            embedded={name: Markup(text) for name, text in whole.embedded.items()} if whole else {},
        )
        return without_unused_faces(html) if whole else html

    def _frame(self) -> PageView:
        article, language = self._article, self._language
        front = article.halves[language].front_matter
        head = self._head(language)
        return page_view(
            self._project,
            language=language,
            path=article.paths[language],
            title=head.title,
            description=self._description(language)
            or fill_text(self._documents[language].first_text, self._resolvers[language]),
            # Search engines find the page, which the file names as the one that it repeats.
            versions=None if self._whole else versions_of(self._project, article.paths, article.languages),
            indexed=not (self._whole or front.draft or article.expired),
            toggle=toggle_words(
                self._theme.strings,
                self._project,
                language,
                paths=self._files if self._whole else article.paths,
                current=language,
            ),
            draft=front.draft,
            expired=article.expired,
            params=front.params,
        )

    def _description(self, language: Language) -> str:
        description = self._article.halves[language].front_matter.description
        return fill_text(description, self._resolvers[language]) if description else ""

    def _deck(self, language: Language) -> DeckView:
        rows = _rows_of(self._article.alignment, language)
        slides = slides_of(self._documents[language])
        other = twin_of(language)
        return DeckView(
            head=self._head(language),
            twin=self._head(other) if other in self._resolved else None,
            description=self._description(language),
            twin_description=self._description(other) if other in self._resolved else "",
            notes=self._said(language, first_notes(self._documents[language])),
            slides=tuple(self._slide(language, n, slide, rows) for n, slide in enumerate(slides, start=2)),
            count=len(slides) + 1,
            event=fill_text(self._article.halves[language].front_matter.event, self._resolvers[language]),
            article=next(
                (link_to(one, language, self._addresses) for one in self._article.talks if one.paths), None
            ),
        )

    def _slide(self, language: Language, number: int, slide: Slide, rows: Mapping[int, Row]) -> SlideView:
        columns = self._columns(language, slide, rows)
        embeds = {
            block.id: block.half.embed
            for column in columns
            for block in column
            if block.half.embed is not None
        }
        first = slide.title if slide.title is not None else next(iter((*slide.body, *slide.notes)))
        title = self._inner(language, slide.title)
        if not title and embeds and _named_by_figure(slide):
            title = _said_by(next(iter(embeds.values())))
        return SlideView(
            number=number,
            row=rows[first].id,
            anchor="" if slide.title is None else rows[slide.title].id,
            line=slide.line,
            layout=slide.layout,
            classes=" ".join(slide.classes),
            title=title,
            twin=self._twin_words(language, slide, rows[first]),
            columns=columns,
            notes=self._said(language, slide.notes),
            sources=tuple(self._sources(language, slide, rows, embeds)),
        )

    def _sources(
        self, language: Language, slide: Slide, rows: Mapping[int, Row], embeds: Mapping[str, EmbedView]
    ) -> Iterator[FootView]:
        """`embeds` are by the ids of their rows, without those that could not be made."""
        for index in slide.body:
            embed = embeds.get(rows[index].id)
            if embed is None:
                continue
            twin = self._twin_embed(language, rows[index])
            caption = _caption(embed)
            other = _caption(twin) if twin is not None else Markup()
            yield FootView(
                caption=caption, twin=other if other != caption else Markup(), provenance=embed.provenance
            )

    def _said(self, language: Language, notes: Iterable[int]) -> tuple[Markup, ...]:
        blocks = self._documents[language].blocks
        return tuple(fill_html(blocks[index].parts, self._resolvers[language]) for index in notes)

    def _columns(
        self, language: Language, slide: Slide, rows: Mapping[int, Row]
    ) -> tuple[tuple[SlideBlockView, ...], ...]:
        """What is below the title, with what only the other language says."""
        blocks, lonely = self._documents[language].blocks, self._lonely[language]
        columns = [
            [
                block
                for index in column
                for block in (
                    self._block(language, rows[index], index, blocks[index]),
                    *self._added(language, lonely.get(index, ())),
                )
            ]
            for column in slide.columns
        ]
        below_title = () if slide.title is None else self._added(language, lonely.get(slide.title, ()))
        if below_title:
            columns = columns or [[]]
            columns[0][:0] = below_title
        return tuple(map(tuple, columns))

    def _block(self, language: Language, row: Row, index: int, block: Block) -> SlideBlockView:
        half = self._half(row, language, index, block)
        other = twin_of(language)
        at = _index(row, other)
        is_broken = half.embed is None and embed_of(block, self._documents[language]) is not None
        if at is not None and other in self._resolved and not (is_picture(block) or is_broken):
            half = self._with_second(language, row, half, block)
        twin = None if at is None or other not in self._resolved else self._documents[other].blocks[at]
        return SlideBlockView(
            id=row.id,
            kind=block.kind,
            classes=" ".join(block.classes),
            half=half,
            twin_notes=self._notes(other, twin) if twin else (),
        )

    def _with_second(self, language: Language, row: Row, half: HalfView, block: Block) -> HalfView:
        lang = HTML_LANG[twin_of(language)]
        if half.embed is None:
            return replace(
                half, html=with_second(block.kind, half.html, self._twin_html(language, row), lang)
            )
        if half.embed.kind == "figure" or half.embed.table is None:  # its words are those of one language
            return half
        twin = self._twin_embed(language, row)
        table = table_with_second(half.embed.table, twin.table if twin else None, lang)
        return half if table is None else replace(half, embed=replace(half.embed, table=table))

    def _added(self, language: Language, rows: Iterable[Row]) -> list[SlideBlockView]:
        """What the other language says where this one says nothing."""
        other = twin_of(language)
        lang = HTML_LANG[other]
        return [
            SlideBlockView(
                id=row.id,
                kind="html",
                classes="",
                half=HalfView(
                    language=language,
                    lang=HTML_LANG[language],
                    html=second(self._twin_html(language, row), lang),
                ),
            )
            for row in rows
        ]

    def _twin_html(self, language: Language, row: Row) -> Markup:
        other = twin_of(language)
        index = certain(_index(row, other), "the row has both halves")
        return fill_html(self._documents[other].blocks[index].parts, self._resolvers[other])

    def _twin_embed(self, language: Language, row: Row) -> EmbedView | None:
        """A figure or table of numbers in the other language, without its drawing."""
        other = twin_of(language)
        index = _index(row, other)
        if index is None or other not in self._resolved:
            return None
        return self._embed(other, self._documents[other].blocks[index], draw=False)

    def _inner(self, language: Language, index: int | None) -> Markup:
        """A heading or paragraph without its tags."""
        if index is None:
            return Markup()
        html = fill_html(self._documents[language].blocks[index].parts, self._resolvers[language])
        found = _INSIDE.fullmatch(html)
        return Markup(found[2]) if found else Markup()

    def _twin_words(self, language: Language, slide: Slide, row: Row) -> Markup:
        """What the other language has in place of the title."""
        if slide.title is not None:
            other = twin_of(language)
            return self._inner(other, _index(row, other)) if other in self._resolved else Markup()
        twin = self._twin_embed(language, row) if _named_by_figure(slide) else None
        return _said_by(twin) if twin else Markup()

    def _material(self, embed: FigureEmbed | TableEmbed, language: Language) -> FigureMaterial:
        """A figure with the drawing for its room."""
        material = super()._material(embed, language)
        if not isinstance(embed, FigureEmbed):
            return material
        request = str(FigureRequest.of(embed.figure_id, embed.parameters))
        drawn = self._on_slides[request, language, self._rooms[language][embed.name]]
        return replace(material, drawn={language: drawn})


def _said_by(embed: EmbedView) -> Markup:
    """What a figure says, as a title; of one that can be turned, what it is about."""
    return escape(embed.message if embed.message and embed.controls is None else embed.title)


def _caption(embed: EmbedView) -> Markup:
    """What the foot says of a figure; not its message, which is the title of the slide or in the drawing."""
    return Markup() if embed.caption == escape(embed.message) else embed.caption


def _index(row: Row, language: Language) -> int | None:
    return row.zh if language == "zh" else row.en


def _rows_of(alignment: Alignment, language: Language) -> dict[int, Row]:
    """The row of each block of a half, by the block's index."""
    indexes = ((_index(row, language), row) for row in alignment.rows)
    return {index: row for index, row in indexes if index is not None}


def _script_safe(file: bytes) -> Markup:
    """JSON for an element of the page, which nothing in it can end."""
    return Markup(file.decode().replace("<", "\\u003c"))
