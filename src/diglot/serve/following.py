"""Finds the block that a save changed, for browsers that follow what the author writes."""

from collections.abc import Collection
from typing import TypeAlias

from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.records import Block, Document, FrontMatter, Parts, Placeholder
from diglot.render.numbering import embed_of
from diglot.rules.figures import find_scripts
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.last_build import LastBuild, Records
from diglot.serve.blocks import TOP, BlockPlace, SiteBlocks, article_named, places, request_of, row_ids

_MOST_PLACES = 64
"""Maximum number of pages that are named for a figure."""

_Face: TypeAlias = tuple[object, ...]
"""What a block shows, without its source lines, so that a block that only moved is equal."""


class Following:
    """Compares halves before and after a build. It reads the store, so use it only if a browser follows."""

    def __init__(self, last_build: LastBuild, blocks: SiteBlocks) -> None:
        self._last_build = last_build
        self._blocks = blocks
        self._before: dict[HalfId, _Half] = {}
        """The halves that changed lately, as last read successfully."""

    def before(self, paths: Collection[str]) -> None:
        """Remember the content of the changed halves, before a build reads them again."""
        with self._last_build.records() as records:
            for path in paths:
                found = self._blocks.half_of(records, path) if path.endswith(".md") else None
                if found is not None and found[0] not in self._before:
                    self._note(records, found[0])

    def after(self, paths: Collection[str]) -> tuple[BlockPlace, ...]:
        """Where the pages now show what changed, the best place first; empty if several things changed.

        That is the first block of a half that differs from before, the title if only the front matter does,
        or the figure whose script was saved.
        """
        with self._last_build.records() as records:
            halves = {path: self._blocks.half_of(records, path) for path in paths}
            changed = [half for half in halves.values() if half and article_named(records, half[0].article)]
            articles = {half.article for half, _ in changed}
            if len(articles) == 1:
                found = (place for half, shared in changed for place in self._changed(records, half, shared))
                return tuple(dict.fromkeys(found))
            if articles or any(path.endswith(".md") for path in paths):
                return ()
            scripts = records.value(find_scripts, None)
            figures = {
                one.figure_id
                for one in (scripts.scripts if scripts else ())
                if one.source is None and one.path in paths
            }
            if len(figures) != 1:
                return ()
            shown = self._blocks.showing(records, lambda request, _: request.figure_id in figures)
            return tuple(dict.fromkeys(one.place for one in shown))[:_MOST_PLACES]

    def _changed(self, records: Records, half: HalfId, shared: bool) -> tuple[BlockPlace, ...]:
        article = article_named(records, half.article)
        if article is None:
            return ()
        if shared:
            return tuple(place for one in article.languages for place in places(article, one, TOP))
        before = self._before.get(half)
        now = self._note(records, half)
        row = ""
        if before is not None and now is not None:
            row = _changed_row(before, now, row_ids(records, *half))
        return tuple(places(article, half.language, row))

    def _note(self, records: Records, half: HalfId) -> "_Half | None":
        """Read a half; None if it cannot be read, and then what was remembered of it stays."""
        parsed = records.value(read_document, half)
        front = records.value(read_front_matter, half)
        if parsed is None or front is None:
            return None
        self._before[half] = noted = _Half(front, msgpack.decode(parsed.body, type=Document))
        return noted


class _Half:
    """What a half shows."""

    def __init__(self, front: FrontMatter, document: Document) -> None:
        self.front = (front.date, front.updated, front.draft, front.tags, front.categories, front.authors)
        self.titles = _without_lines(front.title), _without_lines(front.description)
        self.faces = [_face(block, document) for block in document.blocks]
        self.scripts = {one.figure_id: one.source for one in document.scripts}
        embeds = (embed_of(block, document) for block in document.blocks)
        self.figures = [None if embed is None else request_of(embed).figure_id for embed in embeds]


def _changed_row(before: _Half, now: _Half, rows: dict[int, str]) -> str:
    """The id of the first row that differs; empty if none does."""
    index = first_difference(before.faces, now.faces)
    if index is not None:
        return rows.get(index, "")
    if (before.front, before.titles) != (now.front, now.titles):
        return TOP
    scripts = {name for name, source in now.scripts.items() if before.scripts.get(name) != source}
    shown = (rows.get(at, "") for at, figure in enumerate(now.figures) if figure in scripts)
    return next(shown, "")


def first_difference(before: list[_Face], now: list[_Face]) -> int | None:
    """The index of the first block that is new or changed; after a removal, of the block that took its place.

    None if nothing differs, or nothing is left.
    """
    for index, (one, other) in enumerate(zip(before, now, strict=False)):
        if one != other:
            return index
    if len(before) == len(now) or not now:
        return None
    return min(len(before), len(now) - 1)


def _face(block: Block, document: Document) -> _Face:
    embed = embed_of(block, document)
    shown = (embed.name, request_of(embed), _without_lines(embed.caption)) if embed else None
    notes = tuple((note.number, _without_lines(note.parts)) for note in block.notes)
    return block.kind, block.level, block.anchor, _without_lines(block.parts), shown, notes


def _without_lines(parts: Parts) -> Parts:
    return tuple(part if isinstance(part, str) else _without_line(part) for part in parts)


def _without_line(placeholder: Placeholder) -> Placeholder:
    return replace(placeholder, line=0)
