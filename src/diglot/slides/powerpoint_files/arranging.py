"""Where the parts of a slide are: columns, and in each column text, figures and tables below each other."""

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
from diglot.slides.powerpoint_files.designs import EMU_PER_PX, LINE_SPACING, PARAGRAPH_SPACING, Rect
from diglot.slides.powerpoint_files.formula_sizes import formula_size

EMU_PER_PT = 12_700
TEXT_PT, STATEMENT_PT, REMARK_PT, TWIN_PT = 26.0, 40.0, 24.0, 26.0
TABLE_PT, CODE_PT, FORMULA_PT, CAPTION_PT, FOOTNOTE_PT = 20.0, 18.0, 28.0, 16.0, 12.0
_LINE_EM, _ROW_EM = 1.25, 1.9
SMALLEST = 0.55
"""Text that has no room is made smaller, but not below this part of its size."""
_TITLE_LINE_EM, _TITLE_ROOM = 1.2, 1.15
_MONO_EM = 1.17
"""Width of a face for code, in that of another."""
_LARGEST = 1.3
"""A table or listing with room around it is made larger, up to this part of its size."""
_FILLED = 0.8
"""How much of its room it fills then."""
_GAP = 20 * EMU_PER_PX
_FIGURE_BESIDE_TEXT = (0.65, 0.35)


class Placed(NamedTuple):
    """Blocks of one kind at a place: a text, or a single figure, table, listing or formula."""

    blocks: tuple[BlockContents, ...]
    place: Rect
    scale: float
    """Size of its text, in the usual size."""
    is_whole_column: bool


def title_size(runs: Runs, place: Rect, usual: float) -> float:
    """The largest size in points, up to the usual one, in which a title fits; it may use the space above."""
    return statement_size(runs, place, usual, _TITLE_LINE_EM, _TITLE_ROOM)


def statement_size(
    runs: Runs, place: Rect, usual: float = STATEMENT_PT, line_em: float = _LINE_EM, room: float = 1
) -> float:
    """The largest size in points, up to the usual one, in which a sentence fits its place."""
    size = usual
    while size > usual * SMALLEST:
        lines = lines_of(runs, place.width / EMU_PER_PT / size - 1)
        if lines * line_em * size * EMU_PER_PT <= place.height * room:
            break
        size -= 2
    return size


def arrange(slide: SlideContents, body: Rect, whole: Rect) -> list[list[Placed]]:
    """The parts of each column of a slide. `body` is the room below the title."""
    if slide.layout == "full" and len(slide.columns) == 1 and len(slide.columns[0]) == 1:
        return [[Placed(slide.columns[0], body if slide.title else whole, 1.0, is_whole_column=True)]]
    columns = [column for column in slide.columns if column]
    shares = [1.0] * len(columns)
    if slide.layout == "points" and len(columns) == 1:
        columns, shares = _beside(columns[0])
    return [_stack(column, place) for column, place in zip(columns, body.columns(shares), strict=True)]


def is_statement(slide: SlideContents) -> bool:
    """Whether a slide shows a sentence in large type, with at most some text below it."""
    blocks = [one for column in slide.columns for one in column]
    return (
        slide.layout == "statement"
        and len(slide.columns) <= 1
        and bool(slide.title or blocks)
        and all(isinstance(one, Paragraph) for one in blocks)
    )


def statement_of(slide: SlideContents) -> tuple[Runs, tuple[Paragraph, ...]]:
    """The sentence in large type, and the text below it."""
    paragraphs = [one for column in slide.columns for one in column if isinstance(one, Paragraph)]
    if slide.title:
        return slide.title, tuple(paragraphs)
    return paragraphs[0].runs, tuple(paragraphs[1:])


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


