"""Tasks for figure scripts, data, drawings and downloads, with the dependencies that workers observed."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from diglot.content.texts import markup_in
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import FILE, LISTING, Unfinished, UpstreamFailed
from diglot.figure_request import CELLS, WORDS_OF_EXPRESSIONS, FigureRequest, is_figure_id
from diglot.figures.jobs import Sheet
from diglot.figures.records import (
    ComputedFigure,
    DrawnFigure,
    Room,
    Script,
    WorkerReport,
)
from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.scripts.parameters import REFUSALS
from diglot.invariants import certain
from diglot.languages import LANGUAGES, Language
from diglot.rules.code_cells import computed_by_cells, find_cell_script
from diglot.rules.ids import DownloadId, DrawingId, HalfId, SlideDrawingId
from diglot.rules.observing import observed_result
from diglot.rules.outlines import outlines_of
from diglot.rules.plain_texts import line_of_part, markup_in_texts, words_of_figure
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post, find_posts
from diglot.rules.tasks import Fetch, task
from diglot.rules.uses import find_users
from diglot.spelling.settings import Spelling

if TYPE_CHECKING:
    from concurrent.futures import Future

_OF_NO_SCRIPT = REFUSALS | {"chip-file", "figure-input", "file-name"}
"""Rules of mistakes that a script fails for, but that are in another file."""
_MOST_USERS = 4
"""How many files that use a failing figure a message names."""
_DOWNLOAD_SHEET = Sheet(theme="light", formats=("svg", "png"), size="column", background="page")
"""Of files to download that are drawings."""
SCRIPT_FILES = (
    "figures/*.py",
    *("content/posts/*/figures/*.py", "content/*/posts/*/figures/*.py"),
    *("content/pages/**/figures/*.py", "content/*/pages/**/figures/*.py"),
    *("content/talks/*/figures/*.py", "content/*/talks/*/figures/*.py"),
)
"""Patterns of script files: of scripts for all articles, and of those for one post, page or talk."""


class Scripts(msgspec.Struct, frozen=True, kw_only=True):
    """All figure scripts, from files and from articles, sorted by id."""

    scripts: tuple[Script, ...] = ()
    refused: tuple[str, ...] = ()
    """Ids of scripts that cannot be used, because of a mistake that is reported: in a name, or in the article
    that holds a script."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The figure ids, by which articles refer to scripts."""
        return tuple(script.figure_id for script in self.scripts)


@task("scripts", keeps_last_good=True)
async def find_scripts(fetch: Fetch, _name: None) -> Scripts:
    """The scripts in files and fences. Reports ids that are invalid or used twice, and leaves those out."""
    paths: list[str] = [path for pattern in SCRIPT_FILES for path in await fetch(LISTING, pattern)]
    found = scripts_at(paths)
    posts = await fetch(find_posts)
    files = await fetch.all(find_post, posts.names)
    halves = [
        (HalfId(name, language), path)
        for name, post in zip(posts.names, files, strict=True)
        for language in post.languages
        if (path := post.half(language)) is not None
    ]
    outlines = await outlines_of(fetch, [half for half, _ in halves])
    fences: dict[tuple[str, str, str], Script] = {}  # both halves may contain the same script
    for (half, path), outline in zip(halves, outlines, strict=True):
        for fence in outline.scripts if outline else ():
            script = Script(figure_id=fence.figure_id, path=path, first_line=fence.line, source=fence.source)
            fences.setdefault((half.article, fence.figure_id, fence.source), script)
    found += fences.values()
    found.sort(key=lambda script: (script.figure_id, script.path, script.first_line))
    fetch.report(*_misnamed(found), *_clashes(found))
    uses = Counter(script.figure_id for script in found)
    usable = [one for one in found if uses[one.figure_id] == 1 and is_figure_id(one.figure_id)]
    refused = {_meant(one.figure_id) for one in found} - {one.figure_id for one in usable}
    for (_, path), outline in zip(halves, outlines, strict=True):
        if outline is None:  # a fence in an article with mistakes is there all the same
            refused |= set(_FENCE.findall((await fetch(FILE, path) or b"").decode("utf-8", "replace")))
    return Scripts(scripts=tuple(usable), refused=tuple(sorted(refused)))


_FENCE = re.compile(r"^`{3,}\{figure-script\} *(\w+)", re.MULTILINE)


def _meant(figure_id: str) -> str:
    """The id that a script with a wrong name is probably meant to have."""
    return re.sub(r"[^a-z0-9_]+", "_", figure_id.casefold())


def scripts_at(paths: Iterable[str]) -> list[Script]:
    """The scripts among Python files, without helper modules and what is in an author's notes."""
    return [Script(figure_id=_stem(path), path=path) for path in paths if "/_" not in path]


