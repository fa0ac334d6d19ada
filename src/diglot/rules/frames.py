"""Tasks for figures that readers can turn: what their states differ in, and values in prose that follow."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from diglot.diagnostics import DiagnosticError
from diglot.engine import Key
from diglot.exploration import Explored
from diglot.figure_request import FigureRequest
from diglot.figures.frames.plan import Plan, plan_frames
from diglot.figures.records import DrawnFigure, Room, Size
from diglot.languages import Language
from diglot.render.assets import hashed_name
from diglot.render.materials import Exploration
from diglot.render.values import Values
from diglot.rules.figures import compute_figure, draw_figure, draw_on_slide
from diglot.rules.halves import cut_references
from diglot.rules.ids import DrawingId, FramesId, HalfId, SlideDrawingId, SlideFramesId
from diglot.rules.parsed_halves import ExploredEmbed, FollowingValue
from diglot.rules.tasks import Fetch, task

_FOLDER = "figures"


@task("frames")
async def make_frames(fetch: Fetch, name: FramesId) -> bytes:
    """The file with what the states of a figure differ in, for one size and language."""
    (request, language), size, explored = name
    computed = await fetch(compute_figure, request)
    plan = plan_frames(request, explored, computed.domains, computed.parameters)
    drawn = await fetch.all(draw_figure, [DrawingId(one, language) for one in plan.requests()])
    return await _file(fetch, drawn, size, plan)


@task("slide-frames")
async def make_slide_frames(fetch: Fetch, name: SlideFramesId) -> bytes:
    """What the states of a figure differ in, for the room that it has on a slide, or for a phone."""
    size, explored, ((request, language), room) = name
    computed = await fetch(compute_figure, request)
    plan = plan_frames(request, explored, computed.domains, computed.parameters)
    names = [SlideDrawingId(DrawingId(one, language), room) for one in plan.requests()]
    return await _file(fetch, await fetch.all(draw_on_slide, names), size, plan)


async def _file(fetch: Fetch, drawn: Sequence[DrawnFigure], size: Size, plan: Plan) -> bytes:
    drawings = [dict(one.svgs)[size] for one in drawn]
    messages = [one.message for one in drawn]
    file: bytes = await fetch.wait(fetch.context.pool.call(_differences, drawings, plan.default, messages))
    return file


def _differences(drawings: Sequence[str], default: int, messages: Sequence[str]) -> bytes:
    from diglot.figures.frames.differences import find_differences  # noqa: PLC0415  (only controls need it)

    return msgspec.json.encode(find_differences(drawings, default, messages))


@task("following-values")
async def make_following_values(fetch: Fetch, half: HalfId) -> bytes:
    """The file with the texts of values that follow the states of figures, by figure and expression.

    Each is its different texts, and for every frame the index of its text. Values that are the same in every
    state are left out. Raises DiagnosticError for a value that cannot be shown in some state.
    """
    references = await fetch(cut_references, half)
    found: dict[str, Mapping[str, tuple[Sequence[str], Sequence[int]]]] = {}
    for embed in references.explored:
        values = [one for one in references.following if one.figure == embed.name]
        if values:
            found[embed.name] = await _texts(fetch, half.language, references.path, embed, values)
    return msgspec.json.encode(found)


async def _texts(
    fetch: Fetch, language: Language, path: str, embed: ExploredEmbed, values: Sequence[FollowingValue]
) -> dict[str, tuple[Sequence[str], Sequence[int]]]:
    request = FigureRequest.parse(embed.request)
    plan = await find_plan(fetch, embed)
    frames = await fetch.all(compute_figure, plan.requests())
    others = dict.fromkeys(text for value in values for text in value.figures if text != embed.request)
    known = {text: (await fetch(compute_figure, FigureRequest.parse(text))).data for text in others}
    of_frames: list[tuple[str, ...]] = []
    for one, computed in zip(plan.requests(), frames, strict=True):
        reader = Values(language, {**known, str(request): computed.data})
        of_frames.append(tuple(_text(reader, value, path, one) for value in values))
    found: dict[str, tuple[Sequence[str], Sequence[int]]] = {}
    for value, texts in zip(values, zip(*of_frames, strict=True), strict=True):
        different = tuple(dict.fromkeys(texts))
        if len(different) > 1:
            found[value.expression] = (different, tuple(map(different.index, texts)))
    return found


def _text(reader: Values, value: FollowingValue, path: str, state: FigureRequest) -> str:
    try:
        return reader.text(value.expression, path=path, line=value.line)
    except DiagnosticError as error:
        raise DiagnosticError(
            *(
                replace(one, detail=f"in the state {state}, to which readers can turn the figure")
                for one in error.diagnostics
            )
        ) from error


async def find_plan(fetch: Fetch, embed: ExploredEmbed) -> Plan:
    """The states of a figure in an article. Raises PlanError."""
    request = FigureRequest.parse(embed.request)
    computed = await fetch(compute_figure, request)
    return plan_frames(request, embed.explored, computed.domains, computed.parameters)


async def find_exploration(
    fetch: Fetch, drawing: DrawingId, explored: Sequence[Explored]
) -> tuple[Exploration, dict[str, Key]]:
    """A figure that readers can turn, and the tasks that make its files, by path. Raises PlanError."""
    computed = await fetch(compute_figure, drawing.request)
    plan = plan_frames(drawing.request, explored, computed.domains, computed.parameters)
    keys = {size: make_frames.key(FramesId(drawing, size, tuple(explored))) for size in computed.sizes}
    return await _with_files(fetch, drawing, plan, keys)


async def _with_files(
    fetch: Fetch, drawing: DrawingId, plan: Plan, keys: Mapping[Size, Key]
) -> tuple[Exploration, dict[str, Key]]:
    """`keys` are the tasks that make the files of the sizes."""
    request, language = drawing
    stem = f"{_FOLDER}/{request.figure_id}/{request.file_stem}.states"
    paths = {
        size: hashed_name(f"{stem}.{size}.{language}.json", digest)
        for size, digest in zip(keys, await fetch.digests(keys.values()), strict=True)
    }
    return Exploration(plan=plan, files=paths), {path: keys[size] for size, path in paths.items()}


async def _find_on_slide(
    fetch: Fetch, language: Language, embed: ExploredEmbed, room: Room
) -> tuple[Exploration, dict[str, Key]]:
    """The same for a figure on a slide."""
    plan = await find_plan(fetch, embed)
    shown = SlideDrawingId(DrawingId(plan.request, language), room)
    sizes = [size for size, _ in (await fetch(draw_on_slide, shown)).svgs]
    keys = {size: make_slide_frames.key(SlideFramesId(size, embed.explored, shown)) for size in sizes}
    return await _with_files(fetch, shown.drawing, plan, keys)


class Explorations(NamedTuple):
    """The figures of a half that readers can turn, and the files that their controls need."""

    found: Mapping[str, Exploration]
    """By the figure's name in the article."""
    files: Mapping[str, Key]
    """The tasks that make the files, by published path."""
    following: frozenset[tuple[str, str]]
    """Values in prose that follow: the name of the figure, and the expression."""
    values: str
    """Published path of the file with their texts; empty where no value follows."""