def _stack(blocks: Sequence[BlockContents], room: Rect) -> list[Placed]:
    groups: list[tuple[BlockContents, ...]] = []
    for block in blocks:
        if isinstance(block, Paragraph) and groups and isinstance(groups[-1][0], Paragraph):
            groups[-1] = (*groups[-1], block)
        else:
            groups.append((block,))
    if not groups:
        return []
    heights = [_height(group, room.width) for group in groups]
    fixed = sum(height for height in heights if height is not None) + _GAP * (len(groups) - 1)
    drawn = heights.count(None)
    free = float(room.height - fixed)
    least = room.height * 0.4 * drawn
    scale = grown = 1.0
    if free < least:
        texts = max(1, fixed)
        scale = max(SMALLEST, (room.height - least) / texts)
        free = max(room.height - fixed * scale, least)
    elif not drawn:
        grown = min(max(1.0, room.height * _FILLED / max(1, fixed)), _LARGEST, _widest(groups, room.width))
    placed, top = [], room.top
    for group, height in zip(groups, heights, strict=True):
        own = scale * grown if isinstance(group[0], TableContents | CodeContents) else scale
        if isinstance(group[0], CodeContents):  # its lines are not wrapped
            own = max(SMALLEST, min(own, _fitting(group[0], room.width)))
        high = round(free / drawn) if height is None else round(height * own)
        if len(groups) == 1:
            high = room.height
        place = Rect(room.left, top, room.width, high)
        placed.append(Placed(group, place, own, is_whole_column=len(groups) == 1))
        top += high + round(_GAP * scale)
    return placed


def _widest(groups: Sequence[Sequence[BlockContents]], width: int) -> float:
    """How large tables and listings may get until a line of theirs has no room; at least 1."""
    blocks = [first for first, *_ in groups if isinstance(first, TableContents | CodeContents)]
    return max(1.0, min((_fitting(one, width) for one in blocks), default=1.0))


def _fitting(block: TableContents | CodeContents, width: int) -> float:
    """The part of its size in which the longest line of a table or listing fits a width."""
    if isinstance(block, TableContents):
        return width / EMU_PER_PT / (sum(_columns_ems(block)) * TABLE_PT)
    lines = (width_of("".join(run.text for run in line)) for line in block.lines)
    return width / EMU_PER_PT / ((max(lines, default=0) * _MONO_EM + 1) * CODE_PT)


def column_widths(table: TableContents, width: int) -> tuple[int, ...]:
    """The width of each column in EMU, by its longest text."""
    ems = _columns_ems(table)
    inner = [round(width * one / sum(ems)) for one in ems[:-1]]
    return (*inner, width - sum(inner))


def _columns_ems(table: TableContents) -> list[float]:
    """How wide each column would like to be; one with a long text is not much wider than the others."""
    longest = [
        max(width_of("".join(run.text for run in row[at])) for row in table.rows)
        for at in range(len(table.rows[0]))
    ]
    return [min(one, _LONGEST_CELL_EM) + 2 for one in longest]


_LONGEST_CELL_EM = 24.0


def without_caption(figure: FigureContents, place: Rect) -> Rect:
    """What the caption of a figure, which is below it, leaves of its place."""
    if not figure.caption:
        return place
    lines = lines_of(figure.caption, place.width / EMU_PER_PT / CAPTION_PT - 1)
    return place._replace(height=place.height - round((lines * _LINE_EM + 0.5) * CAPTION_PT * EMU_PER_PT))


def _height(group: Sequence[BlockContents], width: int) -> int | None:
    """About how high blocks are, in EMU; None for a drawing, which takes what is left."""
    first = group[0]
    if isinstance(first, FigureContents | PictureContents):
        return None
    if isinstance(first, TableContents):
        widths = [one / EMU_PER_PT / TABLE_PT - 1.2 for one in column_widths(first, width)]
        lines = (max(map(lines_of, row, widths)) for row in first.rows)
        return round(sum(_ROW_EM + (one - 1) * _LINE_EM for one in lines) * TABLE_PT * EMU_PER_PT)
    if isinstance(first, CodeContents):
        return round((len(first.lines) * _LINE_EM + 1.2) * CODE_PT * EMU_PER_PT)
    if isinstance(first, FormulaContents):
        return round((formula_size(first.mathml)[1] + 0.9) * FORMULA_PT * EMU_PER_PT)
    ems = 0.0
    for block in group:
        if isinstance(block, Paragraph):
            indent = block.level * 1.2
            lines_count = lines_of(block.runs, width / EMU_PER_PT / TEXT_PT - indent)
            ems += lines_count * _LINE_EM * LINE_SPACING + PARAGRAPH_SPACING
    return round((ems + 0.5) * TEXT_PT * EMU_PER_PT)


def lines_of(runs: Runs, width_em: float) -> int:
    """About how many lines a text takes in a width, in ems of its size."""
    return sum(
        max(1, -(-int(10 * width_of(line)) // max(1, int(10 * width_em))))
        for line in "".join(run.text for run in runs).split("\v")
    )


def width_of(text: str) -> float:
    """About how wide a text is, in ems."""
    return sum(1.0 if unicodedata.east_asian_width(one) in "WF" else 0.52 for one in text)
