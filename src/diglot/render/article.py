"""The pages of an article: each half alone, and both beside each other."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from markupsafe import Markup

from diglot.content.records import Block, Hole, Parts, Row
from diglot.diagnostics import DiagnosticError
from diglot.figure_request import FigureRequest
from diglot.languages import HTML_LANG, Language, format_date, twin_of
from diglot.project import Project
from diglot.render.embeds import embed_view
from diglot.render.frame import addresses_of, page_view, render_page, toggle_words
from diglot.render.holes import ArticleFiller, references_in
from diglot.render.lists import linked_authors, linked_terms
from diglot.render.materials import Article
from diglot.render.numbering import embed_of, number_embeds
from diglot.render.parts import Filler, Problems, fill_html, fill_text
from diglot.render.theme import Theme
from diglot.render.values import Values
from diglot.render.views import ArticleView, EmbedView, HalfView, HeadView, Link, NoteView, PageView, RowView
from diglot.site_map import TAXONOMIES, Summary, article_path, both_path

Mode = Literal["single", "both"]

# How far a block stands from its neighbours: LOOK, "Spacing".
_FAR = {"figure", "table"}


def article_page(theme: Theme, project: Project, article: Article, language: Language, mode: Mode) -> str:
    """The HTML of an article's page: the half in `language`, or both halves with the interface in it.

    Raises DiagnosticError with every mistake found in holes, embeds or templates.
    """
    return _ArticlePage(theme, project, article, language, mode).html()


def plain_text(parts: Parts, *, language: Language, path: str, data: Mapping[str, bytes]) -> str:
    """A title, description or first paragraph with its values filled in, as lists and feeds show it.

    `data` is what figures computed, by request: `value_requests` says which are needed.
    Raises DiagnosticError for values that are not there.
    """
    values, problems = Values(language, data), Problems()

    def fill(hole: Hole) -> str:
        assert hole.kind == "eval", "only an article's own page knows what its references lead to"
        return values.text(hole.target, path=path, line=hole.line)

    text = fill_text(parts, problems.caught(fill))
    problems.raise_found()
    return text


class _ArticlePage:
    """One page while it is put together."""

    def __init__(
        self, theme: Theme, project: Project, article: Article, language: Language, mode: Mode
    ) -> None:
        self._theme = theme
        self._project = project
        self._article = article
        self._language: Language = language
        self._mode = mode
        self._shown: tuple[Language, ...] = article.languages if mode == "both" else (language,)
        assert language in article.halves, "a page is rendered for a half that exists"
        self._addresses = addresses_of(project)
        documents = {one: article.halves[one].document for one in article.languages}
        self._documents = documents
        self._numbered = number_embeds(documents, article.alignment)
        self._problems = Problems()
        self._drawn: Counter[tuple[str, Language]] = Counter()
        self._fillers: dict[Language, Filler] = {
            one: self._problems.caught(
                ArticleFiller(
                    article.halves[one],
                    article=article,
                    references=references_in(
                        documents[one], article.alignment, self._numbered, theme.strings[one]
                    ),
                    addresses=self._addresses,
                )
            )
            for one in self._shown
        }

    def html(self) -> str:
        heads = tuple(self._head(one) for one in self._shown)
        rows = tuple(view for row in self._article.alignment.rows if (view := self._row(row)) is not None)
        neighbours = self._article.neighbours.get(self._language)
        article = ArticleView(
            heads=heads,
            rows=_with_lede(rows),
            newer=self._neighbour(neighbours.newer) if neighbours else None,
            older=self._neighbour(neighbours.older) if neighbours else None,
        )
        page = self._page(next(head.title for head in heads if head.language == self._language))
        self._problems.raise_found()
        return render_page(self._theme, self._project, "article.html", page, article=article)

    def _page(self, title: str) -> PageView:
        article, language = self._article, self._language
        paths = {one: article_path(one, article.slug) for one in article.languages}
        has_both = len(paths) == 2
        front_matter = article.halves[language].front_matter
        return page_view(
            self._project,
            language=language,
            path=both_path(language, article.slug) if self._mode == "both" else paths[language],
            canonical=paths[language],
            title=title,
            description=fill_text(
                front_matter.description or self._documents[language].first_text, self._fillers[language]
            ),
            # The side-by-side view holds nothing that its halves do not: it is found through them.
            alternates=paths if self._mode == "single" else None,
            indexed=self._mode == "single" and not front_matter.draft,
            toggle=toggle_words(
                self._theme.strings,
                self._addresses,
                language,
                paths=paths,
                current="both" if self._mode == "both" else language,
                both=both_path(language, article.slug) if has_both else None,
                offers_both=True,
            ),
            view="both" if self._mode == "both" else language,
            kind="article",
            draft=front_matter.draft,
        )

    def _head(self, language: Language) -> HeadView:
        front_matter = self._article.halves[language].front_matter
        updated = front_matter.updated
        document = self._documents[language]
        return HeadView(
            language=language,
            lang=HTML_LANG[language],
            title=fill_text(front_matter.title, self._fillers[language]),
            date=format_date(front_matter.date, language),
            iso_date=front_matter.date.isoformat(),
            updated=format_date(updated, language) if updated else "",
            iso_updated=updated.isoformat() if updated else "",
            minutes=document.reading_minutes,
            figures=len(document.figures),
            authors=linked_authors(self._project, front_matter.authors, language),
            terms=tuple(
                (taxonomy, linked_terms(self._project, taxonomy, terms, language))
                for taxonomy in TAXONOMIES
                if (terms := front_matter.tags if taxonomy == "tags" else front_matter.categories)
            ),
        )

    def _neighbour(self, summary: Summary | None) -> Link | None:
        half = summary.half(self._language) if summary else None
        if summary is None or half is None:
            return None
        return Link(text=half.title, url=self._addresses.path(article_path(self._language, summary.slug)))

    def _row(self, row: Row) -> RowView | None:
        indices = {one: row.zh if one == "zh" else row.en for one in self._article.languages}
        blocks = {one: self._documents[one].blocks[at] for one, at in indices.items() if at is not None}
        shown = {one: block for one, block in blocks.items() if one in self._shown}
        if not shown:
            return None
        drawing = self._language if self._language in shown else next(iter(shown))
        halves = tuple(
            self._half(row.id, one, block, has_twin=len(blocks) == 2, draw=one == drawing)
            for one, block in shown.items()
        )
        return RowView(
            id=row.id,
            kind=next(iter(shown.values())).kind,
            classes=_classes(next(iter(shown.values())), halves),
            halves=halves,
        )

    def _half(self, row_id: str, language: Language, block: Block, *, has_twin: bool, draw: bool) -> HalfView:
        embed = self._embed(language, block, draw=draw)
        filler = self._fillers[language]
        return HalfView(
            language=language,
            lang=HTML_LANG[language],
            html=Markup() if embed or _is_embed(block) else fill_html(block.parts, filler),
            embed=embed,
            notes=tuple(
                NoteView(
                    number=note.number,
                    id=f"note-{language}-{note.number}",
                    mark_id=f"mark-{language}-{note.number}",
                    html=fill_html(note.parts, filler),
                )
                for note in block.notes
            ),
            twin=self._twin(row_id, language) if block.kind == "heading" and has_twin else None,
        )

    def _twin(self, row_id: str, language: Language) -> Link | None:
        if self._mode == "both":
            return None
        twin = twin_of(language)
        return Link(
            text=self._theme.strings[twin]("language_name"),
            url=f"{self._addresses.path(article_path(twin, self._article.slug))}#{row_id}",
            lang=HTML_LANG[twin],
        )

    def _embed(self, language: Language, block: Block, *, draw: bool) -> EmbedView | None:
        document = self._documents[language]
        embed = embed_of(block, document)
        if embed is None:
            return None
        request = str(FigureRequest.of(embed.figure_id, embed.parameters))
        assert request in self._article.figures, f"the page's material lacks {request}"
        again = self._drawn[request, language] if draw else 0
        self._drawn[request, language] += draw
        try:
            return embed_view(
                embed,
                number=self._numbered[embed.name].number,
                caption=fill_html(embed.caption, self._fillers[language]),
                material=self._article.figures[request],
                source_urls=self._article.source_urls,
                strings=self._theme.strings[language],
                addresses=self._addresses,
                path=document.path,
                draw=draw,
                again=again,
            )
        except DiagnosticError as error:
            self._problems.add(*error.diagnostics)
            return None


def _is_embed(block: Block) -> bool:
    return any(isinstance(part, Hole) and part.kind in ("figure", "table") for part in block.parts)


def _classes(block: Block, halves: tuple[HalfView, ...]) -> str:
    names = []
    if block.kind == "heading":
        names.append("section" if block.level <= 2 else "subsection")
    if block.kind in _FAR:
        names.append("far")
    embeds = [half.embed for half in halves if half.embed]
    if any(embed.wide for embed in embeds):
        names.append("wide")
    # What stands in the margin: the row before must not let its notes hang down into it.
    if embeds or any(half.notes or half.twin for half in halves):
        names.append("margin")
    return " ".join(names)


def _with_lede(rows: tuple[RowView, ...]) -> tuple[RowView, ...]:
    if not rows or rows[0].kind != "paragraph":
        return rows
    return (replace(rows[0], classes=f"{rows[0].classes} lede".strip()), *rows[1:])
