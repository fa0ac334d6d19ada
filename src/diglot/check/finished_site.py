"""All finished pages of a site with what is known of each, and where addresses on them lead."""

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Literal

from diglot.check.addresses import SiteAddress
from diglot.check.kept import Kept
from diglot.check.kept_facts import KeptFacts, KnownPage, PageIndex
from diglot.check.locating import Reporter, Sources, SourceText
from diglot.check.page_facts import FactDigests, PageFacts, ReadPage, digests_of, facts_of
from diglot.check.parsed_pages import ParsedPage
from diglot.diagnostics import nearest
from diglot.digests import digest_of, digest_of_names
from diglot.languages import LANGUAGES


class FinishedSite:
    """The pages and files of a site as its readers get them."""

    def __init__(
        self,
        pages: Mapping[str, str],
        files: Iterable[str],
        *,
        base_url: str,
        sources: Sources | None = None,
        shared: tuple[SourceText, ...] = (),
        copies: Mapping[str, SourceText] | None = None,
        digests: Mapping[str, str] | None = None,
        kept: Kept | None = None,
        facts: KeptFacts | None = None,
    ) -> None:
        """`pages` maps output paths to HTML, `files` are all output paths, `base_url` is the site's address.

        `sources` maps an output path to the files its text comes from: a mistake that is found in one of them
        is reported there. So is one in a file of `copies`, which are published as they are, and one that is
        found in `shared`: the configuration, and the project's own templates. Any other is reported in the
        output. Where `digests` has that of a page, the page is read only if it is not known from the last
        check, of which `kept` and `facts` have what was found out at the same address.
        """
        self.address = SiteAddress(base_url)
        self.files = frozenset((*files, *pages))
        self.sources: Sources = {} if sources is None else sources
        self.kept = kept or Kept()
        self._shared = shared
        self._copies = copies or {}
        self._known = facts or KeptFacts()
        self._last = self._known.index()
        self._read: dict[str, FactDigests] = {}
        """Of the pages that the last check did not know."""
        self._html = pages
        self._digests = digests or {}
        self._parsed: dict[str, ParsedPage] = {}
        self._suggestions: dict[str, str] = {}

    @cached_property
    def pages(self) -> Mapping[str, PageFacts]:
        """What is known of every page, by its output path, in the order of these. Read when asked for."""
        return _Pages(sorted(self._html), self._facts)

    def _facts(self, path: str) -> PageFacts:
        digest = self.digest(path)
        return self._known.facts(path, digest, lambda: facts_of(self._html[path], path, self.address))

    def unread(self) -> list[str]:
        """The pages of which nothing is known."""
        return [path for path in self._html if self._known_digests(path) is None]

    def take(self, page: ReadPage) -> None:
        """Take what was found out of a page elsewhere."""
        self._known.keep(page.path, self.digest(page.path), page.facts)
        self._read[page.path] = page.digests

    def _known_digests(self, path: str) -> FactDigests | None:
        if (read := self._read.get(path)) is not None:
            return read
        known = self._last.pages.get(path)
        return known.facts if known is not None and known.digest == self.digest(path) else None

    @cached_property
    def fact_digests(self) -> Mapping[str, FactDigests]:
        """The digests of what is known of every page, by its output path."""
        return {path: self._known_digests(path) or self._read_digests(path) for path in self.pages}

    def _read_digests(self, path: str) -> FactDigests:
        self._read[path] = digests_of(self.pages[path])
        return self._read[path]

    @cached_property
    def are_wrong(self) -> Mapping[str, bool]:
        """Whether there is a mistake on a page, by its output path. Few pages are looked at after an edit."""
        last = self._last.pages if self._last.files == self.digest_of_files else {}
        with_other_ids = {
            path
            for path, facts in self.fact_digests.items()
            if (known := last.get(path)) is None
            or (known.facts is not facts and known.facts.names != facts.names)
        }

        def told(path: str, facts: FactDigests) -> bool | None:
            """What was found last; None if the page has changed, or the ids on a page that it leads to."""
            if (known := last.get(path)) is None:
                return None
            before = known.facts
            if before is not facts and (before.goals, before.fragments) != (facts.goals, facts.fragments):
                return None
            return known.is_wrong if with_other_ids.isdisjoint(map(self.there, facts.named)) else None

        return {
            path: self._is_wrong(self.pages[path]) if (before := told(path, facts)) is None else before
            for path, facts in self.fact_digests.items()
        }

    def _is_wrong(self, page: PageFacts) -> bool:
        return (
            page.is_faulty
            or not (self.are_there(page.followed) and self.are_there(page.loaded))
            or any(self.goals_without_ids(page))
        )

    def goals_without_ids(self, page: PageFacts) -> Iterator[str]:
        """The pages that lack ids which addresses on a page name."""
        for target, ids in page.fragments.items():
            if (goal := self.there(target)) in self.pages and not ids <= self.pages[goal].names:
                yield goal

    def index(self, *, whole: bool) -> PageIndex:
        """What is known of the pages, for the next check; not `whole` if this one has not come to its end."""
        are_wrong = self.are_wrong if whole else {}
        known = {
            path: KnownPage(self.digest(path), facts, are_wrong.get(path))
            for path in self._html
            if (facts := self._known_digests(path)) is not None
        }
        return PageIndex(self.digest_of_files, known)

    def state(self, *of: Literal["goals", "head", "pictures"]) -> str:
        """The digest of some of the facts of all pages, and of the names of all files."""
        digests = ("\n".join(map(attrgetter(one), self.fact_digests.values())) for one in of)
        return digest_of("\n".join([self.digest_of_files, *of, *self.pages, *digests]).encode())

    def digest(self, path: str) -> str:
        """The digest of a file: of any that was given one, and of every page."""
        return self._digests.get(path) or digest_of(self._html[path].encode())

    def parsed(self, path: str) -> ParsedPage:
        """A page with all that is on it."""
        if path not in self._parsed:
            self._parsed[path] = ParsedPage(self._html[path])
        return self._parsed[path]

    def reporter(self, path: str) -> Reporter:
        """Makes diagnostics of a page."""
        return Reporter(path, self._html.get(path, ""), self.sources_of(path))

    def sources_of(self, path: str) -> tuple[SourceText, ...]:
        """The files that what is on a page may come from."""
        if path in self._copies:
            return (self._copies[path],)
        return (*self.sources.get(path, ()), *self._shared)

    def there(self, goal: str) -> str:
        """The file that hosts serve where a file is asked for: they redirect to a folder of that name."""
        return goal if goal in self.files or (index := f"{goal}/index.html") not in self.files else index

    def are_there(self, goals: Collection[str]) -> bool:
        """Whether all of some files are there."""
        return self.files.issuperset(goals) or all(self.there(goal) in self.files for goal in goals)

    @cached_property
    def digest_of_files(self) -> str:
        """The digest of the names of all files."""
        return digest_of_names(self.files)

    def suggestion(self, goal: str) -> str:
        """What to do about a file that is not there: a page in another language is not meant for it."""
        if goal not in self._suggestions:
            ending = posixpath.splitext(goal)[1]
            is_of_a_page = ending in ("", ".html")
            language = goal.partition("/")[0]
            alike = (
                file
                for file in self.files
                if (is_of_a_page or not file.endswith(".html"))
                and (language not in LANGUAGES or file.startswith(f"{language}/"))
            )
            near = nearest(goal, alike)
            address = "" if near is None else self.address.of(near).removeprefix(self.address.origin)
            self._suggestions[goal] = f'did you mean "{address}"?' if address else "correct or delete it."
        return self._suggestions[goal]

    def goal(self, target: str, page: str) -> tuple[str | None, str]:
        """The output file that a target leads to (None outside the site), and the fragment.

        The file need not exist. Raises ValueError if the target is no address.
        """
        goal, fragment = self.address.goal(target, page)
        return (None if goal is None else self.there(goal)), fragment

    def file_at(self, target: str, page: str) -> str | None:
        """The output file that a target leads to, if there is one."""
        try:
            goal, _ = self.goal(target, page)
        except ValueError:
            return None
        return goal if goal in self.files else None

    def listed(self) -> dict[str, PageFacts]:
        """The pages that search engines list: they stand for themselves, and lead nowhere else."""
        return {
            path: page
            for path, page in self.pages.items()
            if page.is_indexed and (page.canonical is None or self.there(page.canonical) == path)
        }


class _Pages(Mapping[str, PageFacts]):
    """The facts of pages by their paths. Those of a page are read when they are first asked for."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], PageFacts]) -> None:
        self._paths, self._read = dict.fromkeys(paths), read
        self._facts: dict[str, PageFacts] = {}

    def __getitem__(self, path: str) -> PageFacts:
        if path not in self._paths:
            raise KeyError(path)
        if path not in self._facts:
            self._facts[path] = self._read(path)
        return self._facts[path]

    def __contains__(self, path: object) -> bool:
        return path in self._paths  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
