"""What one process keeps between builds of the same targets, and what it knows of the next one."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diglot.engine.inputs import Inputs, Stamp
from diglot.engine.keys import Key
from diglot.engine.store import Store
from diglot.invariants import certain

if TYPE_CHECKING:
    from diglot.engine.snapshot import Snapshot
    from diglot.engine.values import TaskValues


class Session:
    """The last build of some targets, and which inputs may have changed since.

    It holds as long as no other process writes a trace into the store. Without a session, a build begins with
    the snapshot that the store has.
    """

    def __init__(self, *, keep_last_good: bool = False) -> None:
        """With `keep_last_good`, a task that fails keeps its last good value, where its rule allows that.

        The failure is reported, and not recorded.
        """
        self.keep_last_good = keep_last_good
        self.snapshot: Snapshot | None = None
        self.deferred: frozenset[Key] = frozenset()
        """Tasks of the snapshot to be looked at again, with the inputs that were looked at for them.
        Either they still have an older value, or they ran in a build that was interrupted."""
        self.stamps: dict[str, Stamp] | None = None
        self.values: TaskValues | None = None
        """TaskValues that were decoded already."""
        self._token: bytes | None = None
        self.touched: Collection[Key] | None = None
        """Inputs that may have changed; None where that is not known. The next build looks at no others: ask
        `changed_inputs` afterwards."""
        self.first: Sequence[Key] = ()
        """Tasks that are brought up to date before all others."""
        self.first_done: Callable[[Mapping[Key, str]], None] = lambda _: None
        """Told the digests of the values of those."""

    def recall(self, store: Store, name: str) -> bool:
        """Whether the snapshot of the targets with this name still agrees with the store."""
        if (
            self.snapshot is not None
            and self._token is not None
            and store.snapshot(_mark(name)) == [self._token]
        ):
            return True
        self.snapshot, self.deferred = None, frozenset()
        return False

    def to_look_at(self) -> Collection[Key] | None:
        """The inputs that the next build looks at; None for all of them."""
        return None if self.touched is None else self.deferred.union(self.touched)

    def keep_on(self, store: Store, name: str, begun: Collection[Key]) -> None:
        """Keep what was recalled after a build that was interrupted and had `begun` on some tasks."""
        snapshot = certain(self.snapshot, "a build that was begun from a session recalled a snapshot")
        known = snapshot.positions
        self.keep(store, name, snapshot, self.deferred.union(key for key in begun if key in known))

    def keep(self, store: Store, name: str, snapshot: Snapshot | None, deferred: Collection[Key]) -> None:
        """Remember the result of a build, None where it is not settled, and mark the store with it."""
        self.snapshot, self.deferred = snapshot, frozenset(deferred)
        if snapshot is not None:
            self._token = os.urandom(16)
            store.save_snapshot(_mark(name), [self._token])

    def changed_inputs(self, *, root: Path, given: Mapping[str, object]) -> dict[Key, str]:
        """The inputs that are no longer what the last build took them for, with their digests now."""
        if self.snapshot is None:
            return {}
        inputs = Inputs(str(root), given=given, environment=os.environ, stamps=self.stamps or {})
        changed = self.snapshot.changed(inputs)
        return {self.snapshot.keys[position]: digest for position, digest in changed.items()}

    def forget_what_is_gone(self) -> None:
        """Drop decoded values that no task has any more: a site may be edited all day."""
        if self.values is not None and self.snapshot is not None:
            self.values.keep_only(self.snapshot.positions, set(self.snapshot.digests))


def _mark(name: str) -> str:
    """The name under which the store keeps the mark of a process."""
    return f"{name}\nas a process remembers it"
