"""Writes a talk as a PowerPoint file: text as text, tables as tables, formulas as such, figures as SVG."""

import datetime
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

import msgspec
from lxml import etree
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Emu

from diglot.figures.picture_key import PictureKey
from diglot.slides.contents import (
    CodeContents,
    FigureContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Run,
    SlideContents,
    TableContents,
    TalkContents,
)
from diglot.slides.picture_metadata import picture_metadata
from diglot.slides.powerpoint import VALUES_TAG
from diglot.slides.powerpoint_files.arranging import (
    CAPTION_PT,
    CODE_PT,
    EMU_PER_PT,
    FORMULA_PT,
    STATEMENT_PT,
    TABLE_PT,
    TEXT_PT,
    Placed,
    arrange,
    width_of,
)
from diglot.slides.powerpoint_files.charts import ChartNumbers, add_chart
from diglot.slides.powerpoint_files.designs import EMU_PER_PX, Design, Rect, own_theme
from diglot.slides.powerpoint_files.packaging import stable_package
from diglot.slides.powerpoint_files.texts import A, R, TextWriter, Value

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_ASVG = "http://schemas.microsoft.com/office/drawing/2016/SVG/main"
_SVG_EXTENSION = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"
_IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
_TAGS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/tags"
_TAGS_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.tags+xml"
_PLAIN_TABLE = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
_RULE_WIDTH = "15875"


class FigureFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A figure as it is drawn for its place on a slide."""

    svg: bytes
    png: bytes
    margin_px: float = 0.0
    """Empty margin around the drawing, which may reach beyond its place."""
    chart: ChartNumbers | None = None
    """What to show as a chart of PowerPoint instead."""


class Materials(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn and read for a talk."""

    figures: Mapping[tuple[int, int], FigureFiles]
    """By the number of the slide, from 0, and of the figure on it."""
    pictures: Mapping[str, bytes]
    """Pictures of the author's, by path."""


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """How large a figure is on its slide, in pixels of a slide of 1,280 px."""

    slide: int
    figure: int
    request: str
    width_px: float
    height_px: float


def rooms_of(talk: TalkContents, design: Design) -> list[Room]:
    """The place of every figure of a talk."""
    found = []
    for number, slide in enumerate(talk.slides):
        figures = [one for one in _parts(slide, design) if isinstance(one.blocks[0], FigureContents)]
        for at, one in enumerate(figures):
            figure = one.blocks[0]
            place = _without_caption(one)
            if isinstance(figure, FigureContents):
                found.append(
                    Room(
                        slide=number,
                        figure=at,
                        request=figure.request,
                        width_px=place.width / EMU_PER_PX,
                        height_px=place.height / EMU_PER_PX,
                    )
                )
    return found


def _parts(slide: SlideContents, design: Design) -> list[Placed]:
    return [one for column in arrange(slide, design.body(), design.slide) for one in column]


def _without_caption(one: Placed) -> Rect:
    figure, place = one.blocks[0], one.place
    if isinstance(figure, FigureContents) and figure.caption:
        return Rect(place.left, place.top, place.width, place.height - _CAPTION_HEIGHT)
    return place


_CAPTION_HEIGHT = 32 * EMU_PER_PX


def write_talk(talk: TalkContents, materials: Materials, design: Design) -> bytes:
    """The file. The same contents give the same bytes."""
    writer = _Writer(talk, materials, design)
    writer.write()
    target = io.BytesIO()
    design.presentation.save(target)
    return stable_package(target.getvalue(), theme=own_theme if design.is_own else None)


