"""Renders the pages of an article: each half alone, and both side by side."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from markupsafe import Markup
from msgspec.structs import replace

from diglot.content.records import (
    OF_TALKS,
    Block,
    FigureEmbed,
    FrontMatter,
    Parts,
    Placeholder,
    Row,
    TableEmbed,
)
from diglot.content.slides import is_picture
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.figures.records import CellPiece
from diglot.invariants import require
from diglot.languages import HTML_LANG, Language, format_date, twin_of
from diglot.listings import Listing
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.beside import CAN_STAND_ONCE, beside, stands_once
from diglot.render.captions import caption_alone, pictures_of
from diglot.render.cell_outputs import shown_by_cells
from diglot.render.citations import citation
from diglot.render.contents import contents_of, has_contents
from diglot.render.embeds import embed_view
from diglot.render.lists import home_lists, versions_of_listing
from diglot.render.manual import manual_view
from diglot.render.materials import Article, FigureMaterial, ImageFile, ManualPlace
from diglot.render.numbering import embed_of, number_embeds
from diglot.render.page_parts import NOTHING, addresses_of, page_view, render_page, toggle_words
from diglot.render.params import Params
from diglot.render.parts import Problems, fill_html, fill_text
from diglot.render.references import reference_rows
from diglot.render.resolved_halves import HalfSources, ResolvedHalf
from diglot.render.structured_data import AboutArticle, article_data, site_data
from diglot.render.talk_lists import link_to
from diglot.render.terms import linked_terms, people_of
from diglot.render.theme import Theme
from diglot.render.values import Values
from diglot.render.versions import Versions, versions_of
from diglot.render.views import (
    ArticleView,
    CardView,
    CitationView,
    EmbedView,
    HalfView,
    HeadView,
    Link,
    NoteView,
    PageView,
    RowView,
    SeriesView,
    ValuesView,
)
from diglot.site_map import (
    UNDATED,
    SeriesPlace,
    Summary,
    both_path,
    card_path,
    data_path,
    figure_path,
    markdown_path,
    references_path,
    values_path,
)

Mode = Literal["single", "both"]

# Kinds of blocks with more space around them.
_FAR = {"figure", "table"}


def article_page(
    theme: Theme,
    project: Project,
    article: Article,
    language: Language,
    mode: Mode,
    *,
    listing: Listing | None = None,
    path: str | None = None,
) -> str:
    """The HTML of an article's page: the half in `language`, or both halves with the interface in `language`.

    A home page shows `listing` below its text. `path` is where the page is, if that is not its own address.
    Raises DiagnosticError with every mistake in placeholders, embeds or templates.
    """
    return ArticlePage(theme, project, article, language, mode, listing=listing, path=path).html()


def template_of(manual: ManualPlace | None) -> str:
    """The template of an article's page, which is not that of a home page."""
    return "article.html" if manual is None else "manual.html"


def plain_text(parts: Parts, *, language: Language, path: str, data: Mapping[str, bytes]) -> str:
    """A title, description or first paragraph as plain text with its values, for lists and feeds.

    `data` is the computed data by figure request; `value_requests` tells which requests are needed. Raises
    DiagnosticError for unknown values.
    """
    values, problems = Values(language, data), Problems()

    def fill(placeholder: Placeholder) -> str:
        if placeholder.kind == "assert":
            values.check(placeholder.target, path=path, line=placeholder.line)
            return ""
        require(placeholder.kind == "eval", "only an article's own page knows what its references lead to")
        return values.text(placeholder.target, path=path, line=placeholder.line)

    text = fill_text(parts, problems.caught(fill))
    problems.raise_found()
    return text


