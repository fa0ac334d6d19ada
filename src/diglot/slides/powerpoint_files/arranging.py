"""Where the parts of a slide stand: columns, and in each column text, figures and tables below each other."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from diglot.slides.contents import (
    BlockContents,
    CodeContents,
    FigureContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Runs,
    SlideContents,
    TableContents,
)
from diglot.slides.powerpoint_files.designs import EMU_PER_PX, Rect

EMU_PER_PT = 12_700
TEXT_PT, STATEMENT_PT, TABLE_PT, CODE_PT, FORMULA_PT, CAPTION_PT = 26.0, 34.0, 18.0, 17.0, 26.0, 14.0
_LINE_EM, _PARAGRAPH_EM, _ROW_EM = 1.25, 0.45, 1.9
_SMALLEST = 0.55
"""Text that has no room is made smaller, but not below this part of its size."""
_GAP = 20 * EMU_PER_PX
_FIGURE_BESIDE_TEXT = (0.65, 0.35)


class Placed(NamedTuple):
    """Blocks of one kind at a place: a text, or a single figure, table, listing or formula."""

    blocks: tuple[BlockContents, ...]
    place: Rect
    scale: float
    """Size of its text, in the usual size."""
    is_whole_column: bool


def arrange(slide: SlideContents, body: Rect, whole: Rect) -> list[list[Placed]]:
    """The parts of each column of a slide. `body` is the room below the title."""
    if slide.layout == "full" and len(slide.columns) == 1 and len(slide.columns[0]) == 1:
        place = _below_title(body, whole) if slide.title else whole
        return [[Placed(slide.columns[0], place, 1.0, is_whole_column=True)]]
    columns = [column for column in slide.columns if column]
    shares = [1.0] * len(columns)
    if slide.layout == "points" and len(columns) == 1:
        columns, shares = _beside(columns[0])
    size = STATEMENT_PT if slide.layout == "statement" else TEXT_PT
    return [_stack(column, place, size) for column, place in zip(columns, body.columns(shares), strict=True)]


def _below_title(body: Rect, whole: Rect) -> Rect:
    """All that a title leaves of a slide, but for a small margin."""
    margin = whole.width // 40
    return Rect(margin, body.top, whole.width - 2 * margin, whole.height - body.top - margin)


def _beside(blocks: Sequence[BlockContents]) -> tuple[list[tuple[BlockContents, ...]], list[float]]:
    """A figure and its points in two columns, in the order in which they come."""
    seen = tuple(one for one in blocks if isinstance(one, FigureContents | PictureContents))
    others = tuple(one for one in blocks if one not in seen)
    if not others:
        return [seen], [1.0]
    wide, narrow = _FIGURE_BESIDE_TEXT
    if blocks[0] in seen:
        return [seen, others], [wide, narrow]
    return [others, seen], [narrow, wide]


def _stack(blocks: Sequence[BlockContents], room: Rect, size: float) -> list[Placed]:
    groups: list[tuple[BlockContents, ...]] = []
    for block in blocks:
        if isinstance(block, Paragraph) and groups and isinstance(groups[-1][0], Paragraph):
            groups[-1] = (*groups[-1], block)
        else:
            groups.append((block,))
    if not groups:
        return []
    heights = [_height(group, room.width, size) for group in groups]
    fixed = sum(height for height in heights if height is not None) + _GAP * (len(groups) - 1)
    drawn = heights.count(None)
    free = float(room.height - fixed)
    least = room.height * 0.4 * drawn
    scale = 1.0
    if free < least:
        texts = max(1, fixed)
        scale = max(_SMALLEST, (room.height - least) / texts)
        free = max(room.height - fixed * scale, least)
    placed, top = [], room.top
    for group, height in zip(groups, heights, strict=True):
        high = round(free / drawn) if height is None else round(height * scale)
        if len(groups) == 1:
            high = room.height
        place = Rect(room.left, top, room.width, high)
        placed.append(Placed(group, place, scale, is_whole_column=len(groups) == 1))
        top += high + round(_GAP * scale)
    return placed


def _height(group: Sequence[BlockContents], width: int, size: float) -> int | None:
    """About how high blocks are, in EMU; None for a drawing, which takes what is left."""
    first = group[0]
    if isinstance(first, FigureContents | PictureContents):
        return None
    if isinstance(first, TableContents):
        return round(len(first.rows) * _ROW_EM * TABLE_PT * EMU_PER_PT)
    if isinstance(first, CodeContents):
        return round((len(first.lines) * _LINE_EM + 1.2) * CODE_PT * EMU_PER_PT)
    if isinstance(first, FormulaContents):
        return round(2.6 * FORMULA_PT * EMU_PER_PT)
    ems = 0.0
    for block in group:
        if isinstance(block, Paragraph):
            indent = block.level * 1.2
            ems += lines_of(block.runs, width / EMU_PER_PT / size - indent) * _LINE_EM + _PARAGRAPH_EM
    return round((ems + 0.5) * size * EMU_PER_PT)


def lines_of(runs: Runs, width_em: float) -> int:
    """About how many lines a text takes in a width, in ems of its size."""
    return sum(
        max(1, -(-int(10 * width_of(line)) // max(1, int(10 * width_em))))
        for line in "".join(run.text for run in runs).split("\v")
    )


def width_of(text: str) -> float:
    """About how wide a text is, in ems."""
    return sum(1.0 if unicodedata.east_asian_width(one) in "WF" else 0.52 for one in text)
