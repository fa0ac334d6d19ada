"""Pictures with captions, which have numbers among the figures."""

from markupsafe import Markup
from msgspec.structs import replace

from diglot.content.records import Block, Parts, Placeholder

_CAPTION = "<figcaption>"


_PICTURES = ("image", "diagram", "cell")


def pictures_of(block: Block) -> tuple[Placeholder, ...]:
    """The pictures, diagrams and outputs of code cells in a block."""
    return tuple(part for part in block.parts if isinstance(part, Placeholder) and part.kind in _PICTURES)


def captioned_skeleton(block: Block) -> Parts:
    """As little of what has a number as shows that it has one, and the pictures in it."""
    kinds = ("label", *_PICTURES)
    kept = [part for part in block.parts if isinstance(part, Placeholder) and part.kind in kinds]
    return tuple(replace(part, line=0) for part in kept)


def caption_alone(html: Markup) -> Markup:
    """What the other language adds to a picture that is there once: its caption, if it has one."""
    _, begins, rest = html.partition(_CAPTION)
    if not begins:
        return Markup()
    return Markup(f'<div class="caption">{rest.partition("</figcaption>")[0]}</div>')
