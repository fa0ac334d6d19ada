"""Numbers figures and tables in reading order; the numbers are the same in both languages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_lowercase

import msgspec
from msgspec.structs import replace

from diglot.content.labels import PART, Label, labels_in
from diglot.content.records import Alignment, Block, Document, FigureEmbed, Placeholder, TableEmbed
from diglot.languages import Language


class Numbered(msgspec.Struct, frozen=True, kw_only=True):
    """Kind, number and place of what references lead to."""

    kind: str
    """`figure`, `table`, or a kind of admonition, such as `theorem`."""
    number: int
    anchor: str
    """The id of its row."""
    part: str = ""
    """The letter of a picture that is a part of the figure."""


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


def number_embeds(
    documents: Mapping[Language, Document], alignment: Alignment, *, pictures: bool = True
) -> dict[str, Numbered]:
    """Figures, tables, theorems and the like by name, each kind numbered from 1 in the order of the rows.

    One that only one half has is counted, too, so that both languages have the same numbers. Without
    `pictures`, only those that scripts make are counted.
    """
    numbered: dict[str, Numbered] = {}
    places: dict[tuple[str, int], Numbered] = {}
    counts: Counter[str] = Counter()
    for row in alignment.rows:
        for language, document in documents.items():
            index = row.zh if language == "zh" else row.en
            if index is None:
                continue
            block = document.blocks[index]
            if pictures and (labels := labels_in(block)):
                _number_labels(numbered, counts, labels, row.id, places)
                continue
            embed = embed_of(block, document)
            if embed is None or embed.name in numbered:
                continue
            kind = "figure" if isinstance(embed, FigureEmbed) else "table"
            counts[kind] += 1
            numbered[embed.name] = Numbered(kind=kind, number=counts[kind], anchor=row.id)
    return numbered


def _number_labels(
    numbered: dict[str, Numbered],
    counts: Counter[str],
    labels: Sequence[Label],
    row_id: str,
    places: dict[tuple[str, int], Numbered],
) -> None:
    """Number what a row shows, once for both languages."""
    parts: list[str] = []
    nth = 0
    for label in labels:
        if label.of == PART:
            parts.append(label.name)
            continue
        if (own := places.get((row_id, nth))) is None:
            counts[label.of] += 1
            own = places[row_id, nth] = Numbered(kind=label.of, number=counts[label.of], anchor=row_id)
        numbered.setdefault(label.name, own)
        if not nth:
            numbered.setdefault(row_id, own)
        for letter, name in zip(ascii_lowercase, parts, strict=False):
            numbered.setdefault(name, replace(own, part=letter))
        parts, nth = [], nth + 1
