"""Articles as Markdown that needs nothing else: values filled in, figures as tables, addresses whole."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import unquote, urljoin

import msgspec
from markupsafe import Markup

from diglot.content.code_cells import CELL
from diglot.content.records import Diagram, Placeholder
from diglot.content.tree.markdown import (
    Filling,
    as_markdown,
    fenced,
    markdown_of_tree,
    name_in_myst,
    on_site,
    pieces_of_markdown,
    table_row,
)
from diglot.content.tree.nodes import Directive, Tree, all_below, texts_of
from diglot.languages import Language
from diglot.project import Project
from diglot.render.article import ArticlePage
from diglot.render.cell_outputs import markdown_of_pieces
from diglot.render.materials import Article
from diglot.render.page_parts import addresses_of
from diglot.render.parts import fill_text
from diglot.render.plain_html import plain_html
from diglot.render.terms import people_of
from diglot.render.theme import Theme
from diglot.render.views import EmbedView, TableView
from diglot.site_map import HOME, UNDATED, SiteMap, Summary, articles_in, markdown_path


class MarkdownTwin(msgspec.Struct, frozen=True, kw_only=True):
    """A half as Markdown."""

    head: str
    """Title, address, dates and authors, and where the other half is."""
    body: tuple[str, ...]
    """Text and whole addresses on the site in turn."""
    directives: tuple[str, ...]
    """The names of what is between colons: admonitions, tabs, cards."""


def markdown_twin(
    theme: Theme, project: Project, article: Article, tree: Tree, lines: Sequence[str]
) -> MarkdownTwin:
    """A half, given as a tree, as Markdown. `lines` are those of the author's file.

    Raises DiagnosticError with every mistake in placeholders and embeds.
    """
    page = _MarkdownPage(theme, project, article, tree.language, "single", listing=None, path=None)
    return page.twin(tree, lines)


class _MarkdownPage(ArticlePage):
    def twin(self, tree: Tree, lines: Sequence[str]) -> MarkdownTwin:
        """The half. Raises DiagnosticError with every mistake."""
        self._page_address = addresses_of(self._project).whole(self._article.paths[self._language])
        cells = map(markdown_of_pieces, self._shown_by_cells[self._language])
        filling = Filling(
            resolve=self._markdown_of,
            address=self._whole,
            embeds=self._embeds(),
            shown={
                **{("cell", str(number)): text for number, text in enumerate(cells)},
                **{("diagram", str(number)): _diagram(drawn) for number, drawn in enumerate(tree.diagrams)},
            },
        )
        body = "\n".join((markdown_of_tree(tree, lines, filling), *self._work_lines()))
        head = "\n".join((*self._head_lines(), ""))
        names = tuple(
            name_in_myst(node)
            for nodes in texts_of(tree)
            for node in all_below(nodes)
            if isinstance(node, Directive) and node.name != CELL
        )
        self._problems.raise_found()
        return MarkdownTwin(head=head, body=pieces_of_markdown(f"{body}\n"), directives=names)

    def _markdown_of(self, placeholder: Placeholder) -> str:
        text = fill_text((placeholder,), self._resolvers[self._language])
        return text if placeholder.kind == "cite" else as_markdown(text)  # marks of citations are in brackets

    def _head_lines(self) -> Iterator[str]:
        """Title, address, dates and authors, and where the other half is."""
        front = self._article.halves[self._language].front_matter
        addresses, words = addresses_of(self._project), self._theme.strings
        yield f"# {fill_text(front.title, self._resolvers[self._language])}"
        yield ""
        yield f"- <{self._page_address}>"
        dates = [front.date.isoformat()] if front.date != UNDATED else []
        dates += [words[self._language]("updated", date=front.updated.isoformat())] if front.updated else []
        people = [person.name.of(self._language) for person in people_of(self._project, front.authors)]
        for facts in (dates, people):
            if facts:
                yield f"- {' · '.join(facts)}"
        for other in self._article.languages:
            if other != self._language:
                path = markdown_path(self._article.paths[other])
                yield f"- [{words[other]('language_name')}]({addresses.whole(path)})"

    def _work_lines(self) -> Iterator[str]:
        """The works that the half cites."""
        works = self._article.halves[self._language].citations.works
        if works:
            yield f"\n## {self._theme.strings[self._language]('references')}\n"
            yield from (f"- {work.label} {work.text}" if work.label else f"- {work.text}" for work in works)

    def _embeds(self) -> dict[int, str]:
        """Figures and tables, by the index of their block."""
        embeds = {}
        for row in self._article.alignment.rows:
            index = row.zh if self._language == "zh" else row.en
            view = None if index is None else self._row(row)
            if index is not None and view is not None and (embed := view.halves[0].embed) is not None:
                embeds[index] = _embed_markdown(embed, self._page_address)
        return embeds

    def _whole(self, target: str) -> str | None:
        """The whole address of a target on the site, as it is written; None for one elsewhere."""
        half, addresses = self._article.halves[self._language], addresses_of(self._project)
        whole = urljoin(self._page_address, target)
        for name in (target, unquote(target)):
            if name in half.links:
                whole = urljoin(self._page_address, addresses.path(half.links[name]))
                break
            if name in half.images:
                whole = urljoin(self._page_address, addresses.path(half.images[name].path))
                break
        return whole if whole != target or whole.startswith(self._project.base_url) else None


def _diagram(diagram: Diagram) -> str:
    """A diagram as others can draw it, with its text if that says more than its caption."""
    alt = diagram.alt if (diagram.alt,) != diagram.caption else ""
    return "\n\n".join(filter(None, (fenced(diagram.source.rstrip("\n"), diagram.kind), alt)))


def _embed_markdown(embed: EmbedView, page: str) -> str:
    """A figure or table as its caption, what it shows in words, and its numbers."""
    caption = Markup(plain_html(embed.caption, page)).striptags()
    parts = [f"**{embed.label}** {caption}".strip()]
    picture = next((link.url for link in embed.downloads if link.text == "PNG"), "")
    if embed.kind == "figure" and picture:
        parts.append(f"![{embed.alt}]({on_site(urljoin(page, picture))})")
    if embed.table is not None:
        parts.append(_table_markdown(embed.table))
    return "\n\n".join(parts)


def _table_markdown(table: TableView) -> str:
    heads = [f"{column.name} ({column.unit})" if column.unit else column.name for column in table.columns]
    rules = ["---:" if column.numeric else "---" for column in table.columns]
    return "\n".join(map(table_row, (heads, rules, *([cell.text for cell in row] for row in table.rows))))


def llms_txt(
    project: Project,
    site_map: SiteMap,
    pages: Iterable[Summary],
    to_traditional: Callable[[str], str] | None = None,
) -> str:
    """The file `/llms.txt`: what the site is, and its articles as Markdown (https://llmstxt.org).

    `pages` are the site's pages with their titles. With `to_traditional`, which converts a text with its
    addresses, Chinese articles are listed in these characters, too.
    """
    addresses = addresses_of(project)
    first, second = project.languages
    lines = [f"# {' · '.join(dict.fromkeys((project.title.of(first), project.title.of(second))))}"]
    if described := [one for one in map(project.description.of, project.languages) if one]:
        lines += ["", *(f"> {one}" for one in described)]
    for language in project.languages:
        own = [one for one in (*articles_in(site_map, language), *pages) if _is_listed(one, language)]
        listed = []
        for article in own:
            half = article.half(language)
            if half is not None:
                address = addresses.whole(markdown_path(article.path(language)))
                about = f": {' '.join(half.description.split())}" if half.description else ""
                listed.append(f"- [{half.title}]({address}){about}")
        if listed:
            lines += ["", "## 中文" if language == "zh" else "## English", "", *listed]
        if listed and language == "zh" and to_traditional is not None:
            lines += ["", "## 繁體", "", *map(to_traditional, listed)]
    return "\n".join(lines) + "\n"


def _is_listed(article: Summary, language: Language) -> bool:
    is_public = not article.draft and not article.expired
    return (
        is_public and article.kind != "talk" and article.slug != HOME and article.half(language) is not None
    )
