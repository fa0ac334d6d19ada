"""Draws a figure in one language: calls the script for each size, and checks the result."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location, Severity, did_you_mean, split_suggestion
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.drawing import export
from diglot.figures.drawing.canvas import SLIDE_SCALE, Canvas
from diglot.figures.drawing.glyphs import Reports, name_of, reports
from diglot.figures.drawing.lint import look_over
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.sheets import (
    CARD,
    Layout,
    enlargement_on_slide,
    place,
    put_texts,
)
from diglot.figures.drawing.svg import Caption, ForbiddenCharacter, WrongAddress, inline_svg
from diglot.figures.drawing.vega import chart_of, put_chart
from diglot.figures.jobs import Job, Sheet
from diglot.figures.picture_key import PictureKey
from diglot.figures.records import PAGE_SIZES, DrawnFigure, Size, Table
from diglot.figures.scripts.contract import FigureScript, check_described, check_table
from diglot.figures.scripts.failures import (
    FigureFailed,
    ScriptFailures,
    diagnose,
    line_numbered,
    line_with,
)
from diglot.figures.scripts.raised import text_of
from diglot.figures.scripts.tables import csv_of
from diglot.figures.scripts.words import Words
from diglot.figures.sheet_options import key_of
from diglot.invariants import certain
from diglot.languages import HTML_LANG, TRADITIONAL, Language, is_han

if TYPE_CHECKING:
    from diglot.figures.drawing.respelling import Respelling

T = TypeVar("T")

_HALVES = tuple(f"\\u{letter}{digit}" for letter in "dD" for digit in "89abcdefABCDEF")
"""First characters of the escape sequences of surrogates (halves of characters)."""


def headline(job: Job, script: FigureScript, language: Language) -> str:
    """The title of a slide: what the figure shows, or else what it is about."""
    return job.message.of(language) or script.title[language]


def _respelt(about: export.Inscription, respelling: "Respelling") -> export.Inscription:
    """The metadata of a file in traditional characters. Its key does not say how to make it again, because
    decks in them are built again, not mended."""
    caption = replace(
        about.caption,
        title=respelling.words(about.caption.title),
        alt=respelling.words(about.caption.alt),
        lang=HTML_LANG[TRADITIONAL],
    )
    return export.Inscription(
        caption=caption, key=PictureKey(request=about.key.request, digest=about.key.digest)
    )


class Drawing:
    """A figure in one language, with warnings."""

    def __init__(self, job: Job, script: FigureScript, root: Path, language: Language) -> None:
        certain(job.data, "drawing needs the data of compute")
        self._job, self._script, self._root = job, script, root
        self.language: Language = language
        self.words = Words(language, script.columns)
        self.warnings: list[Diagnostic] = []
        self._missing: dict[str, bool] = {}
        self._findings: dict[tuple[str, str, str | None, int | None], tuple[Finding, list[str]]] = {}
        """What was found in the drawings, by what it is and where, with the sizes at which it was found."""
        self._alt = ""
        self._table: Table | None = None
        self._svgs: list[tuple[Size, str]] = []

    def describe(self) -> None:
        """Make alt text and table, and fail if a file is asked of a script that does not draw."""
        if self._script.draw is None and self._job.sheet is not None:
            fix = "add `draw` and `describe` to its script, or export another figure."
            self._fail(
                "figure-draw",
                f'"{self._job.figure_id}" computes numbers but draws nothing',
                at="def compute",
                fix=fix,
            )
        self._alt = self._described()
        self._table = self._made_table() if self._job.sheet is None else None

    def drawn_on(self, canvas: Canvas) -> Canvas:
        """Call `draw`. Its charts only note what they are to show."""
        canvas.origins.script = self._job.script.path
        draw = certain(self._script.draw, "only drawable figures are drawn")
        with reports() as heard:
            returned = self._call(draw, canvas)
            with self._blaming_draw():
                if (chart := chart_of(returned)) is not None:
                    put_chart(chart, canvas)
        self._take_in(heard)
        return canvas

    def lay_out(self, canvas: Canvas, twin: Canvas | None = None) -> None:
        """Lay out the charts, in both languages."""
        with reports() as heard, self._blaming_draw():
            canvas.lay_out(twin)
            if twin is not None:
                twin.lay_out(canvas)
        self._take_in(heard)

    def finish(self, canvas: Canvas) -> None:
        """Draw the charts."""
        with reports() as heard, self._blaming_draw():
            canvas.paint()
        self._take_in(heard)
        known = [parameter.name for parameter in self._script.parameters]
        for name in canvas.sliders.keys() - set(known):
            message = f'`put_slider` names "{name}", which is not a parameter of `compute`'
            self._fail("figure-slider", message, at="put_slider", fix=did_you_mean(name, known))
        if not (canvas.axes or canvas.texts or canvas.artists or canvas.patches) and canvas.picture is None:
            self._warn("figure-empty", "`draw` drew nothing on the figure that it was given", at="def draw")

    def add(self, canvas: Canvas, size: Size) -> None:
        """Add a size of pages, or of a slide in a deck."""
        room = self._job.room if size == "slide" else None
        name = size if room is None else f"{size}-{room.width}x{room.height}"
        caption = self._caption(f"{self._prefix()}-{name}-{self.language}")
        with reports() as heard:
            made = self._rendered(partial(inline_svg, canvas, caption, size=name))
            self._look_over(canvas, size, laid_out=True, on_slide=None if room is None else SLIDE_SCALE)
        self._take_in(heard)
        self._check_colours(made.foreign_colours, made.pictures)
        self._svgs.append((size, made.text))

    def figure(self) -> DrawnFigure:
        """The figure with the sizes that were added."""
        self._warn_of_findings()
        return DrawnFigure(
            title=self._script.title[self.language],
            message=self._job.message.of(self.language),
            alt=self._alt,
            svgs=tuple(self._svgs),
            table=self._table,
            csv=csv_of(self._table) if self._table is not None else "",
            provenance=self._job.provenance,
        )

    def files(self, canvas: Canvas, on: Layout, sheet: Sheet) -> tuple[bytes, ...]:
        """The drawing as a file of each format."""
        about = self._inscription(sheet)
        if self._job.spelling is not None and self.language == "zh":
            from diglot.figures.drawing.respelling import Respelling  # noqa: PLC0415  (few sites convert texts)

            canvas.respelling = Respelling(self._job.spelling)
            about = _respelt(about, canvas.respelling)
        placed = place(canvas, on)
        with reports() as heard:
            # Those of pages were checked when the page's drawing was made; a card has no room for all of it.
            if sheet.size not in (*PAGE_SIZES, CARD):
                enlarged = enlargement_on_slide(placed, on)
                self._rendered(
                    partial(self._look_over, canvas, sheet.size, laid_out=False, on_slide=enlarged)
                )
            put_texts(canvas, on, placed)
            files = tuple(
                self._rendered(partial(export.write, canvas, placed, sheet, about, file_format))
                for file_format in sheet.formats
            )
        self._warn_of_findings()
        self._take_in(heard)
        return files

    def _inscription(self, sheet: Sheet) -> export.Inscription:
        request = FigureRequest(self._job.figure_id, self._job.parameters)
        return export.Inscription(
            caption=replace(
                self._caption(f"{self._prefix()}-{self.language}"),
                title=headline(self._job, self._script, self.language),
            ),
            key=key_of(request, self._job.data_digest, self.language, sheet),
        )

    def _data(self) -> Any:
        """A fresh copy for each call, so that a script's changes to its data do not affect other calls."""
        return json.loads(self._job.data or b"{}")

    def _call(self, part: Callable[..., Any], *before: Any) -> Any:
        data = self._data()
        with ScriptFailures(self._job.script, self._root, data=self._data):
            return part(*before, data, self.words)

    @contextmanager
    def _blaming_draw(self) -> Iterator[None]:
        """Turn an error of the layout, which is found when `draw` has returned, into one of the script."""
        try:
            yield
        except ValueError as error:
            message, fix = split_suggestion(f'figure "{self._job.figure_id}": {error}')
            self._fail(
                "figure-script",
                message,
                at=getattr(error, "line", None) or "def draw",
                fix=getattr(error, "fix", None) or fix or "correct what `draw` asks of its chart.",
            )

    def _rendered(self, render: Callable[[], T]) -> T:
        try:
            return render()
        except ForbiddenCharacter as error:
            raise FigureFailed([self._forbidden(error)]) from error
        except WrongAddress as error:
            raise FigureFailed([self._wrongly_led(address) for address in error.addresses]) from error
        except Exception as error:
            if isinstance(error, TypeError):  # matplotlib fails on surrogates without saying so
                for start in _HALVES:
                    line, source = line_with(start, self._job.script, self._root)
                    half = re.search(r"\\u(d[89a-f][0-9a-f]{2})", source or "", re.IGNORECASE)
                    if line is not None and half is not None:
                        forbidden = ForbiddenCharacter(chr(int(half[1], 16)))
                        raise FigureFailed([self._forbidden(forbidden)]) from error
            # Errors in formulas ($…$) and numbers only occur when the drawing is rendered.
            found = diagnose(error, self._job.script, self._root)
            raise FigureFailed([self._placed_by_words(found, text_of(error))]) from error

    def _wrongly_led(self, address: str) -> Diagnostic:
        mistake = WrongAddress(address)
        line, source = line_with(address, self._job.script, self._root)
        return Diagnostic(
            rule="figure-address",
            message=f'figure "{self._job.figure_id}" ({self.language}): {mistake}, which browsers would run',
            location=Location(path=self._job.script.path, line=line),
            source_line=source,
            fix="let `url=` be an address that begins with https://, or leave it out.",
        )

    def _forbidden(self, error: ForbiddenCharacter) -> Diagnostic:
        """A diagnostic at the line with the character, written literally or as an escape sequence."""
        code = ord(error.character)
        escapes = (f"\\x{code:02x}", f"\\u{code:04x}", f"\\U{code:08x}")
        for written in (
            error.character,
            *(way for one in escapes for way in (one, one[:2] + one[2:].upper())),
        ):
            line, source = line_with(written, self._job.script, self._root)
            if line is not None:
                break
        return Diagnostic(
            rule="character-forbidden",
            message=f'figure "{self._job.figure_id}" ({self.language}): {error}',
            location=Location(path=self._job.script.path, line=line),
            source_line=source,
            fix="delete it: it is invisible, and a drawing that contains it cannot be shown.",
        )

    def _described(self) -> str:
        if self._script.describe is None:
            return ""  # the contract requires `describe` only with `draw`
        described = self._call(self._script.describe)
        if (wrong := check_described(described)) is not None:
            self._fail("figure-describe", wrong, at="def describe", fix="return a sentence or two of text.")
        return " ".join(described.split())

    def _made_table(self) -> Table | None:
        if self._script.table is None:
            return None
        returned = self._call(self._script.table)
        if (wrong := check_table(returned)) is not None:
            self._fail("figure-table", wrong, at="def table", fix="return make_table(columns, rows).")
        made = cast(Table, returned)
        for at, heading in enumerate(made.columns[1:], start=1):
            if not heading.strip() and any(row[at] for row in made.rows):
                message = f"column {at + 1} of the table has no heading"
                self._warn("table-heading", message, at="def table", fix="give make_table a text for it.")
        return made

    def _prefix(self) -> str:
        chosen = repr(self._job.parameters).encode()
        return self._job.figure_id + (f"-{digest_of(chosen)[:6]}" if self._job.parameters else "")

    def _caption(self, prefix: str) -> Caption:
        title = self._script.title[self.language]
        return Caption(prefix=prefix, title=title, alt=self._alt, lang=HTML_LANG[self.language])

    def _placed_by_words(self, found: Diagnostic, words: str) -> Diagnostic:
        """Add the script's line that contains the text of an error, if no traceback leads to a line."""
        if found.location is None or found.location.line is not None:
            return found
        for part in filter(None, map(str.strip, words.splitlines())):
            line, source = line_with(part, self._job.script, self._root)
            if line is not None:
                return replace(found, location=replace(found.location, line=line), source_line=source)
        return found

    def _look_over(self, canvas: Canvas, size: str, *, laid_out: bool, on_slide: float | None = None) -> None:
        for one in look_over(canvas, laid_out=laid_out, on_slide=on_slide):
            line = canvas.origins.line_of(one.artist) if one.artist is not None else None
            found = self._findings.setdefault((one.rule, one.message, one.detail, line), (one, []))
            found[1].append(size)

    def _warn_of_findings(self) -> None:
        """Turn what was found at all sizes into warnings, one for the sizes that have it in common."""
        for (rule, message, detail, line), (one, sizes) in self._findings.items():
            where = f"{' and '.join(dict.fromkeys(sizes))}{f', {self.language}' if one.in_words else ''}"
            about = f'figure "{self._job.figure_id}", {where}: {message}'
            self._warn(rule, about, at=one.word if line is None else line, detail=detail, fix=one.fix)
        self._findings.clear()

    def _check_colours(self, foreign: tuple[str, ...], pictures: int) -> None:
        if foreign:
            message = (
                f"{', '.join(foreign)} is not a colour of the palette, so it does not change in dark mode"
            )
            self._warn(
                "figure-colour",
                message,
                at=foreign[0],
                fix="use a name of the palette: ink, mute, gpu3, mem …",
            )
        if pictures:
            message = "a raster image (`imshow`?) is neither sharp nor in the page's colours"
            self._warn("figure-pixels", message, at="imshow", fix="use `heat_map`.")

    def _take_in(self, heard: Reports) -> None:
        self._missing |= heard.missing
        for text in heard.others:
            self._warn("figure-matplotlib", f"matplotlib warned: {text}", at="def draw")
        self.warnings += warnings_of(heard, self._job)

    def warn_of_rare_characters(self) -> None:
        """Let a page show Chinese characters that the bundled fonts lack, such as those of rare names.

        Text stays text there, and the reader's system has them. The files that belong to the page have
        nothing but the bundled fonts, and are not worth an error.
        """
        for character, in_formula in [*self._missing.items()]:
            if is_han(character) and not in_formula:
                del self._missing[character]
                self._warn(
                    "figure-glyph",
                    f"no bundled font has {name_of(character)}, which is used in {self._where()}: pages "
                    "show it in a font of the reader's system; files have a box, and slides cannot be made",
                    at=character,
                    fix="keep it if nobody needs the files, or use a character of GB 2312.",
                )

    def missing_glyphs(self) -> list[Diagnostic]:
        """An error for each character that no font has."""
        wrong = []
        for character, in_formula in self._missing.items():
            line, source = line_with(character, self._job.script, self._root)
            name, where = name_of(character), self._where()
            if in_formula:
                message = f"{name} is in a formula ($…$), whose font lacks it, in {where}"
                fix = "keep it outside the dollar signs, or write \\$ for a sign that encloses no formula."
            else:
                message = f"no bundled font has {name}, which is used in {where}"
                fix = "use another character; the fonts have GB 2312, Latin, Greek and common signs."
            wrong.append(
                Diagnostic(
                    rule="figure-glyph",
                    message=message,
                    location=Location(path=self._job.script.path, line=line),
                    source_line=source,
                    fix=fix,
                )
            )
        return wrong

    def _where(self) -> str:
        return f'figure "{self._job.figure_id}" ({self.language})'

    def _fail(self, rule: str, message: str, *, at: str | int, fix: str) -> None:
        raise FigureFailed([self._diagnostic(rule, message, at=at, severity="error", fix=fix)])

    def _warn(
        self, rule: str, message: str, *, at: str | int, detail: str | None = None, fix: str | None = None
    ) -> None:
        found = self._diagnostic(rule, message, at=at, severity="warning", detail=detail, fix=fix)
        if found not in self.warnings:
            self.warnings.append(found)

    def _diagnostic(
        self,
        rule: str,
        message: str,
        *,
        at: str | int,
        severity: Severity,
        detail: str | None = None,
        fix: str | None = None,
    ) -> Diagnostic:
        """A diagnostic at a line of the script: one that contains a text, or the line of this number."""
        if isinstance(at, int):
            line, source = line_numbered(at, self._job.script, self._root)
        else:
            line, source = line_with(at, self._job.script, self._root)
        return Diagnostic(
            rule=rule,
            message=message,
            severity=severity,
            location=Location(path=self._job.script.path, line=line),
            source_line=source,
            detail=detail,
            fix=fix,
        )