NO_EXPLORATIONS = Explorations({}, {}, frozenset(), "")


def following_in(file: bytes) -> frozenset[tuple[str, str]]:
    """The values in a file of `make_following_values`: the name of the figure, and the expression."""
    texts = msgspec.json.decode(file, type=dict[str, dict[str, Raw]])
    return frozenset((name, expression) for name, of in texts.items() for expression in of)


async def find_explorations(
    fetch: Fetch, half: HalfId, rooms: Mapping[str, Room] | None = None
) -> Explorations:
    """The figures of a half that readers can turn. Its references have to be resolved.

    `rooms` are those of the figures on the slides of a talk, by the figure's name.
    """
    references = await fetch(cut_references, half)
    found: dict[str, Exploration] = {}
    files: dict[str, Key] = {}
    for embed in references.explored:
        drawing = DrawingId(FigureRequest.parse(embed.request), half.language)
        found[embed.name], own = await (
            find_exploration(fetch, drawing, embed.explored)
            if rooms is None
            else _find_on_slide(fetch, half.language, embed, rooms[embed.name])
        )
        files |= own
    following = following_in(await fetch(make_following_values, half))
    if not following:
        return Explorations(found, files, following, "")
    key = make_following_values.key(half)
    (digest,) = await fetch.digests([key])
    name = f"{_FOLDER}/values/{half.article.replace('/', '-')}.{half.language}.json"
    values = hashed_name(name, digest)
    return Explorations(found, {**files, values: key}, following, values)
