"""Figures as files for slides: the data comes from the build, the drawing from the same workers."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Key, Progress
from diglot.figure_request import FigureRequest
from diglot.figures.jobs import Format
from diglot.figures.palette import Theme
from diglot.figures.records import ComputedFigure, Script, WorkerReport
from diglot.languages import Language
from diglot.rules.building import Site
from diglot.rules.figures import Scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """Which files are wanted of each figure."""

    languages: tuple[Language, ...]
    themes: tuple[Theme, ...]
    formats: tuple[Format, ...]
    size: str
    dpi: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFigure:
    """A figure script with what its `compute` takes and gives."""

    script: Script
    computed: ComputedFigure | None
    """None where it fails."""


def list_figures(
    site: Site, *, progress: Callable[[Progress], None] | None = None
) -> tuple[tuple[KnownFigure, ...], tuple[Diagnostic, ...]]:
    """All figures of a project, computed with their defaults, and what is wrong with them."""
    report, (encoded,) = site.bring_up([Key("scripts")], progress=progress)
    if encoded is None:
        raise DiagnosticError(*report.diagnostics)
    scripts = msgspec.msgpack.decode(encoded, type=Scripts).scripts
    report, values = site.bring_up([Key("data", script.figure_id) for script in scripts], progress=progress)
    return tuple(
        KnownFigure(script=script, computed=_decoded(value))
        for script, value in zip(scripts, values, strict=True)
    ), report.diagnostics


def export_figures(
    site: Site, requests: Sequence[FigureRequest], sheets: Sheets, *, folder: Path
) -> Iterator[tuple[Path, tuple[Diagnostic, ...]]]:
    """Write the files one after another, each with its warnings; without requests, all figures that draw.

    Raises DiagnosticError for unknown figures, and for scripts that fail, before it writes anything of them.
    """
    figures, _ = list_figures(site)
    scripts = {figure.script.figure_id: figure.script for figure in figures}
    if not requests:
        requests = [
            FigureRequest.of(one.script.figure_id)
            for one in figures
            if one.computed and one.computed.drawable
        ]
    unknown = [request for request in requests if request.figure_id not in scripts]
    if unknown:
        raise DiagnosticError(
            *(
                Diagnostic(
                    rule="figure-unknown",
                    message=f'no figure named "{request.figure_id}"',
                    fix=did_you_mean(request.figure_id, scripts),
                )
                for request in unknown
            )
        )
    report, values = site.bring_up([Key("data", str(request)) for request in requests])
    computed = [_decoded(value) for value in values]
    if any(one is None for one in computed):
        raise DiagnosticError(*(one for one in report.diagnostics if one.severity == "error"))
    drawing: list[tuple[Path, Future[WorkerReport]]] = []
    for (request, data), language, theme, file_format in product(
        zip(requests, computed, strict=True), sheets.languages, sheets.themes, sheets.formats
    ):
        assert data is not None
        future = site.workers().export(
            scripts[request.figure_id],
            request,
            data,
            language,
            theme=theme,
            format=file_format,
            size=sheets.size,
            dpi=sheets.dpi,
        )
        drawing.append((folder / file_name(request, language, theme, file_format), future))
    folder.mkdir(parents=True, exist_ok=True)
    for path, future in drawing:
        result = future.result()
        path.write_bytes(result.result)
        yield path, result.warnings


def file_name(request: FigureRequest, language: Language, theme: Theme, file_format: Format) -> str:
    """`roofline-fp8.zh.dark.svg`: figure, parameters, language, theme."""
    return f"{request.file_stem}.{language}.{theme}.{file_format}"


def _decoded(value: bytes | None) -> ComputedFigure | None:
    return None if value is None else msgspec.msgpack.decode(value, type=ComputedFigure)
