"""One build of a site: bring everything up to date, and publish it if nothing is wrong."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from diglot.crew import Crew
from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.digests import digest_of
from diglot.engine import BuildReport, Explanation, Key, Progress, Store, build, explain, prune
from diglot.engine.lock import locked
from diglot.engine.store import ObjectMissing
from diglot.publish import Published, publish
from diglot.rules.figure_calls import FigureCalls
from diglot.rules.manifest import Manifest
from diglot.rules.naming import key_of
from diglot.rules.options import SiteOptions, select
from diglot.rules.site import SITE, site_rules

if TYPE_CHECKING:
    from diglot.figures.workers import FigureWorkers
    from diglot.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """What came of a build."""

    report: BuildReport
    published: Published | None
    """None where nothing was published: there were errors, or nobody asked."""
    manifest: Manifest | None
    """None where a part of the site could not be made; of a preview, what could be made."""

    @property
    def unfinished(self) -> int:
        """How many values are still being made, so that what they were stands in for them."""
        return sum(run.outcome == "unfinished" for run in self.report.ran)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything there is to say, in the order of the files."""
        return self.report.diagnostics

    def failed(self, *, strict: bool) -> bool:
        """Whether the site has errors; with `strict`, warnings count."""
        return any(strict or one.severity == "error" for one in self.diagnostics)


_PATIENCE_S = 0.6
"""How long a preview waits for figures before it shows what else was saved."""
_LONG_PATIENCE_S = 5.0
"""The same where nothing but code was saved."""


