"""What is drawn and read for a talk before it is written: figures for their places, and pictures."""

from collections.abc import Mapping

import msgspec

from diglot.slides.chart_numbers import ChartNumbers
from diglot.slides.contents import FigureContents, SlideContents, TalkContents
from diglot.slides.powerpoint_files.arranging import Placed, arrange, without_caption
from diglot.slides.powerpoint_files.designs import EMU_PER_PX, Design
from diglot.slides.powerpoint_files.pictures import ShownPicture


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
    pictures: Mapping[str, ShownPicture]
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
        parts = [(one.blocks[0], one.place) for one in _parts(slide, design)]
        figures = [(one, place) for one, place in parts if isinstance(one, FigureContents)]
        for at, (figure, place) in enumerate(figures):
            inner = without_caption(figure, place)
            found.append(
                Room(
                    slide=number,
                    figure=at,
                    request=figure.request,
                    width_px=inner.width / EMU_PER_PX,
                    height_px=inner.height / EMU_PER_PX,
                )
            )
    return found


def _parts(slide: SlideContents, design: Design) -> list[Placed]:
    return [one for column in arrange(slide, design.body(), design.slide) for one in column]
