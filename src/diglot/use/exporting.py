"""Exports figures as files for slides: the build computes the data, its figure workers draw."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.exploration import Explored
from diglot.figure_request import FigureRequest
from diglot.figures.films import FILMS, ExportFormat, check_programs, make_film
from diglot.figures.frames.plan import PlanError, plan_frames
from diglot.figures.jobs import FORMATS, PNG_DPI, Format, Sheet
from diglot.figures.palette import Theme
from diglot.figures.picture_key import PictureKey
from diglot.figures.records import ComputedFigure, Script
from diglot.figures.sheet_options import key_of, with_resolution
from diglot.languages import NO_TEXT, Bilingual, Language
from diglot.output_paths import PathFault, check_path
from diglot.rules.building import Site
from diglot.rules.figures import compute_figure, find_scripts
from diglot.rules.projects import read_project
from diglot.slides.kept import KeptPicture, keep_data, keep_pictures, kept_picture, write_file


class Sheets(msgspec.Struct, frozen=True, kw_only=True):
    """Which files to export for each figure."""

    languages: tuple[Language, ...]
    themes: tuple[Theme, ...]
    formats: tuple[ExportFormat, ...]
    size: str
    dpi: int = PNG_DPI
    text: float = 1.0
    background: str = ""
    titled: bool = False
    credited: bool = False
    """Whether a line with the site's name and address is below the drawing."""
    plays: str = ""
    """A parameter whose values make the pictures of a film; empty for a single picture."""
    frames_per_s: float = 4.0


class KnownFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure script with its parameters and numbers."""

    script: Script
    computed: ComputedFigure | None
    """None if the script fails."""


def list_figures(site: Site) -> tuple[tuple[KnownFigure, ...], tuple[Diagnostic, ...]]:
    """All figures of a project, computed with their default parameters, and all diagnostics."""
    scripts = _all_scripts(site)
    found, diagnostics = site.values_that_are(compute_figure, map(FigureRequest.of, scripts))
    return tuple(
        KnownFigure(script=script, computed=computed)
        for script, computed in zip(scripts.values(), found, strict=True)
    ), diagnostics


class ExportedFile(NamedTuple):
    """A file that was written, and what was noticed when it was drawn."""

    path: Path
    warnings: tuple[Diagnostic, ...]


class _Shot(NamedTuple):
    """One state of a figure, of which pictures are made."""

    request: FigureRequest
    computed: ComputedFigure
    number: int | None
    """Its place in a film, from 1; None for a single picture."""


def export_figures(
    site: Site,
    requests: Sequence[FigureRequest],
    sheets: Sheets,
    *,
    folder: Path,
) -> Iterator[ExportedFile]:
    """Write the files and yield each with its warnings. Without requests, exports all drawable figures.

    The folder also gets `manifest.json` and the figures' data, by which decks can be checked later.

    Raises DiagnosticError if a requested figure or parameter is unknown or draws nothing, if a script fails,
    or if a program that makes films is missing.
    """
    check_programs(sheets.formats)
    scripts = _all_scripts(site)
    if unknown := [request for request in requests if request.figure_id not in scripts]:
        raise DiagnosticError(*(_unknown(request, scripts) for request in unknown))
    wanted = requests or [FigureRequest.of(figure_id) for figure_id in scripts]
    known = _computed(site, wanted)
    drawable = [(request, computed) for request, computed in known if computed.drawable]
    if requests and len(drawable) < len(known):
        raise DiagnosticError(*(_draws_nothing(one) for one, c in known if (one, c) not in drawable))
    shots = [_Shot(request, computed, None) for request, computed in drawable]
    if sheets.plays:
        shots = _film(site, drawable, sheets)
    _check_names(
        file_name(shot.request, *variant, shot.number)
        for shot in shots
        for variant in product(sheets.languages, sheets.themes, sheets.formats)
    )
    folder.mkdir(parents=True, exist_ok=True)
    credit = credit_line(site) if sheets.credited else NO_TEXT
    written: list[KeptPicture] = []
    try:
        for drawn in _drawn(site, scripts, shots, sheets, credit):
            path = folder / drawn.name
            write_file(path, drawn.content)
            keep_data(folder, drawn.shot.computed.digest, drawn.shot.computed.data)
            if drawn.key is not None:
                written.append(kept_picture(path, drawn.key, drawn.content))
            yield ExportedFile(path, drawn.warnings)
    finally:  # also of an export that ends early
        keep_pictures(folder, written)


class _Drawn(NamedTuple):
    """A file to be written."""

    name: str
    content: bytes
    shot: _Shot
    key: PictureKey | None
    """None for a film."""
    warnings: tuple[Diagnostic, ...] = ()


def _drawn(
    site: Site, scripts: Mapping[str, Script], shots: Sequence[_Shot], sheets: Sheets, credit: Bilingual
) -> Iterator[_Drawn]:
    """All files, in the order of the shots."""
    pictures = tuple(one for one in FORMATS if one in sheets.formats)
    films = tuple(one for one in FILMS if one in sheets.formats)
    for_films: tuple[Format, ...] = ("png",) if films and "png" not in pictures else ()
    asked = (*pictures, *for_films)
    calls = []
    for shot, theme in product(shots, sheets.themes):
        sheet = Sheet(
            theme=theme,
            formats=asked,
            size=sheets.size,
            dpi=sheets.dpi,
            text=sheets.text,
            background=sheets.background or ("page" if films else ""),
            titled=sheets.titled,
            credit=credit,
        )
        script = scripts[shot.request.figure_id]
        call = site.workers.figures().export(script, shot.request, shot.computed, sheets.languages, sheet)
        calls.append((shot, sheet, call))
    reels: dict[tuple[str, Language, Theme], list[tuple[_Shot, bytes]]] = {}
    for shot, sheet, call in calls:
        exported = call.result()
        warnings = exported.warnings
        for language in sheets.languages:
            files = dict(zip(asked, exported.files(language), strict=True))
            for file_format in pictures:
                name = file_name(shot.request, language, sheet.theme, file_format, shot.number)
                key = key_of(shot.request, shot.computed.digest, language, sheet)
                key = with_resolution(key, sheet.dpi) if file_format == "png" else key
                yield _Drawn(name, files[file_format], shot, key, warnings)
                warnings = ()
            if films:
                reel = reels.setdefault((shot.request.figure_id, language, sheet.theme), [])
                reel.append((shot, files["png"]))
    for (_, language, theme), reel in reels.items():
        first = reel[0][0]
        for film in films:
            name = file_name(film_of(first.request, sheets.plays), language, theme, film)
            content = make_film([png for _, png in reel], film, sheets.frames_per_s)
            yield _Drawn(name, content, first, None)


def film_of(request: FigureRequest, plays: str) -> FigureRequest:
    """The figure of a film: without the parameter that it plays."""
    return FigureRequest.of(request.figure_id, tuple(one for one in request.parameters if one[0] != plays))


def _film(
    site: Site, drawable: Sequence[tuple[FigureRequest, ComputedFigure]], sheets: Sheets
) -> list[_Shot]:
    """Every state of the parameter that is played."""
    requests: list[tuple[FigureRequest, int]] = []
    for request, computed in drawable:
        try:
            plan = plan_frames(request, [Explored(name=sheets.plays)], computed.domains, computed.parameters)
        except PlanError as error:
            raise DiagnosticError(
                Diagnostic(rule=error.rule, message=error.message, fix=error.fix)
            ) from error
        requests += [(one, number) for number, one in enumerate(plan.requests(), 1)]
    known = _computed(site, [one for one, _ in requests])
    return [
        _Shot(request, computed, number)
        for (request, computed), (_, number) in zip(known, requests, strict=True)
    ]


def _computed(site: Site, wanted: Sequence[FigureRequest]) -> list[tuple[FigureRequest, ComputedFigure]]:
    """The numbers of figures. Raises DiagnosticError if a script fails or refuses its parameters."""
    known = site.values(compute_figure, wanted)
    if refusals := [one for computed in known for one in computed.refusals]:
        raise DiagnosticError(*refusals)
    return list(zip(wanted, known, strict=True))


def credit_line(site: Site) -> Bilingual:
    """The line below exported drawings: the site's name and address."""
    project = site.value(read_project, None)
    address = project.base_url.split("://", 1)[-1].rstrip("/")
    return Bilingual(f"来源：{project.title.zh}，{address}", f"Source: {project.title.en}, {address}")


def _all_scripts(site: Site) -> dict[str, Script]:
    (found,), diagnostics = site.values_that_are(find_scripts, [None])
    if mistakes := [one for one in diagnostics if one.rule in ("figure-name", "figure-clash")]:
        raise DiagnosticError(*mistakes)
    if found is None:
        raise DiagnosticError(*diagnostics)
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


def file_name(
    request: FigureRequest,
    language: Language,
    theme: Theme,
    file_format: ExportFormat,
    number: int | None = None,
) -> str:
    """The name of an exported file: `roofline-dtype-fp8.zh.dark.svg`; of a film's picture with its number."""
    place = "" if number is None else f".{number:03}"
    return f"{request.file_stem}.{language}.{theme}{place}.{file_format}"


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
