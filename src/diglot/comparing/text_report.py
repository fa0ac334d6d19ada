"""The report of a comparison for a terminal."""

from collections.abc import Iterator

from diglot.comparing.changes import Changes
from diglot.comparing.wording import SECTIONS, figure_facts, share_text, slide_facts, slide_name, value_texts
from diglot.figure_request import FigureRequest

MOST_LISTED = 10
"""How many values of a figure are listed."""


def text_report(changes: Changes) -> Iterator[str]:
    """The lines of the report, with an empty one between its parts."""
    parts = {
        "doubts": _doubts(changes),
        "values": _values(changes),
        "figures": _figures(changes),
        "sentences": _sentences(changes),
        "slides": (f"  {slide_name(one)}: {slide_facts(one)}" for one in changes.slides),
        "inputs": _inputs(changes),
    }
    for name, lines in parts.items():
        if found := [*lines]:
            yield SECTIONS[name]
            yield from found
            yield ""


def _doubts(changes: Changes) -> Iterator[str]:
    for one in changes.doubts:
        yield f"  {one.path}:{one.line}: {one.message}"
        if one.before and one.before != one.after:
            yield f"    − {one.before}"
        if one.after:
            yield f"    {'+' if one.before != one.after else ' '} {one.after}"


def _values(changes: Changes) -> Iterator[str]:
    for before, one in zip((None, *changes.values), changes.values, strict=False):
        if before is not None and before.is_large and not one.is_large:
            yield "  and by no more than the threshold:"
        share = share_text(one.share)
        yield f"  {one.expression}: {value_texts(one)}{f' ({share})' if share else ''}"
        yield f"    {', '.join(one.places)}"


def _figures(changes: Changes) -> Iterator[str]:
    for one in changes.figures:
        yield f"  {FigureRequest.parse(one.request).called}: {'; '.join(figure_facts(one))}"
        for change in one.data[:MOST_LISTED]:
            yield f"    {change.path}: {change.old} → {change.new}"
        if (more := len(one.data) - MOST_LISTED) > 0:
            yield f"    and {more:,} more"


def _sentences(changes: Changes) -> Iterator[str]:
    for block in changes.blocks:
        for sentences in block.sentences.values():
            for one in sentences:
                yield f"  {one.path}:{one.line}"
                if one.before:
                    yield f"    − {one.before}"
                if one.after:
                    yield f"    + {one.after}"


def _inputs(changes: Changes) -> Iterator[str]:
    for one in changes.inputs:
        yield f"  {one.path}{'' if one.kind == 'changed' else f': {one.kind}'}"
        for change in one.fields:
            yield f"    {change.path}: {change.old} → {change.new}"
