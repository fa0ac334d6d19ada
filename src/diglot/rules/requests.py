"""Checks figure requests of articles, and names the published paths of figures' files."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location, did_you_mean
from diglot.engine import FILE, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.frames.plan import PlanError, plan_frames
from diglot.figures.records import FormTable
from diglot.languages import Language
from diglot.rules.figures import compute_figure, find_script, find_script_of, find_scripts
from diglot.rules.parsed_halves import ExploredEmbed
from diglot.rules.projects import read_most_frames
from diglot.rules.tasks import Fetch


async def check_requests(fetch: Fetch, asked: Iterable[tuple[FigureRequest, str, int]]) -> list[Diagnostic]:
    """Errors in figure requests, which come with the path and line where each is written.

    The script's own task reports a failing script; here is reported only what is wrong with the request.
    Raises UpstreamFailed if the requests are right, and a script cannot be used because of other mistakes.
    """
    mistakes: list[Diagnostic] = []
    waits = False
    for request, path, line in dict.fromkeys(asked):
        script = await find_script_of(fetch, request)
        if script is None and request.cells_path is not None:
            mistakes.append(
                Diagnostic(
                    rule="figure-unknown",
                    message="this article has no code cells, whose values it quotes"
                    if not request.cells_path.endswith(".yaml")
                    else f"{request.cells_path} quotes values of code cells, which only halves can",
                    location=Location(path=path, line=line),
                    source_line=_line(await _lines(fetch, path), line),
                    fix="write ```{code-cell} python, and assign the value there."
                    if not request.cells_path.endswith(".yaml")
                    else "write this text into the front matter of each half.",
                )
            )
        elif script is None:
            scripts = await fetch(find_scripts)
            if request.figure_id in scripts.refused:
                waits = True
                continue
            mistakes.append(
                Diagnostic(
                    rule="figure-unknown",
                    message=f'there is no figure named "{request.figure_id}"',
                    location=Location(path=path, line=line),
                    source_line=_line(await _lines(fetch, path), line),
                    fix=did_you_mean(
                        request.figure_id,
                        scripts.ids,
                        otherwise="a figure is a script in figures/ or in the article's own figures/.",
                    ),
                )
            )
        elif request.parameters and request.cells_path is None:
            with suppress(UpstreamFailed):  # the script fails, and reports it
                computed = await fetch(compute_figure, request)
                if computed.refusals:
                    lines = await _lines(fetch, path)
                    mistakes += [_refused(one, request, path, line, lines) for one in computed.refusals]
    if waits and not mistakes:
        raise UpstreamFailed(find_scripts.key(None))
    return mistakes


async def check_explorations(fetch: Fetch, explored: Sequence[ExploredEmbed], path: str) -> list[Diagnostic]:
    """Errors in what readers can turn, at the parameter in the option."""
    mistakes: list[Diagnostic] = []
    first: dict[str, ExploredEmbed] = {}
    for embed in explored:
        request = FigureRequest.parse(embed.request)
        earlier = first.setdefault(request.figure_id, embed)
        if earlier is not embed:
            message = f'readers can turn the figure "{request.figure_id}" already, in line {earlier.line}'
            fix = "leave `:explore:` to one of them: values in prose can only follow one."
            mistakes.append(
                await _explore_mistake(fetch, "explore-twice", message, fix, path, embed.line, None)
            )
            continue
        if await fetch(find_script, request.figure_id) is None:
            continue  # reported with the request
        try:
            computed = await fetch(compute_figure, request)
        except UpstreamFailed:
            continue  # the script fails, and reports it
        if computed.refusals:
            continue  # reported with the request
        most = await fetch(read_most_frames)
        try:
            plan_frames(request, embed.explored, computed.domains, computed.parameters, most=most)
        except PlanError as error:
            mistakes.append(
                await _explore_mistake(
                    fetch, error.rule, error.message, error.fix, path, embed.line, error.at + 1
                )
            )
    return mistakes


async def _explore_mistake(  # noqa: PLR0917  (a diagnostic has many parts)
    fetch: Fetch, rule: str, message: str, fix: str, path: str, line: int, column: int | None
) -> Diagnostic:
    return Diagnostic(
        rule=rule,
        message=message,
        location=Location(path=path, line=line, column=column),
        source_line=_line(await _lines(fetch, path), line),
        fix=fix,
    )


def _refused(
    refusal: Diagnostic, request: FigureRequest, path: str, line: int, lines: Sequence[str]
) -> Diagnostic:
    """A mistake in a request, at the line that has the parameter: an option of a fence, or the same line."""
    name = next((name for name, _ in request.parameters if f'"{name}"' in refusal.message), "")
    for at in range(line, len(lines)):
        option = re.match(r"\s*:([\w-]+):", lines[at])
        if option is None:
            break
        if option.group(1) == name:
            return _at(refusal, Location(path=path, line=at + 1, column=option.start(1) + 1), lines)
    column = re.search(rf"\b{re.escape(name)}\s*=", _line(lines, line) or "")
    return _at(refusal, Location(path=path, line=line, column=column and column.start() + 1), lines)


def _at(refusal: Diagnostic, location: Location, lines: Sequence[str]) -> Diagnostic:
    return replace(refusal, location=location, source_line=_line(lines, location.line or 0))


def download_path(request: FigureRequest, language: Language, word: str) -> str:
    """Published path of a figure's file, from the site's root."""
    return f"figures/{request.figure_id}/{request.file_stem}.{language}.{word}"


def answers_path(request: FigureRequest, form: FormTable) -> str:
    """Published path of the table behind a form, from the site's root."""
    return f"figures/{request.figure_id}/{request.file_stem}.{form.digest}.json"


async def _lines(fetch: Fetch, path: str) -> Sequence[str]:
    content = await fetch(FILE, path)
    return (content or b"").decode("utf-8", "replace").splitlines()


def _line(lines: Sequence[str], line: int) -> str | None:
    return lines[line - 1] if 0 < line <= len(lines) else None