@task("script")
async def find_script(fetch: Fetch, figure_id: str) -> Script | None:
    """One script; None if there is none. A task of its own, so that a new script reruns no other figure."""
    scripts = await fetch(find_scripts)
    return next((script for script in scripts.scripts if script.figure_id == figure_id), None)


async def find_script_of(fetch: Fetch, request: FigureRequest) -> Script | None:
    """The script of a figure, or the code cells of an article; None if there is none."""
    if (path := request.cells_path) is not None:
        return await find_cell_script(fetch, path)
    return await fetch(find_script, request.figure_id)


async def find_shown_figures(fetch: Fetch) -> tuple[str, ...]:
    """The figures that have pages of their own: all, or none."""
    return (await fetch(find_scripts)).ids if (await fetch(read_site_settings)).gallery else ()


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")


def _misnamed(scripts: Iterable[Script]) -> list[Diagnostic]:
    return [
        Diagnostic(
            rule="figure-name",
            message=f'"{script.figure_id}" cannot be the id of a figure',
            location=_place(script),
            fix=f'rename it, as in "{script.figure_id}_figure": expressions have a word "{script.figure_id}".'
            if script.figure_id in (*WORDS_OF_EXPRESSIONS, CELLS)
            else "use lower-case ASCII letters, digits and underscores, beginning with a letter; "
            "a helper module's name begins with an underscore.",
        )
        for script in scripts
        if not is_figure_id(script.figure_id)
    ]


def _clashes(scripts: Iterable[Script]) -> list[Diagnostic]:
    """Errors for ids that are used twice. Expects the scripts sorted by id."""
    mistakes = []
    for figure_id, group in groupby(scripts, key=lambda script: script.figure_id):
        first, *others = group
        mistakes += [
            Diagnostic(
                rule="figure-clash",
                message=f'the figure id "{figure_id}" is already used by {_place(first)}',
                location=_place(other),
                fix="rename one of them.",
            )
            for other in others
        ]
    return mistakes


def _place(script: Script) -> Location:
    return Location(path=script.path, line=script.first_line if script.source is not None else None)


@task("data")
async def compute_figure(fetch: Fetch, request: FigureRequest) -> ComputedFigure:
    """The data of a figure, or why its parameters are refused, which `check_requests` reports."""
    if (path := request.cells_path) is not None:
        return await computed_by_cells(fetch, path)
    script = await _script_of(fetch, request)
    workers = fetch.context.workers
    try:
        report = await _of_script(
            fetch, (script, request), script, lambda: workers().compute(script, request)
        )
    except FigureFailed as failure:
        if not all(one.rule in REFUSALS for one in failure.diagnostics):
            raise
        return ComputedFigure(
            data=b"null",
            digest="",
            parameters=(),
            drawable=False,
            sizes=(),
            provenance=(),
            refusals=failure.diagnostics,
        )
    return computed_in(report)


def computed_in(report: WorkerReport) -> ComputedFigure:
    """The data in a worker's report, with the rows that it used, also for the points of sweeps."""
    computed = msgspec.msgpack.decode(report.result, type=ComputedFigure)
    rows = {one.name for one in report.observed if one.kind == "row"}
    return msgspec.structs.replace(computed, rows=tuple(sorted(rows)))


async def _data_of(fetch: Fetch, request: FigureRequest) -> ComputedFigure:
    """The data of a figure. Raises UpstreamFailed where its parameters are refused."""
    computed = await fetch(compute_figure, request)
    if computed.refusals:
        raise UpstreamFailed(compute_figure.key(request))
    return computed


@task("drawing")
async def draw_figure(fetch: Fetch, drawing: DrawingId) -> DrawnFigure:
    """A figure in one language, for every page size."""
    request, language = drawing
    script = await _script_of(fetch, request)
    computed = await _numbers(fetch, script, request)
    drawn = await draw_numbers(fetch, script, request, computed, language)
    words = [*words_of_figure(computed, drawn, language)]
    if any(markup_in(text) is not None for _, text in words):
        source = await read_source(fetch, script)
        placed = {text: line_of_part(part, script, source) for part, text in reversed(words)}
        above = "\n" * (script.first_line - 1)
        fetch.report(*markup_in_texts(placed.items(), script.path, above + source))
    return drawn


async def read_source(fetch: Fetch, script: Script) -> str:
    """The code of a script: its file, or its part of an article."""
    return await read_text(fetch, script.path) if script.source is None else script.source


