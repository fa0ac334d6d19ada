"""Pictures with captions, which have numbers among the figures."""

from markupsafe import Markup
from msgspec.structs import replace

from diglot.content.records import Block, Parts, Placeholder
from diglot.content.slides import label_of

_CAPTION = "<figcaption>"


def picture_of(block: Block) -> Placeholder:
    """The picture, diagram or output of a code cell of a block that is one."""
    kinds = ("image", "diagram", "cell")
    return next(part for part in block.parts if isinstance(part, Placeholder) and part.kind in kinds)


def picture_skeleton(block: Block) -> Parts:
    """As little of a picture with a caption as shows that it is one."""
    label = label_of(block)
    picture = replace(picture_of(block), line=0)
    return (picture,) if label is None else (picture, replace(label, line=0))


def caption_alone(html: Markup) -> Markup:
    """What the other language adds to a picture that is there once: its caption, if it has one."""
    _, begins, rest = html.partition(_CAPTION)
    if not begins:
        return Markup()
    return Markup(f'<div class="caption">{rest.partition("</figcaption>")[0]}</div>')
