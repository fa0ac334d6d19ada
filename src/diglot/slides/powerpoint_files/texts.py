"""Text in PowerPoint: paragraphs and runs, with the expressions of values and with formulas."""

from collections.abc import Mapping, Sequence
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE

from diglot.languages import Edition
from diglot.slides.contents import Paragraph, Run, Runs
from diglot.slides.powerpoint_files.designs import LINE_SPACING, PARAGRAPH_SPACING
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.powerpoint_files.formulas import NoOfficeForm, office_math
from diglot.slides.xml import A14, MC, A, R

_MONO = "Consolas"
_LANGUAGES: Mapping[Edition, tuple[str, str]] = {
    "zh": ("zh-CN", "en-US"),
    "en": ("en-US", "zh-CN"),
    "zh-hant": ("zh-TW", "en-US"),
}
_LIGHTER = (("lumMod", "65000"), ("lumOff", "35000"))
"""How PowerPoint makes a colour lighter by 35 %."""
_INDENT_EMU, _NUMBER_INDENT_EMU = 342_900, 457_200


class Value(dict[str, str]):
    """A value in a text: its expression, language, and text."""


class TextWriter:
    """Writes text into the parts of one talk, in its language."""

    def __init__(self, language: Edition, *, is_dark: bool, has_muted: bool) -> None:
        """With `has_muted`, the second colour of text of the presentation is one for secondary text."""
        self._language: Edition = language
        self._has_muted = has_muted
        self.is_dark = is_dark
        """Whether the text is light on a dark ground."""
        self.plain_formulas: list[tuple[str, str]] = []
        """Formulas that were written as text, with what in them has no form in PowerPoint."""

    def paragraphs(
        self, body: Any, part: Any, paragraphs: Sequence[Paragraph], *, size: float | None, own_bullets: bool
    ) -> list[Value]:
        """Write paragraphs into a text body, in place of its own. Returns the values in them.

        Without a size in points, text has that of its placeholder; without `own_bullets`, its bullets too.
        """
        _clear(body)
        values: list[Value] = []
        for at, one in enumerate(paragraphs):
            paragraph = add(body, f"{A}p")
            properties = add(paragraph, f"{A}pPr")
            if own_bullets:
                _set_spacing(properties, is_first=at == 0)
            _set_bullet(properties, one, own=own_bullets, begins=_begins_list(paragraphs, at))
            values += self._runs(paragraph, part, one.runs, size=size)
        if not paragraphs:
            add(body, f"{A}p")
        return values

    def line(
        self,
        body: Any,
        part: Any,
        runs: Runs,
        *,
        size: float | None = None,
        bold: bool = False,
        align: str = "",
        more: bool = False,
    ) -> list[Value]:
        """Write one line into a text body, after its own text with `more`. Returns the values in it."""
        if not more:
            _clear(body)
        paragraph = add(body, f"{A}p")
        if align:
            add(paragraph, f"{A}pPr", algn=align)
        return self._runs(paragraph, part, runs, size=size, bold=bold)

    def formula(self, body: Any, part: Any, run: Run, *, size: float) -> None:
        """Write a formula into a text body of its own."""
        _clear(body)
        paragraph = add(body, f"{A}p")
        self._formula(paragraph, part, run, size, prefix="math" if self.is_dark else "a14")

    def _runs(
        self, paragraph: Any, part: Any, runs: Runs, *, size: float | None, bold: bool = False
    ) -> list[Value]:
        values = []
        for run in runs:
            if run.mathml:
                self._formula(paragraph, part, run, size, prefix="math")
                continue
            for at, piece in enumerate(run.text.split("\v")):
                if at:
                    add(paragraph, f"{A}br")
                if piece:
                    self._run(paragraph, part, run, piece, size=size, bold=bold)
            if run.expression:
                values.append(Value(expression=run.expression, language=self._language, text=run.text))
        return values

    def _run(
        self, parent: Any, part: Any, run: Run, text: str, *, size: float | None, bold: bool = False
    ) -> None:
        made = add(parent, f"{A}r")
        own, other = _LANGUAGES[self._language]
        properties = add(made, f"{A}rPr", lang=own, altLang=other)
        if size is not None:
            properties.set("sz", str(round(size) * 100))
        if run.bold or bold:
            properties.set("b", "1")
        if run.italic:
            properties.set("i", "1")
        if run.shift:
            properties.set("baseline", "30000" if run.shift == "up" else "-25000")
        if run.muted:
            fill = add(properties, f"{A}solidFill")
            colour = add(fill, f"{A}schemeClr", val="tx2" if self._has_muted else "tx1")
            for name, value in () if self._has_muted else _LIGHTER:
                add(colour, f"{A}{name}", val=value)
        if run.code:
            for face in ("latin", "cs"):
                add(properties, f"{A}{face}", typeface=_MONO)
        if run.link:
            leads = part.relate_to(run.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            add(properties, f"{A}hlinkClick").set(f"{R}id", leads)
        add(made, f"{A}t").text = text

    def _formula(self, paragraph: Any, part: Any, run: Run, size: float | None, *, prefix: str) -> None:
        """A formula: Office Math, or for programs that do not know it, its text.

        LibreOffice leaves formulas out that are in other text, and draws all of them black. It takes the
        text where the namespace of formulas has another prefix than usual.
        """
        try:
            math = office_math(run.mathml, size=size)
        except NoOfficeForm as error:
            self.plain_formulas.append((run.text, str(error)))
            self._run(paragraph, part, Run(text="", italic=True), run.text, size=size)
            return
        choices = add(paragraph, f"{MC}AlternateContent", {"mc": MC[1:-1]})
        choice = add(choices, f"{MC}Choice", {prefix: A14[1:-1]}, Requires=prefix)
        add(choice, f"{A14}m").append(math)
        fallback = add(choices, f"{MC}Fallback")
        self._run(fallback, part, Run(text="", italic=True), run.text, size=size)


def _clear(body: Any) -> None:
    for one in body.findall(f"{A}p"):
        body.remove(one)


def _begins_list(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether a numbered entry does not go on with the list before it."""
    one = paragraphs[at]
    before = [other for other in paragraphs[:at] if other.level <= one.level]
    return not before or (before[-1].level, before[-1].number) != (one.level, one.number - 1)


def _set_spacing(properties: Any, *, is_first: bool) -> None:
    """As in placeholders, whose spacing text boxes do not have."""
    for name, share in (("lnSpc", LINE_SPACING), ("spcBef", 0 if is_first else PARAGRAPH_SPACING)):
        spacing = add(properties, f"{A}{name}")
        add(spacing, f"{A}spcPct", val=f"{share * 100_000:.0f}")


def _set_bullet(properties: Any, one: Paragraph, *, own: bool, begins: bool) -> None:
    if one.level == 0:
        properties.set("marL", str(_INDENT_EMU) if one.is_quoted else "0")
        properties.set("indent", "0")
        add(properties, f"{A}buNone")
        return
    if own or one.number:
        indent = _NUMBER_INDENT_EMU if one.number else _INDENT_EMU
        properties.set("marL", str(_INDENT_EMU * (one.level - 1) + indent))
        properties.set("indent", str(-indent))
    if one.level > 1:
        properties.set("lvl", str(min(one.level - 1, 8)))
    if one.number:
        add(properties, f"{A}buFont", typeface="+mj-lt")
        numbered = add(properties, f"{A}buAutoNum", type="arabicPeriod")
        if begins and one.number > 1:
            numbered.set("startAt", str(one.number))
    elif own:
        add(properties, f"{A}buChar", char="–")
