"""Computes and draws figures again, in another process, folder and year, and compares the results.

They differ if a script puts random numbers without a seed, memory addresses, the time or its own path into a
figure.
"""

import json
import shutil
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as TookTooLong
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.records import CellPiece, CellRuns, Script, WorkerReport
from diglot.figures.scripts.failures import FigureFailed
from diglot.rules.building import Site
from diglot.rules.code_cells import find_cells
from diglot.rules.figures import compute_figure, computed_in, draw_figure, find_script
from diglot.use.elsewhere import copy_project

if TYPE_CHECKING:
    from concurrent.futures import Future

    from diglot.figures.execution.workers import FigureWorkers

BUDGET_S = 30.0
"""Maximum duration in seconds. `Repetition` tells how many figures it was enough for."""
_AHEAD_S = 400 * 86_400
"""Seconds that the clock is ahead while figures are repeated."""
_SHOWN = 60


class Repetition(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `repeat_figures`."""

    chosen: int
    compared: int
    """Less than `chosen` if the time ran out."""
    differences: tuple[Diagnostic, ...]


def repeat_figures(site: Site, requests: Iterable[FigureRequest], *, count: int | None) -> Repetition:
    """Compare at most `count` of the figures that the last build computed; all if `count` is None.

    The choice depends on their names alone.
    """
    chosen = sorted(set(requests), key=lambda one: digest_of(str(one).encode()))[:count]
    if not chosen:
        return Repetition(chosen=0, compared=0, differences=())
    with site.cache.alone(None):
        scratch = site.options.cache / "repetition"
        shutil.rmtree(scratch, ignore_errors=True)  # left by a killed process
        try:
            copy_project(site.options, scratch / "project")
            with site.workers.figures_at(scratch / "project", cache=scratch, ahead_s=_AHEAD_S) as workers:
                return _Comparison(site, workers).of(chosen)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


class _Comparison:
    """Compares recorded figures with the same figures made again."""

    def __init__(self, site: Site, workers: "FigureWorkers") -> None:
        self._workers = workers
        self._until = time.monotonic() + BUDGET_S
        self._scripts = site.last_build.values(find_script)
        cells = (one.script for one in site.last_build.values(find_cells).values())
        self._cells = {script.path: script for script in cells if script is not None}
        """The code cells of articles, by the half whose code runs."""
        self._computed = site.last_build.values(compute_figure)
        self._drawn = site.last_build.values(draw_figure)

    def of(self, requests: list[FigureRequest]) -> Repetition:
        calls = [(one, call) for one in requests if (call := self._begin(one)) is not None]
        compared, differences = 0, []
        for request, call in calls:
            try:
                differences += self._differences(request, call)
            except (TookTooLong, CancelledError):
                continue
            compared += 1
        for _, call in calls:
            if not call.done():
                self._workers.stop(call)
        return Repetition(chosen=len(calls), compared=compared, differences=tuple(differences))

    def _begin(self, request: FigureRequest) -> "Future[WorkerReport] | None":
        script = self._script_of(request)
        return self._workers.compute(script, request) if script and request in self._computed else None

    def _script_of(self, request: FigureRequest) -> Script | None:
        if request.cells_path is not None:
            return self._cells.get(request.cells_path)
        return self._scripts.get(request.figure_id)

    def _differences(self, request: FigureRequest, call: "Future[WorkerReport]") -> list[Diagnostic]:
        """At most one, as the first difference explains later ones. Raises TimeoutError if the time is up."""
        script, before = self._script_of(request), self._computed[request]
        if script is None:
            return []
        try:
            if script.cells:
                runs = msgspec.msgpack.decode(self._report(call).result, type=CellRuns).runs
                if any((run.data, _plain(run.shown)) == (before.data, _plain(before.shown)) for run in runs):
                    return []
                then, now = json.loads(before.data), json.loads(runs[0].data)
                where = (
                    f"gave different values: {first_difference(then, now)}"
                    if then != now
                    else "shows something else"
                )
                return [_differing(request, script, f"running the code cells again {where}")]
            again = computed_in(self._report(call))
            if again.data != before.data:
                where = first_difference(json.loads(before.data), json.loads(again.data))
                return [_differing(request, script, f"computing it again gave different numbers: {where}")]
            if again != before:
                files = f"{_list(before.provenance)}, and now {_list(again.provenance)}"
                return [_differing(request, script, f"computing it again read different files: {files}")]
            drawings = [
                (one.language, drawn)
                for one, drawn in sorted(self._drawn.items(), key=lambda item: str(item[0]))
                if one.request == request
            ]
            if not drawings:
                return []
            again_drawn = self._report(self._workers.draw(script, request, before))
            for language, drawn in drawings:
                made = again_drawn.drawn(language)
                if made != drawn:
                    where = first_difference(msgspec.to_builtins(drawn), msgspec.to_builtins(made))
                    return [
                        _differing(
                            request, script, f"drawing it again ({language}) gave a different result: {where}"
                        )
                    ]
        except FigureFailed as failure:
            if failure.retry:
                raise TookTooLong from failure
            return [
                _differing(request, script, f"computing it again failed: {failure.diagnostics[0].message}")
            ]
        return []

    def _report(self, call: "Future[WorkerReport]") -> WorkerReport:
        return call.result(timeout=max(0.0, self._until - time.monotonic()))


def _plain(shown: Iterable[Iterable[CellPiece]]) -> list[CellPiece]:
    """What cells show, without the HTML of which a site leaves parts out."""
    return [piece for pieces in shown for piece in pieces if piece.kind != "html"]


def _differing(request: FigureRequest, script: Script, what: str) -> Diagnostic:
    return Diagnostic(
        rule="figure-differs",
        message=what if script.cells else f'figure "{request}": {what}',
        location=Location(path=script.path, line=script.first_line if script.source is not None else None),
        fix="sort what has no order, and keep times, memory addresses, process ids and absolute "
        "paths out of it.",
    )


def first_difference(before: Any, after: Any) -> str:
    """The first place where two values differ, with both: `chips.h200[3] was 1.5, now 1.25`."""
    path, old, new = next(_partings(before, after, ""), ("", "the same", "the same"))
    shown = [_excerpt(one, other) for one, other in ((old, new), (new, old))]
    return f"{path or 'it'} was {shown[0]}, now {shown[1]}"


_NOTHING = object()


def _partings(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        if list(before) != list(after):
            yield f"the order of {path or 'its keys'}", [*before], [*after]
        for key in (*before, *(key for key in after if key not in before)):
            inner = f"{path}.{key}" if path else str(key)
            yield from _partings(before.get(key, _NOTHING), after.get(key, _NOTHING), inner)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        for number, (one, other) in enumerate(zip_longest(before, after, fillvalue=_NOTHING)):
            yield from _partings(one, other, f"{path}[{number}]")
    elif before != after or type(before) is not type(after):
        yield path, before, after


def _excerpt(value: Any, other: Any) -> str:
    """A value as text; of a long one, the part around the first difference from `other`."""
    if value is _NOTHING:
        return "not there"
    text, against = (str(one) if isinstance(one, str) else json.dumps(one, ensure_ascii=False, default=str)
                     for one in (value, other))  # fmt: skip
    if len(text) <= _SHOWN:
        return f'"{text}"' if isinstance(value, str) else text
    at = next(
        (n for n, (a, b) in enumerate(zip(text, against, strict=False)) if a != b),
        min(len(text), len(against)),
    )
    start = max(0, at - _SHOWN // 3)
    return f"“…{text[start : start + _SHOWN]}…”"


def _list(files: tuple[str, ...]) -> str:
    return ", ".join(files) or "none"
