"""Tables, listings and formulas on a slide."""

from typing import Any

from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Emu

from diglot.slides.contents import CodeContents, FormulaContents, Run, TableContents
from diglot.slides.powerpoint_files.arranging import (
    CODE_PT,
    EMU_PER_PT,
    FORMULA_PT,
    TABLE_PT,
    Placed,
    column_widths,
)
from diglot.slides.powerpoint_files.designs import Rect
from diglot.slides.powerpoint_files.formula_sizes import formula_size
from diglot.slides.powerpoint_files.shapes import body_of, rule, text_box
from diglot.slides.powerpoint_files.tags import tag_values
from diglot.slides.powerpoint_files.texts import TextWriter, Value
from diglot.slides.xml import A

_PLAIN_TABLE = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
_ROW_EM = 2.2
_INSET_PT = 7.2


def add_table(slide: Any, text: TextWriter, block: TableContents, part: Placed) -> None:
    """A table with lines above and below it, and below its head."""
    rows, columns = len(block.rows), len(block.rows[0])
    height = min(part.place.height, round(rows * TABLE_PT * _ROW_EM * EMU_PER_PT * part.scale))
    shape = slide.shapes.add_table(rows, columns, *part.place[:3], Emu(height))
    for column, width in zip(shape.table.columns, column_widths(block, part.place.width), strict=True):
        column.width = Emu(width)
    table = shape.element.find(f".//{A}tbl")
    properties = table.find(f"{A}tblPr")
    properties.set("bandRow", "0")
    properties.set("firstRow", "1" if block.has_head else "0")
    properties.find(f"{A}tableStyleId").text = _PLAIN_TABLE
    values: list[Value] = []
    for number, (row, cells) in enumerate(zip(table.findall(f"{A}tr"), block.rows, strict=True)):
        row.set("h", str(height // rows))
        for at, (cell, runs) in enumerate(zip(row.findall(f"{A}tc"), cells, strict=True)):
            is_head = block.has_head and number == 0
            values += text.line(
                cell.find(f"{A}txBody"),
                slide.part,
                runs,
                size=TABLE_PT * part.scale,
                bold=is_head,
                align="r" if block.right[at] else "",
            )
            rule(cell, above=number == 0, below=is_head or number == rows - 1)
    tag_values(slide, shape, values)


def add_code(slide: Any, text: TextWriter, block: CodeContents, part: Placed) -> None:
    """A listing on a ground of its own."""
    shape = text_box(slide, part.place)
    fill = shape.fill
    fill.solid()
    fill.fore_color.theme_color = MSO_THEME_COLOR.BACKGROUND_2
    body = body_of(shape)
    for number, line in enumerate(block.lines):
        text.line(body, slide.part, line, size=CODE_PT * part.scale, more=number > 0)


def add_formula(slide: Any, text: TextWriter, block: FormulaContents, part: Placed) -> None:
    """A formula in a box of its own, as large as it is: LibreOffice stretches it to its box.

    Where LibreOffice has the formula's text instead, the box is as wide as it may be.
    """
    size = FORMULA_PT * part.scale
    wide, high = formula_size(block.mathml)
    width = part.place.width
    if not text.is_dark:
        width = min(round((wide * size + 2 * _INSET_PT) * EMU_PER_PT), width)
    height = min(round((high * size + _INSET_PT) * EMU_PER_PT), part.place.height)
    top = part.place.top + (part.place.height - height) // 2
    shape = text_box(slide, Rect(part.place.left, top, width, height), middle=True)
    shape.text_frame.word_wrap = text.is_dark
    text.formula(body_of(shape), slide.part, Run(text=block.text, mathml=block.mathml), size=size)
