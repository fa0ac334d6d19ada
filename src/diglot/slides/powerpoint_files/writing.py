"""Writes a talk as a PowerPoint file: text as text, tables as tables, formulas as such, figures as SVG."""

import datetime
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Emu

from diglot.diagnostics import Diagnostic
from diglot.slides.contents import (
    CodeContents,
    FigureContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Run,
    Runs,
    SlideContents,
    Step,
    TableContents,
    TalkContents,
    text_of,
)
from diglot.slides.picture_metadata import picture_metadata
from diglot.slides.powerpoint_files.animations import Appearing, animate
from diglot.slides.powerpoint_files.arranging import (
    CAPTION_PT,
    FOOTNOTE_PT,
    REMARK_PT,
    TEXT_PT,
    TWIN_PT,
    Placed,
    arrange,
    is_statement,
    statement_of,
    statement_size,
    title_size,
    without_caption,
)
from diglot.slides.powerpoint_files.blocks import add_code, add_formula, add_table
from diglot.slides.powerpoint_files.charts import add_chart
from diglot.slides.powerpoint_files.designs import EMU_PER_PX, Design, Rect
from diglot.slides.powerpoint_files.fitting import warnings_of
from diglot.slides.powerpoint_files.materials import FigureFiles, Materials
from diglot.slides.powerpoint_files.packaging import stable_package
from diglot.slides.powerpoint_files.pictures import ShownPicture, fitted, put_picture
from diglot.slides.powerpoint_files.shapes import (
    body_of,
    centre,
    describe,
    foot_of,
    number_slide,
    remove,
    text_box,
)
from diglot.slides.powerpoint_files.tags import tag_values
from diglot.slides.powerpoint_files.texts import TextWriter
from diglot.slides.xml import A, P


class WrittenTalk(NamedTuple):
    """A file, and what in it somebody should look at."""

    content: bytes
    warnings: tuple[Diagnostic, ...]
    turned: tuple[str, ...] = ()
    """The figures that the file shows in their first state alone, by name."""


def write_talk(talk: TalkContents, materials: Materials, design: Design) -> WrittenTalk:
    """The file. The same contents give the same bytes."""
    writer = _Writer(talk, materials, design)
    writer.write()
    target = io.BytesIO()
    design.presentation.save(target)
    content = stable_package(target.getvalue(), theme=design.own_theme if design.is_own else None)
    return WrittenTalk(content, tuple(writer.warnings), talk.turned)


