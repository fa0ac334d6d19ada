"""All finished pages of a site with what is known of each, and where addresses on them lead."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal

from diglot.check.addresses import SiteAddress
from diglot.check.kept import Kept
from diglot.check.kept_facts import KeptFacts
from diglot.check.locating import Reporter, Sources, SourceText
from diglot.check.page_facts import FactDigests, PageFacts, digests_of, facts_of
from diglot.check.parsed_pages import ParsedPage
from diglot.diagnostics import did_you_mean
from diglot.digests import digest_of, digest_of_names


class FinishedSite:
    """The pages and files of a site as its readers get them."""

    def __init__(
        self,
        pages: Mapping[str, str],
        files: Iterable[str],
        *,
        base_url: str,
        sources: Sources | None = None,
        configuration: SourceText | None = None,
        digests: Mapping[str, str] | None = None,
        kept: Kept | None = None,
        facts: KeptFacts | None = None,
    ) -> None:
        """`pages` maps output paths to HTML, `files` are all output paths, `base_url` is the site's address.

        `sources` maps an output path to the files its text comes from: a mistake that is found in one of them
        is reported there, and one on a page without a text in `configuration`. Any other is reported in the
        output. Where `digests` has that of a page, the page is read only if it is not known from the last
        check, of which `kept` and `facts` have what was found out at the same address.
        """
        self.address = SiteAddress(base_url)
        self.files = frozenset((*files, *pages))
        self.sources: Sources = {} if sources is None else sources
        self.kept = kept or Kept()
        self._configuration = () if configuration is None else (configuration,)
        self._known = facts or KeptFacts()
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

    @cached_property
    def fact_digests(self) -> Mapping[str, FactDigests]:
        """The digests of what is known of every page, by its output path."""
        return {path: self._fact_digests(path) for path in self.pages}

    def _fact_digests(self, path: str) -> FactDigests:
        name = f"facts {path} {self.digest(path)}"
        return self.kept.value(name, FactDigests, lambda: digests_of(self.pages[path]))

    def state(self, *of: Literal["goals", "head", "pictures"]) -> str:
        """The digest of some of the facts of all pages, and of the names of all files."""
        digests = (getattr(page, one) for page in self.fact_digests.values() for one in of)
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
        return self.sources.get(path, self._configuration)

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
        """What to do about a file that is not there."""
        if goal not in self._suggestions:
            self._suggestions[goal] = did_you_mean(goal, self.files, otherwise="correct or delete it.")
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
