"""The object through which a running task gets other values, and which records them as dependencies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, overload

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.packs import BlobReference
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.scheduler import Pending, suspend
from diglot.engine.targets import INPUT_KINDS, NameT, Target
from diglot.engine.traces import Dependency


class UpstreamFailed(Exception):
    """A fetched value could not be made. A task that does not catch this fails too, without a diagnostic."""

    def __init__(self, *keys: Key) -> None:
        super().__init__(", ".join(map(str, keys)))
        self.keys = keys


class Unfinished(Exception):
    """What a task waits for takes longer than this build may take.

    The task's last value is used, if there is one; the next build runs the task again.
    """


class Sources(Protocol):
    """Where fetched values come from: the part of a build that Fetch uses."""

    @property
    def digests(self) -> Mapping[Key, str]:
        """The digests of all finished keys."""

    def knows(self, kind: str) -> bool:
        """Whether the kind is that of an input, or has a rule."""

    def read_input(self, key: Key) -> Any:
        """The value of an input; its key is finished afterwards."""

    def load(self, key: Key) -> Awaitable[Any]:
        """The value of a finished task."""

    def read_ahead(self, keys: Collection[Key]) -> None:
        """Read the values of some finished tasks at once, which `load` will be asked for."""

    def load_encoded(self, key: Key) -> Awaitable[bytes]:
        """As `load`, but the value is encoded as it is stored."""

    def load_part(self, key: Key, part: str) -> Awaitable[bytes]:
        """As `load`, but one field of the value, encoded as it is stored."""

    def blob(self, key: Key) -> Awaitable[BlobReference]:
        """Where in a pack the value of a finished task is."""


_READ_AT_ONCE = 500
"""The number of values that are read together. SQLite takes at least 999 parameters."""

ContextT = TypeVar("ContextT")
ValueT = TypeVar("ValueT")


class Fetch(Generic[ContextT]):
    """Fetches values for one run of one task, and records them as its dependencies."""

    def __init__(
        self,
        sources: Sources,
        context: ContextT,
        clock_s: Callable[[], float],
        last_blob: Callable[..., BlobReference | None],
    ) -> None:
        self.last_blob = last_blob
        """Where in a pack the value is that the task made last, if the same code made it (or, with
        `by_any_code`, another one). It may be gone.

        It is no dependency, so that it may only save work: the new value must be the same without it.
        """
        self.context = context
        """What tasks work with although no value depends on it, such as options and workers."""
        self._sources = sources
        self._clock_s = clock_s
        self._dependencies: dict[Key, Dependency] = {}
        self._stage = 0
        self.suspended_s = 0.0
        """Seconds that the task waited, and that do not count as its own time."""
        self.reported: list[Diagnostic] = []

    @property
    def dependencies(self) -> Iterable[Dependency]:
        """What the task has used so far, in the order in which it fetched it."""
        return self._dependencies.values()

    @overload
    async def __call__(self, target: Target[None, ValueT]) -> ValueT: ...

    @overload
    async def __call__(self, target: Target[NameT, ValueT], name: NameT) -> ValueT: ...

    async def __call__(self, target: Target[Any, ValueT], name: Any = None) -> ValueT:
        """The value of a task or an input. Raises UpstreamFailed if it could not be made."""
        key = target.key(name)
        value: ValueT
        if key.kind in INPUT_KINDS:
            value = self._sources.read_input(key)
            self._record((key,))
            return value
        if key not in self._sources.digests:
            await self._finish((key,))
        self._record((key,))
        value = await self._sources.load(key)
        return value

    async def all(self, target: Target[NameT, ValueT], names: Iterable[NameT]) -> tuple[ValueT, ...]:
        """Several values of one kind, brought up to date together, in the order of the names."""
        keys = tuple(map(target.key, names))
        if target.kind in INPUT_KINDS:
            values = [self._sources.read_input(key) for key in keys]
            self._record(keys)
            return tuple(values)
        await self._finish(keys)
        self._record(keys)
        loaded: list[ValueT] = []
        for start in range(0, len(keys), _READ_AT_ONCE):
            together = keys[start : start + _READ_AT_ONCE]
            self._sources.read_ahead(together)
            loaded += [await self._sources.load(key) for key in together]
        return tuple(loaded)

    @overload
    async def encoded(self, target: Target[None, Any]) -> bytes: ...

    @overload
    async def encoded(self, target: Target[NameT, Any], name: NameT) -> bytes: ...

    async def encoded(self, target: Target[Any, Any], name: Any = None) -> bytes:
        """The value of a task, encoded as it is stored, for work that is done in another process."""
        key = await self._digested(target.key(name))
        return await self._sources.load_encoded(key)

    async def part(self, target: Target[NameT, Any], name: NameT, part: str) -> bytes:
        """One field of the value of a task, still encoded: its type has to be `msgspec.Raw`."""
        key = await self._digested(target.key(name))
        return await self._sources.load_part(key, part)

    async def blob(self, target: Target[NameT, Any], name: NameT) -> BlobReference:
        """Where in a pack the value of a task is, for work that is done in another process.

        The task has to put its value into a pack itself.
        """
        key = await self._digested(target.key(name))
        return await self._sources.blob(key)

    async def ahead(self, keys: Iterable[Key]) -> None:
        """Bring tasks up to date that other tasks will fetch, at a moment when this costs little.

        They do not become dependencies of this task, and it does not fail if they do.
        """
        await self._finish(keys)

    @overload
    async def digest(self, target: Target[None, Any]) -> str: ...

    @overload
    async def digest(self, target: Target[NameT, Any], name: NameT) -> str: ...

    async def digest(self, target: Target[Any, Any], name: Any = None) -> str:
        """The digest of a value, without decoding the value."""
        return self._sources.digests[await self._digested(target.key(name))]

    async def digests(self, keys: Iterable[Key]) -> tuple[str, ...]:
        """The digests of several values, brought up to date together."""
        keys = tuple(keys)
        await self._finish(keys)
        self._record(keys)
        return tuple(self._sources.digests[key] for key in keys)

    def observed(self, key: Key, digest: str) -> None:
        """Record a dependency found afterwards, such as a file a worker opened, with the digest it saw."""
        self._stage += 1
        self._dependencies.setdefault(key, Dependency(key, digest, str(self._stage)))

    def report(self, *diagnostics: Diagnostic) -> None:
        """Add warnings or errors without failing; each build repeats them until the task runs again."""
        self.reported += diagnostics

    async def wait(self, future: Pending) -> Any:
        """The result of work in another thread or process; other tasks run meanwhile.

        The whole wait counts as the task's own time, unless the future or its result says in `took_s` how
        many seconds the work itself took: then only these count.
        """
        since = self._clock_s()
        await suspend(future)
        waited_s = self._clock_s() - since
        took_s = getattr(future, "took_s", waited_s)
        try:
            result = future.result()
            took_s = getattr(result, "took_s", took_s)
            return result
        finally:
            self.suspended_s += max(0.0, waited_s - took_s)

    async def _digested(self, key: Key) -> Key:
        """The same key, after its digest is known and recorded as a dependency."""
        if key not in self._sources.digests:
            await self._finish((key,))
        self._record((key,))
        return key

    async def _finish(self, keys: Iterable[Key]) -> None:
        """Suspend until all the keys are finished."""
        digests = self._sources.digests
        if missing := [key for key in keys if key not in digests]:
            for key in missing:
                if not self._sources.knows(key.kind):
                    raise KeyError(f"there is no rule for {key}")
            since = self._clock_s()
            await suspend(tuple(missing))
            self.suspended_s += self._clock_s() - since

    def _record(self, keys: Iterable[Key]) -> None:
        self._stage += 1
        stage, noted, digests = str(self._stage), self._dependencies, self._sources.digests
        failed = []
        for key in keys:
            digest = digests[key]
            if key not in noted:
                noted[key] = Dependency(key, digest, stage)
            if digest in (FAILED, UNSETTLED):
                failed.append(key)
        if failed:
            raise UpstreamFailed(*failed)
