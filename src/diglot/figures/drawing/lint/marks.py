"""The marks of a drawing that show data, as the lints see them: lines, points, bars, areas.

Grid, ticks, guides and surfaces are no data: what is in `paper`, `sunk` or `rule`, thin dotted lines,
anything translucent, and what is not placed by values on both axes, such as the lines of `axhline`.
"""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import numpy as np
from matplotlib import colors
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from numpy.typing import NDArray

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.palette import COLOURS, DARK, LIGHT, SENTINELS

Kind = Literal["line", "points", "bar", "area"]
Points = NDArray[np.float64]
"""Places in units of the data: an array of shape (n, 2)."""

NO_DATA = frozenset({"paper", "sunk", "rule"})
GUIDE_PX = 1.0
"""Dashed and dotted lines of at most this width are guides."""
_TOKEN_OF = {
    **{colour: token for theme in (LIGHT, DARK) for token, colour in theme.items()},
    **{colour: token for token, colour in SENTINELS.items()},
}


class Mark(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One mark, with what tells it from others."""

    artist: Artist
    axes: Axes
    kind: Kind
    colour: str
    """A token of the palette, or a hex colour."""
    look: tuple[object, ...]
    """Everything visible about it but its colour and place: dashes, width, hatch."""
    marker: object
    """The shape of its points and whether they are filled; None if it has none."""
    width_px: float
    """Of a line; 0 for other marks."""
    paths: tuple[Points, ...]
    """Vertices of a line, a bar or an area, or places of points."""
    label: str = ""
    """What matplotlib's methods were told that it is; empty if nothing."""

    @property
    def is_clipped(self) -> bool:
        """Whether the frame of the axes cuts it off."""
        return bool(self.artist.get_clip_on())


def marks_of(canvas: Canvas) -> tuple[Mark, ...]:
    """All marks that show data, in drawing order within each axes."""
    return tuple(mark for axes in canvas.axes for mark in _marks_in(axes))


def shades(colour: str) -> tuple[str, str]:
    """A mark's colour in the light and the dark theme."""
    return COLOURS.get(colour, (colour, colour))


def in_px(axes: Axes, places: Points) -> Points:
    """Places in px of the drawing, without those that the axes cannot show, such as 0 on a log axis."""
    with np.errstate(all="ignore"):
        at = np.asarray(axes.transData.transform(places))
    return np.asarray(at[np.isfinite(at).all(axis=1)])


def _marks_in(axes: Axes) -> Iterator[Mark]:
    labels = {bar: str(bars.get_label()) for bars in axes.containers for bar in bars.get_children()}
    for artist in axes.get_children():
        mark = None
        if not artist.get_visible() or artist.get_clip_path() is not None:
            continue  # a script that cuts a mark to a shape of its own means it
        if isinstance(artist, Line2D):
            mark = _line(artist, axes)
        elif isinstance(artist, Rectangle | Polygon):
            mark = _patch(artist, axes)
        elif isinstance(artist, PathCollection):
            mark = _scatter(artist, axes)
        elif isinstance(artist, LineCollection | PolyCollection):
            mark = _collection(artist, axes)
        if mark is not None and mark.colour not in NO_DATA:
            label = labels.get(artist) or str(artist.get_label())
            yield mark if label.startswith("_") else msgspec.structs.replace(mark, label=label)


def _line(artist: Line2D, axes: Axes) -> Mark | None:
    if artist.get_transform() is not axes.transData:
        return None
    places: Points = np.asarray(artist.get_xydata())
    has_line = len(places) > 1 and artist.get_linewidth() > 0 and artist.get_linestyle() not in _NOTHING
    has_points = len(places) > 0 and artist.get_marker() not in _NOTHING
    if not (has_line or has_points):
        return None
    width = round(float(artist.get_linewidth()))
    if has_line and artist.is_dashed() and width <= GUIDE_PX:
        return None
    edge: Any = artist.get_color() if has_line else artist.get_markeredgecolor()
    colour = token_of(edge, artist.get_alpha())
    inner = token_of(artist.get_markerfacecolor()) if has_points else None
    if colour is None:
        return None
    return Mark(
        artist=artist,
        axes=axes,
        kind="line" if has_line else "points",
        colour=colour,
        look=(artist.get_linestyle(), width) if has_line else (),
        marker=(str(artist.get_marker()), inner not in (None, "paper")) if has_points else None,
        width_px=float(artist.get_linewidth()) if has_line else 0.0,
        paths=(places,),
    )


_NOTHING = ("None", "none", "", " ", None)


def _patch(artist: Rectangle | Polygon, axes: Axes) -> Mark | None:
    if artist.get_data_transform() is not axes.transData:
        return None
    if (colour := token_of(artist.get_facecolor(), artist.get_alpha())) is None:
        return None
    if isinstance(artist, Rectangle):
        (left, bottom), width, height = artist.get_xy(), artist.get_width(), artist.get_height()
        places = np.array([(left, bottom), (left + width, bottom + height)])
        if not (width and height):
            return None
    else:
        places = np.asarray(artist.get_xy(), dtype=float)
    return Mark(
        artist=artist,
        axes=axes,
        kind="bar" if isinstance(artist, Rectangle) else "area",
        colour=colour,
        look=(artist.get_hatch(),),
        marker=None,
        width_px=0.0,
        paths=(places,),
    )


def _scatter(artist: PathCollection, axes: Axes) -> Mark | None:
    if artist.get_offset_transform() is not axes.transData:
        return None
    places: Points = np.ma.filled(np.ma.asarray(artist.get_offsets(), dtype=float), np.nan)
    edges, faces = artist.get_edgecolor(), artist.get_facecolor()
    several = len(faces) > 1 or len(edges) > 1
    colour = token_of((faces if len(faces) else edges)[0]) if len(faces) or len(edges) else None
    if colour == "paper" and len(edges):
        colour, filled = token_of(edges[0]), False
    else:
        filled = bool(len(faces))
    if colour is None or not len(places):
        return None
    shapes = artist.get_paths()
    shape = np.asarray(shapes[0].vertices).round(3).tobytes() if len(shapes) == 1 else len(shapes)
    return Mark(
        artist=artist,
        axes=axes,
        kind="points",
        colour=colour,
        look=("several colours",) if several else (),
        marker=(shape, filled),
        width_px=0.0,
        paths=(places,),
    )


def _collection(artist: LineCollection | PolyCollection, axes: Axes) -> Mark | None:
    if artist.get_transform() is not axes.transData:
        return None
    is_line = isinstance(artist, LineCollection)
    found = artist.get_edgecolor() if is_line else artist.get_facecolor()
    paths = tuple(np.asarray(path.vertices, dtype=float) for path in artist.get_paths())
    if len(found) != 1 or not paths or (colour := token_of(found[0], artist.get_alpha())) is None:
        return None
    drawn = (str(artist.get_linestyle()[0]), round(float(np.ravel(artist.get_linewidth())[0])))
    return Mark(
        artist=artist,
        axes=axes,
        kind="line" if is_line else "area",
        colour=colour,
        look=drawn if is_line else (artist.get_hatch(),),
        marker=None,
        width_px=drawn[1] if is_line else 0.0,
        paths=paths,
    )


def token_of(given: Any, alpha: Any = None) -> str | None:
    """A colour of matplotlib as its token in the palette, else as hex; None if it is not opaque."""
    if alpha is None and isinstance(given, str) and given in COLOURS:
        return given
    try:
        red, green, blue, opacity = colors.to_rgba(given)
    except (TypeError, ValueError):
        return None
    if min(opacity, 1.0 if alpha is None else float(np.min(alpha))) < 1:
        return None
    shown = colors.to_hex((red, green, blue))
    return _TOKEN_OF.get(shown, shown)
