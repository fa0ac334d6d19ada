"""Runs one call of a script in a forked worker."""

import importlib
import inspect
import linecache
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.drawing.drawings import Drawings
from diglot.figures.drawing.figure_drawing import warnings_of, warnings_of_cells
from diglot.figures.drawing.glyphs import reports
from diglot.figures.execution.hidden_reads import hidden_reads
from diglot.figures.execution.ready_modules import ReadyModules
from diglot.figures.jobs import Answer, Job
from diglot.figures.observation import chance
from diglot.figures.observation.native_code import NativeCode
from diglot.figures.observation.observer import Observer
from diglot.figures.records import DIGEST_LENGTH, CellRuns, ComputedFigure, FormTable, Observed
from diglot.figures.scripts.contract import FigureScript, read_contract
from diglot.figures.scripts.datasets import read_rows
from diglot.figures.scripts.environment import replace_environment
from diglot.figures.scripts.failures import FigureFailed, ScriptFailures, line_with
from diglot.figures.scripts.input_requests import InputRequest, InputRequested, Points
from diglot.figures.scripts.loading import load_script, watch_imports
from diglot.figures.scripts.parameters import chosen_values, domain_of, text_of
from diglot.figures.scripts.plain_data import NotPlainData, canonical_json
from diglot.figures.scripts.sweeping import call_at, closed_door, door_of, find_function, set_door
from diglot.invariants import certain
from diglot.languages import Bilingual

_MOST_SHOWN = 4


def answer(
    job: Job,
    root: Path,
    cache: Path,
    *,
    at_point: Callable[[int], None] = lambda _: None,
    ask_to_watch: Callable[[int, int], None] | None = None,
) -> Answer:
    """Run one job. Changes this process permanently: its imports, audit hooks and random state.

    `at_point` receives the index of each point of a sweep before it is computed. `ask_to_watch` has native
    code watched: see `NativeCode`.
    """
    # The article around a fence is read only for messages, because the job contains the fence's code.
    article = root / job.script.path if job.script.source is not None else None
    observer = Observer(
        root, cache, ignored=article, rows_count=not job.dataset, native=NativeCode(ask_to_watch)
    )
    warnings: list[Diagnostic] = []
    points: list[bytes] = []
    result = b""
    failure: tuple[Diagnostic, ...] = ()
    input_request: InputRequest | None = None
    try:
        if job.points is not None:
            _prepare(job, root, observer)
            _compute_points(job, job.points, root, warnings, points, at_point)
        else:
            result = _do(job, root, observer, warnings)
    except InputRequested as wanted:
        input_request = wanted.input_request
    except DiagnosticError as error:
        failure = error.diagnostics
    observer.stop()
    wrote = observer.written()
    hidden = [] if failure or input_request else hidden_reads(job, observer.hidden.undeclared(), root)
    failure += tuple(one for one in hidden if one.severity == "error")
    warnings += [one for one in hidden if one.severity != "error"]
    return Answer(
        result=result,
        failed=bool(failure),
        diagnostics=(*failure, *warnings, *_writing(job, wrote)),
        observed=_dependencies(job, root, observer),
        wrote=wrote,
        points=tuple(points),
        input_request=input_request,
    )


def _writing(job: Job, wrote: tuple[str, ...]) -> Iterator[Diagnostic]:
    """A warning if the script wrote files that builds may read."""
    shown = ", ".join(f'"{path}"' for path in wrote[:_MOST_SHOWN])
    more = f" and {len(wrote) - _MOST_SHOWN} more" if len(wrote) > _MOST_SHOWN else ""
    if wrote:
        yield Diagnostic(
            rule="figure-writes",
            message=f'figure "{job.figure_id}": the script writes {shown}{more}',
            severity="warning",
            location=Location(path=job.script.path),
            fix="return data from `compute` instead, and use `tempfile` for temporary files: writing "
            "files that builds read changes the next build.",
        )


