"""One build of a site: bring everything up to date, and publish it if nothing is wrong."""

import errno
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec
from msgspec.structs import replace

from diglot.cache_files import remove
from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.digests import digest_of
from diglot.engine import BuildReport, Explanation, Key, Progress, Rule, Store, build, explain, prune
from diglot.engine.lock import locked
from diglot.engine.memory import BuildMemory
from diglot.engine.packs import ObjectMissing, Packs
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.traces import Dependency, Trace, read_dependencies
from diglot.engine.values import Values
from diglot.processes import AHEAD_S, WorkerPool
from diglot.publishing.checks import foreign_files_warning
from diglot.publishing.publisher import Published, Publisher
from diglot.publishing.putting import Files, write_files
from diglot.publishing.unpublishing import Unpublished, unpublish
from diglot.rules.context import TaskContext
from diglot.rules.figure_calls import FigureCalls
from diglot.rules.manifest import Manifest
from diglot.rules.naming import key_of
from diglot.rules.options import SELECTION, SiteOptions, select
from diglot.rules.site import SITE, site_rules

if TYPE_CHECKING:
    from diglot.figures.execution.workers import FigureWorkers
    from diglot.project import Project
    from diglot.rules.tasks import NameT, Task, ValueT


_TOLERATED = 16
"""How many tasks and values that nothing rests on may lie in the store of a small site; in a large one, an
eighth of all."""


_Made = TypeVar("_Made")

VERIFYING = "verify"
"""The folder of a build from nothing, in the cache."""

