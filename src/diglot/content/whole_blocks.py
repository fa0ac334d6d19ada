"""What a block says in all: its sentences, its footnotes, and the caption of its figure or table."""

from diglot.content.prose import placeholders_of
from diglot.content.records import Block, Document, Parts, Placeholder


def caption_of(block: Block, document: Document) -> Parts:
    """The caption of a figure or table, if the block is one and has one."""
    parts: list[str | Placeholder] = []
    for kind, embeds in (("figure", document.figures), ("table", document.tables)):
        for index in placeholders_of(block.parts, kind):
            parts += embeds[int(index)].caption
    return tuple(parts)


def whole_of(block: Block, document: Document) -> Parts:
    """What a block holds, its notes and the caption of a figure or table included."""
    parts = [*block.parts, *caption_of(block, document)]
    for note in block.notes:
        parts += ["<p>", *note.parts, "</p>"]
    return tuple(parts)
