"""Checks figure requests of articles, and names the published paths of figures' files."""

from collections.abc import Iterable

from diglot.diagnostics import Diagnostic, Location, did_you_mean
from diglot.engine import FILE, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.languages import Language
from diglot.rules.figures import compute_figure, find_script, find_scripts
from diglot.rules.tasks import Fetch


async def check_requests(fetch: Fetch, asked: Iterable[tuple[FigureRequest, str, int]]) -> list[Diagnostic]:
    """Errors in figure requests, which come with the path and line where each is written.

    The script's own task reports a failing script; here is reported only what is wrong with the request.
    """
    mistakes: dict[tuple[FigureRequest, str, int], Diagnostic] = {}
    for request, path, line in asked:
        script = await fetch(find_script, request.figure_id)
        if script is None:
            scripts = await fetch(find_scripts)
            mistakes[request, path, line] = Diagnostic(
                rule="figure-unknown",
                message=f'there is no figure named "{request.figure_id}"',
                location=Location(path=path, line=line),
                source_line=await _line(fetch, path, line),
                fix=did_you_mean(
                    request.figure_id,
                    scripts.ids,
                    otherwise="a figure is a script in figures/ or in the article's own figures/.",
                ),
            )
            continue
        if not request.parameters:
            continue
        try:
            await fetch.digest(compute_figure, request)
        except UpstreamFailed:
            mistakes[request, path, line] = Diagnostic(
                rule="figure-parameters",
                message=f'the figure cannot be computed with these parameters: "{request}"',
                location=Location(path=path, line=line),
                source_line=await _line(fetch, path, line),
                fix=f"see the message for {script.path}.",
            )
    return list(mistakes.values())


def download_path(request: FigureRequest, language: Language, word: str) -> str:
    """Published path of a figure's file, from the site's root."""
    return f"figures/{request.figure_id}/{request.file_stem}.{language}.{word}"


async def _line(fetch: Fetch, path: str, line: int) -> str | None:
    content = await fetch(FILE, path)
    lines = (content or b"").decode("utf-8", "replace").splitlines()
    return lines[line - 1] if 0 < line <= len(lines) else None
