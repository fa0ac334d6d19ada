"""One build of a site: bring everything up to date, and publish it if nothing is wrong."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic
from diglot.engine import (
    BuildReport,
    Key,
    Progress,
    Rule,
    Session,
    Store,
    Surroundings,
    build,
    prune,
)
from diglot.engine.packs import ObjectMissing, Packs
from diglot.engine.traces import Dependency
from diglot.processes import AHEAD_S, WorkerPool
from diglot.publish import Files, Published, Publisher, strangers_warning, write_files
from diglot.rules.context import TaskContext
from diglot.rules.figure_calls import FigureCalls
from diglot.rules.last_build import LastBuild
from diglot.rules.manifest import Manifest
from diglot.rules.options import SELECTION, SiteOptions, select
from diglot.rules.site import SITE, site_rules
from diglot.rules.site_cache import SiteCache
from diglot.rules.site_workers import SiteWorkers

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers


_TOLERATED = 16
"""How many tasks and values that nothing rests on may lie in the store of a small site; in a large one, an
eighth of all."""


_Made = TypeVar("_Made")

_FILES_A_CALL = 16
"""So many files are written in one call to the worker pool."""


class SiteBuild(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a build."""

    report: BuildReport
    published: Published | None
    """None where nothing was published: there were errors, or nobody asked."""
    manifest: Manifest | None
    """None where a part of the site could not be made; of a preview, what could be made."""
    about_output: tuple[Diagnostic, ...] = ()
    """Warnings of what was found in the output folder."""

    @property
    def unfinished(self) -> int:
        """How many values are still being made, so that what they were stands in for them."""
        return sum(run.outcome == "unfinished" for run in self.report.ran)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything there is to say, in the order of the files."""
        return (*self.report.diagnostics, *self.about_output)

    def failed(self, *, strict: bool) -> bool:
        """Whether the site has errors; with `strict`, warnings count, as far as they are about the site."""
        return any(
            one.severity == "error" or (strict and one.rule != "store-discarded")
            for one in self.report.diagnostics
        )


class Site:
    """A site that can be built again and again; holds its processes meanwhile."""

    _pool_ahead_s = AHEAD_S

    def __init__(
        self, options: SiteOptions, *, workers: "FigureWorkers | None" = None, pool: WorkerPool | None = None
    ) -> None:
        """`workers` and `pool` of another site of the same project are used, and not ended."""
        self.options = options
        self.cache = SiteCache(options)
        self._told = Progress()
        self._tell: Callable[[Progress], None] = lambda _: None
        self.workers = SiteWorkers(
            options, figures=workers, pool=pool, ahead_s=self._pool_ahead_s, tell=self._tell_points
        )
        self.calls = FigureCalls()
        """Calls of figure workers under way; they may outlive a refresh."""
        self._rules: Mapping[str, Rule] = site_rules()
        self.last_build = LastBuild(options, self.cache, self._rules)
        self._pool = self.workers.pool
        self._context = TaskContext(options, workers=self.workers.figures, calls=self.calls, pool=self._pool)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self.workers.close()

    def build(
        self,
        *,
        publishing: bool = True,
        progress: Callable[[Progress], None] | None = None,
        done: Callable[[SiteBuild], None] = lambda _: None,
    ) -> SiteBuild:
        """Bring the site up to date, and publish it where there is no error.

        Another build of the same project is waited for. `done` is told as soon as the site is there, before
        the store is put in order.
        """
        with self.cache.store(progress) as store:
            if publishing:
                self.cache.publisher().recover()  # also where there are errors, and nothing is published
            build = partial(self._build, store, publishing=publishing, progress=progress)
            return self._until_whole(store, build, done)

    def _build(
        self, store: Store, *, publishing: bool, progress: Callable[[Progress], None] | None
    ) -> SiteBuild:
        report = self._report(store, [SITE], progress)
        manifest = self._manifest(store, report.values[SITE])
        if manifest is not None and not manifest.whole:
            manifest = None
        result = SiteBuild(report=report, published=None, manifest=manifest)
        if manifest is None or not publishing or result.failed(strict=self.options.strict):
            self._prune(store, report, None)
            return result
        return self._publish(store, result, manifest, self.cache.publisher())

    def _until_whole(
        self, store: Store, build: Callable[[], _Made], done: Callable[[_Made], None] = lambda _: None
    ) -> _Made:
        """What a build makes; once more if something turns out to be damaged, also when it is `done`."""
        made = self._until_nothing_is_lost(store, build)
        done(made)
        store.catch_up()
        return build() if store.was_discarded else made  # else the next build would begin from nothing

    def _until_nothing_is_lost(self, store: Store, build: Callable[[], _Made]) -> _Made:
        try:
            return build()
        except ObjectMissing:  # what is up to date is not read before it is published
            store.drop_damaged()
        try:
            return build()
        except ObjectMissing:  # it is there, and is not found
            store.discard()
            return build()

    def _publish(
        self,
        store: Store,
        result: SiteBuild,
        manifest: Manifest,
        publisher: Publisher,
        *,
        trust_last_state: bool = False,
    ) -> SiteBuild:
        published = publisher.publish(
            {output.path: output.digest for output in manifest.outputs},
            write=partial(self._write_files, store),
            pruning=manifest.whole,
            trust_last_state=trust_last_state,
            pause=lambda: self._tell(self._told),
            is_list=_Lists(manifest).__contains__,
            atomic=self.options.atomic,
        )
        settled = manifest.whole and not result.unfinished
        self._prune(store, result.report, result.report.visited if settled else None)
        warning = strangers_warning(self.options.output, published)
        return replace(result, published=published, about_output=() if warning is None else (warning,))

    def _write_files(self, store: Store, files: Files) -> None:
        """Write stored values into files: large ones by the worker pool, if there are many."""
        packs = Packs.of(self.options.cache)
        large, small = [], []
        for digest, path in files:
            if (blob := store.blob(digest)) is None:
                small.append((digest, path))
            else:
                large.append((blob, path))
        parts = [large[start : start + _FILES_A_CALL] for start in range(0, len(large), _FILES_A_CALL)]
        try:
            calls = [self._pool.call(packs.copy_out, part) for part in parts]
            write_files(small, read=store.object)
            if self._pool.is_elsewhere:
                store.catch_up()
            while not all(call.done() for call in calls):
                self._tell(self._told)
                self._pool.work()
            for call in calls:
                call.result()
        except Exception:  # in the next publication, these paths are of other files
            self._pool.forget()
            raise

    def _prune(self, store: Store, report: BuildReport, reachable: frozenset[Key] | None) -> None:
        """Forget what nothing rests on any more; where nobody knows that, only values that no task has.

        Nobody waits for it.
        """
        if report.visited is not None:
            tolerated, counting = _TOLERATED + len(report.visited) // 8, self._counts_waste()
            work = partial(prune, store, reachable, tolerated=tolerated, counting=counting)
            store.later(lambda: self._at_leisure(store, len(report.ran), work))

    def _at_leisure(self, _store: Store, _ran: int, work: Callable[[], None]) -> None:
        """Put the store in order after a build of so many tasks."""
        work()

    def _counts_waste(self) -> bool:
        """Whether the store is looked through for what nobody needs, though little was built."""
        return False

    def bring_up(
        self, keys: Sequence[Key], *, progress: Callable[[Progress], None] | None = None
    ) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        """Some tasks, brought up to date, with their encoded values; None for one that failed."""
        with self.cache.store(progress) as store:
            return self._until_whole(store, lambda: self._bring_up(store, keys, progress))

    def _bring_up(
        self, store: Store, keys: Sequence[Key], progress: Callable[[Progress], None] | None
    ) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        report = self._report(store, keys, progress)
        digests = [report.values[key] for key in keys]
        return report, tuple(None if digest is None else store.object(digest) for digest in digests)

    def _report(
        self,
        store: Store,
        keys: Sequence[Key],
        progress: Callable[[Progress], None] | None,
        session: Session | None = None,
    ) -> BuildReport:
        self._tell = progress or (lambda _: None)

        def tell(progress: Progress) -> None:
            self._told = progress
            self._tell(progress)

        surroundings = Surroundings(
            root=self.options.root,
            given=self._given(),
            context=self._context,
            progress=tell,
            work=self._pool.work,
            forget_work=self._pool.forget,
            describe=self._describe,
        )
        try:
            return build(self._rules, keys, store=store, surroundings=surroundings, session=session)
        except Exception:
            self._pool.forget()
            raise

    def _describe(self, key: Key, used: Iterable[Dependency], error: Exception) -> Diagnostic | None:
        from diglot.rules.failures import describe_failure  # noqa: PLC0415  (only failures need it)

        return describe_failure(self.options.root, self.options.cache, key, used, error)

    def _tell_points(self, figure: str, done: int, count: int) -> None:
        """Say between the engine's words how far a sweep is."""
        from diglot.rules.figures import compute_figure  # noqa: PLC0415  (its task is at work)

        running = Key(compute_figure.kind, f"{figure}: {done:,} of {count:,} points")
        self._tell(self._told._replace(running=running))

    def _given(self) -> Mapping[str, object]:
        return {SELECTION.name: select(self.options)}

    def _manifest(self, store: Store, digest: str | None) -> Manifest | None:
        return None if digest is None else msgspec.msgpack.decode(store.object(digest), type=Manifest)


class _Lists:
    """The pages that lead to articles, known by their paths; counted up only where something was written."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._paths: frozenset[str] | None = None

    def __contains__(self, path: str) -> bool:
        if self._paths is None:
            from diglot.rules.pages import LISTS  # noqa: PLC0415  (something is written: then pages were made)

            self._paths = frozenset(one.path for one in self._manifest.outputs if one.kind in LISTS)
        return path in self._paths
