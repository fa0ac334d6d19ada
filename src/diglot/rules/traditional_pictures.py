"""Pictures in traditional characters as tasks: drawn once more, with the texts converted after the layout."""

from msgspec.structs import replace

from diglot.engine import BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.render.materials import CardWords
from diglot.rules.cards import draw_in_room, find_card_words
from diglot.rules.figures import export_drawing
from diglot.rules.ids import DownloadId, DrawingId, HalfId
from diglot.rules.spelling import find_spelling
from diglot.rules.tasks import Fetch, packs_for, task
from diglot.spelling.settings import Spelling


@task("traditional-download")
async def export_traditional(fetch: Fetch, download: DownloadId) -> bytes:
    """A drawing for readers to download."""
    return await export_drawing(fetch, download, editions=1, spelling=await fetch(find_spelling))


@task("traditional-card-drawing")
async def draw_for_traditional_card(fetch: Fetch, drawing: DrawingId) -> bytes:
    """A figure as PNG for the room on a card; empty if its script cannot draw it in this room."""
    return await draw_in_room(fetch, drawing, takers=1, spelling=await fetch(find_spelling))


@task("traditional-card", bytes)
async def make_traditional_card(fetch: Fetch, half: HalfId) -> BlobReference:
    """The card of a half. Letters of its title that cannot be drawn are those that its original warns of."""
    words, spelling = await fetch(find_card_words, half), await fetch(find_spelling)
    figure = b""
    if words.figure:
        drawing = DrawingId(FigureRequest.parse(words.figure), half.language)
        figure = await fetch(draw_for_traditional_card, drawing)
    blob: BlobReference = await fetch.wait(
        fetch.context.pool.call(_draw, packs_for(fetch), words, figure, spelling)
    )
    return blob


def _draw(packs: Packs, words: CardWords, figure: bytes, spelling: Spelling) -> BlobReference:
    from diglot.render.cards import card, undrawable  # noqa: PLC0415  (Pillow; few processes draw cards)
    from diglot.spelling.conversion import converter  # noqa: PLC0415  (few sites convert texts)

    def spelt(text: str) -> str:
        converted = converter(spelling).text(text)
        return text if undrawable(converted) else converted

    return packs.add(card(replace(words, title=spelt(words.title), site=spelt(words.site)), figure))
