"""From figure scripts to data, drawings and downloads, each with the dependencies its worker saw."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Fetch, Key, Unfinished, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.failures import FigureFailed
from diglot.figures.present import READ_CATALOGUE, rows_in
from diglot.figures.records import ComputedFigure, DrawnFigure, Observed, Script, WorkerReport
from diglot.languages import Language
from diglot.rules.figure_calls import FigureCalls
from diglot.rules.halves import Outline
from diglot.rules.sources import PostFiles, Posts, as_language
from diglot.rules.tasks import Setting, Task

if TYPE_CHECKING:
    from concurrent.futures import Future

    from diglot.figures.workers import FigureWorkers

_MOST_WRITTEN = 3
"""After scripts wrote so often to a file that they read, it is no dependency any more."""
SCRIPT_FILES = ("figures/*.py", "content/posts/*/figures/*.py")
"""Where scripts stand: those of all articles, and those of one."""


def tasks(setting: Setting) -> Mapping[str, Task]:
    """What is made of figure scripts."""
    work = FigureTasks(setting.workers, setting.calls)
    return {
        "scripts": Task(find_scripts, Scripts),
        "script": Task(find_script, Script | None),
        "data": Task(work.compute, ComputedFigure),
        "drawing": Task(work.draw, DrawnFigure),
        "download": Task(work.export, bytes),
        "catalogue": Task(work.read_catalogue, CatalogueRows),
        "catalogue-row": Task(find_row, bytes),
    }


_ID = re.compile(r"[a-z][a-z0-9_]*")


class Scripts(msgspec.Struct, frozen=True, kw_only=True):
    """All figure scripts, wherever they stand, sorted by id."""

    scripts: tuple[Script, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """What articles call them."""
        return tuple(script.figure_id for script in self.scripts)


async def find_scripts(fetch: Fetch, _name: str) -> Scripts:
    """The scripts in files and fences; raises DiagnosticError for names that cannot be ids, and clashes."""
    paths: list[str] = [path for pattern in SCRIPT_FILES for path in await fetch("listing", pattern)]
    found = scripts_at(paths)
    posts: Posts = await fetch("posts")
    files: tuple[PostFiles, ...] = await fetch.all(Key("post", name) for name in posts.names)
    halves = [
        (name, language, path)
        for name, post in zip(posts.names, files, strict=True)
        for language in post.languages
        if (path := post.half(language)) is not None
    ]
    outlines = await _made(fetch, [Key("outline", f"{name}:{language}") for name, language, _ in halves])
    fences: dict[tuple[str, str, str], Script] = {}  # both halves may hold the same one
    for (name, _, path), outline in zip(halves, outlines, strict=True):
        for fence in outline.scripts if outline else ():
            script = Script(figure_id=fence.figure_id, path=path, first_line=fence.line, source=fence.source)
            fences.setdefault((name, fence.figure_id, fence.source), script)
    found += fences.values()
    found.sort(key=lambda script: (script.figure_id, script.path, script.first_line))
    mistakes = [*_misnamed(found), *_clashes(found)]
    if mistakes:
        raise DiagnosticError(*mistakes)
    return Scripts(scripts=tuple(found))


def scripts_at(paths: Iterable[str]) -> list[Script]:
    """The scripts in files; helper modules are none."""
    return [Script(figure_id=_stem(path), path=path) for path in paths if not _stem(path).startswith("_")]


async def find_script(fetch: Fetch, figure_id: str) -> Script | None:
    """One script, None where there is none: a slice, so that a new figure leaves the others alone."""
    scripts: Scripts = await fetch("scripts")
    return next((script for script in scripts.scripts if script.figure_id == figure_id), None)


async def _made(fetch: Fetch, outlines: list[Key]) -> list[Outline | None]:
    """Outlines; None for a half that is broken: its mistakes are its own, and other figures are drawn."""
    try:
        return [*await fetch.all(outlines)]
    except UpstreamFailed as failure:
        broken = set(failure.keys)
    return [None if key in broken else await fetch(*key) for key in outlines]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")


def _misnamed(scripts: Iterable[Script]) -> list[Diagnostic]:
    return [
        Diagnostic(
            rule="figure-name",
            message=f'"{script.figure_id}" cannot be the id of a figure',
            location=_place(script),
            fix="use lower-case ASCII letters, digits and underscores, beginning with a letter; "
            "a helper module's name begins with an underscore.",
        )
        for script in scripts
        if not _ID.fullmatch(script.figure_id)
    ]


def _clashes(scripts: Iterable[Script]) -> list[Diagnostic]:
    """Expects the scripts sorted by id."""
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


class CatalogueRows(msgspec.Struct, frozen=True, kw_only=True):
    """What stands for each row of the hardware catalogue, by the row's name."""

    values: Mapping[str, str] = msgspec.field(default_factory=dict)


async def find_row(fetch: Fetch, row: str) -> bytes:
    """What stands for one row, so that a figure depends on the rows it used; empty where there is none."""
    rows: CatalogueRows = await fetch("catalogue")
    return rows.values.get(row, "").encode()


