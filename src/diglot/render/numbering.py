"""Numbers figures and tables in reading order; the numbers are the same in both languages."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from diglot.content.records import Alignment, Block, Document, FigureEmbed, Placeholder, TableEmbed
from diglot.content.slides import label_of
from diglot.languages import Language

EmbedKind = Literal["figure", "table"]


class Numbered(msgspec.Struct, frozen=True, kw_only=True):
    """Kind, number and place of a figure or table, for cross-references."""

    kind: EmbedKind
    number: int
    anchor: str
    """The id of its row."""


def embed_of(block: Block, document: Document) -> FigureEmbed | TableEmbed | None:
    """The figure or table that a block contains; None for any other block."""
    if block.kind not in ("figure", "table"):
        return None
    for part in block.parts:
        if isinstance(part, Placeholder) and part.kind == "figure":
            return document.figures[int(part.target)]
        if isinstance(part, Placeholder) and part.kind == "table":
            return document.tables[int(part.target)]
    return None


def may_have_captions(document: Document) -> bool:
    """Whether there may be pictures, diagrams or outputs of cells with captions in a half."""
    return bool(document.diagrams or document.cells) or any(one.kind == "image" for one in document.links)


def number_embeds(
    documents: Mapping[Language, Document], alignment: Alignment, *, pictures: bool = True
) -> dict[str, Numbered]:
    """Figures and tables by name, numbered from 1 in the order of the rows.

    One that only one half has is counted, too, so that both languages have the same numbers. With `pictures`,
    those that have a caption are figures.
    """
    numbered: dict[str, Numbered] = {}
    has_pictures = pictures and any(map(may_have_captions, documents.values()))
    if not has_pictures and not any(half.figures or half.tables for half in documents.values()):
        return numbered
    counts: dict[EmbedKind, int] = {"figure": 0, "table": 0}
    for row in alignment.rows:
        for language, document in documents.items():
            index = row.zh if language == "zh" else row.en
            if index is None:
                continue
            block = document.blocks[index]
            if block.kind in ("paragraph", "code"):
                if has_pictures and (label := label_of(block)) is not None:
                    _number_picture(numbered, counts, label.target, row.id)
                continue
            embed = embed_of(block, document)
            if embed is None or embed.name in numbered:
                continue
            kind: EmbedKind = "figure" if isinstance(embed, FigureEmbed) else "table"
            counts[kind] += 1
            numbered[embed.name] = Numbered(kind=kind, number=counts[kind], anchor=row.id)
    return numbered


def _number_picture(
    numbered: dict[str, Numbered], counts: dict[EmbedKind, int], name: str, row_id: str
) -> None:
    """Number a picture, once for both languages; the same file shown again is known by its row alone."""
    own = next((one for one in numbered.values() if one.anchor == row_id), None)
    if own is None:
        counts["figure"] += 1
        own = Numbered(kind="figure", number=counts["figure"], anchor=row_id)
    numbered.setdefault(name, own)
    numbered.setdefault(row_id, own)
