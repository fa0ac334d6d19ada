"""Old addresses as aliases: each leads to one half, and none collides with a page."""

from collections.abc import Iterable

from diglot.importing.pairing import Article
from diglot.importing.readers.permalinks import tidy
from diglot.importing.records import Findings, Half
from diglot.importing.targets import Place
from diglot.languages import LANGUAGES, TRADITIONAL
from diglot.output_paths import PathFault, address_of_alias, find_clashes
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.rules.markdown_twins import LLMS_PATH
from diglot.rules.summaries import GENERATED
from diglot.site_map import BOTH, FIGURES, GLOSSARY, HARDWARE, MANIFEST_PATH, POSTS, TALKS

_EDITIONS = (*LANGUAGES, TRADITIONAL)
_GENERATED_BELOW = frozenset((*GENERATED, FIGURES, HARDWARE, TALKS, GLOSSARY)) - {POSTS}
_GENERATED = ("index.html", NOT_FOUND_PATH, ROBOTS_PATH, SITEMAP_PATH, MANIFEST_PATH, LLMS_PATH)


class OldAddresses:
    """Gives halves their aliases, in order, and reports addresses that are taken."""

    def __init__(self, places: Iterable[Place], findings: Findings) -> None:
        self.paths: list[str] = list(_GENERATED)
        """All paths of the new site's output that are known so far."""
        self._findings = findings
        self._own: dict[str, int] = {}
        for place in places:
            inside = place.name if place.is_page else f"posts/{place.name}"
            for language in LANGUAGES:
                path = f"{language}/{inside}/index.html"
                self._own[path.lower()] = place.number
                self.paths.append(path)
        for language in LANGUAGES:
            self.paths += [
                f"{language}/{inside}index.html" for inside in ("", "posts/", "tags/", "categories/")
            ]
        self._taken = {path.lower() for path in self.paths}

    def of(self, article: Article, half: Half, more: tuple[str, ...]) -> tuple[str, ...]:
        """The aliases of a half."""
        given = []
        for address in (*half.addresses, *more):
            alias = tidy(address)
            if alias == "/":
                continue
            try:
                inside = address_of_alias(alias)
            except PathFault as fault:
                self._tell(half, address, f"it {fault}")
                continue
            path = inside if inside.endswith(".html") else f"{inside}index.html"
            parts = path.lower().split("/")
            if parts[0] in _EDITIONS and (parts[1] in _GENERATED_BELOW or parts[-2] == BOTH):
                self._tell(half, address, "diglot uses it itself")
                continue
            if self._own.get(path.lower()) == article.number:
                continue
            if path.lower() in self._taken:
                if (
                    path.lower() not in given
                    and alias not in given
                    and not self._is_twins(article, half, address)
                ):
                    self._tell(half, address, "another page has it")
                continue
            if any(find_clashes([*self._near(path), path])):
                self._tell(half, address, "it would be in the way of another page's file")
                continue
            self._taken.add(path.lower())
            self.paths.append(path)
            given.append(f"/{inside}")
        return tuple(dict.fromkeys(given))

    def _near(self, path: str) -> list[str]:
        """The known paths that could collide with a path: those with the same first part."""
        first = path.partition("/")[0].lower()
        return [one for one in self.paths if one.partition("/")[0].lower() == first]

    @staticmethod
    def _is_twins(article: Article, half: Half, address: str) -> bool:
        """Whether the other half, from the same file, has this address already."""
        return any(other is not half and address in other.addresses for other in article.halves.values())

    def _tell(self, half: Half, address: str, why: str) -> None:
        message = f"the old address {address} is not kept: {why}"
        self._findings.tell(half.source, message, "redirect it on the web server, if readers use it.")
