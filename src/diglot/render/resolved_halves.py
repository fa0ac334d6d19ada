"""A half with its placeholders resolved, as the pages of an article share it.

Everything here is made from `HalfSources` and the words of the theme alone. What depends on the readers of a
page, on the article's neighbours or on anything else is added by the page.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from diglot.content.records import Alignment, Block, FrontMatter
from diglot.figures.records import CellPiece
from diglot.languages import HTML_LANG, Language, format_date
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.contents import heading_words
from diglot.render.materials import Half
from diglot.render.numbering import Numbered, embed_of
from diglot.render.page_parts import NOTHING
from diglot.render.parts import Resolver, fill_html, fill_text, placeholders_in
from diglot.render.placeholders import ArticleResolver, references_in
from diglot.render.references import entry_of
from diglot.render.strings import Strings
from diglot.render.terms import linked_authors, linked_terms
from diglot.render.views import HalfView, HeadView, NoteView
from diglot.site_map import UNDATED, ArticleKind, Taxonomy


class HalfSources(msgspec.Struct, frozen=True, kw_only=True):
    """All that a half's resolved content is made from, besides the theme."""

    project: Project
    addresses: Addresses
    """How links are written in the text."""
    kind: ArticleKind
    half: Half
    alignment: Alignment
    numbered: Mapping[str, Numbered]
    data: Mapping[str, bytes]
    """Data of figures by request."""
    shown: tuple[tuple[CellPiece, ...], ...] = ()
    """What each code cell shows."""


class ResolvedHalf:
    """The resolved content of a half; each part is made when a page first needs it.

    `resolve` is the half's own resolver, which a page may have wrapped to collect mistakes. A half with
    mistakes must not be kept for other pages.
    """

    def __init__(self, sources: HalfSources, strings: Strings) -> None:
        self._sources = sources
        self._document = sources.half.document
        self._head: HeadView | None = None
        self._blocks: dict[int, HalfView] = {}
        """Blocks by their index in the document. Figures and tables of numbers are missing, because each page
        shows them in its own way."""
        references = references_in(self._document, sources.alignment, sources.numbered, strings)
        self.resolver = ArticleResolver(
            sources.half,
            data=sources.data,
            shown=sources.shown,
            references=references,
            addresses=sources.addresses,
        )

    def head(self, resolve: Resolver) -> HeadView:
        """Title, dates, authors and terms for readers of its own language, without its series."""
        if self._head is None:
            self._head = self.head_for(self._document.language, resolve)
        return self._head

    def head_for(self, readers: Language, resolve: Resolver) -> HeadView:
        """The same for readers of any language."""
        project, is_post = self._sources.project, self._sources.kind == "post"
        front_matter, language = self._sources.half.front_matter, self._document.language
        updated, is_dated = front_matter.updated, front_matter.date != UNDATED
        return HeadView(
            language=language,
            lang=HTML_LANG[language],
            title=fill_text(front_matter.title, resolve),
            readers=readers,
            date=format_date(front_matter.date, readers) if is_dated else "",
            iso_date=front_matter.date.isoformat() if is_dated else "",
            updated=format_date(updated, readers) if updated else "",
            iso_updated=updated.isoformat() if updated else "",
            minutes=self._document.reading_minutes if is_post else 0,
            figures=len(self._document.figures),
            authors=linked_authors(project, front_matter.authors, readers, of_post=is_post),
            terms=tuple(
                (taxonomy, linked_terms(project, taxonomy, terms, readers))
                for taxonomy, terms in _terms_of(front_matter)
                if terms
            ),
            series=None,
        )

    def block(self, index: int, resolve: Resolver) -> HalfView:
        """A block that is no figure or table of numbers, without links to its twin."""
        if (view := self._blocks.get(index)) is not None:
            return view
        block, language = self._document.blocks[index], self._document.language
        html = fill_html(block.parts, resolve)
        heading = heading_words(html) if block.kind == "heading" else NOTHING
        view = self._blocks[index] = HalfView(
            language=language,
            lang=HTML_LANG[language],
            html=html,
            notes=self.notes(block, resolve),
            heading=heading,
            name=heading.striptags() if heading else "",
        )
        return view

    def notes(self, block: Block, resolve: Resolver) -> tuple[NoteView, ...]:
        """The notes of a block."""
        language = self._document.language
        return tuple(
            NoteView(
                number=note.number,
                id=f"note-{language}-{note.number}",
                mark_id=f"mark-{language}-{note.number}",
                html=fill_html(note.parts, resolve),
            )
            for note in block.notes
        ) + tuple(self._works_cited_first(block))

    def _works_cited_first(self, block: Block) -> Iterator[NoteView]:
        """The entries of the works that a block is the first to cite."""
        citations = self._sources.half.citations
        if not citations.works:
            return
        language = self._document.language
        first, past = self._citations_of.get(block.line, (0, 0))
        for number, work in enumerate(citations.works, 1):
            if first < work.marks[0] <= past:
                yield NoteView(
                    number=number,
                    id=f"work-{language}-{number}",
                    mark_id=f"cite-{language}-{work.marks[0]}",
                    html=entry_of(work, language),
                    is_work=True,
                    label=work.label,
                )

    @cached_property
    def _citations_of(self) -> Mapping[int, tuple[int, int]]:
        """How many citations there are before each block, and up to its end, by its first line."""
        counts, count = {}, 0
        for block in self._document.blocks:
            parts = (*block.parts, *(part for note in block.notes for part in note.parts))
            embed = embed_of(block, self._document)
            parts += () if embed is None else embed.caption
            before, count = count, count + sum(one.kind == "cite" for one in placeholders_in(parts))
            counts[block.line] = before, count
        return counts


def _terms_of(front_matter: FrontMatter) -> tuple[tuple[Taxonomy, tuple[str, ...]], ...]:
    return (("tags", front_matter.tags), ("categories", front_matter.categories))
