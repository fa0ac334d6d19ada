"""What the last build of a site recorded: values, pages, and why tasks ran."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Explanation, Key, Rule, Store, explain
from diglot.engine.packs import BlobReference, ObjectMissing
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.values import TaskValues
from diglot.rules.manifest import Manifest
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
        with self.records() as records:
            found = (
                (name, records.value(task, name, digest)) for name, digest in records.digests(task).items()
            )
            return {name: value for name, value in found if value is not None}

    @contextmanager
    def records(self) -> Iterator["Records"]:
        """The store, open for reading. Does not wait for a running build."""
        if not (self._cache.folder / "store.sqlite").exists():
            yield Records(self._rules, None)
            return
        store = Store(self._cache.folder)
        try:
            yield Records(self._rules, store)
        finally:
            store.close()

    def explain(self, target: str) -> Explanation:
        """Why a page, an article or a figure was rebuilt, or would be.

        Raises DiagnosticError for a target that the last build did not know.
        """
        from diglot.rules.sources import find_posts  # noqa: PLC0415  (only `explain` needs it, and builds must start quickly)

        paths_of_halves = {
            path: half for posts in self.values(find_posts).values() for path, half in posts.halves.items()
        }
        with self._cache.store(None) as store:
            manifest = _manifest(store)
            names = _names(store, manifest, paths_of_halves)
            key = key_of(target, manifest, names)
            if key is None:
                outputs = manifest.outputs if manifest else ()
                paths = [f"/{output.path.removesuffix('index.html')}" for output in outputs]
                raise DiagnosticError(
                    Diagnostic(
                        rule="explain-unknown",
                        message=f'"{target}" is not a page, article or figure of the last build',
                        fix=did_you_mean(
                            target,
                            [*paths, *names],
                            otherwise="use a figure's id, an article's slug, or a page such as /zh/; "
                            "for a value, `diglot explain value 'roofline.h200.ridge'`."
                            if outputs
                            else "there is no build yet: run `diglot build` first.",
                        ),
                    )
                )
            return explain(self._rules, key, store, self._options.root, given_values(self._options))


class Records:
    """Reads the values of single tasks. A task that failed has none, nor has any without a store."""

    def __init__(self, rules: Mapping[str, Rule], store: Store | None) -> None:
        self._store = store
        self._values = None if store is None else TaskValues(rules, store)

    def digests(self, task: "Task[NameT, ValueT]") -> "dict[NameT, str]":
        """The digests of the values of all tasks of a kind, by name."""
        if self._store is None:
            return {}
        found = self._store.digests(task.kind).items()
        return {task.read_name(name): digest for name, digest in found if digest not in (FAILED, UNSETTLED)}

    def object(self, digest: str) -> bytes:
        """An encoded value. Raises ObjectMissing if there is none, or no store."""
        if self._store is None:
            raise ObjectMissing(digest)
        return self._store.object(digest)

    def blob(self, digest: str) -> BlobReference | None:
        """Where a large value is; None if the value is small or not stored."""
        return None if self._store is None else self._store.blob(digest)

    def value(self, task: "Task[NameT, ValueT]", name: "NameT", digest: str | None = None) -> "ValueT | None":
        """The value of one task, whose digest a caller may know already."""
        if self._store is None or self._values is None:
            return None
        key = task.key(name)
        if digest is None and (trace := self._store.trace(key)) is not None:
            digest = trace.digest
        if digest in (None, FAILED, UNSETTLED):
            return None
        with suppress(ObjectMissing):  # another build has replaced it meanwhile
            value: ValueT = self._values.load(key, digest)
            return value
        return None


class Contents(Mapping[str, bytes]):
    """Files of a build by their output paths. Each is read when it is asked for."""

    def __init__(self, records: Records, digests: Mapping[str, str]) -> None:
        self._records, self._digests = records, digests

    def __getitem__(self, path: str) -> bytes:
        return self._records.object(self._digests[path])

    def __contains__(self, path: object) -> bool:
        return path in self._digests  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)


def _manifest(store: Store) -> Manifest | None:
    trace = store.memory().traces.get(SITE)
    try:
        return msgspec.msgpack.decode(store.object(trace.digest), type=Manifest) if trace else None
    except ObjectMissing:
        return None  # the last build failed


def _names(store: Store, manifest: Manifest | None, halves: Mapping[str, str]) -> dict[str, Key]:
    """The names of figures, articles and files of articles, which `explain` accepts besides addresses."""
    from diglot.rules.figures import compute_figure  # noqa: PLC0415  (only `explain` needs it, and builds must start quickly)
    from diglot.rules.pages import make_article_page  # noqa: PLC0415  (loaded when tasks run: a build with nothing to do imports no task)
    from diglot.rules.talks import make_talk_page  # noqa: PLC0415  (loaded when tasks run: a build with nothing to do imports no task)

    requests = compute_figure.names_in(store.memory().traces)
    names = {str(request): compute_figure.key(request) for request in requests}
    outputs = manifest.outputs if manifest else ()
    pages: dict[str, Key] = {}
    for task in (make_article_page, make_talk_page):
        for half in task.names_in(output.key for output in outputs):
            names.setdefault(half.article, task.key(half))
            pages[str(half)] = task.key(half)
    return names | {path: pages[half] for path, half in halves.items() if half in pages}


_ADDRESS = re.compile(r"(https?://[^/]+)?/?(?P<path>.*)")


def key_of(target: str, manifest: Manifest | None, known: Mapping[str, Key]) -> Key | None:
    """The task behind a page's address, an output path, a figure or an article; None if there is none."""
    if target in known:
        return known[target]
    match = _ADDRESS.fullmatch(target)
    path = match["path"] if match else target
    for output in manifest.outputs if manifest else ():
        if output.path in (path, f"{path}index.html", f"{path}/index.html"):
            return output.key
    return None
