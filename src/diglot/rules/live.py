"""A site that is rebuilt at every save, for the preview."""

import gc
import threading
from collections.abc import Callable, Collection, Mapping
from functools import partial

import msgspec

from diglot.engine import Key, Session, Store
from diglot.engine.snapshot import MOST_STEPS
from diglot.rules.building import Site, SiteBuild, Tell
from diglot.rules.manifest import Manifest
from diglot.rules.options import INDEXES_SEARCH, SiteOptions
from diglot.rules.site import SITE
from diglot.rules.theme import published_path


class _Early(msgspec.Struct, frozen=True, kw_only=True):
    """What to publish before everything is made."""

    pages: Mapping[Key, str]
    """The tasks that make the pages, with their output paths."""
    assets: tuple[Key, ...]
    """The tasks of the theme's files, which pages need."""
    told: Callable[[tuple[str, ...]], None]
    """Called with the paths of the files that changed."""


_PATIENCE_S = 0.6
"""Seconds that a preview waits for figures before it shows what else was saved."""
_LONG_PATIENCE_S = 5.0
"""The same if only Python files were saved."""
_MANY = 64
"""If more tasks ran than this, removing their old values takes long."""
_REST_S = 1.0
"""Seconds without a save before such a removal starts."""


class LiveSite(Site):
    """Keeps its last build in memory, waits only briefly for figures, and publishes all that can be made."""

    _pool_ahead_s = 0.0  # no queue: workers finish it even if another save ends the build

    def __init__(self, options: SiteOptions, *, progress: Tell = lambda _: None) -> None:
        super().__init__(options, progress=progress)
        self._session = Session(keep_last_good=True)
        self._publisher = self.cache.publisher()
        self._shown: Manifest | None = None
        """The last manifest: all files that a refresh could make."""
        self._refreshes = 0
        self.hurried = threading.Event()
        """Set during a refresh or its cleanup if the next refresh is already waiting."""

    def hurry(self) -> None:
        """Make way for the next refresh: stop waiting for figures, and skip cleanup. From any thread."""
        self.calls.hurry()
        self.hurried.set()

    def refresh(
        self,
        changed: Collection[str],
        *,
        touched: Collection[Key] | None = None,
        first: Collection[str] = (),
        first_done: Callable[[tuple[str, ...]], None] = lambda _: None,
        done: Callable[[SiteBuild], None] = lambda _: None,
    ) -> SiteBuild:
        """Bring a preview up to date after project files `changed`, and publish all that can be made.

        Figures that take long are deferred: their last drawing is shown, and `calls.finished` is called when
        it is time for another refresh. What cannot be made stays as it was, in the output and in lists.
        `done` is called as soon as the site is published. With `touched`, only these inputs are checked:
        call `is_outdated` afterwards. Then the pages at the output paths `first` are also published before
        all else is made, and `first_done` gets the paths of those that changed. Exceptions of `progress` end
        the refresh, even while it publishes; the next one continues from there.
        """
        self._refreshes += 1
        self.hurried.clear()
        if self.options.config in changed and self.workers.have_old_limits():
            self.calls.drop_all()
            self.workers.close_figures()
        self.calls.outdate(changed)
        text_waits = any(not path.endswith(".py") for path in changed)
        self.calls.begin(_PATIENCE_S if text_waits else _LONG_PATIENCE_S, old_ones=not changed)
        whole = False
        try:
            with self.cache.store(self.progress) as store:
                if self._refreshes == 1:
                    self._publisher.recover()
                early = self._early(first if touched else (), first_done)

                def tell(result: SiteBuild) -> None:
                    nonlocal whole
                    whole = result.manifest is not None and result.manifest.whole
                    done(result)

                return self._until_whole(store, lambda: self._refresh(store, touched, early), tell)
        finally:
            self.calls.end(whole=whole)
            if self._refreshes == 1:  # later refreshes are small, and the workers lack what is loaded since
                self._pool.close()

    def is_outdated(self) -> bool:
        """Whether any input or output file differs from what the last refresh saw or wrote. Checks all.

        If the next refresh is already waiting, inputs are not checked: call this again after it.
        """
        with self.cache.alone(None):
            as_left = self._publisher.check_folder()
        if not as_left or self.hurried.is_set():
            return not as_left
        return bool(self.changed_inputs())

    def changed_inputs(self) -> Mapping[Key, str]:
        """The inputs that differ from what the last refresh saw, with their current digests."""
        return self._session.changed_inputs(root=self.options.root, given=self._given())

    def has_lost_its_folders(self) -> bool:
        """Whether the cache, the output, or one of its upper folders was removed since the last refresh."""
        lost_cache = self._refreshes > 0 and not (self.options.cache / "store.sqlite").exists()
        return self._publisher.has_lost_folders() or lost_cache

    def found_pages(self) -> tuple[str, ...]:
        """The paths of the pages that readers find when they search. From any thread."""
        from diglot.rules.search import FOUND  # noqa: PLC0415  (needed when somebody searches)

        return tuple(one.path for one in self._shown.outputs if one.kind in FOUND) if self._shown else ()

    def tidy(self) -> None:
        """Free memory that is no longer needed. Takes a tenth of a second for a large site."""
        self._session.forget_what_is_gone()
        gc.collect()

    def _refresh(self, store: Store, touched: Collection[Key] | None, early: "_Early") -> SiteBuild:
        session = self._session
        session.touched = touched
        session.first = [*early.assets, *early.pages]
        session.first_done = partial(self._publish_first, store, early)
        report = self._report(store, [SITE], session)
        manifest = self._manifest(store, report.values[SITE])
        self._shown = manifest or self._shown
        result = SiteBuild(report=report, published=None, manifest=manifest)
        if manifest is None:
            self._prune(store, report, None)  # a preview may run for days with errors in the site
            return result
        return self._publish(store, result, manifest, self._publisher, trust_last_state=True)

    def _early(self, paths: Collection[str], told: Callable[[tuple[str, ...]], None]) -> "_Early":
        """What to publish early, as far as the last refresh tells."""
        outputs = self._shown.outputs if self._shown is not None and paths else ()
        pages = {one.key: one.path for one in outputs if one.path in paths}
        assets: tuple[Key, ...] = ()
        if pages:
            from diglot.rules.theme import make_asset  # noqa: PLC0415  (only refreshes that make pages need it, and previews must start quickly)

            assets = tuple(one.key for one in outputs if one.kind == make_asset.kind)
        return _Early(pages=pages, assets=assets, told=told)

    def _publish_first(self, store: Store, early: "_Early", made: Mapping[Key, str]) -> None:
        """Publish the visible pages, and the theme's files that they need."""
        files = {
            early.pages[key] if key in early.pages else published_path(key.name, digest): digest
            for key, digest in made.items()
        }
        written = self._publisher.publish_some(files, write=partial(self._write_files, store))
        early.told(written)

    def _at_leisure(self, store: Store, ran: int, work: Callable[[], None]) -> None:
        """Skip the cleanup if the next refresh is waiting, or is likely to be before the cleanup is done."""
        store.commit()
        if not self.hurried.wait(_REST_S if ran > _MANY else 0):
            work()

    def _spared_kinds(self) -> Collection[str]:
        from diglot.rules.search import OF_INDEX  # noqa: PLC0415  (needed when all is shown)

        return OF_INDEX

    def _given(self) -> Mapping[str, object]:
        return {**super()._given(), INDEXES_SEARCH.name: False}

    def _counts_waste(self) -> bool:
        return self._refreshes % MOST_STEPS == 0