_FILES_A_CALL = 16
"""So many files are written in one call to the worker pool."""


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken out of a cache."""

    tasks: int
    freed_bytes: int


def doomed(cache: Path) -> Path:
    """Where a cache goes that is removed: at once, so that the next build begins with an empty one."""
    return cache.with_name(f"{cache.name}-removed")


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
    """A site that can be built again and again; holds the worker pool and the figure workers meanwhile."""

    _pool_ahead_s = AHEAD_S

    def __init__(
        self, options: SiteOptions, *, workers: "FigureWorkers | None" = None, pool: WorkerPool | None = None
    ) -> None:
        """`workers` and `pool` of another site of the same project are used, and left to it."""
        self.options = options
        self._lent = workers
        self._started: FigureWorkers | None = None
        self._told = Progress()
        self._tell: Callable[[Progress], None] = lambda _: None
        self._lent_pool = pool
        self.pool = pool or WorkerPool(options.jobs, ahead_s=self._pool_ahead_s)
        """Lent to other sites while this one builds nothing."""
        self.calls = FigureCalls()
        """Calls of figure workers under way; they may outlive a refresh."""
        self._rules: Mapping[str, Rule] = site_rules()
        self._context = TaskContext(options, workers=self.workers, calls=self.calls, pool=self.pool)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker pool and the figure workers."""
        if self._lent_pool is None:
            self.pool.close()
        self.close_workers()

    def close_workers(self) -> None:
        """End the figure workers, also while another thread builds."""
        if self._started is not None:
            self._started.close()
            self._started = None

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
        with self._store(progress) as store:
            if publishing:
                self.new_publisher().recover()  # also where there are errors, and nothing is published
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
        return self._publish(store, result, manifest, self.new_publisher())

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
        warning = foreign_files_warning(self.options.output, published.foreign_files)
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
            calls = [self.pool.call(packs.copy_out, part) for part in parts]
            write_files(small, read=store.object)
            if self.pool.is_elsewhere:
                store.catch_up()
            while not all(call.done() for call in calls):
                self._tell(self._told)
                self.pool.work()
            for call in calls:
                call.result()
        except Exception:  # in the next publication, these paths are of other files
            self.pool.forget()
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
        with self._store(progress) as store:
            return self._until_whole(store, lambda: self._bring_up(store, keys, progress))

    def _bring_up(
        self, store: Store, keys: Sequence[Key], progress: Callable[[Progress], None] | None
    ) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        report = self._report(store, keys, progress)
        digests = [report.values[key] for key in keys]
        return report, tuple(None if digest is None else store.object(digest) for digest in digests)

    def workers(self) -> "FigureWorkers":
        """The figure workers, made ready when first asked for."""
        if self._lent is not None:
            return self._lent
        if self._started is None:
            self.pool.start()  # the workers have threads
            from diglot.figures.execution import point_store
            from diglot.figures.execution.workers import FigureWorkers
            from diglot.project import DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_S

            project = self._project()
            self._started = FigureWorkers(
                root=self.options.root,
                cache=self.options.cache,
                jobs=self.options.jobs,
                timeout_s=project.figure_timeout_s if project else DEFAULT_TIMEOUT_S,
                memory_mb=project.figure_memory_mb if project else DEFAULT_MEMORY_MB,
                points=self.options.cache / point_store.FILE,
                executor=self.options.executor,
                tell=self._tell_points,
            )
        return self._started

    def workers_at(self, root: Path, *, cache: Path, ahead_s: int) -> "FigureWorkers":
        """Other figure workers for a copy of the project, with a clock that is ahead; not started yet."""
        from diglot.figures.execution.workers import FigureWorkers
        from diglot.project import DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_S

        project = self._project()
        return FigureWorkers(
            root=root,
            cache=cache,
            jobs=self.options.jobs,
            timeout_s=project.figure_timeout_s if project else DEFAULT_TIMEOUT_S,
            memory_mb=project.figure_memory_mb if project else DEFAULT_MEMORY_MB,
            ahead_s=ahead_s,
        )

    def base_path(self) -> str | None:
        """The path the site stands under, None where the configuration cannot be read."""
        project = self._project()
        return project.base_path if project else None

    def editor(self) -> str | None:
        """What opens a file in the author's editor, as the configuration has it."""
        project = self._project()
        return project.editor if project else None

    def recorded(self, task: "Task[NameT, ValueT]") -> "dict[NameT, ValueT]":
        """The values of all tasks of a kind as they were last made, by name; one that failed has none.

        Whether they still hold is not asked, and a build at work is not waited for.
        """
        if not (self.options.cache / "store.sqlite").exists():
            return {}
        store = Store(self.options.cache)
        try:
            values = Values(self._rules, store)
            found: dict[NameT, ValueT] = {}
            for name, digest in store.digests(task.kind).items():
                if digest not in (FAILED, UNSETTLED):
                    with suppress(ObjectMissing):  # a build has made it again meanwhile
                        found[task.read_name(name)] = values.load(Key(task.kind, name), digest)
            return found
        finally:
            store.close()

    def pages(self, manifest: Manifest) -> Mapping[str, str]:
        """The HTML of every page that a build made, by output path."""
        with self._store(None) as store:
            return {
                output.path: store.object(output.digest).decode()
                for output in manifest.outputs
                if output.path.endswith(".html")
            }

    def explain(self, target: str) -> Explanation:
        """Why a page, an article or a figure was or would be rebuilt.

        Raises DiagnosticError for what the last build did not know.
        """
        with self._store(None) as store:
            manifest = self._last_manifest(store)
            key = key_of(target, manifest, self._names(store, manifest))
            if key is None:
                known = (
                    [output.path.removesuffix("index.html") for output in manifest.outputs]
                    if manifest
                    else []
                )
                raise DiagnosticError(
                    Diagnostic(
                        rule="explain-unknown",
                        message=f'"{target}" is not a page, article or figure of the last build',
                        fix=did_you_mean(
                            target,
                            [*known, *self._names(store, manifest)],
                            otherwise="use a figure's id, an article's slug, or a page such as /zh/.",
                        ),
                    )
                )
            return explain(self._rules, key, store, self.options.root, self._given())

    def forget(self, *, older_than_s: float) -> Forgotten:
        """Take out of the cache what the last build did not rest on, as far as it is older than that.

        The values of the last build stay whatever their age. Where it failed nobody knows what it would rest
        on, and only values that no task has any more are taken out. Points of sweeps go when no sweep asked
        for them since: what a figure made of them stays.
        """
        from diglot.figures.execution import point_store

        before = time.time() - older_than_s
        size_bytes = _size_bytes(self.options.cache)
        with self._store(None) as store:
            traces = store.memory().traces
            built = SITE in traces and traces[SITE].digest not in (FAILED, UNSETTLED)
            tasks = store.forget(_reachable(traces) if built else None, before=before)
        for output_index in self._output_index.parent.glob("*"):
            if output_index != self._output_index and output_index.lstat().st_mtime < before:
                remove(output_index)
        point_store.prune(self.options.cache / point_store.FILE, kept_s=older_than_s)
        freed_bytes = max(0, size_bytes - _size_bytes(self.options.cache))
        return Forgotten(tasks=tasks, freed_bytes=freed_bytes)

    def traces(self) -> Mapping[Key, Trace]:
        """What every task of the last build did. Waits for nobody: asked of a site that is held alone."""
        store = Store(self.options.cache)
        try:
            return store.memory().traces
        finally:
            store.close()

    def unpublish(self) -> Unpublished | None:
        """Remove what was published; None where the output folder is not diglot's.

        Waits for nobody: asked of a site that is held alone.
        """
        return unpublish(self.options.output, output_index=self._output_index)

    @contextmanager
    def alone(self, progress: Callable[[Progress], None] | None) -> Iterator[None]:
        """Keep other builds of the project out. Raises FileExistsError where a file has the cache's name."""
        if self.options.cache.is_file():  # it may be somebody's; what lies in a cache is nobody's
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(self.options.cache))
        tell = progress or (lambda _: None)
        with locked(
            self.options.cache / "site.lock",
            waiting=lambda holder: tell(Progress(waiting=True, holder=holder)),
        ):
            yield

    @contextmanager
    def _store(self, progress: Callable[[Progress], None] | None) -> Iterator[Store]:
        """The project's store, held alone from reading to publishing."""
        with self.alone(progress):
            store = Store(self.options.cache)
            try:
                yield store
            finally:
                store.close()
                self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        """Remove what commands left behind that were killed."""
        for path in (doomed(self.options.cache), self.options.cache / VERIFYING):
            if os.path.lexists(path):
                shutil.rmtree(path, ignore_errors=True)  # a command may be at it

    def _report(
        self,
        store: Store,
        keys: Sequence[Key],
        progress: Callable[[Progress], None] | None,
        *,
        memory: BuildMemory | None = None,
        touched: Collection[Key] | None = None,
        first: Sequence[Key] = (),
        first_done: Callable[[Mapping[Key, str]], None] = lambda _: None,
        keep_last_good: bool = False,
    ) -> BuildReport:
        self._tell = progress or (lambda _: None)

        def tell(progress: Progress) -> None:
            self._told = progress
            self._tell(progress)

        try:
            return build(
                self._rules,
                keys,
                store=store,
                root=self.options.root,
                given=self._given(),
                context=self._context,
                progress=tell,
                work=self.pool.work,
                forget_work=self.pool.forget,
                memory=memory,
                touched=touched,
                first=first,
                first_done=first_done,
                keep_last_good=keep_last_good,
                describe=self._describe,
            )
        except Exception:
            self.pool.forget()
            raise

    def _describe(self, key: Key, used: Iterable[Dependency], error: Exception) -> Diagnostic | None:
        from diglot.rules.failures import describe_failure

        return describe_failure(self.options.root, self.options.cache, key, used, error)

    def _tell_points(self, figure: str, done: int, count: int) -> None:
        """Say between the engine's words how far a sweep is."""
        from diglot.rules.figures import compute_figure  # its task is at work

        running = Key(compute_figure.kind, f"{figure}: {done:,} of {count:,} points")
        self._tell(self._told._replace(running=running))

    def _given(self) -> Mapping[str, object]:
        return {SELECTION.name: select(self.options)}

    def new_publisher(self) -> Publisher:
        """One that does not know yet what the output holds."""
        output = self.options.output
        return Publisher(
            output, output_index=self._output_index, owned=output.is_relative_to(self.options.cache)
        )

    @property
    def _output_index(self) -> Path:
        """One for each output folder: they are published apart."""
        return self.options.cache / "published" / f"{digest_of(os.fsencode(self.options.output))[:16]}"

    def _manifest(self, store: Store, digest: str | None) -> Manifest | None:
        return None if digest is None else msgspec.msgpack.decode(store.object(digest), type=Manifest)

    def _last_manifest(self, store: Store) -> Manifest | None:
        trace = store.memory().traces.get(SITE)
        try:
            return self._manifest(store, trace.digest) if trace else None
        except ObjectMissing:
            return None  # the last build failed

    def _names(self, store: Store, manifest: Manifest | None) -> dict[str, Key]:
        """What a person may call things, besides addresses: figures and articles."""
        from diglot.rules.figures import compute_figure  # only `explain` asks, and builds need to begin soon
        from diglot.rules.pages import make_article_page

        requests = compute_figure.names_in(store.memory().traces)
        names = {str(request): compute_figure.key(request) for request in requests}
        outputs = manifest.outputs if manifest else ()
        for half in make_article_page.names_in(output.key for output in outputs):
            names.setdefault(half.article, make_article_page.key(half))
        return names

    def _project(self) -> "Project | None":
        """The configuration, read beside the engine: no task depends on what is taken from it here."""
        from diglot.project import load_project

        try:
            text = (self.options.root / self.options.config).read_text("utf-8")
            return load_project(text, self.options.config)
        except (OSError, UnicodeDecodeError, DiagnosticError):
            return None  # what is wrong with it is reported by its own task


class _Lists:
    """The pages that lead to articles, known by their paths; counted up only where something was written."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._paths: frozenset[str] | None = None

    def __contains__(self, path: str) -> bool:
        if self._paths is None:
            from diglot.rules.pages import LISTS  # something is written: then pages were made

            self._paths = frozenset(one.path for one in self._manifest.outputs if one.kind in LISTS)
        return path in self._paths


def _reachable(traces: Mapping[Key, Trace]) -> set[Key]:
    """The tasks that the site rests on, as they were recorded."""
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
