"""Removes from a store what no task needs any more: traces, values, stamps, and space in packs."""

from collections.abc import Collection

from diglot.engine.keys import Key
from diglot.engine.packs import BlobReference, ObjectMissing
from diglot.engine.store import Store
from diglot.engine.targets import FILE
from diglot.engine.traces import read_dependencies

MOST_WASTE = 1.0
"""How many bytes of large values may be unneeded, by those that are needed, however few values they are."""

_LEAST_WASTE_BYTES = 4 << 20
"""As many may be unneeded in any case."""

_ALL_DIGESTS = "SELECT digest FROM objects UNION ALL SELECT digest FROM blobs"

_LITTLE = 50
"""A build that overwrote at most one fiftieth of the tolerated waste does not count the waste. Every fiftieth
build counts it: either it reads everything (`engine.snapshot.MOST_STEPS`), or its caller asks for it."""


def prune(
    store: Store,
    reachable: Collection[Key] | None,
    *,
    spared: Collection[str] = (),
    tolerated: int = 0,
    counting: bool = False,
) -> None:
    """Remove all tasks that are not `reachable`, and the values and stamps that no other task needs.

    `reachable` are the tasks that a build of all targets visited; with None, all tasks stay and only their
    older values are removed. Tasks of the kinds in `spared` stay, because other builds need them. Nothing
    is removed as long as at most `tolerated` tasks and values are unneeded, because removing one costs nearly
    as much as removing all. After few changes they are not even counted, unless `counting` is set. Other
    builds of the store are locked out meanwhile.
    """
    with store.lock():
        _prune(store, reachable, spared, tolerated=tolerated, counting=counting)


def _prune(
    store: Store,
    reachable: Collection[Key] | None,
    spared: Collection[str] = (),
    *,
    tolerated: int = 0,
    counting: bool = False,
) -> None:
    if tolerated and store.overwritten and _is_bloated(store):
        tolerated = 0
    if tolerated and not store.has_memory:
        if store.overwritten <= tolerated // _LITTLE and not counting:
            return
        if reachable and _is_nearly(store, len(reachable) + _count(store, spared), tolerated):
            return
    ((count,),) = store.rows("SELECT count(*) FROM traces")
    if not store.overwritten and (reachable is None or count == len(reachable)):
        return
    gone, unneeded = _find_unneeded(store, reachable, spared)
    if len(gone) + len(unneeded) <= tolerated:
        return
    for key in gone:
        store.write("DELETE FROM traces WHERE kind = ? AND name = ?", key)
    for digest in unneeded:
        store.drop_value(digest)
    if gone:
        store.drop_older_snapshots()
        _prune_stamps(store)
    store.forget_memory()
    put_packs_in_order(store, waste_fraction=0.5)
    store.overwritten = 0


def forget(store: Store, reachable: Collection[Key] | None, *, before: float) -> int:
    """Remove unreachable tasks that last ran before a time (seconds since 1970), and shrink the files.

    Returns how many tasks were removed; with None for `reachable`, all of them stay.
    """
    rows = store.rows("SELECT kind, name FROM traces WHERE finished_at < ?", (before,))
    old = set() if reachable is None else {Key(*row) for row in rows} - set(reachable)
    store.overwritten += 1  # an earlier build may have left unneeded values
    _prune(store, store.memory().traces.keys() - old)
    put_packs_in_order(store, waste_fraction=0)
    store.shrink()
    return len(old)


def put_packs_in_order(store: Store, *, waste_fraction: float) -> None:
    """Remove packs without blobs, and move blobs out of packs with too much waste.

    That is more than `waste_fraction` times the bytes that are needed.
    """
    store.commit()  # until then, a trace on disk may refer to a blob that is removed here
    packs = store.packs
    in_pack: dict[str, list[BlobReference]] = {}
    for blob in store.blobs():
        in_pack.setdefault(blob.pack, []).append(blob)
    sizes_bytes, fresh = packs.sizes_bytes(), packs.unused_name()
    kept = {fresh}
    for pack, blobs in in_pack.items():
        needed_bytes = sum(blob.size for blob in blobs)
        if sizes_bytes.get(pack, 0) - needed_bytes <= waste_fraction * needed_bytes:
            kept.add(pack)
            continue
        for blob in blobs:
            try:
                moved = packs.add(packs.read(blob), pack=fresh)
            except ObjectMissing:
                store.drop_blob(blob.digest)
            else:
                store.save_blob(moved)
    store.commit()
    packs.keep_only(kept)


def _find_unneeded(
    store: Store, reachable: Collection[Key] | None, spared: Collection[str]
) -> tuple[list[Key], set[str]]:
    """The tasks that are not reachable, and the values that no other task refers to."""
    gone: list[Key] = []
    unneeded = {digest for (digest,) in store.rows(_ALL_DIGESTS)}
    for kind, name, digest in store.rows("SELECT kind, name, digest FROM traces"):
        if reachable is not None and (key := Key(kind, name)) not in reachable and kind not in spared:
            gone.append(key)
        else:
            unneeded.discard(digest)
    return gone, unneeded


def _count(store: Store, kinds: Collection[str]) -> int:
    """How many tasks of these kinds there are."""
    counts = [store.rows("SELECT count(*) FROM traces WHERE kind = ?", (kind,)) for kind in kinds]
    return sum(count for ((count,),) in counts)


def _is_nearly(store: Store, count: int, tolerated: int) -> bool:
    """Whether at most `tolerated` tasks and values are stored besides those that `count` tasks need."""
    unneeded = f"SELECT count(*) FROM ({_ALL_DIGESTS}) WHERE digest NOT IN (SELECT digest FROM traces)"
    ((traces, values),) = store.rows(f"SELECT (SELECT count(*) FROM traces), ({unneeded})")
    return bool(traces - count + values <= tolerated)


def _is_bloated(store: Store) -> bool:
    """Whether packs are larger than what tasks need of them allows."""
    size_bytes = sum(store.packs.sizes_bytes().values())
    if size_bytes <= _LEAST_WASTE_BYTES:
        return False
    ((needed_bytes,),) = store.rows(
        "SELECT coalesce(sum(size), 0) FROM blobs WHERE digest IN (SELECT digest FROM traces)"
    )
    return bool(size_bytes - needed_bytes > max(_LEAST_WASTE_BYTES, MOST_WASTE * needed_bytes))


def _prune_stamps(store: Store) -> None:
    used = {
        dependency.key.name
        for trace in store.all_traces().values()
        for dependency in read_dependencies(trace.dependencies)
        if dependency.key.kind == FILE.kind
    }
    for path in store.stamps().keys() - used:
        store.write("DELETE FROM stamps WHERE path = ?", (path,))
