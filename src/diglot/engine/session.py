"""What one process remembers between builds of the same targets, and what it knows of the next build."""

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

    It is valid until another process writes a trace to the store; `recall` checks this. Without a session, a
    build starts from the snapshot in the store.
    """

    def __init__(self, *, keep_last_good: bool = False) -> None:
        """With `keep_last_good`, a task that fails keeps its last good value if its rule allows that.

        The failure is reported, but not recorded in the store.
        """
        self.keep_last_good = keep_last_good
        self.snapshot: Snapshot | None = None
        self.deferred: frozenset[Key] = frozenset()
        """Tasks that the next build checks again, because they still have an older value or because they ran
        in a build that was interrupted; also the inputs that had changed in that build."""
        self.stamps: dict[str, Stamp] | None = None
        self.values: TaskValues | None = None
        """Values of tasks that are in memory already."""
        self._token: bytes | None = None
        self.touched: Collection[Key] | None = None
        """Inputs that may have changed; None if unknown. The next build looks at no others, so call
        `changed_inputs` after it to find other changes."""
        self.first: Sequence[Key] = ()
        """Tasks that are brought up to date before all others."""
        self.first_done: Callable[[Mapping[Key, str]], None] = lambda _: None
        """Called with the digests of the values of `first` that could be made, before other tasks run."""

    def recall(self, store: Store, name: str) -> bool:
        """Whether the session has a snapshot that still agrees with the store; if not, it forgets it."""
        if (
            self.snapshot is not None
            and self._token is not None
            and store.snapshot(_mark(name)) == [self._token]
            and not store.overtaken(_mark(name))
        ):
            return True
        self.snapshot, self.deferred = None, frozenset()
        return False

    def to_look_at(self) -> Collection[Key] | None:
        """The inputs that the next build looks at; None for all of them."""
        return None if self.touched is None else self.deferred.union(self.touched)

    def keep_on(self, store: Store, name: str, begun: Collection[Key]) -> None:
        """Keep the recalled snapshot after an interrupted build; the next build checks `begun` again."""
        snapshot = certain(self.snapshot, "a build that was begun from a session recalled a snapshot")
        known = snapshot.positions
        self.keep(store, name, snapshot, self.deferred.union(key for key in begun if key in known))

    def keep(self, store: Store, name: str, snapshot: Snapshot | None, deferred: Collection[Key]) -> None:
        """Remember the result of a build (None if it is not settled), and mark the store.

        The store notes at the mark what traces any process writes from then on.
        """
        self.snapshot, self.deferred = snapshot, frozenset(deferred)
        if snapshot is not None:
            self._token = os.urandom(16)
            store.save_snapshot(_mark(name), [self._token])

    def changed_inputs(self, *, root: Path, given: Mapping[str, object]) -> dict[Key, str]:
        """The inputs that differ from what the last build saw, with their digests now."""
        if self.snapshot is None:
            return {}
        inputs = Inputs(str(root), given=given, environment=os.environ, stamps=self.stamps or {})
        changed = self.snapshot.changed(inputs)
        return {self.snapshot.keys[position]: digest for position, digest in changed.items()}

    def forget_what_is_gone(self) -> None:
        """Drop values in memory that no task has any more, because a site may be edited all day."""
        if self.values is not None and self.snapshot is not None:
            self.values.keep_only(self.snapshot.positions, set(self.snapshot.digests))


def _mark(name: str) -> str:
    """The name under which the store keeps a session's mark."""
    return f"{name}\nas a process remembers it"