def _prepare(job: Job, root: Path, observer: Observer) -> None:
    chance.begin()
    sys.dont_write_bytecode = True
    watch_imports(job.script, root, observer)
    sys.meta_path.insert(0, ReadyModules(observer))
    if job.variables is not None:
        replace_environment(dict(job.variables))
    set_door(closed_door)
    observer.listen()


def _do(job: Job, root: Path, observer: Observer, warnings: list[Diagnostic]) -> bytes:
    _prepare(job, root, observer)
    if job.dataset:
        return _rows(job, root)
    if job.extension is not None:
        from diglot.figures.scripts.extension_calls import answer_call  # noqa: PLC0415  (few sites have any)

        return answer_call(job.extension, _load(job, root), job.script, root)
    if job.script.cells:
        return _cells(job, root, observer, warnings)
    with reports() as heard:
        script = read_contract(_load(job, root), job.script)
    warnings += warnings_of(heard, job)
    if job.data is not None:
        observer.hidden.forget()  # what it loads before it draws was judged when it computed
    else:
        warnings += script.warnings
        try:
            computed = _computed(job, script, root, observer, warnings)
        except DiagnosticError as error:
            raise DiagnosticError(*script.not_drawable, *error.diagnostics) from error
        if script.not_drawable:
            raise DiagnosticError(*script.not_drawable)
        return msgspec.msgpack.encode(computed)
    drawings = Drawings(job, script, root)
    try:
        made = drawings.files(job.sheet) if job.sheet is not None else drawings.figures()
        return msgspec.msgpack.encode(made)
    finally:
        warnings += drawings.warnings


def _rows(job: Job, root: Path) -> bytes:
    """The stored value of each row of a dataset, as JSON."""
    with ScriptFailures(job.script, root):
        return msgspec.json.encode(read_rows(job.dataset))


def _cells(job: Job, root: Path, observer: Observer, warnings: list[Diagnostic]) -> bytes:
    """What the code cells of an article came to."""
    from diglot.figures.cells.running import run_cells  # noqa: PLC0415  (only articles with cells need it)

    with reports() as heard:
        try:
            runs = run_cells(job.script, root, observer.data_files)
        finally:
            warnings += warnings_of_cells(heard, job)
    return msgspec.msgpack.encode(CellRuns(runs=runs, provenance=observer.data_files()))


def _load(job: Job, root: Path) -> ModuleType:
    with ScriptFailures(job.script, root):
        try:
            return load_script(job.script, root)
        except FileNotFoundError as error:
            if error.filename != str(root / job.script.path):
                raise
            missing = Diagnostic(
                rule="figure-missing",
                message=f'the script of the figure "{job.figure_id}" does not exist',
                location=Location(path=job.script.path),
            )
            raise FigureFailed([missing]) from error


def _compute_points(  # noqa: PLR0917  (the context of a call, and two lists that it fills)
    job: Job,
    points: Points,
    root: Path,
    warnings: list[Diagnostic],
    results: list[bytes],
    at_point: Callable[[int], None],
) -> None:
    """Append results of points, at least one, until the time for this call is over."""
    begun = time.monotonic()
    with reports() as heard:
        function = _function_of(job, points, root)
        loaded_s = time.monotonic() - begun
        enough_s = min(max(job.patience_s, 8 * loaded_s), job.most_s)
        for number, arguments in enumerate(points.arguments):
            if number and time.monotonic() - begun > enough_s:
                break
            at_point(number)
            chance.begin()
            with ScriptFailures(job.script, root):
                results.append(call_at(function, arguments))
    warnings += warnings_of(heard, job)


def _function_of(job: Job, points: Points, root: Path) -> Callable[..., Any]:
    if not points.module:
        return find_function(_load(job, root), points.function)
    with ScriptFailures(job.script, root):
        return find_function(importlib.import_module(points.module), points.function)


