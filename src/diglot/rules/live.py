"""A site that is built again at every save, while somebody looks at it."""

import gc
import threading
from collections.abc import Callable, Collection, Mapping
from functools import partial

import msgspec

from diglot.engine import Key, Progress, Store
from diglot.engine.building import inputs_changed_since
from diglot.engine.memory import BuildMemory
from diglot.engine.snapshot import MOST_STEPS
from diglot.rules.building import Site, SiteBuild
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.site import SITE
from diglot.rules.theme import published_path


class _Early(msgspec.Struct, frozen=True, kw_only=True):
    """What is published before everything is made."""

    pages: Mapping[Key, str]
    """The tasks that make them, with their output paths."""
    assets: tuple[Key, ...]
    """What they need of the theme."""
    told: Callable[[tuple[str, ...]], None]


_PATIENCE_S = 0.6
"""How long a preview waits for figures before it shows what else was saved."""
_LONG_PATIENCE_S = 5.0
"""The same where nothing but code was saved."""
_MANY = 64
"""Of so many tasks that ran, what they made before takes long to be forgotten."""
_REST_S = 1.0
"""How long nobody may have saved anything before that is done."""


class LiveSite(Site):
    """Remembers its last build, does not wait long for figures, and publishes all that can be made."""

    _pool_ahead_s = 0.0  # what is handed out is done, also where the build is given up for another save

    def __init__(self, options: SiteOptions) -> None:
        super().__init__(options)
        self._memory = BuildMemory()
        self._publisher = self.new_publisher()
        self._shown: Manifest | None = None
        """What the last refresh could make."""
        self._refreshes = 0
        self.hurried = threading.Event()
        """Set while a refresh is under way, or what follows it, and somebody waits for the next."""

    def hurry(self) -> None:
        """Somebody waits for the next refresh: wait for no figure, put nothing in order. From any thread."""
        self.calls.hurry()
        self.hurried.set()

    def refresh(
        self,
        changed: Collection[str],
        *,
        touched: Collection[Key] | None = None,
        first: Collection[str] = (),
        first_done: Callable[[tuple[str, ...]], None] = lambda _: None,
        progress: Callable[[Progress], None] | None = None,
        done: Callable[[SiteBuild], None] = lambda _: None,
    ) -> SiteBuild:
        """Bring a preview up to date after files of the project changed: publish all that can be made.

        Figures that take long are not waited for: what they were stands in for them, and `calls.finished` is
        called when it is time to ask again. What cannot be made stays as it was in the output, and what lists
        say of it, too. `done` is told
        as soon as the site is there. Where the inputs are known that changes `touched`, no others are looked
        at: ask `is_outdated` afterwards. Pages that come `first`, by their output paths, are published before
        all else is made; `first_done` is told which files that changed. What `progress` raises ends all, also
        in the middle of publishing: the next refresh goes on from there.
        """
        self._refreshes += 1
        self.hurried.clear()
        if self.options.config in changed:
            self._let_workers_go()
        self.calls.outdate(changed)
        text_waits = any(not path.endswith(".py") for path in changed)
        self.calls.begin(_PATIENCE_S if text_waits else _LONG_PATIENCE_S, old_ones=not changed)
        whole = False
        try:
            with self._store(progress) as store:
                if self._refreshes == 1:
                    self._publisher.recover()
                early = self._early(first if touched else (), first_done)

                def tell(result: SiteBuild) -> None:
                    nonlocal whole
                    whole = result.manifest is not None and result.manifest.whole
                    done(result)

                return self._until_whole(store, lambda: self._refresh(store, touched, early, progress), tell)
        finally:
            self.calls.end(whole=whole)
            if self._refreshes == 1:  # later ones make little, and copies know nothing of what is new
                self.pool.close()

    def is_outdated(self) -> bool:
        """Whether input or output is no longer what the last refresh took it for, all of it looked at.

        Where somebody waits, inputs are left to who asks after the next refresh.
        """
        with self.alone(None):
            as_left = self._publisher.check_folder()
        if not as_left or self.hurried.is_set():
            return not as_left
        return bool(self.changed_inputs())

    def changed_inputs(self) -> Mapping[Key, str]:
        """The inputs that are no longer what the last refresh took them for, with their digests now."""
        return inputs_changed_since(self._memory, root=self.options.root, given=self._given())

    def has_lost_its_folders(self) -> bool:
        """Whether somebody took away what the last refresh left: the cache, the output, folders of it."""
        lost_cache = self._refreshes > 0 and not (self.options.cache / "store.sqlite").exists()
        return self._publisher.has_lost_folders() or lost_cache

    def tidy(self) -> None:
        """Let go of memory that nothing needs any more: takes a tenth of a second of a large site."""
        self._memory.forget_what_is_gone()
        gc.collect()

    def _refresh(
        self,
        store: Store,
        touched: Collection[Key] | None,
        early: "_Early",
        progress: Callable[[Progress], None] | None,
    ) -> SiteBuild:
        report = self._report(
            store,
            [SITE],
            progress,
            memory=self._memory,
            touched=touched,
            first=[*early.assets, *early.pages],
            first_done=partial(self._publish_first, store, early),
            keep_last_good=True,
        )
        manifest = self._manifest(store, report.values[SITE])
        self._shown = manifest or self._shown
        result = SiteBuild(report=report, published=None, manifest=manifest)
        if manifest is None:
            self._prune(store, report, None)  # a preview may go on for days with a mistake in it
            return result
        return self._publish(store, result, manifest, self._publisher, trust_last_state=True)

    def _early(self, paths: Collection[str], told: Callable[[tuple[str, ...]], None]) -> "_Early":
        """What is to be published early, as far as it is known from the last refresh."""
        outputs = self._shown.outputs if self._shown is not None and paths else ()
        pages = {one.key: one.path for one in outputs if one.path in paths}
        assets: tuple[Key, ...] = ()
        if pages:
            from diglot.rules.theme import make_asset  # pages will be made: a quick start needs it not before

            assets = tuple(one.key for one in outputs if one.kind == make_asset.kind)
        return _Early(pages=pages, assets=assets, told=told)

    def _publish_first(self, store: Store, early: "_Early", made: Mapping[Key, str]) -> None:
        """Publish the pages that somebody looks at, and what they need of the theme."""
        files = {
            early.pages[key] if key in early.pages else published_path(key.name, digest): digest
            for key, digest in made.items()
        }
        written = self._publisher.publish_some(files, write=partial(self._write_files, store))
        early.told(written)

    def _at_leisure(self, store: Store, ran: int, work: Callable[[], None]) -> None:
        """Not at all where somebody waits, or is likely to before it is done."""
        store.commit()
        if not self.hurried.wait(_REST_S if ran > _MANY else 0):
            work()

    def _counts_waste(self) -> bool:
        return self._refreshes % MOST_STEPS == 0

    def _let_workers_go(self) -> None:
        """End the figure workers if the configuration gives figures another time or memory than they have."""
        project, started = self._project(), self._started
        if project is None or started is None:
            return
        given = project.figure_timeout_s, project.figure_memory_mb
        if (started.timeout_s, started.memory_mb) != given:
            self.calls.drop_all()
            self.close_workers()
