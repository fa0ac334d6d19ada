"""Calls of figure workers: what a worker observed while it ran is what its result depends on."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine import ENTRY, ENVIRONMENT, FILE, FOLDER, Key, Target, Unfinished, UpstreamFailed
from diglot.figures.records import Observed, ObservedKind, Script, WorkerReport
from diglot.figures.scripts.datasets import READER, split_row
from diglot.figures.scripts.failures import FigureFailed
from diglot.rules.context import TaskContext
from diglot.rules.options import PACKAGES
from diglot.rules.tasks import Fetch, task

if TYPE_CHECKING:
    from concurrent.futures import Future

_MOST_WRITTEN = 3
"""How often scripts may write to a file that they read before it stops being a dependency."""


class DatasetRows(msgspec.Struct, frozen=True, kw_only=True):
    """The stored value of each row of a dataset, by the row's name (see `figures.scripts.datasets`)."""

    values: Mapping[str, str] = msgspec.field(default_factory=dict)


@task("dataset-row")
async def find_row(fetch: Fetch, name: str) -> bytes:
    """The stored value of one row, so that a figure depends on single rows; empty if there is no such row."""
    dataset, row = split_row(name)
    rows = await fetch(read_dataset, dataset)
    return rows.values.get(row, "").encode()


@task("dataset")
async def read_dataset(fetch: Fetch, dataset: str) -> DatasetRows:
    """The rows of a dataset. Empty if it cannot be read, because the figures that use it report why."""
    workers = fetch.context.workers
    try:
        report = await observed_result(
            fetch, (READER, dataset), READER, lambda: workers().read_dataset(dataset)
        )
    except FigureFailed as failure:
        if failure.retry:
            raise
        return DatasetRows()
    return DatasetRows(values=msgspec.json.decode(report.result, type=dict[str, str]))


async def observed_result(
    fetch: Fetch,
    what: Hashable,
    script: Script,
    start: "Callable[[], Future[WorkerReport]]",
    *,
    takers: int = 1,
    told_as: Callable[[Diagnostic], Diagnostic] = lambda warning: warning,
) -> WorkerReport:
    """The report of a worker's call, whose warnings are reported. Records the dependencies it observed.

    `takers` is how many tasks can use it; `told_as` gives the words for warnings.
    """
    report = await observed_report(fetch, what, script, start, takers=takers)
    fetch.report(*map(told_as, report.warnings))
    return report


async def observed_report(
    fetch: Fetch,
    what: Hashable,
    script: Script,
    start: "Callable[[], Future[WorkerReport]]",
    *,
    takers: int = 1,
) -> WorkerReport:
    """The report of a worker's call. Records the dependencies it observed, even if it failed."""
    context = fetch.context
    while True:
        call, work, is_old = context.calls.ask(
            what, script, start, lambda pending: context.workers().stop(pending), takers=takers
        )
        report: WorkerReport | FigureFailed
        try:
            report = await fetch.wait(work)
        except FigureFailed as failure:
            report = failure
        except Unfinished:
            raise  # the next build asks for the call again
        except Exception:
            context.calls.forget(call)
            raise
        if not is_old or await _still_holds(fetch, report.observed):
            context.calls.deliver(call)
            break
        context.calls.forget(call)
    writes = context.keep(_Writes)
    writes.note(report.wrote)
    await _note(fetch, [one for one in report.observed if not writes.keep_changing(one)])
    if isinstance(report, FigureFailed):
        raise report
    return report


class _Writes:
    """Counts how often scripts wrote to each path, in all builds of this process."""

    def __init__(self, _context: TaskContext) -> None:
        self._written: Counter[str] = Counter()

    def note(self, paths: Iterable[str]) -> None:
        """Count one more write to each path."""
        self._written.update(paths)

    def keep_changing(self, one: Observed) -> bool:
        """Whether scripts keep changing what one of them reads, so that a preview would rebuild without end.

        Such a file is no longer a dependency. (Workers report what a script itself wrote as it left it.)
        """
        if one.kind not in ("file", "entry", "listing"):
            return False
        if one.kind == "listing":
            written = (path for path in self._written if path.rpartition("/")[0] == one.name)
            return sum(self._written[path] for path in written) > _MOST_WRITTEN
        return self._written[one.name] > _MOST_WRITTEN


_TARGETS: Mapping[ObservedKind, Target[Any, Any]] = {
    "file": FILE,
    "listing": FOLDER,
    "entry": ENTRY,
    "env": ENVIRONMENT,
    "row": find_row,
    "packages": PACKAGES,
}


async def _still_holds(fetch: Fetch, observed: Iterable[Observed]) -> bool:
    """Whether this build finds the same digests as the worker."""
    seen = {_key(one): one.digest for one in observed}
    return await fetch.digests(seen) == tuple(seen.values())


def _key(one: Observed) -> Key:
    return _TARGETS[one.kind].key(one.name or None)


async def _note(fetch: Fetch, observed: Iterable[Observed]) -> None:
    for one in observed:
        fetch.observed(_key(one), one.digest)
    # Rows are tasks. Make them now, because the next build would have to make them just to compare them.
    rows = [_key(one) for one in observed if one.kind == "row"]
    if rows:
        with suppress(UpstreamFailed):
            await fetch.digests(rows)
