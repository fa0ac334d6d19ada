"""A half of an article: its front matter, and its body in the parts that are fetched apart.

A body is parsed once, and by that process which has time for it. What others need of it is cut out there and
encoded apart, so that nobody decodes a whole body for a line of it, and most edits stop at a part.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Raw, msgpack
from msgspec.structs import replace

from diglot.content.document import parse_document
from diglot.content.front_matter import parse_front_matter
from diglot.content.records import (
    Block,
    Document,
    FencedScript,
    FigureEmbed,
    FrontMatter,
    Parts,
    Placeholder,
    SharedText,
    TableEmbed,
)
from diglot.diagnostics import Diagnostic
from diglot.engine import BlobReference, Encoded, Packs, StoredBlob
from diglot.figure_request import FigureRequest
from diglot.languages import Language
from diglot.render.parts import placeholders_in
from diglot.rules.ids import HalfId
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, task


class ParsedHalf(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a half, each part encoded."""

    body: Raw
    """A `Document`."""
    outline: Raw
    """An `Outline`."""
    skeleton: Raw
    """A `Document` without its text: what the twin's page needs to number figures and to know its pairs."""
    references: Raw
    """A `References`."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """What the rest of the site takes from a half's body."""

    reading_minutes: int
    first_text: Parts
    scripts: tuple[FencedScript, ...]


class References(msgspec.Struct, frozen=True, kw_only=True):
    """What a half's body takes from the rest of the site."""

    path: str
    language: Language
    links: tuple[Placeholder, ...]
    embedded: tuple[tuple[str, int], ...]
    """Figures that are shown, drawn or as a table, each as the text of a `FigureRequest`, with the line."""
    quoted: tuple[tuple[str, int], ...]
    """Figures whose values stand in the text."""


@task("front-matter", FrontMatter)
async def read_front_matter(fetch: Fetch, half: HalfId) -> Encoded:
    """The front matter of a half."""
    post = await fetch(find_post, half.article)
    path = post.path(half.language)
    text = await read_text(fetch, path)
    shared = await read_text_if_there(fetch, post.shared)
    call = fetch.context.pool.call(_parse_front_matter, text, path, half.language, post.shared, shared)
    return Encoded(await fetch.wait(call))


def _parse_front_matter(
    text: str, path: str, language: Language, shared_path: str, shared_text: str | None
) -> bytes:
    shared = None if shared_text is None else SharedText(path=shared_path, text=shared_text)
    return msgpack.encode(parse_front_matter(text, path, language, shared))


@task("document", ParsedHalf)
async def read_document(fetch: Fetch, half: HalfId) -> StoredBlob:
    """The parsed body of a half."""
    post = await fetch(find_post, half.article)
    path = post.path(half.language)
    text = await read_text(fetch, path)
    stored: StoredBlob
    call = fetch.context.pool.call(_parse, fetch.context.packs, text, path, half.language)
    stored, warnings = await fetch.wait(call)
    fetch.report(*warnings)
    return stored


def _parse(
    packs: Packs, text: str, path: str, language: Language
) -> tuple[StoredBlob, tuple[Diagnostic, ...]]:
    document = parse_document(text, path, language)
    half = ParsedHalf(
        body=Raw(msgpack.encode(document)),
        outline=Raw(msgpack.encode(_outline(document))),
        skeleton=Raw(msgpack.encode(_skeleton(document))),
        references=Raw(msgpack.encode(_references(document))),
    )
    blob = packs.add(msgpack.encode(half))
    parts = {part: bytes(getattr(half, part)) for part in ("outline", "skeleton", "references")}
    return StoredBlob(blob, parts), document.warnings


_AT_HAND = 8
"""So many bodies stay decoded: both halves of a pair are aligned, and shown by two pages each."""


@lru_cache(_AT_HAND)
def body_of(packs: Packs, blob: BlobReference) -> Document:
    """The body in a `ParsedHalf`, read where it lies. Raises ObjectMissing where it is gone."""
    half = msgpack.decode(packs.read(blob), type=ParsedHalf)
    return msgpack.decode(half.body, type=Document)


@task("outline", Outline)
async def cut_outline(fetch: Fetch, half: HalfId) -> Encoded:
    """The outline of a half: a slice of its document, so that most edits stop here."""
    return Encoded(await fetch.part(read_document, half, "outline"))


@task("skeleton", Document)
async def cut_skeleton(fetch: Fetch, half: HalfId) -> Encoded:
    """A half without its text, likewise."""
    return Encoded(await fetch.part(read_document, half, "skeleton"))


@task("references", References)
async def cut_references(fetch: Fetch, half: HalfId) -> Encoded:
    """What a half refers to, likewise."""
    return Encoded(await fetch.part(read_document, half, "references"))


def _outline(document: Document) -> Outline:
    refers = any(isinstance(part, Placeholder) and part.kind != "eval" for part in document.first_text)
    return Outline(
        reading_minutes=document.reading_minutes,
        first_text=() if refers else document.first_text,  # "see figure 1" says nothing in a list
        scripts=document.scripts,
    )


def _skeleton(document: Document) -> Document:
    return replace(
        document,
        blocks=tuple(map(_skeleton_of_block, document.blocks)),
        figures=tuple(replace(embed, caption=(), line=0) for embed in document.figures),
        tables=tuple(replace(embed, caption=(), line=0) for embed in document.tables),
        scripts=(),
        links=(),
        warnings=(),
        reading_minutes=1,
        first_text=(),
    )


def _skeleton_of_block(block: Block) -> Block:
    placeholders = tuple(
        replace(part, line=0)
        for part in block.parts
        if isinstance(part, Placeholder) and part.kind in ("figure", "table")
    )
    return Block(
        kind=block.kind,
        line=0,
        parts=placeholders,
        level=block.level,
        anchor=block.anchor,
        number=block.number,
    )


def _references(document: Document) -> References:
    return References(
        path=document.path,
        language=document.language,
        links=document.links,
        embedded=tuple(
            (str(FigureRequest.of(one.figure_id, one.parameters)), one.line) for one in _embeds(document)
        ),
        quoted=tuple(
            dict.fromkeys(
                (text, placeholder.line)
                for parts in _all_parts(document)
                for placeholder in placeholders_in(parts)
                for text in placeholder.figures
            )
        ),
    )


def _all_parts(document: Document) -> Iterator[Parts]:
    for block in document.blocks:
        yield block.parts
        for note in block.notes:
            yield note.parts
    for embed in _embeds(document):
        yield embed.caption


def _embeds(document: Document) -> tuple[FigureEmbed | TableEmbed, ...]:
    return (*document.figures, *document.tables)