class Site:
    """A site that can be built again and again; holds the crew and the figure workers meanwhile."""

    def __init__(self, options: SiteOptions) -> None:
        self.options = options
        self._started: FigureWorkers | None = None
        self._crew = Crew(options.jobs)
        self.calls = FigureCalls()
        self._rules = site_rules(options, self.workers, self.calls, self._crew)

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the crew and the figure workers."""
        self._crew.close()
        if self._started is not None:
            self._started.close()
            self._started = None

    def build(
        self, *, publishing: bool = True, progress: Callable[[Progress], None] | None = None
    ) -> SiteBuild:
        """Bring the site up to date, and publish it where there is no error.

        Another build of the same project is waited for.
        """
        with self._store(progress) as store:
            report = self._report(store, [SITE], progress)
            manifest = self._manifest(store, report.values[SITE])
            if manifest is not None and not manifest.whole:
                manifest = None
            result = SiteBuild(report=report, published=None, manifest=manifest)
            if manifest is None or not publishing or result.failed(strict=self.options.strict):
                return result
            return self._publish(store, result, manifest)

    def refresh(
        self, changed: Collection[str], *, progress: Callable[[Progress], None] | None = None
    ) -> SiteBuild:
        """Bring a preview up to date after files of the project changed: publish all that can be made.

        Figures that take long are not waited for: what they were stands in for them, and `calls.finished` is
        called when it is time to ask again. What cannot be made stays as it was in the output.
        """
        if self.options.config in changed:
            self._let_workers_go()
        self.calls.outdate(changed)
        text_waits = any(not path.endswith(".py") for path in changed)
        self.calls.begin(_PATIENCE_S if text_waits else _LONG_PATIENCE_S, old_ones=not changed)
        whole = False
        try:
            with self._store(progress) as store:
                report = self._report(store, [SITE], progress)
                manifest = self._manifest(store, report.values[SITE])
                result = SiteBuild(report=report, published=None, manifest=manifest)
                whole = manifest is not None and manifest.whole
                return result if manifest is None else self._publish(store, result, manifest)
        finally:
            self.calls.end(whole=whole)

    def _publish(self, store: Store, result: SiteBuild, manifest: Manifest) -> SiteBuild:
        published = publish(
            {output.path: output.digest for output in manifest.outputs},
            read=store.object,
            output=self.options.output,
            ledger=self._ledger,
            pruning=manifest.whole,
        )
        if manifest.whole:
            prune(store, result.report.visited)
        return replace(result, published=published)

    def bring_up(
        self, keys: Sequence[Key], *, progress: Callable[[Progress], None] | None = None
    ) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        """Some tasks, brought up to date, with their encoded values; None for one that failed."""
        with self._store(progress) as store:
            report = self._report(store, keys, progress)
            digests = [report.values[key] for key in keys]
            return report, tuple(None if digest is None else store.object(digest) for digest in digests)

    def workers(self) -> "FigureWorkers":
        """The figure workers, made ready when first asked for."""
        if self._started is None:
            from diglot.figures.workers import FigureWorkers
            from diglot.project import DEFAULT_TIMEOUT_S

            project = self._project()
            self._started = FigureWorkers(
                root=self.options.root,
                cache=self.options.cache / "matplotlib",
                jobs=self.options.jobs,
                timeout_s=project.figure_timeout_s if project else DEFAULT_TIMEOUT_S,
            )
        return self._started

    def _let_workers_go(self) -> None:
        """End the figure workers if the configuration gives figures another time than they have."""
        project = self._project()
        if project and self._started and self._started.timeout_s != project.figure_timeout_s:
            self.calls.drop_all()
            self._started.close()
            self._started = None

    def base_path(self) -> str:
        """The path the site stands under, `/` where the configuration cannot be read."""
        project = self._project()
        return project.base_path if project else "/"

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
                        message=f'"{target}" is no page, article or figure of the last build',
                        fix=did_you_mean(
                            target,
                            [*known, *self._names(store, manifest)],
                            otherwise="name a figure's id, an article's slug, or a page such as /zh/.",
                        ),
                    )
                )
            return explain(self._rules, key, store, self.options.root, self._given())

    @contextmanager
    def _store(self, progress: Callable[[Progress], None] | None) -> Iterator[Store]:
        """The project's store, held alone from reading to publishing."""
        cache = self.options.cache
        cache.mkdir(parents=True, exist_ok=True)
        tell = progress or (lambda _: None)
        with locked(cache / "site.lock", waiting=lambda: tell(Progress(waiting=True))):
            store = Store(cache)
            try:
                yield store
            finally:
                store.close()

    def _report(
        self, store: Store, keys: Sequence[Key], progress: Callable[[Progress], None] | None
    ) -> BuildReport:
        return build(
            self._rules,
            keys,
            store=store,
            root=self.options.root,
            given=self._given(),
            progress=progress,
            work=self._crew.work,
        )

    def _given(self) -> Mapping[str, object]:
        return {"selection": select(self.options)}

    @property
    def _ledger(self) -> Path:
        """One for each output folder: they are published apart."""
        return self.options.cache / "published" / f"{digest_of(os.fsencode(self.options.output))[:16]}.json"

    def _manifest(self, store: Store, digest: str | None) -> Manifest | None:
        import msgspec

        return None if digest is None else msgspec.msgpack.decode(store.object(digest), type=Manifest)

    def _last_manifest(self, store: Store) -> Manifest | None:
        trace = store.memory().traces.get(SITE)
        try:
            return self._manifest(store, trace.digest) if trace else None
        except ObjectMissing:
            return None  # the last build failed

    def _names(self, store: Store, manifest: Manifest | None) -> dict[str, Key]:
        """What a person may call things, besides addresses: figures and articles."""
        names: dict[str, Key] = {}
        for kind, name in store.memory().traces:
            if kind == "data":
                names[name] = Key(kind, name)
        for output in manifest.outputs if manifest else ():
            if output.kind == "article-page":
                names.setdefault(output.name.rpartition(":")[0], Key(output.kind, output.name))
        return names

    def _project(self) -> "Project | None":
        """The configuration, read beside the engine: no task depends on what is taken from it here."""
        from diglot.project import load_project

        try:
            text = (self.options.root / self.options.config).read_text("utf-8")
            return load_project(text, self.options.config)
        except (OSError, UnicodeDecodeError, DiagnosticError):
            return None  # what is wrong with it is reported by its own task
