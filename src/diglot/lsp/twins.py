"""From a block to its twin in the other half, and to its place on the page."""

from lsprotocol.types import CodeLens, Command, Location, Position, Range

from diglot.languages import Language
from diglot.lsp.asked import Asked
from diglot.lsp.parsing import Pair
from diglot.lsp.places import Text, uri_of

SHOW_TWIN = "diglot.showTwin"
"""The command that shows the twin of a block; its arguments are the address of the file and a position."""
_WORDS: dict[Language, str] = {"zh": "中文", "en": "English"}


def twin_place(asked: Asked) -> Location | None:
    """The twin of the block at the cursor; the beginning of the other half above the first one."""
    if asked.half is None:
        return None
    pair = Pair(asked, asked.half)
    path = pair.paths[pair.twin]
    if path is None:
        return None
    text = Text(asked.read(path), asked.text.encoding)
    block = pair.twin_of(asked.position.line + 1)
    first = block.line - 1 if block is not None else 0
    last = max(first, block.last_line - 1) if block is not None else 0
    place = Range(start=Position(line=first, character=0), end=text.whole_line(last).end)
    return Location(uri=uri_of(asked.root, path), range=place)


def twin_command(asked: Asked, title: str) -> Command:
    """The command that shows the twin of the block at the cursor."""
    position = {"line": asked.position.line, "character": asked.position.character}
    return Command(title=title, command=SHOW_TWIN, arguments=[uri_of(asked.root, asked.path), position])


def lenses(asked: Asked) -> list[CodeLens]:
    """A lens above each heading, which leads to its twin."""
    if asked.half is None:
        return []
    pair = Pair(asked, asked.half)
    document = pair.documents[pair.own]
    if document is None or pair.documents[pair.twin] is None:
        return []
    found = []
    for block in document.blocks:
        twin = pair.twin_of(block.line) if block.kind == "heading" else None
        if twin is not None and twin.kind == "heading":
            at = Position(line=block.line - 1, character=0)
            command = Command(
                title=f"{_WORDS[pair.twin]}: {twin.text}",
                command=SHOW_TWIN,
                arguments=[uri_of(asked.root, asked.path), {"line": at.line, "character": 0}],
            )
            found.append(CodeLens(range=Range(start=at, end=at), command=command))
    return found


def page_place(asked: Asked) -> dict[str, str] | None:
    """The page of a half, and the id of the block at the cursor, for a preview; None for another file."""
    if asked.half is None:
        return None
    addresses = asked.known.addresses.get(asked.half.article)
    if addresses is None or asked.half.language not in addresses.paths:
        return None
    pair = Pair(asked, asked.half)
    at = pair.row_at(asked.position.line + 1)
    return {
        "path": addresses.paths[asked.half.language],
        "block": pair.alignment.rows[at].id if at is not None else "",
    }
