"""The body of a half of an article, in parts that are fetched separately.

The worker pool parses each body once. The same call cuts out the parts that other tasks use and encodes them
separately: no task decodes a whole body to use a little of it, and most edits leave some parts unchanged, so
that tasks which use only those do not rerun.
"""

from contextlib import suppress

from msgspec import Raw, msgpack
from msgspec.structs import replace

from diglot.content.code_made import code_made
from diglot.content.document import parse_text
from diglot.content.extensions import NOT_EXTENDED, Extended, may_be_extended
from diglot.content.keywords import keywords_of
from diglot.content.labels import labels_in
from diglot.content.records import Block, Document, Placeholder
from diglot.content.tree.html import NONE_HIGHLIGHTED
from diglot.content.tree.nodes import Tree
from diglot.content.tree.text import characters_of_formulas
from diglot.diagnostics import Diagnostic
from diglot.engine import BlobReference, Encoded, Packs, StoredBlob
from diglot.engine.packs import ObjectMissing
from diglot.figure_request import FigureRequest
from diglot.project import HtmlPolicy
from diglot.render.captions import captioned_skeleton, pictures_of
from diglot.render.parts import placeholders_in
from diglot.rules.extended_halves import extend_half
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import (
    ExploredEmbed,
    FollowingValue,
    Outline,
    ParsedHalf,
    References,
    Source,
    embeds_of,
    parsed_in,
    parts_of,
)
from diglot.rules.projects import read_html_policy, read_wikilinks
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, in_worker, task


@task("document", ParsedHalf)
async def read_document(fetch: Fetch, half: HalfId) -> StoredBlob:
    """The parsed body of a half."""
    post = await fetch(find_post, half.article)
    path = post.path(half.language)
    text = await read_text(fetch, path)
    stored: StoredBlob
    policy = await fetch(read_html_policy)
    source = Source(text, path, half.language)
    extended = NOT_EXTENDED
    if may_be_extended(text) or ("[[" in text and await fetch(read_wikilinks)):
        extended = (await fetch(extend_half, half)).as_extended()
    stored, warnings = await in_worker(fetch, _parse, source, policy, extended, fetch.last_blob())
    fetch.report(*warnings)
    return stored


def _parse(
    packs: Packs, source: Source, html: HtmlPolicy, extended: Extended, last: BlobReference | None
) -> tuple[StoredBlob, tuple[Diagnostic, ...]]:
    made = NONE_HIGHLIGHTED
    if last is not None:
        with suppress(ObjectMissing):
            made = code_made(parsed_in(packs, last))
    tree, document = parse_text(*source, html, made, extended=extended)
    half = ParsedHalf(
        body=Raw(msgpack.encode(document)),
        outline=Raw(msgpack.encode(_outline(tree, document))),
        skeleton=Raw(msgpack.encode(_skeleton(document))),
        references=Raw(msgpack.encode(references_of(document))),
        keywords=Raw(msgpack.encode(keywords_of(document))),
        tree=Raw(msgpack.encode(tree)),
    )
    blob = packs.add(msgpack.encode(half))
    parts = {part: bytes(getattr(half, part)) for part in ("outline", "skeleton", "references", "keywords")}
    return StoredBlob(blob, parts), document.warnings


@task("outline", Outline)
async def cut_outline(fetch: Fetch, half: HalfId) -> Encoded:
    """The outline of a half. A task of its own, so that edits which keep it rerun nothing above it."""
    return Encoded(await fetch.part(read_document, half, "outline"))


@task("skeleton", Document)
async def cut_skeleton(fetch: Fetch, half: HalfId) -> Encoded:
    """The skeleton of a half, for the same reason."""
    return Encoded(await fetch.part(read_document, half, "skeleton"))


@task("references", References)
async def cut_references(fetch: Fetch, half: HalfId) -> Encoded:
    """The references of a half, for the same reason."""
    return Encoded(await fetch.part(read_document, half, "references"))


def _outline(tree: Tree, document: Document) -> Outline:
    refers = any(isinstance(part, Placeholder) and part.kind != "eval" for part in document.first_text)
    return Outline(
        reading_minutes=document.reading_minutes,
        first_text=() if refers else document.first_text,  # "see figure 1" makes no sense in a list
        scripts=document.scripts,
        formulas="".join(sorted(characters_of_formulas(tree))),
    )


def _skeleton(document: Document) -> Document:
    captioned = [block for block in document.blocks if labels_in(block)]
    return replace(
        document,
        blocks=tuple(
            replace(_skeleton_of_block(block), parts=captioned_skeleton(block))
            if block in captioned
            else _skeleton_of_block(block)
            for block in document.blocks
        ),
        figures=tuple(replace(embed, caption=(), line=0) for embed in document.figures),
        tables=tuple(replace(embed, caption=(), line=0) for embed in document.tables),
        scripts=(),
        cells=(),
        diagrams=(),
        links=tuple(
            replace(picture, line=0, kind="image") for block in captioned for picture in pictures_of(block)
        ),
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


def references_of(document: Document) -> References:
    """What a half refers to."""
    explored = tuple(
        ExploredEmbed(
            name=one.name,
            request=str(FigureRequest.of(one.figure_id, one.parameters)),
            explored=one.explored,
            line=one.explored_line,
        )
        for one in document.figures
        if one.explored
    )
    return References(
        path=document.path,
        language=document.language,
        links=document.links,
        embedded=tuple(
            (str(FigureRequest.of(one.figure_id, one.parameters)), one.line) for one in embeds_of(document)
        ),
        quoted=tuple(
            dict.fromkeys(
                (text, placeholder.line)
                for parts in parts_of(document)
                for placeholder in placeholders_in(parts)
                for text in placeholder.figures
            )
        ),
        cells=document.cells,
        diagrams=document.diagrams,
        explored=explored,
        following=_following(document, explored) if explored else (),
        citations=document.citations,
    )


def _following(document: Document, explored: tuple[ExploredEmbed, ...]) -> tuple[FollowingValue, ...]:
    """Values in the text that read a figure as it is shown where readers can turn it."""
    found: dict[str, FollowingValue] = {}
    for placeholder in (one for parts in parts_of(document) for one in placeholders_in(parts)):
        embed = next((one for one in explored if one.request in placeholder.figures), None)
        if embed is not None and placeholder.kind == "eval" and placeholder.context == "html":
            found.setdefault(
                placeholder.target,
                FollowingValue(
                    expression=placeholder.target,
                    figures=placeholder.figures,
                    figure=embed.name,
                    line=placeholder.line,
                ),
            )
    return tuple(found.values())
