"""Files of figures: those that readers download, and those that the controls of figures need."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import DRAWING, HALF, Feature, Output
from diglot.rules.figure_materials import downloads_of
from diglot.rules.figures import compute_figure, draw_figure, export_figure, find_scripts, write_answers
from diglot.rules.frames import find_explorations, make_following_values, make_frames, make_slide_frames
from diglot.rules.ids import DownloadId, DrawingId, HalfId
from diglot.rules.references import resolve_references
from diglot.rules.requests import answers_path, download_path
from diglot.rules.sources import kind_of
from diglot.rules.talks import find_slide_explorations
from diglot.rules.tasks import Fetch


async def _find_downloads(fetch: Fetch, drawing: DrawingId) -> Mapping[str, Key]:
    request, language = drawing
    return {
        download_path(request, language, word): export_figure.key(DownloadId(drawing, word))
        for word in downloads_of(await fetch(draw_figure, drawing))
    }


async def _find_answers(fetch: Fetch, drawing: DrawingId) -> Mapping[str, Key]:
    """The table behind a form, which is not drawn."""
    request = drawing.request
    if (await fetch(draw_figure, drawing)).svgs or (
        form := (await fetch(compute_figure, request)).form
    ) is None:
        return {}
    return {answers_path(request, form): write_answers.key(request)}


async def _find_states(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    if not (await fetch(resolve_references, half)).has_controls:
        return {}
    find = find_slide_explorations if kind_of(half.article) == "talk" else find_explorations
    return (await find(fetch, half)).files


def _called_for_controls(_key: Key) -> str:
    return "a file that controls of figures need"


feature = Feature(
    "figure-files",
    checks=(find_scripts,),  # it reports scripts that no figure can be made of, also where nothing uses them
    outputs=(
        Output(
            DRAWING,
            files=_find_downloads,
            makes=(export_figure,),
            called=lambda key: f"a file of the figure {key.name}",
            gives_way=True,
        ),
        Output(DRAWING, files=_find_answers, makes=(write_answers,)),
        Output(
            HALF,
            files=_find_states,
            makes=(make_frames, make_slide_frames, make_following_values),
            called=_called_for_controls,
            gives_way=True,
        ),
    ),
)