def warnings_of(heard: Reports, job: Job) -> list[Diagnostic]:
    """Diagnostics for Python's warnings at lines of the script, such as numpy's for a division by zero."""
    own = job.script.path
    return [
        Diagnostic(
            rule="figure-warning",
            message=f'figure "{job.figure_id}": {text}',
            severity="warning",
            location=Location(path=job.script.path, line=line),
        )
        for text, filename, line in heard.warned
        if filename == own
    ] + _left_out(heard, job)


def warnings_of_cells(heard: Reports, job: Job) -> list[Diagnostic]:
    """The same for code cells, whose pictures show characters without a glyph in a font of the reader's."""
    place = Location(path=job.script.path)
    return warnings_of(heard, job) + [
        Diagnostic(
            rule="figure-matplotlib",
            message=f"matplotlib warned: {text}",
            severity="warning",
            location=place,
        )
        for text in heard.others
    ]


def _left_out(heard: Reports, job: Job) -> list[Diagnostic]:
    """A warning about the warnings that are left out, because there are too many."""
    if not (count := heard.left_out[job.script.path]):
        return []
    last = max((line for _, filename, line in heard.warned if filename == job.script.path), default=None)
    return [
        Diagnostic(
            rule="figure-warning",
            message=f'figure "{job.figure_id}": and {count:,} more warnings like these',
            severity="warning",
            location=Location(path=job.script.path, line=last),
            fix="correct what they warn of, or call `warnings.simplefilter('ignore')` in the script.",
        )
    ]
