"""What tasks work with."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from diglot.engine import Packs
from diglot.processes import WorkerPool
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers
    from diglot.rules.figure_calls import FigureCalls

_Kept = TypeVar("_Kept")


class TaskContext:
    """What tasks work with, and no value depends on: one for each site that is built."""

    def __init__(
        self,
        options: SiteOptions,
        *,
        workers: "Callable[[], FigureWorkers]",
        calls: "FigureCalls",
        pool: WorkerPool,
    ) -> None:
        self.options = options
        self.workers = workers
        """Gives the figure workers when a figure needs them."""
        self.calls = calls
        """Calls of figure workers under way, which may have begun in an earlier build."""
        self.pool = pool
        """Does what takes long and needs nothing but its arguments."""
        self.packs = Packs.of(options.cache)
        self._kept: dict[Callable[..., Any], Any] = {}

    def keep(self, make: "Callable[[TaskContext], _Kept]") -> _Kept:
        """What `make` makes of this context: made once, and kept for the tasks of later builds."""
        if make not in self._kept:
            self._kept[make] = make(self)
        kept: _Kept = self._kept[make]
        return kept
