"""What a running task is handed: the door to other values, which notes what went through it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Protocol

from diglot.diagnostics import Diagnostic
from diglot.engine.inputs import INPUT_KINDS
from diglot.engine.keys import Key
from diglot.engine.packs import Place
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.scheduler import Pending, suspend
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

    def place(self, key: Key) -> Awaitable[Place]:
        """Where it lies."""


class Fetch:
    """Fetches values for one run of one task, and keeps account of them."""

    def __init__(self, sources: Sources, clock_s: Callable[[], float] = time.perf_counter) -> None:
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

    async def __call__(self, kind: str, name: str = "") -> Any:
        """The value of a task or an input. Raises UpstreamFailed where it could not be made."""
        key = Key(kind, name)
        if kind in INPUT_KINDS:
            value = self._sources.read_input(key)
            self._record((key,))
            return value
        if key not in self._sources.digests:
            await self._finish((key,))
        self._record((key,))
        return await self._sources.load(key)

    async def all(self, keys: Iterable[Key]) -> tuple[Any, ...]:
        """The values of several keys, brought up to date side by side, in the order of the keys."""
        keys = tuple(keys)
        await self._finish(key for key in keys if key.kind not in INPUT_KINDS)
        read = {key: self._sources.read_input(key) for key in keys if key.kind in INPUT_KINDS}
        self._record(keys)
        return tuple([read[key] if key in read else await self._sources.load(key) for key in keys])

    async def encoded(self, kind: str, name: str = "") -> bytes:
        """The value of a task as it is stored, for work that is done elsewhere."""
        await self.digest(kind, name)
        return await self._sources.load_encoded(Key(kind, name))

    async def part(self, kind: str, name: str, part: str) -> bytes:
        """A field of the value of a task, as it is encoded there: one of type `msgspec.Raw`."""
        await self.digest(kind, name)
        return await self._sources.load_part(Key(kind, name), part)

    async def ahead(self, keys: Iterable[Key]) -> None:
        """Have tasks brought up to date that others are going to ask for, while it costs little.

        This task does not use them, and whether they fail is not its matter.
        """
        await self._finish(keys)

    async def place(self, kind: str, name: str = "") -> Place:
        """Where the value of a task lies that puts it into a pack, for work that is done elsewhere."""
        await self.digest(kind, name)
        return await self._sources.place(Key(kind, name))

    async def digest(self, kind: str, name: str = "") -> str:
        """The digest of a value, which is not decoded."""
        key = Key(kind, name)
        if key not in self._sources.digests:
            await self._finish((key,))
        self._record((key,))
        return self._sources.digests[key]

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
