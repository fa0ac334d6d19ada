"""A site whose texts are being typed: says what a build would, with texts that are not saved yet.

It has a cache of its own, which begins as a copy of the site's, so that an unsaved text never reaches a
build, and a preview never waits for an editor.
"""

import shutil
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

from msgspec.structs import replace

from diglot.engine import BuildReport, Key, Progress, Session, Store, Unfinished
from diglot.figures.records import Script
from diglot.rules.building import Site
from diglot.rules.chips import FOLDER as CHIPS
from diglot.rules.failures import EndOfBuild
from diglot.rules.figure_calls import FigureCall, FigureCalls, PendingCall
from diglot.rules.options import SiteOptions
from diglot.rules.site_cache import EDITING, NO_VALUES, SiteCache

_PATIENCE_S = 0.1
"""Seconds that an answer waits for figures; what they say comes with a later one."""
_STORE = "store.sqlite"
_TYPED = (".md", ".yaml", ".yml", ".bib", ".json")


class Overtaken(EndOfBuild):
    """The text has changed meanwhile, so nobody waits for this answer."""


def is_read_as_typed(path: str) -> bool:
    """Whether a file of the project counts as it is typed, and not as it was saved.

    Processes of figures read scripts, data and chips from the disk.
    """
    return path.endswith(_TYPED) and path.startswith(("content/", "site/")) and not path.startswith(CHIPS)


class EditedSite(Site):
    """A site with unsaved texts. Use it from one thread."""

    def __init__(self, options: SiteOptions, *, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Asks before every task whether the answer `is_wanted`, and raises Overtaken if not."""
        self._whole_cache = SiteCache(options)
        super().__init__(replace(options, cache_folder=options.cache / EDITING, jobs=1), progress=self._ask)
        self._is_wanted = is_wanted
        self.calls = self._context.calls = self._calls = _CallsOfSavedCode()
        self._texts: Mapping[str, bytes] = {}
        self._session = Session(keep_last_good=True)
        self._keys: Sequence[Key] = ()

    def look(
        self, keys: Sequence[Key], texts: Mapping[str, bytes]
    ) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        """What is reported about some tasks, and their encoded values; None for a task that failed.

        `texts` are the unsaved ones, by their paths. Does not wait for figures: `calls.finished` is called
        when it is time to look again.
        """
        self._begin_cache()
        if keys != self._keys:
            self._session, self._keys = Session(keep_last_good=True), keys
        self._texts, self._calls.unsaved = texts, texts.keys()
        self._calls.begin(_PATIENCE_S)
        try:
            with self.cache.store(self.progress) as store:
                return self._until_whole(store, lambda: self._look(store, keys))
        finally:
            self._calls.end(whole=False)

    def _look(self, store: Store, keys: Sequence[Key]) -> tuple[BuildReport, tuple[bytes | None, ...]]:
        report = self._report(store, keys, self._session)
        digests = [report.values[key] for key in keys]
        values = tuple(None if digest is None else store.object(digest) for digest in digests)
        self._prune(store, report, None)
        return report, values

    def _begin_cache(self) -> None:
        """Copy what the site's own builds have made."""
        own, whole = self.options.cache, self._whole_cache.folder
        if (own / _STORE).exists() or not (whole / _STORE).is_file():
            return
        with self._whole_cache.alone(self.progress):
            shutil.copytree(whole, own, ignore=NO_VALUES, dirs_exist_ok=True)

    def _edited(self) -> Mapping[str, bytes]:
        return self._texts

    def _ask(self, _: Progress) -> None:
        if not self._is_wanted():
            raise Overtaken


class _CallsOfSavedCode(FigureCalls):
    """Calls of figure workers, none of which is begun for code that is being typed in an article."""

    def __init__(self) -> None:
        super().__init__()
        self.unsaved: Collection[str] = ()

    def ask(
        self,
        what: Hashable,
        script: Script,
        start: Callable[[], PendingCall],
        stop: Callable[[PendingCall], None],
        *,
        takers: int = 1,
    ) -> tuple[FigureCall, PendingCall, bool]:
        """As the other calls. Raises Unfinished for code in a text that is not saved."""
        if script.source is not None and script.path in self.unsaved and not self.is_under_way(what):
            raise Unfinished
        return super().ask(what, script, start, stop, takers=takers)
