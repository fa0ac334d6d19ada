"""One build of a site: bring everything up to date, and publish it if nothing is wrong."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diglot.crew import Crew
from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.digests import digest_of
from diglot.engine import BuildReport, Explanation, Key, Progress, Store, build, explain, prune
from diglot.engine.lock import locked
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.store import ObjectMissing
from diglot.engine.values import Values
from diglot.publish import Published, publish
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
    """None where a part of the site could not be made."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything there is to say, in the order of the files."""
        return self.report.diagnostics

    def failed(self, *, strict: bool) -> bool:
        """Whether the site has errors; with `strict`, warnings count."""
        return any(strict or one.severity == "error" for one in self.diagnostics)


class Site:
    """A site that can be built again and again; holds the crew and the figure workers meanwhile."""

    def __init__(self, options: SiteOptions) -> None:
        self.options = options
        self._started: FigureWorkers | None = None
        self._crew = Crew(options.jobs)
        self._rules = site_rules(options, self.workers, self._crew)

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
            result = SiteBuild(report=report, published=None, manifest=manifest)
            if manifest is None or not publishing or result.failed(strict=self.options.strict):
                return result
            published = publish(
                {output.path: output.digest for output in manifest.outputs},
                read=store.object,
                output=self.options.output,
                ledger=self._ledger,
            )
            prune(store, report.visited)
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

    def base_path(self) -> str:
        """The path the site stands under, `/` where the configuration cannot be read."""
        project = self._project()
        return project.base_path if project else "/"

    def editor(self) -> str | None:
        """What opens a file in the author's editor, as the configuration has it."""
        project = self._project()
        return project.editor if project else None

    def recorded(self, kind: str) -> dict[str, Any]:
        """The values of all tasks of a kind as they were last made, by name; one that failed has none.

        Whether they still hold is not asked, and a build at work is not waited for.
        """
        if not (self.options.cache / "store.sqlite").exists():
            return {}
        store = Store(self.options.cache)
        try:
            values = Values(self._rules, store)
            found = {}
            for name, digest in store.digests(kind).items():
                if digest not in (FAILED, UNSETTLED):
                    with suppress(ObjectMissing):  # a build has made it again meanwhile
                        found[name] = values.load(Key(kind, name), digest)
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
