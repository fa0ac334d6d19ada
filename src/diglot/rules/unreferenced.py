"""Draws unreferenced figures apart from the site, so that a preview can show all figures.

They have their own cache and a single worker: drawing them takes no lock that a build waits for, and does not
affect what a preview remembers.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec.structs import replace

from diglot.cache_files import make_folder
from diglot.engine import BuildReport, Given, Key, LateRules, Progress, Store
from diglot.engine.globs import Folders
from diglot.figure_request import FigureRequest
from diglot.figures.records import Script
from diglot.languages import LANGUAGES
from diglot.rules.building import Site, Tell
from diglot.rules.figures import SCRIPT_FILES, Scripts, draw_figure, find_scripts, scripts_at
from diglot.rules.halves import cut_outline
from diglot.rules.ids import DrawingId
from diglot.rules.options import SiteOptions
from diglot.rules.site import site_rules
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch
from diglot.rules.uses import find_users

_FOLDER = "unreferenced"
_GIVEN: Given[Scripts] = Given("scripts")


class Stopped(Exception):
    """Raised when something else needs the machine. Finished drawings are kept."""


class UnreferencedFigures(Site):
    """Draws given scripts; `last_build` reads the drawings."""

    def __init__(self, options: SiteOptions) -> None:
        super().__init__(replace(options, cache_folder=options.cache / _FOLDER, jobs=1, shared=None))
        rules = site_rules(self.options.cache)
        given = {
            find_scripts.kind: replace(rules[find_scripts.kind], run=_find_given),
            find_users.kind: replace(rules[find_users.kind], run=_find_no_users),
        }
        self._rules = LateRules(rules.codes, lambda: {**rules, **given})
        self._scripts = Scripts()

    def draw(self, scripts: Sequence[Script], *, wanted: Callable[[], bool], progress: Tell) -> BuildReport:
        """Bring the drawings of these scripts up to date in both languages, and forget all others.

        Asks before every task whether they are still `wanted`, and raises Stopped if not. Raises
        CancelledError if `calls` are dropped.
        """
        self._scripts = Scripts(scripts=tuple(scripts))

        def tell(told: Progress) -> None:
            if not wanted():
                raise Stopped
            progress(told)

        self.progress = tell
        requests = [FigureRequest.of(one.figure_id) for one in scripts]
        keys = [draw_figure.key(DrawingId(one, language)) for one in requests for language in LANGUAGES]
        make_folder(self.options.cache)  # replaces a file of that name: the cache is diglot's own
        try:
            with self.cache.store(self.progress) as store:
                self.calls.begin()
                return self._until_whole(store, lambda: self._draw(store, keys))
        finally:
            self.calls.drop_all()
            self.close()

    def _draw(self, store: Store, keys: Sequence[Key]) -> BuildReport:
        report, _ = self._bring_up(store, keys)  # reading the drawings finds damaged ones
        self._prune(store, report, report.visited)
        return report

    def _given(self) -> dict[str, object]:
        return {_GIVEN.name: self._scripts}


def known_scripts(site: Site, visited: Collection[Key]) -> tuple[Script, ...]:
    """All scripts of a project, given the tasks that its build visited; sorted by id."""
    if find_scripts.key(None) in visited:
        found = [one for known in site.last_build.values(find_scripts).values() for one in known.scripts]
    else:  # no article uses a figure, so no task listed the scripts
        folders = Folders(str(site.options.root))
        found = scripts_at(path for pattern in SCRIPT_FILES for path in folders.find(pattern))
        found += _fences(site, visited)
    by_id = {one.figure_id: one for one in found}
    return tuple(by_id[figure_id] for figure_id in sorted(by_id))


def _fences(site: Site, visited: Collection[Key]) -> Iterator[Script]:
    """The scripts in fences of articles."""
    posts = site.last_build.values(find_post)
    for half, outline in site.last_build.values(cut_outline).items():
        path = posts[half.article].half(half.language) if half.article in posts else None
        if path is not None and cut_outline.key(half) in visited:
            for fence in outline.scripts:
                yield Script(figure_id=fence.figure_id, path=path, first_line=fence.line, source=fence.source)


async def _find_given(fetch: Fetch, _name: str) -> Scripts:
    """The scripts to draw. Finding them instead would mean reading all articles."""
    return await fetch(_GIVEN)


async def _find_no_users(_fetch: Fetch, _figure_id: str) -> tuple[str, ...]:
    """No article uses these figures."""
    return ()
