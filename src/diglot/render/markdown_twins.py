"""Articles as Markdown that needs nothing else: values filled in, figures as their tables, addresses whole.

The author's own text is kept line by line; only what diglot adds to Markdown is replaced.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from textwrap import indent
from typing import TypeAlias
from urllib.parse import unquote, urljoin

from markupsafe import Markup

from diglot.content.citations import ROLES as CITATIONS
from diglot.content.citations import citations_in, target_of_role
from diglot.content.raw_html import Address, PictureSize, Piece, pieces_of
from diglot.content.records import Diagram, Placeholder, PlaceholderKind
from diglot.content.roles import (
    CITE_NUMBER,
    REFERENCES,
    number_and_source,
    read_reference,
    short_references_in,
)
from diglot.ignore_comments import HTML_COMMENT
from diglot.invariants import certain
from diglot.languages import Language
from diglot.project import Project
from diglot.render.article import ArticlePage
from diglot.render.cell_outputs import fenced, markdown_of
from diglot.render.materials import Article
from diglot.render.page_parts import addresses_of
from diglot.render.parts import fill_text
from diglot.render.plain_html import plain_html
from diglot.render.terms import people_of
from diglot.render.theme import Theme
from diglot.render.views import EmbedView, TableView
from diglot.site_map import HOME, UNDATED, SiteMap, Summary, articles_in, markdown_path

_FENCE = re.compile(r"[ >]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})\s*(\{figure-script\})?")
_ROLE_OR_CODE = re.compile(
    r"(?: *\{(assert)\}|\{(eval|control|ref|eq|numref|prf:ref|cite(?:-number|[tp]|:[a-z]+)?)\})?"
    r"(?<!`)(`+)(?!`)(.+?)(?<!`)\3(?!`)"
)
_TARGET = re.compile(r"(\]\(<?|^ {0,3}\[[^\]^][^\]]*\]:\s+<?)([^)\s>]+)")
_ATTRIBUTES = re.compile(r"\s*\{(?:[#.][\w-]+\s*)+\}\s*$")
_NAMELESS = re.compile(r"(?<!!)\[\]\(#([^()\s]+)\)")
_KINDS: Mapping[str, PlaceholderKind] = {
    "eval": "eval",
    "assert": "assert",
    "control": "control",
}


Made: TypeAlias = Mapping[int, tuple[int, str]]
"""Directives by their first lines: their last lines, and the Markdown that is in their place."""


def markdown_twin(
    theme: Theme, project: Project, article: Article, language: Language, *, body: str, made: Made
) -> str:
    """A half as Markdown. `body` is the author's file, its front matter replaced by empty lines.

    Raises DiagnosticError with every mistake in placeholders and embeds.
    """
    twin = _MarkdownTwin(theme, project, article, language, "single", listing=None, path=None)
    return twin.markdown(body, made)


class _MarkdownTwin(ArticlePage):
    def markdown(self, body: str, made: Made) -> str:
        """The text. Raises DiagnosticError with every mistake."""
        self._page_address = addresses_of(self._project).whole(self._article.paths[self._language])
        embeds = self._embeds()
        lines = [*self._lines(body.split("\n"), embeds, made), *self._work_lines()]
        head = "\n".join(self._head_lines())
        self._problems.raise_found()
        return "\n".join((head, "", "\n".join(lines).strip("\n"), ""))

    def _head_lines(self) -> Iterator[str]:
        """Title, address, dates and authors, and where the other half is."""
        front = self._article.halves[self._language].front_matter
        addresses, words = addresses_of(self._project), self._theme.strings
        yield f"# {fill_text(front.title, self._resolvers[self._language])}"
        yield ""
        yield f"- <{self._page_address}>"
        dates = [front.date.isoformat()] if front.date != UNDATED else []
        dates += [words[self._language]("updated", date=front.updated.isoformat())] if front.updated else []
        people = [one.name.of(self._language) for one in people_of(self._project, front.authors)]
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
        """What stands in place of figures and tables, by the line at which each begins."""
        document = self._documents[self._language]
        shown = self._shown_by_cells[self._language] or [()] * len(document.cells)
        found = {
            cell.fence_line: markdown_of(cell, pieces)
            for cell, pieces in zip(document.cells, shown, strict=True)
        }
        for diagram in document.diagrams:
            found[diagram.fence_line] = self._diagram_markdown(diagram)
        for row in self._article.alignment.rows:
            index = row.zh if self._language == "zh" else row.en
            view = None if index is None else self._row(row)
            if index is not None and view is not None and (embed := view.halves[0].embed) is not None:
                line = document.blocks[index].line
                found[line] = _embed_markdown(embed, self._page_address)
        return found

    def _diagram_markdown(self, diagram: Diagram) -> str:
        """A diagram as others can draw it, with its caption."""
        resolve = self._resolvers[self._language]
        caption = fill_text(diagram.caption, resolve) or diagram.alt
        alt = diagram.alt if diagram.alt != caption else ""
        return "\n\n".join(filter(None, (fenced(diagram.source.rstrip("\n"), diagram.kind), alt, caption)))

    def _lines(
        self, lines: Iterable[str], embeds: Mapping[int, str], made: Made, *, at: int = 0
    ) -> Iterator[str]:
        """The lines of a text; `at` is the line of the file that has it, if it is in place of a directive."""
        fence, is_shown, is_dropped = "", True, False
        last = 0
        for number, line in enumerate(lines, 1):
            if number <= last:
                continue
            if not fence and number in made:
                last, markdown = made[number]
                margin = line[: len(line) - len(line.lstrip(" >"))]
                for one in self._lines(markdown.split("\n"), {}, {}, at=number):
                    yield (margin + one).rstrip()
                continue
            begins = _FENCE.match(line)
            if fence:
                rest = "" if begins is None else line[begins.end() :].strip()
                if begins is not None and begins[1].startswith(fence) and not rest:
                    fence = ""
                if is_shown:
                    yield line
            elif begins is not None:
                fence, is_shown = begins[1], begins[2] is None and number not in embeds
                is_dropped = not is_shown and number not in embeds
                if is_shown:
                    yield line
                elif number in embeds:
                    yield indent(embeds[number], line[: len(line) - len(line.lstrip())])
            else:
                filled = self._filled(line, at or number)
                if filled.strip() or not (line.strip() or is_dropped):
                    yield filled
                is_dropped = is_dropped and not filled.strip()

    def _filled(self, line: str, number: int) -> str:
        """A line of prose with its values, names and whole addresses, and without attributes."""
        pieces, at = [], 0
        line = _ATTRIBUTES.sub("", HTML_COMMENT.sub("", line))
        for found in _ROLE_OR_CODE.finditer(line):
            pieces.append(self._text(line[at : found.start()], number))
            kind, at = found[1] or found[2], found.end()
            if kind in CITATIONS:
                cited = target_of_role(CITATIONS[kind], found[4])
                pieces.append(self._value("cite", str(cited), number))
            elif kind in REFERENCES:
                pieces.append(self._referring(found[4], number))
            elif kind == CITE_NUMBER:
                pieces.append(self._cited(found[4].replace(r"\|", "|"), number))
            else:
                expression = found[4].strip().replace(r"\|", "|")  # in a table
                pieces.append(found[0] if kind is None else self._value(_KINDS[kind], expression, number))
        pieces.append(self._text(line[at:], number))
        return "".join(pieces)

    def _text(self, text: str, number: int) -> str:
        """Text without code and roles, with its citations and whole addresses."""
        text = _NAMELESS.sub(lambda found: self._value("ref", found[1], number), text)
        pieces, at = [], 0
        for start, end, name in short_references_in(text) if "@" in text else ():
            pieces += [text[at:start], self._value("ref", name, number)]
            at = end
        text = "".join((*pieces, text[at:]))
        pieces, at = [], 0
        for start, end, target in citations_in(text) if "@" in text else ():
            before, at = text[at:start], end
            is_joined = self._language == "zh" and target.form == "p"
            pieces += [before.rstrip(" ") if is_joined else before, self._value("cite", str(target), number)]
        return self._with_whole_addresses("".join((*pieces, text[at:])))

    def _referring(self, content: str, line: int) -> str:
        """A reference with the words around it, or with words of its own as a link."""
        before, number, after, target = read_reference(content)
        if before and not number:
            return f"[{before}]({urljoin(self._page_address, f'#{target}')})"
        return f"{before}{self._value('ref', target, line)}{after}"

    def _cited(self, content: str, line: int) -> str:
        """A `{cite-number}` as Markdown: the number as a link, or with the mark of its note or citation."""
        number, source = certain(number_and_source(content), "one without a source has been reported")
        if source.startswith("@"):
            return f"{number} {self._value('cite', str(target_of_role('p', source)), line)}"
        return f"[{number}]({source})" if "://" in source else f"{number}[^{source}]"

    def _value(self, kind: PlaceholderKind, target: str, line: int) -> str:
        placeholder = Placeholder(kind=kind, target=target, line=line, context="text")
        return self._resolvers[self._language](placeholder)

    def _with_whole_addresses(self, text: str) -> str:
        text = _TARGET.sub(lambda found: f"{found[1]}{self._whole(found[2])}", text)
        return "".join(map(self._piece, pieces_of(text))) if "<" in text and "=" in text else text

    def _piece(self, piece: Piece) -> str:
        """A piece of HTML in Markdown, with whole addresses."""
        match piece:
            case str():
                return piece
            case Address():
                return escape(self._whole(piece.target))
            case PictureSize():
                sides = (("width", piece.width), ("height", piece.height))
                return "".join(f' {name}="{side}"' for name, side in sides if side)
        return ""

    def _whole(self, target: str) -> str:
        """The whole address of a target as it is written."""
        half, addresses = self._article.halves[self._language], addresses_of(self._project)
        for name in (target, unquote(target)):
            if name in half.links:
                return urljoin(self._page_address, addresses.path(half.links[name]))
            if name in half.images:
                return urljoin(self._page_address, addresses.path(half.images[name].path))
        return urljoin(self._page_address, target)


def _embed_markdown(embed: EmbedView, page: str) -> str:
    """A figure or table as its caption, what it shows in words, and its numbers."""
    caption = Markup(plain_html(embed.caption, page)).striptags()
    parts = [f"**{embed.label}** {caption}".strip()]
    picture = next((link.url for link in embed.downloads if link.text == "PNG"), "")
    if embed.kind == "figure" and picture:
        parts.append(f"![{embed.alt}]({urljoin(page, picture)})")
    if embed.table is not None:
        parts.append(_table_markdown(embed.table))
    return "\n\n".join(parts)


def _table_markdown(table: TableView) -> str:
    heads = [f"{one.name} ({one.unit})" if one.unit else one.name for one in table.columns]
    rules = ["---:" if one.numeric else "---" for one in table.columns]
    rows = [[cell.text for cell in row] for row in table.rows]
    return "\n".join(f"| {' | '.join(_cell(one) for one in row)} |" for row in (heads, rules, *rows))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


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