class _Writer:
    def __init__(self, talk: TalkContents, materials: Materials, design: Design) -> None:
        self._talk, self._materials, self._design = talk, materials, design
        self._deck = design.presentation
        self._text = TextWriter(talk.language)

    def write(self) -> None:
        """Add all slides to the presentation."""
        talk = self._talk
        properties = self._deck.core_properties
        properties.title, properties.author = talk.title, "; ".join(talk.authors)
        properties.language = talk.language
        properties.last_modified_by, properties.revision = "", 1
        properties.created = properties.modified = datetime.datetime.fromisoformat(talk.date)
        self._cover()
        for number, slide in enumerate(talk.slides):
            self._slide(number, slide)

    def _cover(self) -> None:
        slide = self._deck.slides.add_slide(self._design.cover())
        title, *others = self._places(slide)
        self._text.line(_body(title), slide.part, (Run(text=self._talk.title),))
        lines = [one for one in (self._talk.subtitle, ", ".join(self._talk.authors)) if one]
        if others and lines:
            paragraphs = [Paragraph(runs=(Run(text=line),)) for line in lines]
            self._text.paragraphs(_body(others[0]), slide.part, paragraphs, size=None, own_bullets=False)
            del others[0]
        _remove(others)

    def _slide(self, number: int, contents: SlideContents) -> None:
        columns = arrange(contents, self._design.body(), self._design.slide)
        texts = sum(
            isinstance(part.blocks[0], Paragraph) and part.is_whole_column
            for column in columns
            for part in column
        )
        is_text = contents.layout != "full" and all(len(column) == 1 for column in columns)
        layout = self._design.layout(len(columns) if texts and is_text else 0)
        slide = self._deck.slides.add_slide(layout)
        title, *places = self._places(slide)
        self._title(slide, title, number, contents)
        figures = 0
        for column in columns:
            for part in column:
                place = places.pop(0) if places and part.is_whole_column else None
                if isinstance(part.blocks[0], Paragraph):
                    self._paragraphs(slide, part, place, contents.layout)
                    continue
                _remove([place] if place is not None else [])
                if isinstance(part.blocks[0], FigureContents):
                    self._figure(slide, part, self._materials.figures[number, figures])
                    figures += 1
                else:
                    self._other(slide, part)
        _remove(places)
        if contents.notes:
            notes = slide.notes_slide
            body = notes.notes_placeholder
            self._tag(
                notes,
                body,
                self._text.paragraphs(_body(body), notes.part, contents.notes, size=None, own_bullets=True),
            )

    def _places(self, slide: Any) -> list[Any]:
        """The placeholders of a slide that take text: the title first. Others go."""
        title = [one for one in slide.placeholders if one.placeholder_format.type in _TITLES]
        texts = [one for one in slide.placeholders if one.placeholder_format.type in _TEXTS]
        _remove([one for one in slide.placeholders if one not in title[:1] and one not in texts])
        return [*(title[:1] or [slide.shapes.add_textbox(0, 0, 0, 0)]), *texts]

    def _title(self, slide: Any, title: Any, number: int, contents: SlideContents) -> None:
        runs = contents.title
        figure = next(
            (one for column in contents.columns for one in column if isinstance(one, FigureContents)), None
        )
        if not runs and figure is not None and contents.layout in ("figure", "points"):
            said = figure.message or picture_metadata(self._materials.figures[number, 0].svg).title
            runs = (Run(text=said),)
        if not runs:
            _remove([title])
            return
        self._tag(slide, title, self._text.line(_body(title), slide.part, runs))

    def _paragraphs(self, slide: Any, part: Placed, place: Any, layout: str) -> None:
        paragraphs = [one for one in part.blocks if isinstance(one, Paragraph)]
        size = STATEMENT_PT if layout == "statement" else TEXT_PT
        shape = place
        if shape is None:
            shape = _text_box(slide, part.place)
        is_usual = place is not None and part.scale == 1 and layout != "statement"
        values = self._text.paragraphs(
            _body(shape),
            slide.part,
            paragraphs,
            size=None if is_usual else size * part.scale,
            own_bullets=place is None,
        )
        self._tag(slide, shape, values)

    def _other(self, slide: Any, part: Placed) -> None:
        block = part.blocks[0]
        match block:
            case TableContents():
                self._table(slide, block, part)
            case CodeContents():
                self._code(slide, block, part)
            case FormulaContents():
                width = round((width_of(block.text) * 0.9 + 2) * FORMULA_PT * EMU_PER_PT * part.scale)
                place = part.place._replace(width=min(width, part.place.width))
                shape = _text_box(slide, place, middle=True)
                run = Run(text=block.text, mathml=block.mathml)
                self._text.line(_body(shape), slide.part, (run,), size=FORMULA_PT * part.scale)
            case PictureContents():
                content = self._materials.pictures.get(block.path)
                if content is not None:
                    self._picture(slide, part.place, content, block.alt)

    def _figure(self, slide: Any, part: Placed, files: FigureFiles) -> None:
        figure = part.blocks[0]
        place = _without_caption(part)
        metadata = picture_metadata(files.svg)
        if files.chart is not None:
            _describe(add_chart(slide, place, files.chart), metadata.key, metadata.description)
        else:
            self._drawing(slide, place, files)
        if isinstance(figure, FigureContents) and figure.caption:
            below = Rect(place.left, place.top + place.height, place.width, _CAPTION_HEIGHT)
            caption = _text_box(slide, below)
            values = self._text.line(_body(caption), slide.part, figure.caption, size=CAPTION_PT)
            self._tag(slide, caption, values)

    def _drawing(self, slide: Any, place: Rect, files: FigureFiles) -> None:
        """An SVG picture, with a PNG file for programs that do not know SVG."""
        margin = round(files.margin_px * EMU_PER_PX)
        shape = slide.shapes.add_picture(
            io.BytesIO(files.png),
            place.left - margin,
            place.top - margin,
            place.width + 2 * margin,
            place.height + 2 * margin,
        )
        package = slide.part.package
        svg = Part(
            PackURI(package.next_partname("/ppt/media/drawing%d.svg")), "image/svg+xml", package, files.svg
        )
        leads = slide.part.relate_to(svg, _IMAGE)
        blip = shape.element.find(f".//{{{A}}}blip")
        extensions = etree.SubElement(blip, f"{{{A}}}extLst")
        extension = etree.SubElement(extensions, f"{{{A}}}ext")
        extension.set("uri", _SVG_EXTENSION)
        drawing = etree.SubElement(extension, f"{{{_ASVG}}}svgBlip", nsmap={"asvg": _ASVG})
        drawing.set(f"{{{R}}}embed", leads)
        metadata = picture_metadata(files.svg)
        metadata = picture_metadata(files.svg)
        _describe(shape, metadata.key, metadata.description)

    def _picture(self, slide: Any, place: Rect, content: bytes, alt: str) -> None:
        """A picture as large as its place allows, in its middle."""
        shape = slide.shapes.add_picture(io.BytesIO(content), place.left, place.top)
        scale = min(place.width / shape.width, place.height / shape.height)
        shape.width, shape.height = Emu(round(shape.width * scale)), Emu(round(shape.height * scale))
        shape.left = Emu(place.left + (place.width - shape.width) // 2)
        shape.top = Emu(place.top + (place.height - shape.height) // 2)
        _describe(shape, None, alt)

    def _table(self, slide: Any, block: TableContents, part: Placed) -> None:
        rows, columns = len(block.rows), len(block.rows[0])
        height = min(part.place.height, round(rows * TABLE_PT * 1.9 * EMU_PER_PT * part.scale))
        shape = slide.shapes.add_table(rows, columns, *part.place[:3], Emu(height))
        table = shape.element.find(f".//{{{A}}}tbl")
        properties = table.find(f"{{{A}}}tblPr")
        properties.set("bandRow", "0")
        properties.set("firstRow", "1" if block.has_head else "0")
        properties.find(f"{{{A}}}tableStyleId").text = _PLAIN_TABLE
        values: list[Value] = []
        for number, (row, cells) in enumerate(zip(table.findall(f"{{{A}}}tr"), block.rows, strict=True)):
            row.set("h", str(height // rows))
            for at, (cell, runs) in enumerate(zip(row.findall(f"{{{A}}}tc"), cells, strict=True)):
                is_head = block.has_head and number == 0
                values += self._text.line(
                    cell.find(f"{{{A}}}txBody"),
                    slide.part,
                    runs,
                    size=TABLE_PT * part.scale,
                    bold=is_head,
                    align="r" if block.right[at] else "",
                )
                _rule(cell, above=number == 0, below=is_head or number == rows - 1)
        self._tag(slide, shape, values)

    def _code(self, slide: Any, block: CodeContents, part: Placed) -> None:
        shape = _text_box(slide, part.place)
        fill = shape.fill
        fill.solid()
        fill.fore_color.theme_color = MSO_THEME_COLOR.BACKGROUND_2
        body = _body(shape)
        for number, line in enumerate(block.lines):
            self._text.line(body, slide.part, line, size=CODE_PT * part.scale, more=number > 0)

    def _tag(self, slide: Any, shape: Any, values: Sequence[Value]) -> None:
        """Note on a shape which of its texts are values, and their expressions."""
        if not values:
            return
        package = slide.part.package
        held = quoteattr(json.dumps(values, ensure_ascii=False))
        part = Part(
            PackURI(package.next_partname("/ppt/tags/tag%d.xml")),
            _TAGS_TYPE,
            package,
            f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<p:tagLst xmlns:p="{_P}">'
            f'<p:tag name="{VALUES_TAG}" val={held}/></p:tagLst>'.encode(),
        )
        leads = slide.part.relate_to(part, _TAGS)
        own = shape.element.find(f".//{{{_P}}}nvPr")
        data = etree.SubElement(own, f"{{{_P}}}custDataLst")
        etree.SubElement(data, f"{{{_P}}}tags").set(f"{{{R}}}id", leads)


_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_TEXTS = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.SUBTITLE)


def _remove(shapes: Sequence[Any]) -> None:
    for shape in shapes:
        shape.element.getparent().remove(shape.element)


def _body(shape: Any) -> Any:
    return shape.element.find(f"{{{_P}}}txBody")


def _text_box(slide: Any, place: Rect, *, middle: bool = False) -> Any:
    shape = slide.shapes.add_textbox(*place)
    shape.text_frame.word_wrap = True
    if middle:
        shape.element.find(f".//{{{A}}}bodyPr").set("anchor", "ctr")
    return shape


def _describe(shape: Any, key: PictureKey | None, description: str) -> None:
    """A shape's name and alternative text; a figure's have its key."""
    named = shape.element.find(f".//{{{_P}}}cNvPr")
    if key is not None:
        named.set("name", str(key))
        description = f"{description}\n{key}"
    named.set("descr", description)


def _rule(cell: Any, *, above: bool, below: bool) -> None:
    """Lines above and below a cell of a table."""
    properties = cell.find(f"{{{A}}}tcPr")
    if properties is None:
        properties = etree.SubElement(cell, f"{{{A}}}tcPr")
    properties.set("anchor", "ctr")
    for name, wanted in (("lnT", above), ("lnB", below)):
        if wanted:
            line = etree.SubElement(properties, f"{{{A}}}{name}")
            line.set("w", _RULE_WIDTH)
            fill = etree.SubElement(line, f"{{{A}}}solidFill")
            etree.SubElement(fill, f"{{{A}}}schemeClr").set("val", "tx1")
