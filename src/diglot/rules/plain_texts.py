"""Markdown and HTML in texts that are plain: of the configuration, the glossary and figures."""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from diglot.content.mistakes import Mistakes
from diglot.content.texts import warn_of_markup
from diglot.diagnostics import Diagnostic
from diglot.figures.records import ComputedFigure, DrawnFigure, Script
from diglot.languages import Bilingual, Language


def markup_in_texts(texts: Iterable[tuple[str, int]], path: str, source: str) -> tuple[Diagnostic, ...]:
    """A warning for each text in a file, given with its line, of which readers would see the marks."""
    mistakes = Mistakes(path, source.split("\n"))
    for text, line in texts:
        warn_of_markup(text, line, mistakes)
    return tuple(mistakes.warnings)


def words_of_figure(
    computed: ComputedFigure, drawn: DrawnFigure, language: Language
) -> Iterator[tuple[str, str]]:
    """The texts of a figure in one language, each after the part of its script that they are from."""
    yield "TITLE", drawn.title
    yield "MESSAGE", drawn.message
    yield "def describe", drawn.alt
    for column in drawn.table.columns if drawn.table is not None else ():
        yield "COLUMNS", column
    for part, labels in (("LABELS", _labels(computed)), ("FORM", _labels_of_form(computed))):
        for label in labels:
            yield part, label.of(language)
    for _, svg in drawn.svgs:
        if any(mark in svg for mark in _MARKS):
            for element in ElementTree.fromstring(svg).iter():
                if element.tag.endswith(("text", "tspan")):
                    yield "def draw", element.text or ""


_MARKS = ("*", "`", "](", "~~", "&lt;", "＊", "｀", "～～")
"""What a drawing with Markdown or HTML in its texts has at least one of."""


def _labels(computed: ComputedFigure) -> Iterator[Bilingual]:
    for domain in computed.domains:
        yield from () if domain.label is None else (domain.label,)
        yield from (label for _, label in domain.value_labels)


def _labels_of_form(computed: ComputedFigure) -> Iterator[Bilingual]:
    if computed.form is not None:
        for part in (computed.form.fields, computed.form.answers, computed.form.presets):
            yield from (entry.label for entry in part)


def line_of_part(part: str, script: Script, source: str) -> int:
    """The line of a file on which a part of its script begins; the first one if it is made some other way."""
    begins = re.compile(rf"{part}\b")
    lines = enumerate(source.split("\n"))
    return script.first_line + next((n for n, line in lines if begins.match(line)), 0)
