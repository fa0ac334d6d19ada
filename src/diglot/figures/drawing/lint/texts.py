"""Finds labels that overlap, and text that is too small to read on a page or a slide."""

from collections.abc import Iterator, Sequence

from matplotlib.text import Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.collisions import collisions_of
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.style import TEXT_PX

SMALLEST_PX = TEXT_PX["zh"][1]
"""Least size of text on a page."""
SMALLEST_ON_SLIDE_PX = 20
"""Least size of text on a slide of 1,280 × 720 px."""
_MOST_LISTED = 8


def overlaps(canvas: Canvas, texts: Sequence[tuple[Text, Bbox]]) -> Iterator[Finding]:
    """One finding for all texts of a drawing that overlap others or leave it."""
    if found := collisions_of(canvas, texts):
        listed = [str(one) for one in found[:_MOST_LISTED]]
        if len(found) > _MOST_LISTED:
            listed.append(f"and {len(found) - _MOST_LISTED} more")
        yield Finding(
            rule="figure-labels",
            message="labels overlap",
            detail="\n".join(listed),
            fix="move them, or remove one at this size.",
            artist=found[0].artist,
            in_words=True,
        )


def small_texts(texts: Sequence[tuple[Text, Bbox]], *, on_slide: float | None) -> Iterator[Finding]:
    """Findings about text that is too small, drawn for a page or enlarged so many times on a slide."""
    for text, _ in texts:
        if float(text.get_fontsize()) < SMALLEST_PX:
            words = text.get_text().strip()
            yield Finding(
                rule="figure-small-text",
                message=f"{words!r} is smaller than {SMALLEST_PX} px",
                fix="shorten it, or leave it out at this size.",
                artist=text,
                word=words,
            )
    readable = {text: float(text.get_fontsize()) for text, _ in texts}
    readable = {text: size for text, size in readable.items() if size >= SMALLEST_PX}
    smallest = min(readable, key=readable.__getitem__, default=None)
    if on_slide is None or smallest is None:
        return
    if (least := readable[smallest] * on_slide) < SMALLEST_ON_SLIDE_PX:
        yield Finding(
            rule="figure-small-text",
            message=f"on a slide its text is {least:.0f} px, smaller than {SMALLEST_ON_SLIDE_PX} px",
            fix="make the drawing lower at this size, so that it is enlarged more.",
            artist=smallest,
        )
