"""What the last build of a site recorded: values, pages, and why tasks ran."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Explanation, Key, Rule, Store, explain
from diglot.engine.packs import ObjectMissing
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.values import TaskValues
from diglot.rules.manifest import Manifest
from diglot.rules.naming import key_of
from diglot.rules.options import given_values
from diglot.rules.site import SITE
from diglot.rules.site_cache import SiteCache

if TYPE_CHECKING:
    from diglot.rules.options import SiteOptions
    from diglot.rules.tasks import NameT, Task, ValueT


class LastBuild:
    """Reads records without running tasks or checking whether the records are up to date."""

    def __init__(self, options: "SiteOptions", cache: SiteCache, rules: Mapping[str, Rule]) -> None:
        self._options, self._cache, self._rules = options, cache, rules

    def values(self, task: "Task[NameT, ValueT]") -> "dict[NameT, ValueT]":
        """The values of all tasks of a kind, by name; a task that failed has none.

        Does not wait for a running build.
        """
        if not (self._cache.folder / "store.sqlite").exists():
            return {}
        store = Store(self._cache.folder)
        try:
            values = TaskValues(self._rules, store)
            found: dict[NameT, ValueT] = {}
            for name, digest in store.digests(task.kind).items():
                if digest not in (FAILED, UNSETTLED):
                    with suppress(ObjectMissing):  # another build has replaced it meanwhile
                        found[task.read_name(name)] = values.load(Key(task.kind, name), digest)
            return found
        finally:
            store.close()

    def pages(self, manifest: Manifest) -> Mapping[str, str]:
        """The HTML of every page of a build, by output path."""
        with self._cache.store(None) as store:
            return {
                output.path: store.object(output.digest).decode()
                for output in manifest.outputs
                if output.path.endswith(".html")
            }

    def explain(self, target: str) -> Explanation:
        """Why a page, an article or a figure was rebuilt, or would be.

        Raises DiagnosticError for a target that the last build did not know.
        """
        with self._cache.store(None) as store:
            manifest = _manifest(store)
            names = _names(store, manifest)
            key = key_of(target, manifest, names)
            if key is None:
                outputs = manifest.outputs if manifest else ()
                paths = [output.path.removesuffix("index.html") for output in outputs]
                raise DiagnosticError(
                    Diagnostic(
                        rule="explain-unknown",
                        message=f'"{target}" is not a page, article or figure of the last build',
                        fix=did_you_mean(
                            target,
                            [*paths, *names],
                            otherwise="use a figure's id, an article's slug, or a page such as /zh/.",
                        ),
                    )
                )
            return explain(self._rules, key, store, self._options.root, given_values(self._options))


def _manifest(store: Store) -> Manifest | None:
    trace = store.memory().traces.get(SITE)
    try:
        return msgspec.msgpack.decode(store.object(trace.digest), type=Manifest) if trace else None
    except ObjectMissing:
        return None  # the last build failed


def _names(store: Store, manifest: Manifest | None) -> dict[str, Key]:
    """The names of figures and articles, which `explain` accepts besides addresses."""
    from diglot.rules.figures import compute_figure  # noqa: PLC0415  (only `explain` needs it, and builds must start quickly)
    from diglot.rules.pages import make_article_page  # noqa: PLC0415  (loaded when tasks run: a build with nothing to do imports no task)

    requests = compute_figure.names_in(store.memory().traces)
    names = {str(request): compute_figure.key(request) for request in requests}
    outputs = manifest.outputs if manifest else ()
    for half in make_article_page.names_in(output.key for output in outputs):
        names.setdefault(half.article, make_article_page.key(half))
    return names