class FigureTasks:
    """The tasks that run scripts, on the workers they are given."""

    def __init__(self, workers: "Callable[[], FigureWorkers]", calls: FigureCalls) -> None:
        self._workers = workers
        self._calls = calls
        self._written: Counter[str] = Counter()
        """How often scripts wrote to a path since this was made."""

    async def compute(self, fetch: Fetch, name: str) -> ComputedFigure:
        """The data of a figure; `name` is a `FigureRequest`."""
        request = FigureRequest.parse(name)
        script: Script = await fetch("script", request.figure_id)
        result = await self._result(
            fetch, (script, request), script, lambda: self._workers().compute(script, request)
        )
        return msgspec.msgpack.decode(result, type=ComputedFigure)

    async def draw(self, fetch: Fetch, name: str) -> DrawnFigure:
        """A figure in one language, for every page size; `name` is `<request>@<language>`."""
        request, language = split_drawing(name)
        script: Script = await fetch("script", request.figure_id)
        computed: ComputedFigure = await fetch("data", str(request))
        result = await self._result(
            fetch,
            (script, request, computed, language),
            script,
            lambda: self._workers().draw(script, request, computed, language),
        )
        return msgspec.msgpack.decode(result, type=DrawnFigure)

    async def read_catalogue(self, fetch: Fetch, _name: str) -> CatalogueRows:
        """The hardware catalogue; empty where it cannot be read, for the figures that use it say why."""
        request = FigureRequest.of(READ_CATALOGUE.figure_id)
        try:
            result = await self._result(
                fetch,
                (READ_CATALOGUE, request),
                READ_CATALOGUE,
                lambda: self._workers().compute(READ_CATALOGUE, request),
            )
        except FigureFailed as failure:
            if failure.retry:
                raise
            return CatalogueRows()
        return CatalogueRows(values=rows_in(result))

    async def export(self, fetch: Fetch, name: str) -> bytes:
        """A file for download; `name` is `<request>@<language>.<format>`."""
        drawing, _, file_format = name.rpartition(".")
        if file_format == "csv":
            drawn: DrawnFigure = await fetch("drawing", drawing)
            return drawn.csv.encode("utf-8-sig")  # without the mark, spreadsheets do not take it for UTF-8
        request, language = split_drawing(drawing)
        script: Script = await fetch("script", request.figure_id)
        computed: ComputedFigure = await fetch("data", str(request))
        return await self._result(
            fetch,
            (script, request, computed, language, file_format),
            script,
            lambda: self._workers().export(
                script,
                request,
                computed,
                language,
                theme="light",
                format=_format(file_format),
                size="column",
                dpi=192,
            ),
        )

    async def _result(
        self, fetch: Fetch, what: Hashable, script: Script, start: "Callable[[], Future[WorkerReport]]"
    ) -> bytes:
        """A worker's result, with what it looked at noted, also where it failed."""
        while True:
            work, is_old = self._calls.ask(what, script, start, lambda call: self._workers().stop(call))
            report: WorkerReport | FigureFailed
            try:
                report = await fetch.wait(work)
            except FigureFailed as failure:
                report = failure
            except Unfinished:
                raise  # the next build asks for it
            except Exception:
                self._calls.deliver(what)
                raise
            self._calls.deliver(what)
            if not is_old or await _still_holds(fetch, report.observed):
                break
        self._written.update(report.wrote)
        await _note(fetch, [one for one in report.observed if not self._is_stirred(one)])
        if isinstance(report, FigureFailed):
            raise report
        fetch.warn(*report.warnings)
        return report.result

    def _is_stirred(self, one: Observed) -> bool:
        """Whether scripts keep changing what one of them read, so that a preview would never come to rest.

        Such a file is no dependency any more. One that only its own script changes is noted as that left it.
        """
        if one.kind not in ("file", "entry", "listing"):
            return False
        if one.kind == "listing":
            written = (path for path in self._written if path.rpartition("/")[0] == one.name)
            return sum(self._written[path] for path in written) > _MOST_WRITTEN
        return self._written[one.name] > _MOST_WRITTEN


async def _still_holds(fetch: Fetch, observed: Iterable[Observed]) -> bool:
    """Whether this build sees the files as the worker did."""
    seen = {_key(one): one.digest for one in observed}
    return await fetch.digests(seen) == tuple(seen.values())


def _key(one: Observed) -> Key:
    kinds = {"file": "file", "listing": "folder", "entry": "entry", "env": "env", "row": "catalogue-row"}
    return Key(kinds[one.kind], one.name)


async def _note(fetch: Fetch, observed: Iterable[Observed]) -> None:
    for one in observed:
        fetch.observed(_key(one), one.digest)
    # Rows are tasks: made now, or the next build would have to make them only to compare.
    rows = [_key(one) for one in observed if one.kind == "row"]
    if rows:
        with suppress(UpstreamFailed):
            await fetch.digests(rows)


def _format(word: str) -> Literal["svg", "png"]:
    return "svg" if word == "svg" else "png"


def split_drawing(name: str) -> tuple[FigureRequest, Language]:
    """`roofline?dtype=fp8@zh` as request and language."""
    request, _, language = name.rpartition("@")
    return FigureRequest.parse(request), as_language(language)
