"""What a block says in all: its sentences, its footnotes, and the caption of its figure or table."""

from diglot.content.tree.nodes import Embed, Nodes, Paragraph, TopBlock


def caption_of(block: TopBlock) -> Nodes:
    """The caption of a figure or table, if the block is one and has one."""
    return tuple(inline for node in block.nodes if isinstance(node, Embed) for inline in node.caption)


def whole_of(block: TopBlock) -> Nodes:
    """What a block holds, its notes and the caption of a figure or table included."""
    return (*block.nodes, *(Paragraph(children=note.children) for note in block.notes))
