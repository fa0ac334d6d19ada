"""Tasks for the code cells of articles: what they are, what they came to, at which lines they failed."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import msgspec
from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.code_cells import compare_cells
from diglot.content.html_policy import cleaned
from diglot.content.mistakes import Mistakes
from diglot.content.records import CodeCell
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.digests import digest_of
from diglot.figure_request import CELLS, FigureRequest
from diglot.figures.records import (
    DIGEST_LENGTH,
    CellCode,
    CellPiece,
    CellRuns,
    ComputedFigure,
    Script,
)
from diglot.figures.scripts.failures import FigureFailed
from diglot.invariants import certain
from diglot.languages import LANGUAGES
from diglot.project import HtmlPolicy
from diglot.render.stored_outputs import stored_runs
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_references
from diglot.rules.ids import HalfId
from diglot.rules.observing import observed_report
from diglot.rules.projects import read_html_policy
from diglot.rules.reading import read_content
from diglot.rules.sources import find_article_of, find_post
from diglot.rules.tasks import Fetch, task


class CellScript(msgspec.Struct, frozen=True, kw_only=True):
    """The code cells of an article as one script, whose lines do not depend on the text around them."""

    script: Script | None
    """None for an article without cells."""


class CellOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What running them came to. Lines in diagnostics count from the first cell's first line."""

    runs: CellRuns | None
    """None if they failed."""
    diagnostics: tuple[Diagnostic, ...]


@task("cells")
async def find_cells(fetch: Fetch, article: str) -> CellScript:
    """The code cells of an article, which both halves share. Raises DiagnosticError where they differ."""
    post = await fetch(find_post, article)
    halves = [(post.path(one), await _cells_of(fetch, HalfId(article, one))) for one in post.languages]
    (path, cells), *twins = halves
    for twin, others in twins:
        if (difference := compare_cells(path, cells, twin, others)) is not None:
            raise DiagnosticError(difference)
    if not cells:
        return CellScript(script=None)
    return CellScript(
        script=Script(
            figure_id=CELLS,
            path=path,
            source="".join(cell.source for cell in cells),
            cells=tuple(
                CellCode(source=one.source, alt=one.alt, may_fail=one.may_fail, is_hidden=one.is_hidden)
                for one in cells
            ),
        )
    )


async def _cells_of(fetch: Fetch, half: HalfId) -> Sequence[CodeCell]:
    return (await fetch(cut_references, half)).cells


async def find_cell_script(fetch: Fetch, path: str) -> Script | None:
    """The code cells of the article that has a half in this file; None if it has no cells."""
    name = await fetch(find_article_of, path)
    return (await fetch(find_cells, HalfId.parse(name).article)).script if ":" in name else None


@task("cell-run")
async def run_cells(fetch: Fetch, article: str) -> CellOutcome:
    """What the cells came to: not run again where only the text around them changes."""
    script = certain((await fetch(find_cells, article)).script, "it has cells")
    workers = fetch.context.workers
    try:
        report = await observed_report(
            fetch, (script,), script, lambda: workers().compute(script, FigureRequest(CELLS))
        )
    except FigureFailed as failure:
        if failure.retry:  # a failure that is kept would not be tried again
            placed = await _placed(fetch, article, failure.diagnostics)
            raise FigureFailed(placed, failure.observed, retry=True, wrote=failure.wrote) from failure
        return CellOutcome(runs=None, diagnostics=failure.diagnostics)
    runs = msgpack.decode(report.result, type=CellRuns)
    rows = tuple(sorted({one.name for one in report.observed if one.kind == "row"}))
    return CellOutcome(runs=replace(runs, rows=rows), diagnostics=report.warnings)


