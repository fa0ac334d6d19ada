"""Pictures that stand for articles where they are shared, as tasks."""

from diglot.diagnostics import Diagnostic
from diglot.engine import BlobReference, Packs, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.jobs import Sheet
from diglot.figures.scripts.failures import FigureFailed
from diglot.languages import LANGUAGES
from diglot.project import Project
from diglot.render.materials import CardWords
from diglot.rules.figures import draw_figure, export_sheet
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.projects import read_site_settings
from diglot.rules.references import resolve_references
from diglot.rules.sources import find_post
from diglot.rules.summaries import key_location, summarise
from diglot.rules.tasks import Fetch, packs_for, task
from diglot.spelling.settings import Spelling

_SHEET = Sheet(theme="light", formats=("png",), size="card", dpi=96, background="page")


async def first_drawing(fetch: Fetch, half: HalfId) -> FigureRequest | None:
    """The first figure that a half shows and that is drawn."""
    for request in map(FigureRequest.parse, (await fetch(resolve_references, half)).embedded):
        if (await fetch(draw_figure, DrawingId(request, half.language))).svgs:
            return request
    return None


async def has_card(fetch: Fetch, project: Project, half: HalfId) -> bool:
    """Whether there is a card for a half: as the site says, for all articles or for those with figures."""
    return project.cards == "all" or (
        project.cards == "figures" and await first_drawing(fetch, half) is not None
    )


@task("card-words")
async def find_card_words(fetch: Fetch, half: HalfId) -> CardWords:
    """What is written on a card: a slice, so that other edits of the article do not draw it again."""
    summary, project = await fetch(summarise, half.article), await fetch(read_site_settings)
    if (shown := summary.half(half.language)) is None:
        raise UpstreamFailed(summarise.key(half.article))
    figure = await first_drawing(fetch, half)
    return CardWords(
        language=half.language,
        title=shown.title,
        site=project.title.of(half.language),
        host=project.host,
        figure="" if figure is None else str(figure),
    )


@task("card-drawing")
async def draw_for_card(fetch: Fetch, drawing: DrawingId) -> bytes:
    """A figure as PNG for the room on a card; empty if its script cannot draw it in this room."""
    return await draw_in_room(fetch, drawing, takers=len(LANGUAGES))


async def draw_in_room(
    fetch: Fetch, drawing: DrawingId, *, takers: int, spelling: Spelling | None = None
) -> bytes:
    """A figure for the room on a card, in traditional characters if there is a `spelling`."""
    try:
        return (await export_sheet(fetch, drawing, _SHEET, takers=takers, spelling=spelling))[0]
    except FigureFailed as failure:
        if failure.retry:
            raise
        return b""


@task("card", bytes)
async def make_card(fetch: Fetch, half: HalfId) -> BlobReference:
    """The card of a half. Warns of letters in its title that cannot be drawn."""
    words = await fetch(find_card_words, half)
    figure = b""
    if words.figure:
        figure = await fetch(draw_for_card, DrawingId(FigureRequest.parse(words.figure), half.language))
    blob: BlobReference
    blob, missing = await fetch.wait(fetch.context.pool.call(_draw, packs_for(fetch), words, figure))
    if missing:
        post = await fetch(find_post, half.article)
        fetch.report(
            Diagnostic(
                rule="card-glyph",
                message=f"the card lacks letters of the title that no bundled font has: {', '.join(missing)}",
                severity="warning",
                location=await key_location(fetch, post, half.language, "title"),
                fix="use other characters; the fonts have GB 2312, Latin, Greek and common signs.",
            )
        )
    return blob


def _draw(packs: Packs, words: CardWords, figure: bytes) -> tuple[BlobReference, tuple[str, ...]]:
    from diglot.render.cards import card, undrawable  # noqa: PLC0415  (Pillow; few processes draw cards)

    return packs.add(card(words, figure)), undrawable(words.title)
