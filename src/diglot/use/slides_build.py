"""Builds a talk as a PowerPoint file: has its figures drawn for their slides, and reads its pictures.

Importing this module needs python-pptx, which is an extra.
"""

import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from diglot.check.chromium import ChromiumFailed, find_chromium, picture_of_page
from diglot.figure_request import FigureRequest
from diglot.figures.jobs import Sheet
from diglot.figures.palette import Theme
from diglot.languages import TRADITIONAL, Edition, Language
from diglot.rules.building import Site
from diglot.rules.ids import HalfId
from diglot.rules.spelling import find_spelling
from diglot.slides.contents import PictureContents, with_captions_at_foot
from diglot.slides.decks import POWERPOINT, read_deck
from diglot.slides.kept import keep_data
from diglot.slides.mistakes import wrong
from diglot.slides.powerpoint_files.designs import Design
from diglot.slides.powerpoint_files.materials import FigureFiles, Materials, Room, rooms_of
from diglot.slides.powerpoint_files.pictures import shown_picture
from diglot.slides.powerpoint_files.writing import WrittenTalk, write_talk
from diglot.slides.spelt_contents import spelt_chart, spelt_talk
from diglot.spelling.settings import Spelling
from diglot.use.slides_charts import native_charts
from diglot.use.talk_contents import GatheredTalk, gather_talk

_MARGIN_PX, _HIGH_PX = 80, 720
"""Empty margin of an exported sheet, and the height of the sheet that has it."""
_DOTS_TO_A_PIXEL, _MOST_DOTS = 2.0, 4000
Charts = Literal["pictures", "native"]


def build_talk(
    site: Site,
    half: HalfId,
    *,
    template: Path | None,
    theme: Theme,
    charts: Charts,
    data_folder: Path,
    edition: Edition,
) -> WrittenTalk:
    """A talk in one language as a PowerPoint file. Raises DiagnosticError with all mistakes in the talk."""
    design = Design(None if template is None else _read_template(template), theme, edition=edition)
    gathered = gather_talk(site, half)
    spelling = site.value(find_spelling, None) if edition == TRADITIONAL else None
    talk = gathered.contents if spelling is None else spelt_talk(gathered.contents, _speller(spelling))
    if design.is_own:
        talk = with_captions_at_foot(talk)
    rooms = rooms_of(talk, design)
    figures = _draw(site, gathered, rooms, half.language, theme=theme, charts=charts, spelling=spelling)
    for computed in gathered.computed.values():
        keep_data(data_folder, computed.digest, computed.data)
    paths = {
        block.path
        for slide in talk.slides
        for column in slide.columns
        for block in column
        if isinstance(block, PictureContents)
    }
    pictures = {
        path: shown_picture(path, (site.options.root / path).read_bytes(), _painted) for path in sorted(paths)
    }
    return write_talk(talk, Materials(figures=figures, pictures=pictures), design)


def _draw(
    site: Site,
    gathered: GatheredTalk,
    rooms: Sequence[Room],
    language: Language,
    *,
    theme: Theme,
    charts: Charts,
    spelling: Spelling | None,
) -> dict[tuple[int, int], FigureFiles]:
    """Every figure, drawn for its room: text has the size that it has on a whole slide."""
    requests = [*dict.fromkeys(room.request for room in rooms)] if charts == "native" else []
    native = native_charts(site, requests, language, scripts=gathered.scripts, computed=gathered.computed)
    calls = []
    for room in rooms:
        share = min(room.width_px / (1280 - 2 * _MARGIN_PX), room.height_px / (_HIGH_PX - 2 * _MARGIN_PX))
        margin = _MARGIN_PX * share
        width, height = round(room.width_px + 2 * margin), round(room.height_px + 2 * margin)
        call = site.workers.figures().export(
            gathered.scripts[room.request],
            FigureRequest.parse(room.request),
            gathered.computed[room.request],
            (language,),
            Sheet(theme=theme, formats=("svg", "png"), size=f"{width}x{height}", text=round(1 / share, 2)),
            spelling=spelling,
        )
        calls.append((room, call, margin))
    found = {}
    for room, call, margin in calls:
        svg, png = call.result().files(language)
        chart = native[room.request].numbers if room.request in native else None
        if chart is not None and spelling is not None:
            chart = spelt_chart(chart, _speller(spelling))
        found[room.slide, room.figure] = FigureFiles(svg=svg, png=png, margin_px=margin, chart=chart)
    return found


def _speller(spelling: Spelling) -> Callable[[str], str]:
    from diglot.spelling.conversion import converter  # noqa: PLC0415  (few sites convert texts)

    return converter(spelling).text


def _painted(svg: bytes, width: int, height: int) -> bytes | None:
    """A picture of an SVG file, if there is a Chromium. As an image, it runs no scripts and loads nothing."""
    if (executable := find_chromium()) is None:
        return None
    source = base64.b64encode(svg).decode()
    html = (
        "<!doctype html><style>body { margin: 0 } img { display: block }</style>"
        f'<img width="{width}" height="{height}" src="data:image/svg+xml;base64,{source}">'
    )
    scale = min(_DOTS_TO_A_PIXEL, _MOST_DOTS / max(width, height))
    try:
        return picture_of_page(executable, html, width=width, height=height, scale=scale)
    except ChromiumFailed:
        return None


def _read_template(path: Path) -> bytes:
    if not path.is_file():
        raise wrong("slides-missing", f'there is no file "{path}"', "correct the path of the template.")
    if path.suffix.lower() not in POWERPOINT:
        raise wrong(
            "slides-format",
            f'"{path}" is not a template',
            f"a template is a file of PowerPoint: {', '.join(POWERPOINT)}.",
        )
    read_deck(path, path.parent)  # says what is wrong with it
    return path.read_bytes()