@task("cell-outputs")
async def read_outputs(fetch: Fetch, article: str) -> CellRuns:
    """What the cells show, with HTML as the site allows it. Reports mistakes at lines of the article."""
    script = certain((await fetch(find_cells, article)).script, "it has cells")
    half = HalfId.parse(await fetch(find_article_of, script.path))
    if (await fetch(read_front_matter, half)).execute:
        outcome = await fetch(run_cells, article)
        placed = await _placed(fetch, article, outcome.diagnostics) if outcome.diagnostics else ()
        if outcome.runs is None:
            raise DiagnosticError(*placed)
        fetch.report(*placed)
        runs = outcome.runs
    else:
        runs = stored_runs(await read_content(fetch, script.path), script)
    pieces = [piece for run in runs.runs for shown in run.shown for piece in shown]
    if not any(piece.kind == "html" for piece in pieces):
        return runs
    policy = await fetch(read_html_policy)
    if policy == "all":
        return runs
    mistakes = Mistakes(script.path, ())
    lines = [cell.line for cell in await _cells_of(fetch, half)]
    allowed = tuple(
        replace(
            run,
            shown=tuple(
                tuple(_allowed(piece, policy, line, mistakes) for piece in shown)
                for line, shown in zip(lines, run.shown, strict=True)
            ),
        )
        for run in runs.runs
    )
    fetch.report(*dict.fromkeys(mistakes.warnings))
    return replace(runs, runs=allowed)


def _allowed(piece: CellPiece, policy: HtmlPolicy, line: int, mistakes: Mistakes) -> CellPiece:
    """HTML as far as the site lets articles have it, else the text that stands for it."""
    if piece.kind != "html":
        return piece
    if policy == "safe":
        return replace(piece, html=cleaned(piece.html, line, mistakes))
    message = f"HTML of this code cell is shown as text, because the site says `html: {policy}`"
    mistakes.warn("html-unsafe", message, line, "show a table, or set `html: all` if you trust all authors.")
    return CellPiece(kind="text", text=piece.text)


async def computed_by_cells(fetch: Fetch, path: str) -> ComputedFigure:
    """What the cells came to for the half in this file, as the data of a figure."""
    half = HalfId.parse(await fetch(find_article_of, path))
    outputs = await fetch(read_outputs, half.article)
    run = outputs.runs[LANGUAGES.index(half.language) if len(outputs.runs) > 1 else 0]
    return ComputedFigure(
        data=run.data,
        digest=digest_of(run.data)[:DIGEST_LENGTH],
        parameters=(),
        drawable=False,
        sizes=(),
        provenance=outputs.provenance,
        rows=outputs.rows,
        shown=run.shown,
    )


async def _placed(fetch: Fetch, article: str, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics of a run at the lines of the article."""
    script = certain((await fetch(find_cells, article)).script, "it has cells")
    name = HalfId.parse(await fetch(find_article_of, script.path))
    places = _Places(script.path, await _cells_of(fetch, name))
    return tuple(map(places.placed, found))


class _Places:
    """The lines of an article that the lines of its code are."""

    def __init__(self, path: str, cells: Sequence[CodeCell]) -> None:
        self._path, self._cells = path, cells
        self._starts = [0, *accumulate(cell.source.count("\n") for cell in cells)]

    def placed(self, found: Diagnostic) -> Diagnostic:
        """A diagnostic of a worker in the words of an article, at its line."""
        place = found.location
        if place is not None and place.path == self._path:
            line, source = self._line(place.line) if place.line else (self._cells[0].line, None)
            place, found = replace(place, line=line), replace(found, source_line=source)
        if found.rule.startswith("figure-"):
            is_error = found.severity == "error"
            found = replace(found, rule="cell-failed") if is_error else replace(found, rule="cell-warning")
        return replace(
            found,
            message=found.message.removeprefix(f'figure "{CELLS}": ').replace("the script", "a code cell"),
            location=place,
            detail="\n".join(map(self._way, found.detail.split("\n"))) if found.detail else None,
        )

    def _line(self, line: int) -> tuple[int, str]:
        """The number of a line of code in the article, and what is written there."""
        number = min(bisect_right(self._starts, line - 1), len(self._cells)) - 1
        cell, below = self._cells[number], line - 1 - self._starts[number]
        return cell.line + below, cell.source.split("\n")[below]

    def _way(self, step: str) -> str:
        """A line of a traceback: `content/posts/a/zh.md:3 in area`."""
        number, space, rest = step.removeprefix(f"{self._path}:").partition(" ")
        if step == f"{self._path}:{number}{space}{rest}" and number.isdecimal():
            return f"{self._path}:{self._line(int(number))[0]} {rest}"
        return step
