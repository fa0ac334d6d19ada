"""The cache of a site: locks it for one build at a time, cleans it up, and publishes from it."""

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from diglot.cache_files import remove
from diglot.digests import digest_of
from diglot.engine import Key, Progress, Store, forget
from diglot.engine.lock import locked
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.traces import Trace, read_dependencies
from diglot.publishing.publisher import Publisher
from diglot.publishing.unpublishing import Unpublished, unpublish
from diglot.rules.options import SiteOptions
from diglot.rules.site import SITE

COMPARING = "diff"
"""Folder in the cache for an earlier version of the project."""

COMPARING_LOCK = f"{COMPARING}.lock"
"""What a comparison holds as long as it needs that folder."""

VERIFYING = "verify"
"""Folder in the cache for the build from scratch that a build is verified with."""

EDITING = "editing"
"""Folder in the cache for what an editor asks of texts that are not saved."""

NO_VALUES = shutil.ignore_patterns(
    *(COMPARING, COMPARING_LOCK, VERIFYING, EDITING, "site.lock"),
    *("preview", "published", "unreferenced", "repetition"),
    *("failures", "checks", "facts", "mistakes", "numbers"),
)
"""What is in a cache and says nothing of the project's values: copies of caches do without."""


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """What was removed from a cache."""

    tasks: int
    freed_bytes: int


class _AtWork(Exception):
    """Another command holds the lock."""


def _leave(_: int | None) -> None:
    raise _AtWork


def doomed(cache: Path) -> Path:
    """The path to which a cache is renamed before its removal, so that the next build starts without one."""
    return cache.with_name(f"{cache.name}-removed")


class SiteCache:
    """The folder `.diglot` of a project, and the output folder that was published from it."""

    def __init__(self, options: SiteOptions) -> None:
        self._options = options
        self.folder = options.cache

    @contextmanager
    def alone(self, progress: Callable[[Progress], None] | None) -> Iterator[None]:
        """Keep other builds of the project out. Raises FileExistsError if a file has the cache's name."""
        if self.folder.is_file():  # it may be the author's; what is inside a cache is not
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(self.folder))
        tell = progress or (lambda _: None)
        with locked(
            self.folder / "site.lock",
            waiting=lambda holder: tell(Progress(waiting=True, holder=holder)),
        ):
            yield

    @contextmanager
    def store(self, progress: Callable[[Progress], None] | None) -> Iterator[Store]:
        """The project's store, held alone from reading to publishing."""
        with self.alone(progress):
            store = Store(self.folder)
            try:
                yield store
            finally:
                store.close()
                self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        """Remove what killed commands left behind."""
        for path in (doomed(self.folder), self.folder / VERIFYING):
            if os.path.lexists(path):
                shutil.rmtree(path, ignore_errors=True)  # another command may be removing it, too
        if (self.folder / COMPARING).exists():
            # A comparison builds the project, too, and others build while it computes: it keeps its folder.
            with suppress(_AtWork), locked(self.folder / COMPARING_LOCK, waiting=_leave):
                shutil.rmtree(self.folder / COMPARING, ignore_errors=True)

    def traces(self) -> Mapping[Key, Trace]:
        """What every task of the last build did. Takes no lock: call it while the cache is held alone."""
        store = Store(self.folder)
        try:
            return store.memory().traces
        finally:
            store.close()

    def forget(self, *, older_than_s: float) -> Forgotten:
        """Remove what the last build did not use, if it is older than `older_than_s` seconds.

        Values of the last build stay whatever their age. If it failed, it is not known what it would use, so
        only values that no task has any more are removed. Points of sweeps are removed if no sweep has asked
        for them since; results of figures that used them stay.
        """
        from diglot.figures.execution import point_store  # noqa: PLC0415  (only builds that compute figures need it)

        before = time.time() - older_than_s
        size_bytes = _size_bytes(self.folder)
        with self.store(None) as store:
            traces = store.memory().traces
            built = SITE in traces and traces[SITE].digest not in (FAILED, UNSETTLED)
            tasks = forget(store, reachable(traces) if built else None, before=before)
        for output_index in self._output_index.parent.glob("*"):
            if output_index != self._output_index and output_index.lstat().st_mtime < before:
                remove(output_index)
        point_store.prune(self.folder / point_store.FILE, kept_s=older_than_s)
        freed_bytes = max(0, size_bytes - _size_bytes(self.folder))
        return Forgotten(tasks=tasks, freed_bytes=freed_bytes)

    def publisher(self) -> Publisher:
        """A new publisher, which has not looked into the output folder yet."""
        output = self._options.output
        return Publisher(output, output_index=self._output_index, owned=output.is_relative_to(self.folder))

    def unpublish(self) -> Unpublished | None:
        """Remove what was published; None if the output folder is not diglot's.

        Takes no lock: call it while the cache is held alone.
        """
        return unpublish(self._options.output, output_index=self._output_index)

    @property
    def _output_index(self) -> Path:
        """Path of the output index. Each output folder has one, because they are published independently."""
        return self.folder / "published" / f"{digest_of(os.fsencode(self._options.output))[:16]}"


def reachable(traces: Mapping[Key, Trace]) -> set[Key]:
    """All tasks that the site depends on, according to recorded traces; none if it was never built."""
    if SITE not in traces:
        return set()
    met = {SITE}
    todo = [SITE]
    while todo:
        for one in read_dependencies(traces[todo.pop()].dependencies):
            if one.key in traces and one.key not in met:
                met.add(one.key)
                todo.append(one.key)
    return met


def _size_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
