"""Figures as pages show them: numbers, drawings, files."""

from collections.abc import Iterable

from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure
from diglot.invariants import certain
from diglot.languages import Language
from diglot.project import Project
from diglot.render.materials import FigureMaterial
from diglot.rules.chips import find_read_chips
from diglot.rules.figures import compute_figure, draw_figure, find_script_of
from diglot.rules.ids import DOWNLOAD_FORMATS, DownloadFormat, DrawingId
from diglot.rules.projects import read_site_settings
from diglot.rules.requests import answers_path, download_path
from diglot.rules.tasks import Fetch


def source_urls(project: Project, figures: Iterable[FigureMaterial]) -> dict[str, str]:
    """Addresses of scripts and the data files they read; empty if the configuration has no `source_url`."""
    if project.source_url is None:
        return {}
    found: set[str] = set()
    for figure in figures:
        found |= {figure.script_path, *figure.computed.provenance}
    return {path: project.source_url + path for path in found if not path.startswith(("/", "diglot/"))}


async def gather_figure(
    fetch: Fetch, request: FigureRequest, languages: tuple[Language, ...]
) -> FigureMaterial:
    """A figure's numbers, and its drawings and files in some languages."""
    script = certain(
        await find_script_of(fetch, request), f"the script of {request} is looked for before its pages"
    )
    computed = await fetch(compute_figure, request)
    drawn: dict[Language, DrawnFigure] = {
        language: await fetch(draw_figure, DrawingId(request, language)) for language in languages
    }
    has_chip_pages = bool(languages) and (await fetch(read_site_settings)).hardware
    return FigureMaterial(
        computed=computed,
        script_path=script.path,
        chips=await find_read_chips(fetch, computed) if has_chip_pages else (),
        drawn=drawn,
        answers_path=answers_path(request, computed.form) if computed.form is not None else "",
        downloads={
            language: tuple(
                (word.upper(), download_path(request, language, word)) for word in downloads_of(one)
            )
            for language, one in drawn.items()
        },
    )


def downloads_of(drawn: DrawnFigure) -> tuple[DownloadFormat, ...]:
    """The formats in which a figure can be downloaded."""
    return tuple(word for word in DOWNLOAD_FORMATS if (drawn.csv if word == "csv" else drawn.svgs))
