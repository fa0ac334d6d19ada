"""Remembers which line of a script made each mark of a drawing, so that warnings can name it."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

A = TypeVar("A", bound=Artist)


class Origins:
    """The lines of a script by the marks that they made."""

    def __init__(self) -> None:
        self.script: str | None = None
        """The script's file as its code knows it; None if lines are not wanted."""
        self._lines: dict[Artist, int] = {}
        self._given: int | None = None

    def here(self) -> int | None:
        """The line of the script that is running, of the innermost call if there are several."""
        if self._given is not None:
            return self._given
        if self.script is None:
            return None
        frame = inspect.currentframe()
        while frame is not None and frame.f_code.co_filename != self.script:
            frame = frame.f_back
        return None if frame is None else frame.f_lineno

    @contextmanager
    def at(self, line: int | None) -> Iterator[None]:
        """Count what is drawn in a block as made by this line. For charts that are drawn after their call."""
        before, self._given = self._given, line
        try:
            yield
        finally:
            self._given = before

    def note(self, artist: A) -> A:
        """Remember that the current line made a mark. Returns the mark."""
        if (line := self.here()) is not None:
            self._lines[artist] = line
        return artist

    def line_of(self, artist: Artist) -> int | None:
        """The line that made a mark, if it is known."""
        return self._lines.get(artist)


class NotingAxes(Axes):
    """Axes that note where their marks come from. Matplotlib's plotting methods all end in these."""

    def __init__(self, *args: Any, origins: Origins, **options: Any) -> None:
        self._origins = origins
        super().__init__(*args, **options)

    def add_line(self, *args: Any, **options: Any) -> Line2D:
        """Add a line, or the markers of points."""
        return self._origins.note(super().add_line(*args, **options))

    def add_patch(self, *args: Any, **options: Any) -> Patch:
        """Add a shape, such as a bar."""
        return self._origins.note(super().add_patch(*args, **options))

    def add_collection(self, *args: Any, **options: Any) -> Collection:
        """Add a collection: points of a scatter plot, an area."""
        return self._origins.note(super().add_collection(*args, **options))

    def add_image(self, *args: Any, **options: Any) -> AxesImage:
        """Add an image, such as a heat map of `imshow`."""
        return self._origins.note(super().add_image(*args, **options))

    def text(self, *args: Any, **options: Any) -> Text:
        """Add a text."""
        return self._origins.note(super().text(*args, **options))

    def annotate(self, *args: Any, **options: Any) -> Annotation:
        """Add a label."""
        return self._origins.note(super().annotate(*args, **options))

    def legend(self, *args: Any, **options: Any) -> Legend:
        """Add a legend."""
        return self._origins.note(super().legend(*args, **options))
