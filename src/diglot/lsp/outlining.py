"""What a half consists of: its headings, and below them figures, tables, formulas and all that has a name."""

from collections.abc import Iterable

from lsprotocol.types import DocumentSymbol, SymbolKind

from diglot.content.labels import labels_in
from diglot.content.records import Block, Document
from diglot.lsp.places import Text
from diglot.render.numbering import embed_of


def outline(document: Document, text: Text) -> list[DocumentSymbol]:
    """The symbols of a half, as a tree."""
    top: list[DocumentSymbol] = []
    above: list[tuple[int, DocumentSymbol]] = []
    for index, block in enumerate(document.blocks):
        if block.kind == "heading":
            while above and above[-1][0] >= block.level:
                above.pop()
            symbol = _symbol(text, block, block.text, SymbolKind.String, last=_last_of(document, index))
            _under(above, top).append(symbol)
            above.append((block.level, symbol))
        else:
            _under(above, top).extend(_named(document, block, text))
    return top


def _under(above: list[tuple[int, DocumentSymbol]], top: list[DocumentSymbol]) -> list[DocumentSymbol]:
    if not above:
        return top
    symbol = above[-1][1]
    children = [*symbol.children] if symbol.children else []
    symbol.children = children
    return children


def _last_of(document: Document, index: int) -> int:
    """The last line of what is below a heading."""
    level, last = document.blocks[index].level, document.blocks[index].last_line
    for block in document.blocks[index + 1 :]:
        if block.kind == "heading" and block.level <= level:
            break
        last = block.last_line
    return last


def _named(document: Document, block: Block, text: Text) -> Iterable[DocumentSymbol]:
    embed = embed_of(block, document)
    if embed is not None:
        yield _symbol(text, block, embed.name, SymbolKind.Object, detail=embed.figure_id)
    elif labels := labels_in(block):
        yield _symbol(text, block, labels[-1].name, SymbolKind.Object, detail=labels[-1].of)
    elif block.anchor:
        kind = SymbolKind.Number if block.kind == "formula" else SymbolKind.Key
        yield _symbol(text, block, block.anchor, kind, detail=block.kind)


def _symbol(
    text: Text, block: Block, name: str, kind: SymbolKind, *, last: int = 0, detail: str = ""
) -> DocumentSymbol:
    first = text.whole_line(block.line - 1)
    whole = text.range(
        text.start_of(block.line - 1), text.start_of(max(last, block.last_line, block.line) - 1)
    )
    whole.end = text.whole_line(max(last, block.last_line, block.line) - 1).end
    return DocumentSymbol(
        name=name or "…", kind=kind, range=whole, selection_range=first, detail=detail or None, children=[]
    )
