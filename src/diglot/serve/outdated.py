"""Figures whose published drawings are older than their sources, because a preview does not wait for them."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from diglot.engine import Key
from diglot.languages import Language
from diglot.rules.building import SiteBuild
from diglot.rules.figures import compute_figure, draw_figure
from diglot.rules.ids import DrawingId
from diglot.rules.last_build import Records
from diglot.serve.blocks import SiteBlocks

_MOST_NAMED = 256
"""Maximum number of figures whose names are sent to browsers."""

Stage: TypeAlias = Literal["computing", "drawing"]
"""computing: numbers and drawing are old; drawing: the drawing is older than its numbers."""


class OutdatedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or table of numbers in one language on a page."""

    page: str
    """The page's output path."""
    row: str
    """The id of its row."""
    language: Language
    stage: Stage


def outdated_figures(result: SiteBuild, blocks: SiteBlocks, records: Records) -> tuple[OutdatedFigure, ...]:
    """The figures that are shown as before, because the build did not wait for them."""
    unfinished = [run.key for run in result.report.ran if run.outcome == "unfinished"]
    computed, drawn = set(compute_figure.names_in(unfinished)), _drawings(unfinished)
    if not computed and not drawn:
        return ()
    shown = blocks.showing(
        records, lambda request, language: request in computed or DrawingId(request, language) in drawn
    )
    found = (
        OutdatedFigure(
            page=one.place.page,
            row=one.place.row,
            language=one.language,
            stage="computing" if one.request in computed else "drawing",
        )
        for one in shown
    )
    return tuple(dict.fromkeys(found))[:_MOST_NAMED]


def _drawings(keys: Iterable[Key]) -> set[DrawingId]:
    return set(draw_figure.names_in(keys))
