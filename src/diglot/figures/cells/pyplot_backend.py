"""The backend of pyplot in code cells: `show` puts the open figures where it is called."""

from collections.abc import Callable
from typing import Any

from matplotlib.backend_bases import FigureManagerBase as FigureManager
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

__all__ = ["FigureCanvas", "FigureManager", "show"]

showing: list[Callable[[], None]] = []
"""What `show` calls: the process runs the cells of one article, and pyplot knows this module alone."""


def show(*_: Any, **__: Any) -> None:
    """Show all open figures."""
    for put in showing:
        put()
