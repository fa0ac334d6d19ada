"""The outlines of several halves, of which some may be broken."""

from collections.abc import Sequence

from diglot.engine import UpstreamFailed
from diglot.rules.halves import cut_outline
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import Outline
from diglot.rules.tasks import Fetch


async def outlines_of(fetch: Fetch, halves: Sequence[HalfId]) -> list[Outline | None]:
    """Outlines; None for a broken half, which reports its own mistakes and keeps nothing else back."""
    try:
        return [*await fetch.all(cut_outline, halves)]
    except UpstreamFailed as failure:
        broken = set(failure.keys)
    return [None if cut_outline.key(half) in broken else await fetch(cut_outline, half) for half in halves]