def _dependencies(job: Job, root: Path, observer: Observer) -> tuple[Observed, ...]:
    """The observed dependencies. For points without the script, because their code slice stands for it."""
    observed = observer.observed()
    if job.points is None or not job.points.code:
        return observed
    path = job.script.path
    own = f"figure_{job.script.figure_id}"
    if any(getattr(m, "__file__", None) == path for name, m in list(sys.modules.items()) if name != own):
        return observed  # another module imports the script, so all of it counts
    return tuple(one for one in observed if (one.kind, one.name) != ("file", job.script.path))


def _computed(
    job: Job, script: FigureScript, root: Path, observer: Observer, warnings: list[Diagnostic]
) -> ComputedFigure:
    values = chosen_values(FigureRequest(job.figure_id, job.parameters), script.parameters)
    source = job.script.source
    own = source if source is not None else (root / job.script.path).read_bytes()
    set_door(door_of(dict(job.swept), f"figure_{job.script.figure_id}", own))
    with reports() as heard, ScriptFailures(job.script, root, files=observer.data_files):
        returned = script.compute(**values)
    warnings += warnings_of(heard, job)
    data = _plain(returned, script, job, root)
    return ComputedFigure(
        data=data,
        digest=digest_of(data)[:DIGEST_LENGTH],
        parameters=tuple((name, text_of(value)) for name, value in values.items()),
        drawable=script.draw is not None,
        sizes=script.sizes if script.draw is not None else (),
        message=_message(script, data, job, root),
        form=_form(script, values, job, root) if script.answer is not None else None,
        provenance=observer.data_files(),
        variables=observer.variables(),
        domains=tuple(domain_of(parameter, script.labels) for parameter in script.parameters),
    )


def _form(script: FigureScript, values: Mapping[str, Any], job: Job, root: Path) -> FormTable:
    from diglot.figures.scripts.form_tables import FormMistake, make_form  # noqa: PLC0415  (only forms need it)

    form, answer = certain(script.form, "asked for a form"), certain(script.answer, "it has its function")
    takes = inspect.signature(answer).parameters
    given = {name: value for name, value in values.items() if name in takes}
    with ScriptFailures(job.script, root):
        try:
            return make_form(form, answer, given)
        except FormMistake as mistake:
            line, source = line_with(mistake.at, job.script, root)
            wrong = Diagnostic(
                rule="figure-form",
                message=f'figure "{job.figure_id}": {mistake.message}',
                location=Location(path=job.script.path, line=line),
                source_line=source,
                fix=mistake.fix,
            )
            raise FigureFailed([wrong]) from mistake


def _message(script: FigureScript, data: bytes, job: Job, root: Path) -> Bilingual:
    if not script.message:
        return Bilingual("", "")
    from diglot.figures.scripts.messages import message_with  # noqa: PLC0415  (loads Jinja2)

    return message_with(script.message, data, job.script, root)


def _plain(returned: Any, script: FigureScript, job: Job, root: Path) -> bytes:
    try:
        data = canonical_json(returned)
    except NotPlainData as error:
        begin = script.compute.__code__.co_firstlineno
        raise FigureFailed(
            _not_plain(problem, begin, job, root, is_missing=returned is None)
            for problem in (error, *error.others)
        ) from error
    return data


def _not_plain(problem: NotPlainData, begin: int, job: Job, root: Path, *, is_missing: bool) -> Diagnostic:
    """At the line of `compute` that names the key of the value; else where `compute` begins."""
    written = (f"{quote}{problem.key}{quote}" for quote in "\"'" if problem.key is not None)
    lines = ((key, *line_with(key, job.script, root, within=("def compute",))) for key in written)
    key, line, source = next((found for found in lines if found[1] is not None), ("", None, None))
    return Diagnostic(
        rule="figure-data",
        message=f'figure "{job.figure_id}": `compute` returned '
        + ("nothing" if is_missing else f"something that cannot be stored: {problem.what}"),
        location=Location(
            path=job.script.path, line=line or begin, column=source.index(key) + 1 if source else None
        ),
        source_line=source or linecache.getline(job.script.path, begin).rstrip("\n") or None,
        fix="is a `return` missing?"
        if is_missing
        else problem.fix or "return mappings, lists, numbers and text, and None for missing numbers.",
    )
