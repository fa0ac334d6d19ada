"""Values on slides that were written from expressions: where they are in a text, and rewritten."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

from diglot.slides.records import BoundText
from diglot.slides.xml import FALLBACK, TAG, A, spliced, with_attributes


class Spot(NamedTuple):
    """Where a value is: in which run of a shape's text, and from which character."""

    run: int
    at: int


def locate(runs: Sequence[str], values: Sequence[str]) -> list[Spot | None]:
    """Where values are in the runs of a shape, in their order; None for one that is not there any more.

    A program may have joined a value's run with others, so that it is looked for inside of them.
    """
    found: list[Spot | None] = []
    after = Spot(0, 0)
    for value in values:
        spot = _next(runs, value, after)
        found.append(spot)
        if spot is not None:
            after = Spot(spot.run, spot.at + len(value))
    return found


def _next(runs: Sequence[str], value: str, after: Spot) -> Spot | None:
    token = re.compile(rf"(?<![\w.,]){re.escape(value)}(?!\w|[.,]\d)")
    for number in range(after.run, len(runs)):
        if match := token.search(runs[number], after.at if number == after.run else 0):
            return Spot(number, match.start())
    return None


def values_replaced(content: bytes, shapes: Mapping[str, Sequence[tuple[str, str]]]) -> bytes:
    """A part with other texts for values, and otherwise the same bytes.

    `shapes` has, by the id of a shape, all of its values in their order, as they were and as they are now.
    """
    runs = _runs_by_shape(content)
    edits: list[tuple[int, int, bytes]] = []
    for shape, values in shapes.items():
        own = runs.get(shape, [])
        texts = [one.text for one in own]
        changed: dict[int, str] = {}
        spots = locate(texts, [old for old, _ in values])
        # From the last to the first, so that places before stay where they are.
        for spot, (old, new) in sorted(
            (pair for pair in zip(spots, values, strict=True) if pair[0] is not None), reverse=True
        ):
            if spot is not None:
                text = changed.get(spot.run, texts[spot.run])
                changed[spot.run] = text[: spot.at] + new + text[spot.at + len(old) :]
        edits += [
            (own[number].start, own[number].end, escape(text).encode("utf-8"))
            for number, text in changed.items()
            if text != texts[number]
        ]
    return spliced(content, sorted(edits))


_TEXT = f"{A}t"


class _Run(NamedTuple):
    start: int
    end: int
    text: str


def _runs_by_shape(content: bytes) -> dict[str, list[_Run]]:
    """The texts of each shape's runs, with their bytes in the part."""
    found: dict[str, list[_Run]] = {}
    shapes: list[str] = []
    pieces: list[str] = []
    begins = -1
    parser = expat.ParserCreate(namespace_separator="}")
    hidden = 0

    def is_text(name: str) -> bool:
        return f"{{{name}" == _TEXT and bool(shapes) and not hidden

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal begins, hidden
        local = name.rpartition("}")[2]
        hidden += f"{{{name}" == FALLBACK
        if local in ("sp", "graphicFrame"):
            shapes.append("")
        elif local == "cNvPr" and shapes and not shapes[-1]:
            shapes[-1] = attributes.get("id", "")
        elif is_text(name) and (tag := TAG.match(content, parser.CurrentByteIndex)):
            pieces.clear()
            begins = tag.end()

    def data(text: str) -> None:
        pieces.append(text)

    def end(name: str) -> None:
        nonlocal begins, hidden
        local = name.rpartition("}")[2]
        hidden -= f"{{{name}" == FALLBACK
        if local in ("sp", "graphicFrame"):
            shapes.pop()
        elif is_text(name) and begins >= 0:
            if (ends := parser.CurrentByteIndex) >= begins:
                found.setdefault(shapes[-1], []).append(_Run(begins, ends, "".join(pieces)))
            begins = -1

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.Parse(content, True)
    return found


def tags_updated(content: bytes, now: Mapping[tuple[str, str], str]) -> bytes:
    """The part with a shape's values, with what they are now, by expression and old text."""

    def change(name: str, attributes: Mapping[str, str]) -> Mapping[str, str]:
        if name.rpartition(":")[2] != "tag":
            return {}
        try:
            values = json.loads(attributes.get("val", ""))
            renewed = [
                {**one, "text": now.get((one["expression"], one["text"]), one["text"])} for one in values
            ]
        except (ValueError, TypeError, KeyError):  # another program's tag
            return {}
        return {"val": json.dumps(renewed, ensure_ascii=False)} if renewed != values else {}

    return with_attributes(content, change)


def in_order(bound: Sequence[BoundText]) -> dict[str, dict[str, list[BoundText]]]:
    """Values by part and shape."""
    found: dict[str, dict[str, list[BoundText]]] = {}
    for one in bound:
        found.setdefault(one.part, {}).setdefault(one.shape_id, []).append(one)
    return found
