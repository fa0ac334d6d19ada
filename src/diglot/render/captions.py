"""Captions of pictures: a picture that stands alone and has a title becomes a figure with that caption."""

import posixpath
import re
from urllib.parse import unquote

from markupsafe import Markup, escape
from msgspec.structs import replace

from diglot.content.records import Block, Parts, Placeholder
from diglot.content.slides import is_picture

_TITLED = re.compile(r'<p([^>]*)>(.*<img [^>]*?) title="([^"]*)"(.*)</p>\s*', re.DOTALL)
_CAPTION = "<figcaption>"


def has_caption(block: Block) -> bool:
    """Whether a block is a picture with a title, and nothing else."""
    if len(block.parts) == 1:  # text alone, as most paragraphs are
        return False
    for part in block.parts:  # most have no title, which this finds sooner than a generator does
        if isinstance(part, str) and ' title="' in part:
            return is_picture(block)
    return False


def picture_of(block: Block) -> Placeholder:
    """The picture of a block that is one."""
    return next(part for part in block.parts if isinstance(part, Placeholder) and part.kind == "image")


def picture_skeleton(block: Block) -> Parts:
    """As little of a picture with a caption as shows that it is one."""
    return ('<p><img src="', replace(picture_of(block), line=0), '" title=""></p>')


def name_of_picture(block: Block) -> str:
    """Its name in references: the id that its author gave it, else `fig-` and the name of its file."""
    path = unquote(re.split("[?#]", picture_of(block).target, maxsplit=1)[0])
    return block.anchor or f"fig-{posixpath.splitext(posixpath.basename(path))[0]}"


def captioned(html: Markup, label: str) -> Markup:
    """The HTML of a picture with its title as a numbered caption."""
    found = _TITLED.fullmatch(html)
    if found is None:
        return html
    attributes, before, title, after = found.groups()
    return Markup(
        f'<figure{attributes}><div class="drawing">{before}{after}</div>'
        f"{_CAPTION}<b>{escape(label)}</b>{title}</figcaption></figure>"
    )


def caption_alone(html: Markup) -> Markup:
    """What the other language adds to a picture that is there once: its caption, if it has one."""
    _, begins, rest = html.partition(_CAPTION)
    if not begins:
        return Markup()
    return Markup(f'<div class="caption">{rest.partition("</figcaption>")[0]}</div>')
