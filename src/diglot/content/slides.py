"""Cuts one half of a talk into slides: what each shows, in which layout, and what the speaker says.

A level-2 heading begins a slide, and so does a line of `---`; a line of `***` begins the next column.
"""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Literal

import msgspec

from diglot.content.labels import labels_in
from diglot.content.records import Block, Document, Placeholder

Layout = Literal["statement", "figure", "points", "columns", "table", "code", "full", "text"]
LAYOUTS: tuple[Layout, ...] = (
    *("statement", "figure", "points", "columns"),
    *("table", "code", "full", "text"),
)
"""Sentences in large type; a figure or picture; the same with text next to it; columns; a table; code; a
figure or picture without margins; a title with text. Front matter makes the first slide of a talk."""

STEP = "step"
"""The class of what appears one after another."""
_PICTURE = re.compile(r"<p[^>]*>\s*<img [^>]*>\s*</p>\s*")


class Slide(msgspec.Struct, frozen=True, kw_only=True):
    """A slide of one half. Blocks are given by their index in the document."""

    layout: Layout
    line: int
    """The first line of the slide in the source file, from 1."""
    title: int | None
    """Its heading."""
    columns: tuple[tuple[int, ...], ...]
    """The blocks below the title; more than one column only in the layout `columns`."""
    notes: tuple[int, ...] = ()
    """What the speaker says."""
    classes: tuple[str, ...] = ()
    """Class names of its heading, or else of its first block, that name no layout."""

    @property
    def body(self) -> tuple[int, ...]:
        """The blocks of all columns."""
        return tuple(index for column in self.columns for index in column)


def first_notes(document: Document) -> tuple[int, ...]:
    """What the speaker says to the first slide, which front matter makes: notes before everything else."""
    return tuple(
        index for index, _ in takewhile(lambda one: one[1].kind == "notes", enumerate(document.blocks))
    )


def slides_of(document: Document) -> tuple[Slide, ...]:
    """The slides of a half, without the first one."""
    found: list[Slide] = []
    gathered: list[int] = []
    opening = len(first_notes(document))
    for index, block in enumerate(document.blocks[opening:], start=opening):
        if block.kind == "slide":  # belongs into an article
            continue
        is_break = block.kind == "rule" and not is_column_break(block)
        if (is_break or _is_title(block)) and gathered:
            found.append(_slide(document, gathered))
            gathered = []
        if not is_break:
            gathered.append(index)
    if gathered:
        found.append(_slide(document, gathered))
    return tuple(found)


def is_column_break(block: Block) -> bool:
    """Whether a block is a line of `***`."""
    return block.kind == "rule" and block.markup.startswith("*")


def is_picture(block: Block) -> bool:
    """Whether a block is a picture and nothing else."""
    if block.kind != "paragraph" or len(block.parts) == 1:  # text alone, as most paragraphs are
        return False
    if any(label.of == "figure" for label in labels_in(block)):
        return True
    images = [part for part in block.parts if isinstance(part, Placeholder) and part.kind == "image"]
    if len(images) != 1:
        return False
    return _PICTURE.fullmatch("".join(part for part in block.parts if isinstance(part, str))) is not None


def _is_title(block: Block) -> bool:
    return block.kind == "heading" and block.level <= 2


def _slide(document: Document, indexes: Sequence[int]) -> Slide:
    blocks = document.blocks
    shown = [index for index in indexes if blocks[index].kind != "notes"]
    title = shown[0] if shown and _is_title(blocks[shown[0]]) else None
    columns: list[list[int]] = [[]]
    for index in shown if title is None else shown[1:]:
        if is_column_break(blocks[index]):
            columns.append([])
        else:
            columns[-1].append(index)
    filled = tuple(tuple(column) for column in columns if column)
    first = blocks[shown[0]] if shown else None
    classes = first.classes if first is not None else ()
    asked = next((layout for layout in LAYOUTS if layout in classes), None)
    return Slide(
        layout=asked or _layout(title, [[blocks[index] for index in column] for column in filled]),
        line=blocks[indexes[0]].line,
        title=title,
        columns=filled,
        notes=tuple(index for index in indexes if blocks[index].kind == "notes"),
        classes=tuple(name for name in classes if name not in LAYOUTS and name != STEP),
    )


def _layout(title: int | None, columns: Sequence[Sequence[Block]]) -> Layout:
    """The layout that fits what a slide shows."""
    if len(columns) > 1:
        return "columns"
    body = columns[0] if columns else ()
    kinds = {block.kind for block in body}
    seen = [block for block in body if block.kind == "figure" or is_picture(block)]
    if len(seen) == 1 and len(body) == 1:
        return "full" if title is None and is_picture(seen[0]) else "figure"
    if len(seen) == 1:
        return "points"
    if "table" in kinds:
        return "table"
    if "code" in kinds:
        return "code"
    return "statement" if not body or (title is None and kinds == {"paragraph"}) else "text"
