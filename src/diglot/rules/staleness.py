"""Staleness as tasks: what is translated of an article, what of it is behind, and where its pages say so.

Only articles with a `sync.txt` have these tasks: for others nothing is fetched.
"""

from msgspec import msgpack

from diglot.content.records import Alignment
from diglot.engine import BlobReference, Encoded, Packs
from diglot.invariants import certain
from diglot.languages import LANGUAGES, twin_of
from diglot.render.materials import BehindBlock
from diglot.rules.articles import align_article
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import body_of
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.staleness.comparing import Finding, compare
from diglot.staleness.sync_file import read_sync_file
from diglot.staleness.units import TOP, Units, units_of


@task("units", Units)
async def list_units(fetch: Fetch, article: str) -> Encoded:
    """What is translated of an article that has both halves."""
    post = await fetch(find_post, article)
    zh, en = [
        (await fetch.blob(read_document, HalfId(article, one)), await read_text(fetch, post.path(one)))
        for one in LANGUAGES
    ]
    alignment = await fetch(align_article, article)
    return Encoded(await in_worker(fetch, _units, zh, en, alignment))


def _units(
    packs: Packs, zh: tuple[BlobReference, str], en: tuple[BlobReference, str], alignment: Alignment
) -> bytes:
    left, right = ((body_of(packs, half), text) for half, text in (zh, en))
    return msgpack.encode(units_of(left, right, alignment))


@task("staleness")
async def find_staleness(fetch: Fetch, article: str) -> tuple[Finding, ...]:
    """What of an article is not in step, by its `sync.txt`, in reading order."""
    path = certain((await fetch(find_post, article)).sync, "only articles with the file are compared")
    entries = read_sync_file(await read_text(fetch, path), path)
    return compare(await fetch(list_units, article), entries).findings


@task("behind")
async def find_behind(fetch: Fetch, half: HalfId) -> tuple[BehindBlock, ...]:
    """Where the pages of a half say that its twin is newer: a slice of `staleness`."""
    found = await fetch(find_staleness, half.article)
    twin = twin_of(half.language)
    return tuple(
        BehindBlock(
            row=_shown(one.after_row if one.change == "added" else one.of(half.language).row),
            twin_row=_shown(one.of(twin).row),
            since=one.since,
        )
        for one in found
        if one.behind == half.language and one.id not in _UNSEEN
    )


_UNSEEN = frozenset(("_description", "_event"))
"""Texts that are in no row of a page."""


def _shown(row: str | None) -> str:
    return "" if row is None or row == TOP else row
