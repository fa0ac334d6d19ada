"""Whether the words of a figure say the same in both languages: asked by `diglot check`, and by no page."""

import re
from typing import NamedTuple

from diglot.content.terms import Term
from diglot.diagnostics import Diagnostic, Location
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure, Script
from diglot.languages import LANGUAGES
from diglot.rules.figures import draw_figure, find_script, read_source
from diglot.rules.ids import DrawingId
from diglot.rules.plain_texts import line_of_part
from diglot.rules.tasks import Fetch, task
from diglot.rules.terms import read_terms


@task("figure-agreement")
async def compare_figure(fetch: Fetch, request: FigureRequest) -> int:
    """How many differences there are between the words of a figure, each reported as a warning."""
    script = await fetch(find_script, request.figure_id)
    if script is None:
        return 0
    zh, en = await fetch.all(draw_figure, [DrawingId(request, language) for language in LANGUAGES])
    source = await read_source(fetch, script)
    terms = await fetch(read_terms)
    call = fetch.context.pool.call(_compare, script, source, _words_of(zh), _words_of(en), terms)
    found = await fetch.wait(call)
    fetch.report(*found)
    return len(found)


class _Words(NamedTuple):
    title: str
    message: str
    alt: str
    columns: str


def _words_of(drawn: DrawnFigure) -> _Words:
    columns = drawn.table.columns if drawn.table is not None else ()
    return _Words(drawn.title, drawn.message, drawn.alt, "\n".join(columns))


_FIX = "make the words of both languages say the same."
_WRITTEN = _Words(title="TITLE", message="MESSAGE", alt="def describe", columns="COLUMNS")
"""What of a script each of them is from."""


def _compare(
    script: Script, source: str, zh: _Words, en: _Words, terms: tuple[Term, ...]
) -> tuple[Diagnostic, ...]:
    from diglot.content.agreement import compare_texts  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)
    from diglot.content.glossary import refused_words  # noqa: PLC0415  (only checks need it)

    return tuple(
        Diagnostic(
            rule=difference.rule,
            message=f"in the words of {place.part.removeprefix('def ')}, {difference.message}",
            severity="warning",
            location=Location(path=script.path, line=place.line),
            fix=difference.fix,
        )
        for written, one, other in zip(_WRITTEN, zh, en, strict=True)
        for difference in (
            *(found._replace(fix=_FIX) for found in compare_texts(one, other)),
            *refused_words(one, "zh", terms),
            *refused_words(other, "en", terms),
        )
        for place in (_place_of(written, difference.message, script, source),)
    )


class _Place(NamedTuple):
    part: str
    line: int


def _place_of(written: str, message: str, script: Script, source: str) -> _Place:
    """Where words are: headings may be in `table` and not in `COLUMNS`, where one quoted word then is."""
    if written == _WRITTEN.columns:
        part = ""
        for number, line in enumerate(source.split("\n")):
            part = begin[0] if (begin := _PART.match(line)) is not None else part
            if part in _OF_TABLE and any(word in line for word in _QUOTED.findall(message)):
                return _Place(part, script.first_line + number)
        if _WRITTEN.columns not in source:
            written = _OF_TABLE[1]
    return _Place(written, line_of_part(written, script, source))


_OF_TABLE = (_WRITTEN.columns, "def table")
_PART = re.compile(r"(?:(?:async )?def |class )?\w+")
_QUOTED = re.compile("“([^”]+)”")
