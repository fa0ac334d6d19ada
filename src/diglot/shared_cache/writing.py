"""Adds what a build made to a shared cache, and removes the oldest bundles."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from diglot.digests import ABSENT
from diglot.engine.keys import Key
from diglot.engine.others import OthersValue
from diglot.engine.packs import ObjectMissing
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.store import Store
from diglot.engine.targets import ENVIRONMENT
from diglot.engine.traces import Trace, read_dependencies
from diglot.shared_cache.bundles import TRACES, VALUES, bundle_name, moment_of, this_machine, write_bundle
from diglot.shared_cache.places import PlaceUnreachable
from diglot.shared_cache.portable import is_portable, portable
from diglot.shared_cache.reading import SharedCache

MOST_BUNDLES = 24
"""How many bundles a kind of machine has. What the last build used of older ones is written again."""
KEPT = timedelta(days=60)
"""How long bundles of other kinds of machines stay."""


def share(
    cache: SharedCache,
    store: Store,
    traces: Mapping[Key, Trace],
    *,
    sign: Callable[[bytes], bytes],
    now: datetime,
    private: Sequence[str] = (),
) -> int:
    """Add those of some traces that the cache lacks, with their values; returns how many.

    Texts in `private`, such as the path of the project, are in nothing that is written. Bundles that are
    too old are removed. A place that cannot be reached is noted in the cache.
    """
    portables = {key: portable(trace, cache.folders) for key, trace in traces.items()}
    shared = {key: trace for key, trace in portables.items() if _may_be_shared(key, trace, private)}
    try:
        place = cache.place()
        dropped = _too_old(cache.names, now)
        cache.leave_out(dropped)
        new, lost = cache.lacks(shared, lambda digest: store.blob(digest) is not None)
        values = _values(store, lost, private)
        new = {key: trace for key, trace in new.items() if trace.digest in values or trace.digest not in lost}
        if new or values:
            written = write_bundle(new, values, sign=sign, now=now)
            # Values first: whoever finds the traces finds them, too.
            place.put({f"{written.name}{VALUES}": written.values, f"{written.name}{TRACES}": written.traces})
        place.remove([file for name in dropped for file in (f"{name}{TRACES}", f"{name}{VALUES}")])
    except PlaceUnreachable as error:
        cache.report(str(error))
        return 0
    return len(new)


def _may_be_shared(key: Key, trace: Trace, private: Sequence[str]) -> bool:
    """Whether a trace has a value and says nothing of this machine.

    Digests of variables of the environment are left out, because short secrets can be guessed from them, and
    so are inputs outside the project, whose paths are others elsewhere.
    """
    if trace.digest in (FAILED, UNSETTLED):
        return False
    if any(
        text in one for text in private for one in (key.name, trace.dependencies, trace.diagnostics or "")
    ):
        return False
    return is_portable(trace) and not any(
        used.key.kind == ENVIRONMENT.kind and used.digest != ABSENT
        for used in read_dependencies(trace.dependencies)
    )


def _values(store: Store, digests: set[str], private: Sequence[str]) -> dict[str, OthersValue]:
    found = {}
    for digest in digests:
        try:
            content = store.object(digest)
        except ObjectMissing:
            continue
        if not any(text.encode() in content for text in private):
            found[digest] = OthersValue(content, store.blob(digest) is not None)
    return found


def _too_old(files: Sequence[str], now: datetime) -> list[str]:
    """The names of the bundles that go: all but the newest of this kind of machine, old ones of others."""
    machine = this_machine()
    own = sorted({name for file in files if (name := bundle_name(file, machine)) is not None})
    others = {
        file.removesuffix(TRACES).removesuffix(VALUES)
        for file in files
        if (moment := moment_of(file)) is not None and now.astimezone(UTC) - moment > KEPT
    }
    return sorted({*own[: -MOST_BUNDLES + 1], *others})
