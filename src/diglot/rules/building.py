"""One build of a site: brings everything up to date, and publishes it if there are no errors."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, DiagnosticError, is_fatal
from diglot.engine import BuildReport, Key, Progress, Rule, Session, Store, Surroundings, build, prune
from diglot.engine.packs import ObjectMissing, Packs
from diglot.engine.traces import Dependency
from diglot.processes import AHEAD_S, WorkerPool
from diglot.publishing.checks import foreign_files_warning
from diglot.publishing.publisher import Published, Publisher
from diglot.publishing.putting import Files, write_files
from diglot.rules.context import TaskContext
from diglot.rules.figure_calls import FigureCalls
from diglot.rules.last_build import LastBuild
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions, given_values
from diglot.rules.sharing import shared_cache_of
from diglot.rules.site import SITE, site_rules
from diglot.rules.site_cache import SiteCache
from diglot.rules.site_workers import SiteWorkers

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers
    from diglot.rules.ignoring import Ignoring
    from diglot.rules.tasks import NameT, Task, ValueT

Tell: TypeAlias = Callable[[Progress], None]
"""Called with how far a build is, and while it waits for another one."""

_TOLERATED = 16
"""How many unneeded tasks and values may stay in the store, besides an eighth of the number of tasks."""


_Made = TypeVar("_Made")

_FILES_A_CALL = 16
"""Number of files that one call of the worker pool writes."""


class SiteBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a build."""

    report: BuildReport
    published: Published | None
    """None if nothing was published, because of errors or because it was not asked for."""
    manifest: Manifest | None
    """None if a part of the site could not be made. In a preview, the files that could be made."""
    about_output: tuple[Diagnostic, ...] = ()
    """Warnings about files in the output folder."""

    @property
    def unfinished(self) -> int:
        """How many tasks were deferred, so that the site shows their last values."""
        return sum(run.outcome == "unfinished" for run in self.report.ran)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics: those of the site, sorted by file, then those about the output folder."""
        return (*self.report.diagnostics, *self.about_output)

    def failed(self, *, strict: bool) -> bool:
        """Whether the site has errors. With `strict`, warnings count too if they are about the site."""
        return any(is_fatal(one, strict=strict) for one in self.report.diagnostics)


class Site:
    """A site that can be built repeatedly. Its processes stay alive between builds."""

    _pool_ahead_s = AHEAD_S

    def __init__(
        self,
        options: SiteOptions,
        *,
        progress: Tell = lambda _: None,
        workers: "FigureWorkers | None" = None,
        pool: WorkerPool | None = None,
    ) -> None:
        """`workers` and `pool` belong to another site of the same project: they are used, and not ended."""
        self.options = options
        self.progress = progress
        """What it raises ends the build."""
        self.cache = SiteCache(options)
        self._told = Progress()
        self.ignoring: Ignoring | None = None
        """What the last build left out of its report; None if it had nothing to report."""
        self.workers = SiteWorkers(
            options, figures=workers, pool=pool, ahead_s=self._pool_ahead_s, tell=self._tell_points
        )
        self.shared = shared_cache_of(options)
        """What other machines made; None where the site shares nothing."""
        self.calls = FigureCalls()
        """Running calls of figure workers, which may outlive a refresh of the preview."""
        self._rules: Mapping[str, Rule] = site_rules(options.cache)
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
        besides: Sequence[Key] = (),
        done: Callable[[SiteBuild], None] = lambda _: None,
    ) -> SiteBuild:
        """Bring the site up to date, and publish it if there are no errors.

        Waits for other builds of the same project. `besides` are tasks that are brought up to date with it.
        `done` is called as soon as the site is published, before the store is cleaned up.
        """
        with self.cache.store(self.progress) as store:
            if publishing:
                self.cache.publisher().recover()  # even if errors keep this build from publishing
            build = partial(self._build, store, besides, publishing=publishing)
            return self._until_whole(store, build, done)

    def _build(self, store: Store, besides: Sequence[Key], *, publishing: bool) -> SiteBuild:
        report = self._report(store, [SITE, *besides])
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
        """The result of `build`, which runs again if the store turns out to be damaged, even after `done`."""
        made = self._until_nothing_is_lost(store, build)
        if self.shared is not None:
            self.shared.close()
        done(made)
        store.catch_up()
        return build() if store.was_discarded else made  # fill the store again for the next build

    def _until_nothing_is_lost(self, store: Store, build: Callable[[], _Made]) -> _Made:
        try:
            return build()
        except ObjectMissing:  # values that are up to date are first read for publishing
            store.drop_damaged()
        try:
            return build()
        except ObjectMissing:  # removing damaged values was not enough
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
            pause=lambda: self.progress(self._told),
            is_list=_Lists(manifest).__contains__,
            atomic=self.options.atomic,
        )
        settled = manifest.whole and not result.unfinished
        self._prune(store, result.report, result.report.visited if settled else None)
        warning = foreign_files_warning(self.options.output, published.foreign_files)
        return replace(result, published=published, about_output=() if warning is None else (warning,))

    def _write_files(self, store: Store, files: Files) -> None:
        """Write stored values to files. The worker pool writes the large ones if there are many."""
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
            self._pool.settle(calls, waiting=lambda: self.progress(self._told))
        except Exception:  # the next publication may use these paths for other files
            self._pool.forget()
            raise

    def share(self, secret: str, *, now: datetime) -> int:
        """Add what the last build made to the shared cache, signed; returns how many tasks it lacked.

        Raises ValueError if the text is no secret key.
        """
        from diglot.rules.sharing import share_site  # noqa: PLC0415  (only who writes to the cache needs it)

        if self.shared is None:
            return 0
        with self.cache.store(self.progress) as store:
            return share_site(self.shared, self.options, store, secret, now=now)

    def write_outputs(self, manifest: Manifest, folder: Path) -> None:
        """Write all files of the site into a folder that nothing else is in."""
        with self.cache.store(self.progress) as store:
            self._write_files(
                store, [(output.digest, str(folder / output.path)) for output in manifest.outputs]
            )

    def _prune(self, store: Store, report: BuildReport, reachable: frozenset[Key] | None) -> None:
        """Queue the removal of all tasks but `reachable`; with None, only of values that no task has.

        It runs after `done` was called, so that it delays nobody.
        """
        if report.visited is not None:
            tolerated, counting = _TOLERATED + len(report.visited) // 8, self._counts_waste()

            def work() -> None:
                spared = self._spared_kinds()
                prune(store, reachable, spared=spared, tolerated=tolerated, counting=counting)

            store.later(lambda: self._at_leisure(store, len(report.ran), work))

    def _spared_kinds(self) -> Collection[str]:
        """Kinds of tasks that stay in the store, although these builds do without."""
        return ()

    def _at_leisure(self, _store: Store, _ran: int, work: Callable[[], None]) -> None:
        """Run `work`, the cleanup of the store after a build, or skip it."""
        work()

    def _counts_waste(self) -> bool:
        """Whether to count what the store no longer needs even if little was built."""
        return False

    def bring_up(self, keys: Sequence[Key]) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        """Bring some tasks up to date, and return their encoded values; None for a task that failed."""
        with self.cache.store(self.progress) as store:
            return self._until_whole(store, lambda: self._bring_up(store, keys))

    def encoded_values(self, keys: Sequence[Key]) -> tuple[bytes, ...]:
        """The encoded values of some tasks. Raises DiagnosticError with all errors if one of them fails."""
        report, values = self.bring_up(keys)
        made = tuple(value for value in values if value is not None)
        if len(made) < len(values):
            raise DiagnosticError(*(one for one in report.diagnostics if one.severity == "error"))
        return made

    def values(self, task: "Task[NameT, ValueT]", names: "Iterable[NameT]") -> "list[ValueT]":
        """The values of some tasks of a kind. Raises DiagnosticError with all errors if one of them fails."""
        return [task.decoded(one) for one in self.encoded_values([task.key(name) for name in names])]

    def value(self, task: "Task[NameT, ValueT]", name: "NameT") -> "ValueT":
        """The value of a task. Raises DiagnosticError with all errors if it fails."""
        return self.values(task, [name])[0]

    def values_that_are(
        self, task: "Task[NameT, ValueT]", names: "Iterable[NameT]"
    ) -> "tuple[list[ValueT | None], tuple[Diagnostic, ...]]":
        """The values of some tasks of a kind, None for those that failed, and what is reported about them."""
        report, values = self.bring_up([task.key(name) for name in names])
        return [None if one is None else task.decoded(one) for one in values], report.diagnostics

    def _bring_up(self, store: Store, keys: Sequence[Key]) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        report = self._report(store, keys)
        digests = [report.values[key] for key in keys]
        return report, tuple(None if digest is None else store.object(digest) for digest in digests)

    def _report(self, store: Store, keys: Sequence[Key], session: Session | None = None) -> BuildReport:
        def tell(progress: Progress) -> None:
            self._told = progress
            self.progress(progress)

        surroundings = Surroundings(
            root=self.options.root,
            given=self._given(),
            edited=self._edited(),
            context=self._context,
            progress=tell,
            work=self._pool.work,
            forget_work=self._pool.forget,
            describe=self._describe,
            others=self.shared,
        )
        try:
            report = build(self._rules, keys, store=store, surroundings=surroundings, session=session)
        except Exception:
            self._pool.forget()
            raise
        self._remember_numbers(store, report)
        if self.shared is not None and (notices := self.shared.notices()):
            report = replace(report, diagnostics=(*report.diagnostics, *notices))
        self.ignoring = None
        if not report.diagnostics:
            return report
        from diglot.rules.ignoring import Ignoring  # noqa: PLC0415  (only builds with diagnostics need it)

        self.ignoring = Ignoring(self.options, self._edited())
        return replace(report, diagnostics=self.ignoring.shown(report.diagnostics))

    def _remember_numbers(self, store: Store, report: BuildReport) -> None:
        """Note which numbers of figures are others than in earlier builds."""
        made = (*report.adopted, *(run.key for run in report.ran if run.outcome == "changed"))
        computed = [key for key in made if key.kind == "data"]
        if not computed:
            return
        from diglot.rules.earlier_numbers import remember  # noqa: PLC0415  (only builds that compute figures need it)
        from diglot.rules.figures import compute_figure  # noqa: PLC0415  (likewise)

        found = {}
        for key in computed:
            if (trace := store.trace(key)) is not None:
                figure = compute_figure.decoded(store.object(trace.digest))
                found[compute_figure.read_name(key.name)] = figure.data
        remember(self.options.cache, found)

    def _describe(self, key: Key, used: Iterable[Dependency], error: Exception) -> Diagnostic | None:
        from diglot.rules.failures import describe_failure  # noqa: PLC0415  (only failures need it)

        return describe_failure(self.options.root, self.options.cache, key, used, error)

    def _tell_points(self, figure: str, done: int, count: int) -> None:
        """Report the progress of a sweep, between two reports of the engine."""
        from diglot.rules.figures import compute_figure  # noqa: PLC0415  (imported before, as its task is running)

        running = Key(compute_figure.kind, f"{figure}: {done:,} of {count:,} points")
        self.progress(self._told._replace(running=running))

    def _given(self) -> Mapping[str, object]:
        return given_values(self.options)

    def _edited(self) -> Mapping[str, bytes]:
        """Content of files that is read instead of the disk's."""
        return {}

    def _manifest(self, store: Store, digest: str | None) -> Manifest | None:
        return None if digest is None else msgspec.msgpack.decode(store.object(digest), type=Manifest)


class _Lists:
    """The paths of pages that link to articles. Collected on first use, when something was written."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._paths: frozenset[str] | None = None

    def __contains__(self, path: str) -> bool:
        if self._paths is None:
            from diglot.rules.pages import LISTS  # noqa: PLC0415  (only builds that write files need it)
            from diglot.rules.traditional import original_of  # noqa: PLC0415  (only builds that write files need it)

            outputs = self._manifest.outputs
            self._paths = frozenset(one.path for one in outputs if original_of(one.key).kind in LISTS)
        return path in self._paths
