"""The processes that build a site: the worker pool, and the workers that run figures."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from diglot.processes import WorkerPool
from diglot.rules.configuration import read_configuration
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers


class SiteWorkers:
    """Starts processes when they are first needed, and ends them."""

    def __init__(
        self,
        options: SiteOptions,
        *,
        figures: "FigureWorkers | None",
        pool: WorkerPool | None,
        ahead_s: float,
        tell: Callable[[str, int, int], None],
    ) -> None:
        """`figures` and `pool` belong to another site of the same project: they are used, and not ended.

        `tell` reports the progress of a sweep: the figure, how many points are done, and how many there are.
        """
        self._options = options
        self._lent_figures, self._lent_pool = figures, pool
        self.pool = pool or WorkerPool(options.jobs, ahead_s=ahead_s)
        self._tell = tell
        self._figures: FigureWorkers | None = None

    def close(self) -> None:
        """End the worker pool and the figure workers."""
        if self._lent_pool is None:
            self.pool.close()
        self.close_figures()

    def close_figures(self) -> None:
        """End the figure workers, even while another thread builds."""
        if self._figures is not None:
            self._figures.close()
            self._figures = None

    def figures(self) -> "FigureWorkers":
        """The figure workers, started when first asked for."""
        if self._lent_figures is not None:
            return self._lent_figures
        if self._figures is None:
            self.pool.start()  # fork before the figure workers start threads
            from diglot.figures.execution import point_store  # noqa: PLC0415  (only builds that compute figures need it)
            from diglot.figures.execution.workers import FigureWorkers  # noqa: PLC0415  (only builds that compute figures need it)

            timeout_s, memory_mb = self._limits()
            self._figures = FigureWorkers(
                root=self._options.root,
                cache=self._options.cache,
                jobs=self._options.jobs,
                timeout_s=timeout_s,
                memory_mb=memory_mb,
                points=self._options.cache / point_store.FILE,
                executor=self._options.executor,
                tell=self._tell,
            )
        return self._figures

    def figures_at(self, root: Path, *, cache: Path, ahead_s: int) -> "FigureWorkers":
        """Figure workers for a copy of the project, with a clock that is ahead; not started yet."""
        from diglot.figures.execution.workers import FigureWorkers  # noqa: PLC0415  (only builds that compute figures need it)

        timeout_s, memory_mb = self._limits()
        return FigureWorkers(
            root=root,
            cache=cache,
            jobs=self._options.jobs,
            timeout_s=timeout_s,
            memory_mb=memory_mb,
            ahead_s=ahead_s,
        )

    def have_old_limits(self) -> bool:
        """Whether the configuration now sets other limits of time or memory than the running workers have."""
        started = self._figures
        return (
            started is not None
            and read_configuration(self._options) is not None
            and (started.timeout_s, started.memory_mb) != self._limits()
        )

    def _limits(self) -> tuple[float, int]:
        from diglot.project import DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_S  # noqa: PLC0415  (only figures and previews need it)

        project = read_configuration(self._options)
        if project is None:
            return DEFAULT_TIMEOUT_S, DEFAULT_MEMORY_MB
        return project.figure_timeout_s, project.figure_memory_mb
