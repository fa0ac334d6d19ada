"""The task context: options, processes and caches that tasks use."""

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
    """What tasks work with and no value depends on. One per site."""

    def __init__(
        self,
        options: SiteOptions,
        *,
        workers: "Callable[[], FigureWorkers]",
        calls: "FigureCalls",
        pool: WorkerPool,
    ) -> None:
        # Not the options themselves: those that a value depends on are inputs (`rules.options.given_values`).
        self.root = options.root
        self.cache = options.cache
        self.workers = workers
        """Returns the figure workers, and starts them on the first call."""
        self.calls = calls
        """Running calls of figure workers, which may have started in an earlier build."""
        self.pool = pool
        """Runs slow functions that need nothing but their arguments."""
        self.packs = Packs.of(options.cache)
        self._kept: dict[Callable[..., Any], Any] = {}

    def keep(self, make: "Callable[[TaskContext], _Kept]") -> _Kept:
        """The result of `make` for this context: made once, and kept for later builds."""
        if make not in self._kept:
            self._kept[make] = make(self)
        kept: _Kept = self._kept[make]
        return kept
