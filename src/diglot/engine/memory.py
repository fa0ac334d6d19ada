"""What one process keeps of a build, so that its next one need not read the store again."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

from diglot.engine.inputs import Stamp
from diglot.engine.keys import Key
from diglot.engine.store import Store
from diglot.invariants import certain

if TYPE_CHECKING:
    from diglot.engine.snapshot import Snapshot
    from diglot.engine.values import Values


class BuildMemory:
    """The last build of some targets. Holds as long as no other process writes a trace into the store."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        self.deferred: frozenset[Key] = frozenset()
        """Tasks of the snapshot that have to be looked at: their value stands in for one that they have not
        made yet, or they ran in a build that came to no end; and the inputs that were looked at for that."""
        self.stamps: dict[str, Stamp] | None = None
        self.values: Values | None = None
        """What was decoded of the values."""
        self._token: bytes | None = None

    def recall(self, store: Store, name: str) -> bool:
        """Whether the snapshot of the targets with this name still tells what is in the store."""
        if (
            self.snapshot is not None
            and self._token is not None
            and store.snapshot(_mark(name)) == [self._token]
        ):
            return True
        self.snapshot, self.deferred = None, frozenset()
        return False

    def keep_on(self, store: Store, name: str, begun: Collection[Key]) -> None:
        """Go on with what was recalled after a build that came to no end, which had `begun` on some."""
        snapshot = certain(self.snapshot, "a build that was begun from memory recalled a snapshot")
        known = snapshot.positions
        self.keep(store, name, snapshot, self.deferred.union(key for key in begun if key in known))

    def keep(self, store: Store, name: str, snapshot: Snapshot | None, deferred: Collection[Key]) -> None:
        """Remember what a build came to, None where that is not settled; the store tells whether it holds."""
        self.snapshot, self.deferred = snapshot, frozenset(deferred)
        if snapshot is not None:
            self._token = os.urandom(16)
            store.save_snapshot(_mark(name), [self._token])

    def forget_what_is_gone(self) -> None:
        """Keep no value at hand that no task has any more: a site may be edited all day."""
        if self.values is not None and self.snapshot is not None:
            self.values.keep_only(self.snapshot.positions, set(self.snapshot.digests))


def _mark(name: str) -> str:
    """Under which name the store keeps the mark of a process."""
    return f"{name}\nas a process remembers it"
