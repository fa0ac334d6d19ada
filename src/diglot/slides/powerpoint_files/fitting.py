"""What does not fit a slide, by an estimate of how wide its text is."""

from collections.abc import Iterator, Sequence

from diglot.diagnostics import Diagnostic, Location
from diglot.slides.contents import SlideContents
from diglot.slides.powerpoint_files.arranging import (
    EMU_PER_PT,
    FOOTNOTE_PT,
    SMALLEST,
    STATEMENT_PT,
    arrange,
    is_statement,
    lines_of,
    statement_of,
    statement_size,
    title_size,
)
from diglot.slides.powerpoint_files.designs import Design

_MOST_FOOTNOTES = 3
"""Lines of footnotes that have room at the foot of a slide."""
_READABLE = 0.8
"""Text that has to be smaller than this part of its size is worth a warning."""


def warnings_of(
    slide: SlideContents,
    design: Design,
    plain_formulas: Sequence[tuple[str, str]],
    *,
    number: int,
    path: str,
) -> Iterator[Diagnostic]:
    """Warnings for a slide: text without room, formulas that became text, and what is left out."""
    location = Location(path=path, line=slide.line)
    for misfit in _misfits(slide, design):
        yield Diagnostic(
            rule="slide-overflow",
            message=f"slide {number} does not fit in PowerPoint: {misfit}",
            severity="warning",
            location=location,
            fix="say less, or make two slides of it.",
        )
    for name in slide.left_out:
        yield Diagnostic(
            rule="slides-left-out",
            message=f"<{name}> on slide {number} is left out: a PowerPoint file cannot show it",
            severity="warning",
            location=location,
            fix="add a picture or a link that says the same.",
        )
    for text, part in plain_formulas:
        yield Diagnostic(
            rule="slides-formula",
            message=f'the formula "{text}" on slide {number} is written as text: '
            f"PowerPoint cannot show its {part}",
            severity="warning",
            location=location,
            fix="write it in another way, or show it as a picture.",
        )


def _misfits(slide: SlideContents, design: Design) -> Iterator[str]:
    if is_statement(slide):
        runs, remarks = statement_of(slide)
        place, _ = design.statement(has_remarks=bool(remarks))
        yield from _smaller(statement_size(runs, place) / STATEMENT_PT)
        return
    body = design.body()
    place, usual = design.title()
    yield from _smaller(title_size(slide.title, place, usual) / usual, "title")
    lines = sum(lines_of(one.runs, design.foot().width / EMU_PER_PT / FOOTNOTE_PT) for one in slide.footnotes)
    if lines > _MOST_FOOTNOTES:
        yield f"its footnotes take {lines} lines, and have room for {_MOST_FOOTNOTES}"
    yield from _smaller(
        min(
            (part.scale for column in arrange(slide, body, design.slide) for part in column),
            default=1.0,
        )
    )


def _smaller(scale: float, what: str = "text") -> Iterator[str]:
    if scale <= SMALLEST:
        yield f"its {what} has no room, even at {SMALLEST:.0%} of its size"
    elif scale < _READABLE:
        yield f"its {what} is made smaller, to {scale:.0%} of its size"
