"""Tables of contents: the headings of an article as links to its sections."""

import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup

from diglot.content.records import Document
from diglot.languages import HTML_LANG, Language
from diglot.render.views import ContentsView, RowView

FEWEST = 3
"""An article with fewer headings in one of its languages has no table of contents."""
_DEEPEST = 3
"""The lowest level of headings in it, as in `<h3>`."""

_HEADING = re.compile(r"<h([2-6])[^>]*>")
_DROPPED = re.compile(
    r'\u2060?<sup class="mark[^"]*">.*?</sup>|\s*<span class="citation".*?</span>'
    r'|</?(?:a|span|img|input)\b[^>]*>| id="[^"]*"',
    re.DOTALL,
)


def heading_words(html: str) -> Markup:
    """What a heading says, without links, marks of notes and of citations, and ids."""
    found = _HEADING.search(html)
    if found is None:
        return Markup()
    return Markup(_DROPPED.sub("", html[found.end() : html.rindex(f"</h{found[1]}>")]).strip())


def has_contents(documents: Mapping[Language, Document]) -> bool:
    """Whether an article has enough headings, each half alone: so all of its pages agree."""
    return all(
        sum(block.kind == "heading" and block.level <= _DEEPEST for block in one.blocks) >= FEWEST
        for one in documents.values()
    )


def contents_of(rows: Iterable[RowView], language: Language) -> tuple[ContentsView, ...]:
    """The sections of an article with their subsections.

    In a language, or in the other one where a heading lacks it.
    """
    sections: list[tuple[ContentsView, list[ContentsView]]] = []
    for row in rows:
        if row.kind != "heading":
            continue
        half = next((one for one in row.halves if one.language == language), row.halves[0])
        found = _HEADING.search(half.html)
        level = int(found[1]) if found else 0
        if not 0 < level <= _DEEPEST:
            continue
        entry = ContentsView(
            id=row.id,
            html=half.heading,
            lang=None if half.language == language else HTML_LANG[half.language],
            entries=(),
        )
        if level == _DEEPEST and sections:
            sections[-1][1].append(entry)
        else:
            sections.append((entry, []))
    return tuple(
        ContentsView(id=one.id, html=one.html, lang=one.lang, entries=tuple(below)) for one, below in sections
    )
