"""The output that a notebook stores of its code cells, for articles whose code does not run."""

import base64
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from diglot.characters import without_forbidden
from diglot.content.notebooks import ENDING, joined, stored_outputs
from diglot.figures.records import CellCode, CellPiece, CellRun, CellRuns, Script

_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/svg+xml")


def stored_runs(content: bytes, script: Script) -> CellRuns:
    """What the cells of a notebook once showed; nothing for cells of Markdown, which stores no output."""
    outputs: list[list[dict[str, Any]]] = []
    if script.path.endswith(ENDING):
        outputs = stored_outputs(content.decode("utf-8", "replace"), script.path)
    outputs += [[] for _ in script.cells[len(outputs) :]]
    shown = (tuple(_pieces(of_cell, cell)) for of_cell, cell in zip(outputs, script.cells, strict=False))
    return CellRuns(runs=(CellRun(data=b"{}", shown=tuple(shown)),), provenance=())


def _pieces(outputs: list[dict[str, Any]], cell: CellCode) -> Iterator[CellPiece]:
    found = [piece for one in outputs if (piece := _piece(one, cell)) is not None]
    if found and not cell.is_hidden:
        yield CellPiece(kind="stored")
        yield from found


def _piece(output: Mapping[str, Any], cell: CellCode) -> CellPiece | None:
    kind, data = output.get("output_type"), output.get("data")
    if kind == "stream":
        return _text(joined(output.get("text")))
    if kind == "error":
        said = f"{output.get('ename', '')}: {output.get('evalue', '')}"
        return CellPiece(kind="error", text=without_forbidden(said))
    if not isinstance(data, Mapping):
        return None
    plain = without_forbidden(joined(data.get("text/plain")).strip("\n"))
    for media in _PICTURES:
        if media in data:
            return CellPiece(kind="picture", text=_picture(media, joined(data[media]), cell.alt))
    if html := joined(data.get("text/html")):
        return CellPiece(kind="html", html=without_forbidden(html), text=plain)
    return _text(plain)


def _text(text: str) -> CellPiece | None:
    text = without_forbidden(text.strip("\n"))
    return CellPiece(kind="text", text=text) if text else None


def _picture(media: str, content: str, alt: str) -> str:
    """A picture in its page: as an address, in which drawings run nothing."""
    is_svg = media == "image/svg+xml"
    data = base64.b64encode(content.encode()).decode() if is_svg else "".join(content.split())
    return f'<img src="data:{media};base64,{escape(data)}" alt="{escape(alt)}">'
