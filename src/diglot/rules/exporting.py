"""Exports figures as files for slides: the build computes the data, its figure workers draw."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import product
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Progress
from diglot.figure_request import FigureRequest
from diglot.figures.jobs import Format
from diglot.figures.palette import Theme
from diglot.figures.records import ComputedFigure, Script, WorkerReport
from diglot.languages import Language
from diglot.output_paths import PathFault, check_path
from diglot.rules.building import Site
from diglot.rules.figures import Scripts, compute_figure, find_scripts


class Sheets(msgspec.Struct, frozen=True, kw_only=True):
    """Which files to export for each figure."""

    languages: tuple[Language, ...]
    themes: tuple[Theme, ...]
    formats: tuple[Format, ...]
    size: str
    dpi: int


class KnownFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure script with its parameters and numbers."""

    script: Script
    computed: ComputedFigure | None
    """None if the script fails."""


def list_figures(
    site: Site, *, progress: Callable[[Progress], None] | None = None
) -> tuple[tuple[KnownFigure, ...], tuple[Diagnostic, ...]]:
    """All figures of a project, computed with their default parameters, and all diagnostics."""
    scripts = _all_scripts(site)
    report, values = site.bring_up(
        [compute_figure.key(FigureRequest.of(one)) for one in scripts], progress=progress
    )
    return tuple(
        KnownFigure(script=script, computed=_decoded(value))
        for script, value in zip(scripts.values(), values, strict=True)
    ), report.diagnostics


def export_figures(
    site: Site,
    requests: Sequence[FigureRequest],
    sheets: Sheets,
    *,
    folder: Path,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[Path, tuple[Diagnostic, ...]]]:
    """Write the files and yield each path with its warnings. Without requests, exports all drawable figures.

    Raises DiagnosticError if a requested figure is unknown or draws nothing, or if a script fails.
    """
    scripts = _all_scripts(site)
    if unknown := [request for request in requests if request.figure_id not in scripts]:
        raise DiagnosticError(*(_unknown(request, scripts) for request in unknown))
    wanted = requests or [FigureRequest.of(figure_id) for figure_id in scripts]
    report, values = site.bring_up([compute_figure.key(request) for request in wanted], progress=progress)
    known = [(request, _decoded(value)) for request, value in zip(wanted, values, strict=True)]
    if any(computed is None for _, computed in known):
        raise DiagnosticError(*(one for one in report.diagnostics if one.severity == "error"))
    if refusals := [one for _, computed in known if computed for one in computed.refusals]:
        raise DiagnosticError(*refusals)
    drawable = [(request, computed) for request, computed in known if computed and computed.drawable]
    if requests and len(drawable) < len(known):
        raise DiagnosticError(*(_draws_nothing(one) for one, c in known if (one, c) not in drawable))
    _check_names(
        file_name(request, *variant)
        for request, _ in drawable
        for variant in product(sheets.languages, sheets.themes, sheets.formats)
    )
    folder.mkdir(parents=True, exist_ok=True)
    drawing: list[tuple[FigureRequest, Theme, Future[WorkerReport]]] = []
    for (request, computed), theme in product(drawable, sheets.themes):
        future = site.workers.figures().export(
            scripts[request.figure_id],
            request,
            computed,
            sheets.languages,
            theme=theme,
            formats=sheets.formats,
            size=sheets.size,
            dpi=sheets.dpi,
        )
        drawing.append((request, theme, future))
    for request, theme, future in drawing:
        exported = future.result()
        warnings = exported.warnings
        for language in sheets.languages:
            for file_format, content in zip(sheets.formats, exported.files(language), strict=True):
                path = folder / file_name(request, language, theme, file_format)
                _write(path, content)
                yield path, warnings
                warnings = ()


def _write(path: Path, content: bytes) -> None:
    """Write a file. An interrupted export leaves no partial one."""
    beside = path.with_name(
        f".diglot-{os.getpid()}.tmp"
    )  # short, as `path` may have the longest name allowed
    beside.write_bytes(content)
    beside.replace(path)


def _all_scripts(site: Site) -> dict[str, Script]:
    report, (encoded,) = site.bring_up([find_scripts.key(None)])
    if encoded is None:
        raise DiagnosticError(*report.diagnostics)
    if mistakes := [one for one in report.diagnostics if one.rule in ("figure-name", "figure-clash")]:
        raise DiagnosticError(*mistakes)
    found = msgspec.msgpack.decode(encoded, type=Scripts)
    return {script.figure_id: script for script in found.scripts}


def _unknown(request: FigureRequest, scripts: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        rule="figure-unknown",
        message=f'there is no figure named "{request.figure_id}"',
        fix=did_you_mean(request.figure_id, scripts),
    )


def _draws_nothing(request: FigureRequest) -> Diagnostic:
    return Diagnostic(
        rule="figure-missing",
        message=f'"{request}" computes numbers but draws nothing',
        fix="`diglot figures list` shows which figures have a drawing.",
    )


def file_name(request: FigureRequest, language: Language, theme: Theme, file_format: Format) -> str:
    """The name of an exported file: `roofline-dtype-fp8.zh.dark.svg`."""
    return f"{request.file_stem}.{language}.{theme}.{file_format}"


def _check_names(names: Iterable[str]) -> None:
    """Raise DiagnosticError for invalid file names, before anything is drawn."""
    mistakes = []
    for name in names:
        try:
            check_path(name)
        except PathFault as fault:
            fix = "export it with fewer parameters, or give its script a shorter name."
            mistakes.append(Diagnostic(rule="path-name", message=f'"{name[:60]}…" {fault}', fix=fix))
    if mistakes:
        raise DiagnosticError(*mistakes)


def _decoded(value: bytes | None) -> ComputedFigure | None:
    return None if value is None else msgspec.msgpack.decode(value, type=ComputedFigure)
