"""A planned plot: its frame in px, its scales, and what its marks put there. Nothing is drawn yet."""

from collections.abc import Sequence
from typing import NamedTuple

from diglot.figures.charts.placing import Box, Ink, Label
from diglot.figures.charts.scales import Scale
from diglot.figures.drawing.text_sizes import Face


class End(NamedTuple):
    """A line that wants its name, with its px."""

    text: str
    token: str
    points: tuple[tuple[float, float], ...]


class Text(NamedTuple):
    """A text with a place."""

    x: float
    baseline: float
    text: str
    token: str
    small: bool
    align: str
    patch: bool = False
    leader: tuple[tuple[float, float], tuple[float, float]] | None = None
    guide: bool = False
    """Whether the leader is a dotted guide behind the marks."""


class Plot:
    """Where values are in px, and what has to be labelled."""

    def __init__(self, frame: Box, x: Scale, y: Scale, face: Face, size: tuple[float, float]) -> None:
        self.frame, self.x, self.y, self.face = frame, x, y, face
        self.ink = Ink(*size)
        self.ends: list[End] = []
        self.labels: list[Label] = []
        self.texts: list[Text] = []

    def px(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point, in px of the drawing."""
        return self.x_px(x), self.y_px(y)

    def x_px(self, x: float) -> float:
        """The place of an x value, from the left edge of the drawing."""
        return self.frame.left + self.x.share(x) * (self.frame.right - self.frame.left)

    def y_px(self, y: float) -> float:
        """The place of a y value, from the top edge of the drawing."""
        return self.frame.bottom - self.y.share(y) * (self.frame.bottom - self.frame.top)

    def polyline(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """A line in px, in the density that labels and logarithmic axes need."""
        return [self.px(*point) for point in points]
