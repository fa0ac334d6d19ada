"""Renders the text of an article for feeds: complete, and readable without the theme."""

from collections.abc import Iterator

from markupsafe import Markup

from diglot.languages import Language
from diglot.project import Project
from diglot.render.article import ArticlePage
from diglot.render.materials import Article
from diglot.render.page_parts import addresses_of
from diglot.render.plain_html import plain_html
from diglot.render.theme import Theme
from diglot.render.views import EmbedView, NoteView, RowView, TableView


def feed_entry(theme: Theme, project: Project, article: Article, language: Language) -> str:
    """The text of a half as HTML: figures as pictures, side notes at the end, all addresses whole.

    Raises DiagnosticError with every mistake in placeholders and embeds.
    """
    return _FeedEntry(theme, project, article, language, "single", listing=None, path=None).entry_html()


class _FeedEntry(ArticlePage):
    _draws_pictures_of_cells = False

    def entry_html(self) -> str:
        """The text. Raises DiagnosticError with every mistake."""
        page = addresses_of(self._project).whole(self._article.paths[self._language])
        rows = [view for row in self._article.alignment.rows if (view := self._row(row)) is not None]
        notes = [note for row in rows for note in row.halves[0].notes if not note.is_work]
        self._share_resolved()
        parts = [
            *map(self._row_html, rows),
            _notes_html(notes),
            *map(self._row_html, self._references(is_alone=True)),
        ]
        return "\n".join(filter(None, (plain_html(part, page) for part in parts)))

    def _row_html(self, row: RowView) -> str:
        half = row.halves[0]
        if half.embed is None:
            return half.html
        if half.embed.kind == "table":
            return _numbers_html(half.embed)
        return Markup("").join(_figure_html(half.embed, row.id))


def _figure_html(embed: EmbedView, anchor: str) -> Iterator[Markup]:
    """A figure as a picture that leads to the figure in the article; a form as the way there."""
    yield Markup("<figure>")
    picture = next((link.url for link in embed.downloads if link.text == "PNG"), "")
    caption = Markup("<b>{}</b> {}").format(embed.label, embed.caption)
    if picture:
        yield Markup('<a href="#{}"><img src="{}" alt="{}" width="{}"></a>').format(
            anchor, picture, embed.alt, _COLUMN
        )
        yield Markup("<figcaption>{}</figcaption></figure>").format(caption)
    else:
        yield Markup('<figcaption><a href="#{}">{}</a></figcaption></figure>').format(anchor, caption)


_COLUMN = 680
"""Width in CSS pixels of the pictures that readers download."""


def _numbers_html(embed: EmbedView) -> str:
    """A table of numbers with its caption."""
    if embed.table is None:
        return ""
    caption = Markup("<caption><b>{}</b> {}</caption>").format(embed.label, embed.caption)
    return Markup("<table>{}{}</table>").format(caption, table_rows(embed.table))


def table_rows(table: TableView) -> Markup:
    """The rows of a table of numbers, with units next to the names of columns."""
    heads = Markup("").join(
        Markup("<th>{}{}</th>").format(one.name, f" ({one.unit})" if one.unit else "")
        for one in table.columns
    )
    rows = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell.text) for cell in row))
        for row in table.rows
    )
    return Markup("<thead><tr>{}</tr></thead><tbody>{}</tbody>").format(heads, rows)


def _notes_html(notes: list[NoteView]) -> str:
    """The side notes as a list; their numbers are those of the marks in the text."""
    if not notes:
        return ""
    items = Markup("").join(Markup("<li>{}</li>").format(note.html) for note in notes)
    return Markup("<hr><ol>{}</ol>").format(items)