@task("slide-drawing")
async def draw_on_slide(fetch: Fetch, name: SlideDrawingId) -> DrawnFigure:
    """A figure in one language, for the room that it has on a slide, and for a phone."""
    (request, language), room = name
    on_page = await fetch(draw_figure, name.drawing)
    script = await _script_of(fetch, request)
    computed = await _numbers(fetch, script, request)
    on_slide = await draw_numbers(fetch, script, request, computed, language, room=room)
    for_phone = tuple(one for one in on_page.svgs if one[0] == "narrow")
    return msgspec.structs.replace(on_slide, svgs=(*on_slide.svgs, *for_phone))


async def draw_numbers(
    fetch: Fetch,
    script: Script,
    request: FigureRequest,
    computed: ComputedFigure,
    language: Language,
    *,
    room: Room | None = None,
) -> DrawnFigure:
    """What a script draws of some numbers in one language, for pages, or for a slide with this room.

    The other language is drawn by the same call.
    """
    workers = fetch.context.workers
    report = await _of_script(
        fetch,
        (script, request, computed, room),
        script,
        lambda: workers().draw(script, request, computed, room),
        takers=len(LANGUAGES),
    )
    return report.drawn(language)


@task("answers")
async def write_answers(fetch: Fetch, request: FigureRequest) -> bytes:
    """The table behind a form, which its page fetches when a reader asks."""
    form = (await _data_of(fetch, request)).form
    return certain(form, f"{request} has a form").file


@task("download")
async def export_figure(fetch: Fetch, download: DownloadId) -> bytes:
    """A file of a figure for readers to download."""
    if download.format == "csv":
        drawn = await fetch(draw_figure, download.drawing)
        return drawn.csv.encode("utf-8-sig")  # spreadsheets recognise UTF-8 only by the byte order mark
    return await export_drawing(fetch, download, editions=len(LANGUAGES))


async def export_drawing(
    fetch: Fetch, download: DownloadId, *, editions: int, spelling: Spelling | None = None
) -> bytes:
    """A drawing for readers to download. The same call makes all formats, in as many `editions`."""
    formats = _DOWNLOAD_SHEET.formats
    takers = editions * len(formats)
    files = await export_sheet(fetch, download.drawing, _DOWNLOAD_SHEET, takers=takers, spelling=spelling)
    return dict[str, bytes](zip(formats, files, strict=True))[download.format]


async def export_sheet(
    fetch: Fetch, drawing: DrawingId, sheet: Sheet, *, takers: int, spelling: Spelling | None = None
) -> tuple[bytes, ...]:
    """A figure as files, in the order of the sheet's formats. The same call makes those of both languages.

    With a `spelling` it makes Chinese ones alone, in traditional characters. `takers` is how many tasks use
    the call. Raises FigureFailed if the script cannot draw on this sheet.
    """
    request, language = drawing
    script = await _script_of(fetch, request)
    computed = await _numbers(fetch, script, request)
    workers = fetch.context.workers
    report = await _of_script(
        fetch,
        (script, request, computed, sheet, spelling),
        script,
        lambda: workers().export(
            script, request, computed, LANGUAGES if spelling is None else ("zh",), sheet, spelling=spelling
        ),
        takers=takers,
    )
    return report.files(language)


async def _of_script(
    fetch: Fetch,
    what: Hashable,
    script: Script,
    start: "Callable[[], Future[WorkerReport]]",
    *,
    takers: int = 1,
) -> WorkerReport:
    """The report of a call of a figure's script. A failure names the files that show or quote the figure."""
    try:
        return await observed_result(fetch, what, script, start, takers=takers)
    except FigureFailed as failure:
        raise await _with_users(fetch, script, failure) from None


async def _with_users(fetch: Fetch, script: Script, failure: FigureFailed) -> FigureFailed:
    """The failure with the files that show or quote the figure, which are not made because of it."""
    if all(one.rule in _OF_NO_SCRIPT for one in failure.diagnostics):
        return failure
    users = await fetch(find_users, script.figure_id)
    if not users:
        return failure
    more = f" and {len(users) - _MOST_USERS} more" if len(users) > _MOST_USERS else ""
    used = f"used in {', '.join(users[:_MOST_USERS])}{more}"
    first, *others = failure.diagnostics
    named = msgspec.structs.replace(first, detail="\n".join(filter(None, (first.detail, used))))
    return FigureFailed([named, *others], failure.observed, retry=failure.retry, wrote=failure.wrote)


async def _script_of(fetch: Fetch, request: FigureRequest) -> Script:
    script = await find_script_of(fetch, request)
    return certain(script, f"the script of {request} was asked for before it was looked for")


async def _numbers(fetch: Fetch, script: Script, request: FigureRequest) -> ComputedFigure:
    """The data of a figure, to be drawn. Raises Unfinished if it is being computed again.

    A preview goes on with the last data then; new code that draws must not meet them.
    """
    computed = await _data_of(fetch, request)
    if fetch.context.calls.is_under_way((script, request)):
        raise Unfinished
    return computed
