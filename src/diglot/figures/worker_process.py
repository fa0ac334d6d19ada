"""One call of a script, in a process of its own: everything here runs after the fork and before the exit."""

import json
import random
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.contract import FigureScript, read_contract
from diglot.figures.drawing import Drawing, warnings_of
from diglot.figures.failures import FigureFailed, diagnose
from diglot.figures.glyphs import reports
from diglot.figures.jobs import Answer, Job
from diglot.figures.loading import MissedImports, SiblingFinder, import_folders, load_script
from diglot.figures.observation import Observer
from diglot.figures.parameters import chosen_values, text_of
from diglot.figures.plain_data import NotPlainData, canonical_json
from diglot.figures.records import ComputedFigure

DIGEST_LENGTH = 8
"""Hex digits of a data digest as readers see it."""


def answer(job: Job, root: Path, cache: Path) -> Answer:
    """Do one job. Changes this process for good: its imports, its audit hooks, its random state."""
    # The article around a fence is read for messages only: what matters of it came with the job.
    article = root / job.script.path if job.script.source is not None else None
    observer = Observer(root, cache, ignored=article)
    warnings: list[Diagnostic] = []
    try:
        result = _do(job, root, observer, warnings)
    except DiagnosticError as error:
        observer.stop()
        observer.installed_packages()
        return Answer(
            result=b"", failed=True, diagnostics=(*error.diagnostics, *warnings), observed=observer.observed()
        )
    observer.stop()
    observer.installed_packages()
    return Answer(result=result, failed=False, diagnostics=tuple(warnings), observed=observer.observed())


def _do(job: Job, root: Path, observer: Observer, warnings: list[Diagnostic]) -> bytes:
    make_repeatable()
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, SiblingFinder(import_folders(job.script, root), observer.is_file))
    sys.meta_path.append(MissedImports(observer.is_file))
    observer.listen()
    with reports() as heard:
        script = _load(job, root)
    warnings += warnings_of(heard, job, root)
    if job.data is None:
        return msgspec.msgpack.encode(_computed(job, script, root, observer, warnings))
    drawing = Drawing(job, script, root)
    try:
        if job.sheet is not None:
            return drawing.file(job.sheet)
        return msgspec.msgpack.encode(drawing.drawn_figure())
    finally:
        warnings += drawing.warnings


def _load(job: Job, root: Path) -> FigureScript:
    try:
        module = load_script(job.script, root)
    except FileNotFoundError as error:
        if error.filename == str(root / job.script.path):
            missing = Diagnostic(
                rule="figure-missing",
                message=f'the script of the figure "{job.figure_id}" is not there',
                location=Location(path=job.script.path),
            )
            raise FigureFailed([missing]) from error
        raise FigureFailed([diagnose(error, job.script, root)]) from error
    except (Exception, SystemExit) as error:
        raise FigureFailed([diagnose(error, job.script, root)]) from error
    return read_contract(module, job.script)


def _computed(
    job: Job, script: FigureScript, root: Path, observer: Observer, warnings: list[Diagnostic]
) -> ComputedFigure:
    values = chosen_values(FigureRequest(job.figure_id, job.parameters), script.parameters)
    with reports() as heard:
        try:
            returned = script.compute(**values)
        except (Exception, SystemExit) as error:
            raise FigureFailed([diagnose(error, job.script, root)]) from error
    warnings += warnings_of(heard, job, root)
    data = _plain(returned, script, job)
    return ComputedFigure(
        data=data,
        digest=digest_of(data)[:DIGEST_LENGTH],
        parameters=tuple((name, text_of(value)) for name, value in values.items()),
        drawable=script.draw is not None,
        sizes=script.sizes if script.draw is not None else (),
        provenance=observer.data_files(),
    )


def _plain(returned: Any, script: FigureScript, job: Job) -> bytes:
    try:
        data = canonical_json(returned)
    except NotPlainData as error:
        wrong = Diagnostic(
            rule="figure-data",
            message=f'figure "{job.figure_id}": `compute` returned what cannot be stored: {error}',
            location=Location(path=job.script.path, line=script.compute.__code__.co_firstlineno),
            fix="return mappings, lists, numbers and text; None where there is no number.",
        )
        raise FigureFailed([wrong]) from error
    assert json.loads(data) is not None
    return data


def make_repeatable() -> None:
    """Chance that is the same every time: for `random`, and for numpy's generators old and new."""
    random.seed(0)
    np.random.seed(0)
    unseeded = np.random.default_rng

    def default_rng(seed: Any = None) -> np.random.Generator:
        return unseeded(0 if seed is None else seed)

    np.random.default_rng = default_rng