class ArticlePage:
    """State of one page during rendering. `render.talks` makes slides of the same material."""

    _draws_pictures_of_cells = True
    """Whether pictures of code cells are there, which need the theme's colours."""
    _captions_pictures = True
    """Whether the title of a picture is a caption, with a number."""

    def __init__(
        self,
        theme: Theme,
        project: Project,
        article: Article,
        language: Language,
        mode: Mode,
        *,
        listing: Listing | None,
        path: str | None,
    ) -> None:
        self._theme = theme
        self._project = project
        self._article = article
        self._language: Language = language
        self._mode = mode
        self._listing = listing
        self._path = path
        self._is_fallback = language not in article.halves
        self._main: Language = twin_of(language) if self._is_fallback else language
        """The language of the text, or on a side-by-side page of its interface."""
        self._shown: tuple[Language, ...] = article.languages if mode == "both" else (self._main,)
        require(self._main in article.halves, "a page is rendered for a half that exists")
        self._addresses = self._links()
        documents = {one: article.halves[one].document for one in article.languages}
        self._documents = documents
        self._numbered = number_embeds(documents, article.alignment, pictures=self._captions_pictures)
        self._numbers = {one.anchor: one.number for one in self._numbered.values()}
        self._problems = Problems()
        self._drawn: Counter[tuple[str, Language]] = Counter()
        self._shown_by_cells: dict[Language, tuple[tuple[CellPiece, ...], ...]] = {}
        self._new: list[tuple[HalfSources, ResolvedHalf]] = []
        self._resolved = {one: self._resolved_half(one) for one in self._shown}
        self._resolvers = {one: self._problems.caught(half.resolver) for one, half in self._resolved.items()}

    def _links(self) -> Addresses:
        """How links are written in the text."""
        return addresses_of(self._project)

    def _resolved_half(self, language: Language) -> ResolvedHalf:
        """What another page of this article has resolved already; otherwise a new, empty record."""
        article, path = self._article, self._documents[language].path
        known = {
            request: figure.computed
            for request, figure in article.figures.items()
            if FigureRequest.parse(request).is_known_in(path)
        }
        self._shown_by_cells[language] = shown_by_cells(known.values(), draws=self._draws_pictures_of_cells)
        half = article.halves[language]
        if half.diagrams and not self._draws_pictures_of_cells:
            half = replace(half, diagrams=tuple(replace(one, svg="") for one in half.diagrams))
        sources = HalfSources(
            project=self._project,
            addresses=self._addresses,
            kind=article.kind,
            half=half,
            alignment=article.alignment,
            numbered=self._numbered,
            data={request: computed.data for request, computed in known.items()},
            shown=self._shown_by_cells[language],
        )
        resolved = self._theme.filled.find(sources)
        if resolved is None:
            resolved = ResolvedHalf(sources, self._theme.strings[language])
            self._new.append((sources, resolved))
        return resolved

    def _share_resolved(self) -> None:
        """Let other pages use what this one has resolved. A half with mistakes must not be shared."""
        self._problems.raise_found()
        for sources, resolved in self._new:
            self._theme.filled.keep(sources, resolved)

    def html(self) -> str:
        """The page. Raises DiagnosticError with every mistake."""
        heads = tuple(self._head(one) for one in self._shown)
        rows = tuple(view for row in self._article.alignment.rows if (view := self._row(row)) is not None)
        rows += self._references()
        neighbours = self._article.neighbours.get(self._language)
        article = ArticleView(
            heads=heads,
            language=self._main,
            is_fallback=self._is_fallback,
            rows=_with_lede(rows),
            has_readings=any(
                drawing.has_readings
                for row in rows
                for half in row.halves
                if half.embed
                for drawing in half.embed.drawings
            ),
            # Also where only the other half has controls: its page takes the place of this one.
            has_controls=any(one.explored for half in self._documents.values() for one in half.figures),
            newer=self._neighbour(neighbours.newer) if neighbours else None,
            older=self._neighbour(neighbours.older) if neighbours else None,
            newer_twin=self._newer_twin(),
            related=tuple(
                link
                for one in (neighbours.related if neighbours else ())
                if (link := self._neighbour(one)) is not None
            ),
            talks=tuple(
                link
                for one in self._article.talks
                if (link := link_to(one, self._language, self._addresses)) is not None
            ),
            citation=self._citation(),
            values=self._values(self._addresses.path),
            params=Params(self._article.halves[self._main].front_matter.params, self._main),
            contents=contents_of(rows, self._main) if self._has_contents() else (),
            manual=None
            if self._article.manual is None
            else manual_view(self._article.manual, self._addresses, self._language, self._shown),
        )
        page = self._page(next(head.title for head in heads if head.language == self._main), rows)
        self._share_resolved()
        if self._listing is None:
            template = template_of(self._article.manual)
            return render_page(self._theme, self._project, template, page, article=article)
        lists = home_lists(self._theme, self._project, self._listing)
        return render_page(self._theme, self._project, "home.html", page, article=article, **lists)

    def _references(self, *, is_alone: bool = False) -> tuple[RowView, ...]:
        """The works that the halves shown cite, as a last section."""
        works = {one: self._article.halves[one].citations.works for one in self._shown}
        if is_alone or not any(works.values()):
            return reference_rows(works, self._theme.strings, {})
        files = {one: self._addresses.path(references_path(self._article.paths[one])) for one in self._shown}
        return reference_rows(works, self._theme.strings, files)

    def _values(self, address: Callable[[str], str]) -> tuple[ValuesView, ...]:
        return tuple(
            ValuesView(language=one, lang=HTML_LANG[one], url=address(values_path(self._article.paths[one])))
            for one, half in self._resolved.items()
            if half.resolver.has_values
        )

    def _has_contents(self) -> bool:
        """Whether the page has a table of contents: no home page has, and no article that does without."""
        wanted = all(half.front_matter.contents for half in self._article.halves.values())
        return wanted and self._listing is None and has_contents(self._documents)

    def _page(self, title: str, rows: tuple[RowView, ...]) -> PageView:
        article, language = self._article, self._language
        if self._listing is None:
            versions = versions_of(self._project, article.paths, article.languages)
        else:
            versions = versions_of_listing(self._project, self._listing)
        paths = versions.paths
        own = both_path(paths[language]) if self._mode == "both" else paths[language]
        path = own if self._path is None else self._path
        has_both = len(article.languages) == 2
        front_matter = article.halves[self._main].front_matter
        missing = next((one for one in paths if one not in article.halves), None)
        description = fill_text(
            front_matter.description or self._documents[self._main].first_text,
            self._resolvers[self._main],
        )
        card = self._card(paths[self._main], title)
        return page_view(
            self._project,
            language=language,
            path=path,
            versions=versions,
            text_language=self._main,
            title=title if self._listing is None else "",
            description=description,
            # Search engines need not index the side-by-side view: all of its content is in the halves.
            indexed=self._mode == "single" and not front_matter.draft and not article.expired,
            toggle=toggle_words(
                self._theme.strings,
                self._project,
                language,
                paths=paths,
                current="both" if self._mode == "both" else language,
                both=both_path(paths[language]) if has_both else None,
                offers_both=True,
                fallback=missing if self._listing is None else None,
            ),
            view="both" if self._mode == "both" else language,
            kind="article" if article.kind == "post" else "website",
            draft=front_matter.draft,
            expired=article.expired,
            discussion=self._discussion(front_matter),
            params=front_matter.params,
            card=card,
            markdown=markdown_path(paths[self._main])
            if self._project.markdown and self._mode == "single" and self._listing is None
            else "",
            structured=self._structured(versions, rows, title, description, card)
            if self._mode == "single" and not self._is_fallback
            else NOTHING,
            dates=(front_matter.date, front_matter.updated),
        )

    def _citation(self) -> CitationView | None:
        """How the half is cited; of a side-by-side page, the one in the language of the interface."""
        front_matter = self._article.halves[self._main].front_matter
        if self._article.kind != "post" or front_matter.date == UNDATED:
            return None
        people = people_of(self._project, front_matter.authors)
        return citation(
            self._main,
            authors=tuple(one.name.of(self._main) for one in people),
            site=self._project.title.of(self._main),
            title=fill_text(front_matter.title, self._resolvers[self._main]),
            date=front_matter.date,
            updated=front_matter.updated,
            address=addresses_of(self._project).whole(self._article.paths[self._main]),
        )

    def _structured(
        self,
        versions: Versions,
        rows: tuple[RowView, ...],
        title: str,
        description: str,
        card: CardView | None,
    ) -> Markup:
        """What the page is about; of a home page, the site."""
        if self._listing is not None:
            return site_data(self._project, self._language)
        shown = [(row.id, half.embed) for row in rows for half in row.halves]
        about = AboutArticle(
            language=self._main,
            kind=self._article.kind,
            title=title,
            description=description,
            front_matter=self._article.halves[self._main].front_matter,
            minutes=self._documents[self._main].reading_minutes,
            image=card.url if card else "",
            embeds=tuple((anchor, embed) for anchor, embed in shown if embed is not None),
        )
        return article_data(self._project, versions, about)

    def _card(self, path: str, title: str) -> CardView | None:
        """The picture that stands for the article; where only figures have some, it needs a drawn one."""
        figures, cards = self._article.figures.values(), self._project.cards
        drawn = (one.drawn.get(self._main) for one in figures)
        if cards == "all" or (cards == "figures" and any(one is not None and one.svgs for one in drawn)):
            return CardView(url=addresses_of(self._project).whole(card_path(path)), alt=title, is_drawn=True)
        return None

    def _discussion(self, front_matter: FrontMatter) -> str:
        """The name of the discussion that comments on this page belong to; empty if there are none."""
        is_open = self._article.kind == "post" if front_matter.comments is None else front_matter.comments
        if self._project.comments is None or not is_open:
            return ""
        paths = self._article.paths
        if self._project.comments.mapping == "half":
            return paths[self._main].strip("/")
        # Both halves are one article: readers of both languages meet, unless the site keeps them apart.
        first = next(one for one in self._project.languages if one in paths)
        return paths[first].strip("/").removeprefix(f"{first}/")

    def _head(self, language: Language) -> HeadView:
        resolved, resolve = self._resolved[language], self._resolvers[language]
        readers = self._language if self._is_fallback else language
        head = resolved.head_for(readers, resolve) if self._is_fallback else resolved.head(resolve)
        behind = () if self._is_fallback else self._behind(language, "")
        series = self._series(readers)
        return replace(head, series=series, behind=behind) if series or behind else head

    def _neighbour(self, summary: Summary | None) -> Link | None:
        """A link to another article, in the language of the page or the only one that it has."""
        if summary is None:
            return None
        half = summary.shown(self._language) or summary.halves[0]
        lang = None if half.language == self._language else HTML_LANG[half.language]
        to = self._language if summary.shown(self._language) else half.language
        return Link(text=half.title, url=self._addresses.path(summary.path(to)), lang=lang)

    def _newer_twin(self) -> Link | None:
        """The page of the other half, if that was changed after the only half that this page shows."""
        if self._mode == "both" or self._is_fallback or len(self._documents) < 2:
            return None
        if self._article.behind is not None:  # its blocks say it themselves
            return None
        twin = twin_of(self._main)
        own, other = (self._article.halves[one].front_matter for one in (self._main, twin))
        if other.updated is None or other.updated <= (own.updated or own.date):
            return None
        day, path = format_date(other.updated, self._main), self._article.paths[twin]
        return Link(text=day, url=self._addresses.path(path), lang=HTML_LANG[twin])

    def _behind(self, language: Language, row: str) -> tuple[Link, ...]:
        """The notices at a row, or below the title, that the twin is newer there."""
        if self._article.behind is None:
            return ()
        twin, words = twin_of(language), self._theme.strings[language]
        return tuple(
            Link(
                text=words("behind", date=format_date(one.since, language))
                if one.since
                else words("behind_new"),
                url=""
                if self._mode == "both"
                else self._addresses.path(self._article.paths[twin])
                + (f"#{one.twin_row}" if one.twin_row else ""),
                lang=HTML_LANG[twin],
            )
            for one in self._article.behind.get(language, ())
            if one.row == row
        )

    def _series(self, readers: Language) -> SeriesView | None:
        neighbours = self._article.neighbours.get(self._language)
        place: SeriesPlace | None = neighbours.place if neighbours else None
        if place is None:
            return None
        (link,) = linked_terms(self._project, "series", (place.series,), readers)
        return SeriesView(
            link=link,
            number=place.number,
            count=place.count,
            before=self._neighbour(place.before),
            after=self._neighbour(place.after),
        )

    def _row(self, row: Row) -> RowView | None:
        halves = []
        first: Block | None = None
        for language, index in (("zh", row.zh), ("en", row.en)):
            if index is not None and language in self._resolved:
                block = self._documents[language].blocks[index]
                half = self._half(row, language, index, block)
                behind = self._behind(language, row.id)
                halves.append(replace(half, behind=behind) if behind else half)
                first = first or block
        if first is None or first.kind in OF_TALKS:
            return None
        is_named = self._is_named(row, first)
        kind, classes = first.kind, _classes(first, halves, is_named=is_named)
        if kind == "paragraph" and row.id in self._numbers:
            kind, classes = "figure", f"{classes} far margin".strip()
        if len(halves) == 2 and is_picture(first) and self._shows_one_picture(row):
            halves = [
                one if one.language == self._language else replace(one, html=caption_alone(one.html))
                for one in halves
            ]
            classes = f"{classes} once".strip()
        elif len(halves) == 2 and first.kind in CAN_STAND_ONCE:
            own, other = halves if halves[0].language == self._language else halves[::-1]
            halves = [*beside(first.kind, own, other)]
            if stands_once(first.kind, halves):
                classes = f"{classes} once".strip()
        return RowView(
            id=row.id,
            kind=kind,
            classes=classes,
            halves=tuple(halves),
            is_named=is_named,
            has_asides=is_named or any(half.name or half.notes or half.behind for half in halves),
        )

    def _shows_one_picture(self, row: Row) -> bool:
        """Whether both halves are the same picture, which then appears once."""
        pictures: list[ImageFile | str | None] = []
        halves: tuple[tuple[Language, int | None], ...] = (("zh", row.zh), ("en", row.en))
        for language, index in halves:
            block = None if index is None else self._documents[language].blocks[index]
            if block is None or not is_picture(block):
                return False
            found = pictures_of(block)
            if len(found) != 1:  # each has a caption
                return False
            picture = found[0]
            if picture.kind == "diagram":  # its labels are in the language of the half
                pictures.append(self._documents[language].diagrams[int(picture.target)].source)
            else:
                pictures.append(self._article.halves[language].images.get(picture.target))
        return pictures[0] == pictures[1]

    def _half(self, row: Row, language: Language, index: int, block: Block) -> HalfView:
        if _is_embed(block):
            return self._embedding(row, language, block)
        return self._resolved[language].block(index, self._resolvers[language])

    def _is_named(self, row: Row, block: Block) -> bool:
        """Whether a row of both halves begins a section, or has a name that links lead to."""
        has_both = len(self._documents) == 2 and row.zh is not None and row.en is not None
        return has_both and (block.kind == "heading" or bool(block.anchor) or _is_embed(block))

    def _embedding(self, row: Row, language: Language, block: Block) -> HalfView:
        """A figure or table of numbers; drawn in the page's language, or in the only one that has it."""
        is_alone = (row.zh if self._language == "zh" else row.en) is None
        around = tuple(one for one in block.parts if not _is_place_of_embed(one))
        return HalfView(
            language=language,
            lang=HTML_LANG[language],
            html=fill_html(around, self._resolvers[language]),
            embed=self._embed(language, block, draw=is_alone or self._draws(language)),
            notes=self._notes(language, block),
        )

    def _draws(self, language: Language) -> bool:
        """Whether figures are drawn in a language that the page shows."""
        return language == self._language or self._mode == "both"

    def _notes(self, language: Language, block: Block) -> tuple[NoteView, ...]:
        return self._resolved[language].notes(block, self._resolvers[language])

    def _embed(self, language: Language, block: Block, *, draw: bool) -> EmbedView | None:
        document, half = self._documents[language], self._article.halves[language]
        embed = embed_of(block, document)
        if embed is None:
            return None
        request = str(FigureRequest.of(embed.figure_id, embed.parameters))
        again = self._drawn[request, language] if draw else 0
        self._drawn[request, language] += draw
        try:
            return embed_view(
                embed,
                number=self._numbered[embed.name].number,
                caption=fill_html(embed.caption, self._resolvers[language]),
                material=self._material(embed, language),
                source_urls=self._article.source_urls,
                strings=self._theme.strings[language],
                addresses=self._addresses,
                path=document.path,
                page=self._addresses.path(figure_path(language, embed.figure_id))
                if self._project.gallery
                else "",
                data=self._addresses.path(data_path(FigureRequest.of(embed.figure_id)))
                if self._project.gallery and not embed.parameters
                else "",
                draw=draw,
                again=again,
                exploration=half.explorations.get(embed.name),
                following=tuple(
                    Link(text=one, url=self._addresses.path(values), lang=HTML_LANG[one])
                    for one in self._shown
                    if (values := self._article.halves[one].values)
                ),
            )
        except DiagnosticError as error:
            self._problems.add(*error.diagnostics)
            return None

    def _material(self, embed: FigureEmbed | TableEmbed, _language: Language) -> FigureMaterial:
        """A figure that the page shows, computed and drawn."""
        request = str(FigureRequest.of(embed.figure_id, embed.parameters))
        require(request in self._article.figures, f"the page's material lacks {request}")
        return self._article.figures[request]


def _is_embed(block: Block) -> bool:
    return block.kind in _FAR and any(map(_is_place_of_embed, block.parts))


def _is_place_of_embed(part: str | Placeholder) -> bool:
    return isinstance(part, Placeholder) and part.kind in ("figure", "table")


def _classes(block: Block, halves: Sequence[HalfView], *, is_named: bool) -> str:
    names = []
    if block.kind == "heading":
        names.append("section" if block.level <= 2 else "subsection")
    if block.kind in _FAR:
        names.append("far")
    wide = margin = False
    for half in halves:
        if half.embed is not None:
            wide = wide or half.embed.wide
            margin = True
        elif half.notes or half.behind or (is_named and block.kind == "heading"):
            margin = True
    if wide:
        names.append("wide")
    if margin:  # notes of the row above must not reach down into this row's margin
        names.append("margin")
    return " ".join(names)


def _with_lede(rows: tuple[RowView, ...]) -> tuple[RowView, ...]:
    if not rows or rows[0].kind != "paragraph":
        return rows
    return (replace(rows[0], classes=f"{rows[0].classes} lede".strip()), *rows[1:])
