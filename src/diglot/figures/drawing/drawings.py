"""Draws a figure in several languages, with the same frames in all of them: for pages, slides and files."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.figures.drawing import export
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.figure_drawing import Drawing, headline
from diglot.figures.drawing.sheets import (
    CARD,
    Layout,
    SheetTexts,
    layout,
    place,
)
from diglot.figures.drawing.style import use_style
from diglot.figures.jobs import Job, Sheet
from diglot.figures.records import PAGE_SIZES, DrawnFigure, Room, Size
from diglot.figures.scripts.contract import FigureScript
from diglot.figures.scripts.failures import (
    FigureFailed,
)
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES, NO_TEXT, Bilingual, Language

_SMALLER = (0.85, 0.72, 0.6, 0.5)
"""Sizes of text that are tried where a drawing has no room, as shares of the one asked for."""
_WORTH_IT = 1.05
"""How much larger a drawing has to become for another layout."""


class Drawings:
    """A figure in the languages of a job. Its charts have the same frames in all of them."""

    def __init__(self, job: Job, script: FigureScript, root: Path) -> None:
        self._script, self._job, self._root = script, job, root
        self._asked = [Drawing(job, script, root, language) for language in job.languages]
        self._others = [
            Drawing(job, script, root, language) for language in LANGUAGES if language not in job.languages
        ]

    @property
    def warnings(self) -> list[Diagnostic]:
        """What was noticed in all languages."""
        return list(dict.fromkeys(warning for one in self._asked for warning in one.warnings))

    def figures(self) -> dict[Language, DrawnFigure]:
        """The figure for pages: every size, alt text, table.

        Raises DiagnosticError if the script fails or a character has no glyph.
        """
        for one in self._asked:
            one.describe()
        room = self._job.room
        for size in self._sizes() if self._script.draw is not None else ():
            canvas_for = partial(_slide, room) if room and size == "slide" else partial(_page, size)
            for one, canvas in self._drawn(canvas_for, partial(use_style, colours="variables")):
                one.add(canvas, size)
        self._fail_for_missing_glyphs(rare_are_shown=True)
        return {one.language: one.figure() for one in self._asked}

    def files(self, sheet: Sheet) -> dict[Language, tuple[bytes, ...]]:
        """The figure as standalone files, in the order of the sheet's formats.

        A drawing that has no room with text of the size asked for would be made smaller with all its text. It
        is laid out with smaller text instead, where more can be read then: panels are side by side again.

        Raises DiagnosticError if the script fails or does not draw, or a character has no glyph.
        """
        texts = SheetTexts(
            title=Bilingual(*(headline(self._job, self._script, one) for one in LANGUAGES))
            if sheet.titled
            else NO_TEXT,
            credit=sheet.credit,
        )
        files, scale = self.files_on(_layout(sheet, texts), sheet)
        for share in _SMALLER:
            on = _layout(replace(sheet, text=sheet.text * share), texts)
            if on.scale <= scale * _WORTH_IT:
                break
            again = Drawings(self._job, self._script, self._root)
            tried, reached = again.files_on(on, sheet)
            if reached > scale * _WORTH_IT:
                files, scale, self._asked = tried, reached, again._asked
        return files

    def files_on(self, on: Layout, sheet: Sheet) -> tuple[dict[Language, tuple[bytes, ...]], float]:
        """The files with this layout, and how much the drawing is enlarged in them: less than the layout says
        if it has no room.
        """
        for one in self._asked:
            one.describe()
        files, scale = {}, on.scale
        paper = export.paper_below_labels(sheet)
        for one, canvas in self._drawn(on.canvas, partial(use_style, colours=sheet.theme, paper=paper)):
            files[one.language] = one.files(canvas, on, sheet)
            scale = min(scale, place(canvas, on).scale)
        self._fail_for_missing_glyphs(rare_are_shown=sheet.size in (*PAGE_SIZES, CARD))
        return files, scale

    def _sizes(self) -> tuple[Size, ...]:
        return self._script.sizes if self._job.room is None else ("slide",)

    def _drawn(
        self, canvas_for: Callable[[Words], Canvas], use_style_of: Callable[[Language], None]
    ) -> Iterator[tuple[Drawing, Canvas]]:
        """A finished canvas in each language, whose style is in use."""
        canvases: list[Canvas] = []
        for one in (*self._asked, *self._others):
            # Charts need their texts of the other language, too, to have room for both.
            if one in self._asked or canvases[0].arrangement is not None:
                use_style_of(one.language)
                canvases.append(one.drawn_on(canvas_for(one.words)))
        self._asked[0].lay_out(*canvases)
        for one, canvas in zip(self._asked, canvases, strict=False):
            use_style_of(one.language)
            one.finish(canvas)
            yield one, canvas

    def _fail_for_missing_glyphs(self, *, rare_are_shown: bool) -> None:
        if rare_are_shown:
            for one in self._asked:
                one.warn_of_rare_characters()
        if wrong := [missing for one in self._asked for missing in one.missing_glyphs()]:
            raise FigureFailed(wrong)


def _page(size: Size, words: Words) -> Canvas:
    return Canvas(size, words.language, words=words)


def _slide(room: Room, words: Words) -> Canvas:
    return Canvas("slide", words.language, words=words, width_px=room.width, height_px=room.height)


def _layout(sheet: Sheet, texts: SheetTexts) -> Layout:
    on = layout(sheet.size, text=sheet.text, texts=texts)
    if on is None:
        fix = "use narrow, column, wide, 16:9, 4:3, half, square, poster, or WIDTHxHEIGHT (1920x1080)."
        raise DiagnosticError(
            Diagnostic(rule="figure-size", message=f'"{sheet.size}" is not a size of a figure', fix=fix)
        )
    return on
