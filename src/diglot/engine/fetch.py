"""What a running task is handed: the door to other values, which notes what went through it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, overload

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.packs import BlobReference
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.scheduler import Pending, suspend
from diglot.engine.targets import INPUT_KINDS, NameT, Target
from diglot.engine.traces import Dependency


class UpstreamFailed(Exception):
    """A value that was fetched could not be made. The task that cannot do without it fails too, silently."""

    def __init__(self, *keys: Key) -> None:
        super().__init__(", ".join(map(str, keys)))
        self.keys = keys


class Unfinished(Exception):
    """What a task waits for takes longer than this build does.

    The task's last value stands in for it, where there is one; the next build asks again.
    """


class Sources(Protocol):
    """Where fetched values come from: the build."""

    @property
    def digests(self) -> Mapping[Key, str]:
        """Of all finished keys."""

    def knows(self, kind: str) -> bool:
        """Whether there is such an input or a rule for it."""

    def read_input(self, key: Key) -> Any:
        """The value of an input, which is finished then."""

    def load(self, key: Key) -> Awaitable[Any]:
        """The value of a finished task."""

    def load_encoded(self, key: Key) -> Awaitable[bytes]:
        """The same, as it is stored."""

    def load_part(self, key: Key, part: str) -> Awaitable[bytes]:
        """A field of it, as it is stored."""

    def blob(self, key: Key) -> Awaitable[BlobReference]:
        """Where it lies."""


ContextT = TypeVar("ContextT")
ValueT = TypeVar("ValueT")


class Fetch(Generic[ContextT]):
    """Fetches values for one run of one task, and keeps account of them."""

    def __init__(self, sources: Sources, context: ContextT, clock_s: Callable[[], float]) -> None:
        self.context = context
        """What tasks work with, and no value depends on."""
        self._sources = sources
        self._clock_s = clock_s
        self._dependencies: dict[Key, Dependency] = {}
        self._stage = 0
        self.suspended_s = 0.0
        """How long the task waited for other tasks."""
        self.warnings: list[Diagnostic] = []

    @property
    def dependencies(self) -> Iterable[Dependency]:
        """What the task has used so far, in the order it asked."""
        return self._dependencies.values()

    @overload
    async def __call__(self, target: Target[None, ValueT]) -> ValueT: ...

    @overload
    async def __call__(self, target: Target[NameT, ValueT], name: NameT) -> ValueT: ...

    async def __call__(self, target: Target[Any, ValueT], name: Any = None) -> ValueT:
        """The value of a task or an input. Raises UpstreamFailed where it could not be made."""
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
        """Several values of one kind, brought up to date side by side, in the order of the names."""
        keys = tuple(map(target.key, names))
        if target.kind in INPUT_KINDS:
            values = [self._sources.read_input(key) for key in keys]
            self._record(keys)
            return tuple(values)
        await self._finish(keys)
        self._record(keys)
        return tuple([await self._sources.load(key) for key in keys])

    @overload
    async def encoded(self, target: Target[None, Any]) -> bytes: ...

    @overload
    async def encoded(self, target: Target[NameT, Any], name: NameT) -> bytes: ...

    async def encoded(self, target: Target[Any, Any], name: Any = None) -> bytes:
        """The value of a task as it is stored, for work that is done elsewhere."""
        key = await self._digested(target.key(name))
        return await self._sources.load_encoded(key)

    async def part(self, target: Target[NameT, Any], name: NameT, part: str) -> bytes:
        """A field of the value of a task, as it is encoded there: one of type `msgspec.Raw`."""
        key = await self._digested(target.key(name))
        return await self._sources.load_part(key, part)

    async def blob(self, target: Target[NameT, Any], name: NameT) -> BlobReference:
        """Where the value of a task lies that puts it into a pack, for work that is done elsewhere."""
        key = await self._digested(target.key(name))
        return await self._sources.blob(key)

    async def ahead(self, keys: Iterable[Key]) -> None:
        """Have tasks brought up to date that others are going to ask for, while it costs little.

        This task does not use them, and whether they fail is not its matter.
        """
        await self._finish(keys)

    @overload
    async def digest(self, target: Target[None, Any]) -> str: ...

    @overload
    async def digest(self, target: Target[NameT, Any], name: NameT) -> str: ...

    async def digest(self, target: Target[Any, Any], name: Any = None) -> str:
        """The digest of a value, which is not decoded."""
        return self._sources.digests[await self._digested(target.key(name))]

    async def digests(self, keys: Iterable[Key]) -> tuple[str, ...]:
        """The digests of several values, brought up to date side by side."""
        keys = tuple(keys)
        await self._finish(keys)
        self._record(keys)
        return tuple(self._sources.digests[key] for key in keys)

    def observed(self, key: Key, digest: str) -> None:
        """Note a dependency found afterwards, with the digest that was seen: what a worker opened."""
        self._stage += 1
        self._dependencies.setdefault(key, Dependency(key, digest, str(self._stage)))

    def warn(self, *diagnostics: Diagnostic) -> None:
        """Say something about the inputs; it is said again in every build until the task runs again."""
        self.warnings += diagnostics

    async def wait(self, future: Pending) -> Any:
        """The result of work that goes on elsewhere, while other tasks run here.

        Waiting counts as the task's own time, unless the future or its result says how long the work itself
        `took_s`: then only so much of it.
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
        """The same key, once its digest is known and noted."""
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