class _Writer:
    def __init__(self, talk: TalkContents, materials: Materials, design: Design) -> None:
        self._talk, self._materials, self._design = talk, materials, design
        self._deck = design.presentation
        self._text = TextWriter(talk.language, is_dark=design.theme == "dark", has_muted=design.is_own)
        self.warnings: list[Diagnostic] = []
        self._appearing: list[Appearing] = []
        """What appears later on the slide that is being written."""

    def write(self) -> None:
        """Add all slides to the presentation."""
        talk = self._talk
        properties = self._deck.core_properties
        properties.title, properties.author = text_of(talk.cover.title), "; ".join(talk.authors)
        properties.language = talk.language
        properties.last_modified_by, properties.revision = "", 1
        day = datetime.datetime.fromisoformat(talk.date) if talk.date else _NO_DAY
        properties.created = properties.modified = day
        self._cover()
        for number, slide in enumerate(talk.slides):
            self._slide(number, slide)

    def _cover(self) -> None:
        cover = self._talk.cover
        slide = self._deck.slides.add_slide(self._design.cover())
        title, *others = self._places(slide)
        tag_values(slide, title, self._text.line(body_of(title), slide.part, cover.title))
        texts = [cover.twin, cover.subtitle, cover.facts, cover.article]
        if self._design.is_own and cover.twin:
            twin = text_box(slide, self._design.twin())
            self._text.line(body_of(twin), slide.part, texts.pop(0), size=TWIN_PT)
        paragraphs = [Paragraph(runs=runs) for runs in texts if runs]
        if paragraphs:
            below = others.pop(0) if others else text_box(slide, self._design.body())
            tag_values(
                slide,
                below,
                self._text.paragraphs(body_of(below), slide.part, paragraphs, size=None, own_bullets=False),
            )
        remove(others)
        self._foot(slide, 1)
        self._say(slide, (*cover.notes, *cover.sources))

    def _slide(self, number: int, contents: SlideContents) -> None:
        self._appearing = []
        slide = self._statement(contents) if is_statement(contents) else self._parts(number, contents)
        animate(slide, self._appearing)
        shown = number + 2  # the first one is the cover
        formulas = self._text.plain_formulas
        self.warnings += warnings_of(contents, self._design, formulas, number=shown, path=self._talk.path)
        formulas.clear()
        self._footnotes(slide, contents)
        self._foot(slide, shown, contents)
        self._say(slide, (*contents.notes, *contents.sources))

    def _say(self, slide: Any, said: Sequence[Paragraph]) -> None:
        """Write the notes of a slide."""
        if said:
            notes = slide.notes_slide
            body = notes.notes_placeholder
            values = self._text.paragraphs(body_of(body), notes.part, said, size=None, own_bullets=True)
            tag_values(notes, body, values)

    def _footnotes(self, slide: Any, contents: SlideContents) -> None:
        """Footnotes in small type at the foot of the slide."""
        if contents.footnotes:
            shape = text_box(slide, self._design.foot())
            shape.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
            values = self._text.paragraphs(
                body_of(shape), slide.part, contents.footnotes, size=FOOTNOTE_PT, own_bullets=False
            )
            tag_values(slide, shape, values)

    def _foot(self, slide: Any, number: int, contents: SlideContents | None = None) -> None:
        """The number of the slide, where its layout has a place for it.

        In diglot's own design also date and event, but on the cover, which has them, and the address of the
        slide behind what it shows; footnotes take the place of both.
        """
        places = {one.placeholder_format.type: one for one in slide.slide_layout.placeholders}
        if (place := places.get(PP_PLACEHOLDER.SLIDE_NUMBER)) is not None:
            number_slide(slide, place, number)
        if not self._design.is_own:
            return
        texts = {}
        if contents is None or not contents.footnotes:
            texts[PP_PLACEHOLDER.FOOTER] = (
                *(contents.foot if contents else ()),
                *self._address(number, contents),
            )
        if contents is not None:
            texts[PP_PLACEHOLDER.DATE] = self._talk.occasion
        for kind, runs in texts.items():
            if runs:
                shape = foot_of(slide, places[kind])
                muted = tuple(replace(run, muted=True) for run in runs)
                tag_values(slide, shape, self._text.line(body_of(shape), slide.part, muted, more=True))

    def _address(self, number: int, contents: SlideContents | None) -> Runs:
        """Where the slide is on the web, in the form in which people read it out."""
        if not self._talk.address:
            return ()
        address = self._talk.address if contents is None else f"{self._talk.address}#/{number}"
        shown = Run(text=address.partition("://")[2], link=address)
        return (Run(text="\u00a0· "), shown) if contents is not None and contents.foot else (shown,)

    def _statement(self, contents: SlideContents) -> Any:
        """A slide with one sentence in large type, and below it what the sentence depends on."""
        runs, paragraphs = statement_of(contents)
        slide = self._deck.slides.add_slide(self._design.layout(min(len(paragraphs), 1)))
        title, *places = self._places(slide)
        sentence, remarks = self._design.statement(has_remarks=bool(paragraphs))
        title.left, title.top, title.width, title.height = map(Emu, sentence)
        title.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM if paragraphs else MSO_ANCHOR.MIDDLE
        size = statement_size(runs, sentence)
        tag_values(slide, title, self._text.line(body_of(title), slide.part, runs, size=size))
        if paragraphs:
            shape = places.pop(0) if places else text_box(slide, remarks)
            shape.left, shape.top, shape.width, shape.height = map(Emu, remarks)
            muted = [
                replace(one, runs=tuple(replace(run, muted=True) for run in one.runs)) for one in paragraphs
            ]
            values = self._text.paragraphs(
                body_of(shape), slide.part, muted, size=REMARK_PT, own_bullets=False
            )
            if self._design.has_centred_titles:
                centre(body_of(shape))
            tag_values(slide, shape, values)
            self._appear_by_paragraph(shape, muted)
        remove(places)
        return slide

    def _parts(self, number: int, contents: SlideContents) -> Any:
        """A slide with a title, and below it columns of text, figures and tables."""
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
                remove([place] if place is not None else [])
                before = len(slide.shapes)
                block = part.blocks[0]
                if isinstance(block, FigureContents):
                    self._figure(slide, block, part.place, self._materials.figures[number, figures])
                    figures += 1
                else:
                    self._other(slide, part)
                self._appear_whole([*slide.shapes][before:], block.step)
        remove(places)
        return slide

    def _appear_by_paragraph(self, shape: Any, paragraphs: Sequence[Paragraph]) -> None:
        for number, one in enumerate(paragraphs):
            if one.step:
                self._appearing.append(Appearing(shape.shape_id, one.step, number, has_text=True))

    def _appear_whole(self, shapes: Sequence[Any], step: Step) -> None:
        for shape in shapes if step else ():
            has_text = shape.element.tag == f"{P}sp"
            is_filled = shape.element.find(f"{P}spPr/{A}solidFill") is not None
            self._appearing.append(
                Appearing(shape.shape_id, step, has_text=has_text, has_ground=has_text and is_filled)
            )
            step = "along"

    def _places(self, slide: Any) -> list[Any]:
        """The placeholders of a slide that take text: the title first. Others go."""
        title = [one for one in slide.placeholders if one.placeholder_format.type in _TITLES]
        texts = [one for one in slide.placeholders if one.placeholder_format.type in _TEXTS]
        remove([one for one in slide.placeholders if one not in title[:1] and one not in texts])
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
            remove([title])
            return
        place, usual = self._design.title()
        size = title_size(runs, place, usual)
        values = self._text.line(body_of(title), slide.part, runs, size=size if size < usual else None)
        tag_values(slide, title, values)

    def _paragraphs(self, slide: Any, part: Placed, place: Any, layout: str) -> None:
        paragraphs = [one for one in part.blocks if isinstance(one, Paragraph)]
        shape = place
        if shape is None:
            shape = text_box(slide, part.place)
        elif layout == "points":  # narrower than the layout has it
            shape.left, shape.top, shape.width, shape.height = map(Emu, part.place)
        is_usual = place is not None and part.scale == 1
        values = self._text.paragraphs(
            body_of(shape),
            slide.part,
            paragraphs,
            size=None if is_usual else TEXT_PT * part.scale,
            own_bullets=place is None,
        )
        tag_values(slide, shape, values)
        self._appear_by_paragraph(shape, paragraphs)

    def _other(self, slide: Any, part: Placed) -> None:
        block = part.blocks[0]
        match block:
            case TableContents():
                add_table(slide, self._text, block, part)
            case CodeContents():
                add_code(slide, self._text, block, part)
            case FormulaContents():
                add_formula(slide, self._text, block, part)
            case PictureContents():
                self._picture(slide, part.place, self._materials.pictures[block.path], block.alt)

    def _figure(self, slide: Any, figure: FigureContents, whole: Rect, files: FigureFiles) -> None:
        place = without_caption(figure, whole)
        metadata = picture_metadata(files.svg)
        if files.chart is not None:
            describe(add_chart(slide, place, files.chart), metadata.key, metadata.description)
        else:
            margin = round(files.margin_px * EMU_PER_PX)
            around = Rect(
                place.left - margin, place.top - margin, place.width + 2 * margin, place.height + 2 * margin
            )
            shape = put_picture(slide, around, files.png, files.svg)
            describe(shape, metadata.key, metadata.description)
        if figure.caption:
            left = max(place.left, self._design.body().left)  # below the title, however wide the figure is
            width = min(place.width, place.left + place.width - left)
            below = Rect(left, place.top + place.height, width, whole.height - place.height)
            caption = text_box(slide, below)
            values = self._text.line(body_of(caption), slide.part, figure.caption, size=CAPTION_PT)
            tag_values(slide, caption, values)

    def _picture(self, slide: Any, place: Rect, picture: ShownPicture, alt: str) -> None:
        """A picture as large as its place allows, in its middle."""
        at = fitted(place, picture.raster)
        describe(put_picture(slide, at, picture.raster, picture.svg), None, alt)


_NO_DAY = datetime.datetime(1980, 1, 1)
"""The day of a file whose talk has no date: the first one that archives know."""
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_TEXTS = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.SUBTITLE)
