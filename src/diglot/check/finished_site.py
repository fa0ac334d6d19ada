"""All finished pages of a site, parsed once, and where addresses on them lead."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

from diglot.check.locating import Reporter, Sources
from diglot.check.parsed_pages import ParsedPage, parse_page


class FinishedSite:
    """The pages and files of a site as its readers get them."""

    def __init__(
        self,
        pages: Mapping[str, str],
        files: Iterable[str],
        *,
        base_url: str,
        sources: Sources | None = None,
    ) -> None:
        """`pages` maps output paths to HTML, `files` are all output paths, `base_url` is the site's address.

        `sources` maps an output path to the files its text comes from: a mistake that is found in one of them
        is reported there, any other in the output.
        """
        base = urlsplit(base_url)
        self.base_url = base_url
        self.origin = f"{base.scheme}://{base.netloc}"
        self._base_path = unquote(base.path)
        self.files = frozenset((*files, *pages))
        self._html = pages
        self.sources = sources or {}

    @cached_property
    def pages(self) -> dict[str, ParsedPage]:
        """Every page, by its output path, in the order of these."""
        return {path: parse_page(self._html[path]) for path in sorted(self._html)}

    def reporter(self, path: str) -> Reporter:
        """Makes diagnostics of a page."""
        return Reporter(path, self._html.get(path, ""), self.sources.get(path, ()))

    def address(self, path: str) -> str:
        """The whole address of an output path."""
        return self.base_url + quote(path.removesuffix("index.html") if _is_index(path) else path)

    def whole(self, target: str, page: str) -> str:
        """The whole address that a target on a page leads to. Raises ValueError if it is no address."""
        return urljoin(self.base_url + quote(page), target.strip())

    def goal(self, target: str, page: str) -> tuple[str | None, str]:
        """The output file that a target leads to (None outside the site), and the fragment.

        The file need not exist. Raises ValueError if the target is no address.
        """
        parts = urlsplit(self.whole(target, page))
        if f"{parts.scheme}://{parts.netloc}" != self.origin:
            return None, ""
        path = unquote(parts.path)
        if not path.startswith(self._base_path):
            # A link to another site on the same host is fine, but only with its complete URL.
            return (None if urlsplit(target.strip()).netloc else path), ""
        inside = path.removeprefix(self._base_path)
        goal = f"{inside}index.html" if inside == "" or inside.endswith("/") else inside
        if goal not in self.files and f"{goal}/index.html" in self.files:
            goal = f"{goal}/index.html"  # hosts redirect to the address with a slash
        return goal, unquote(parts.fragment)

    def file_at(self, target: str, page: str) -> str | None:
        """The output file that a target leads to, if there is one."""
        try:
            goal, _ = self.goal(target, page)
        except ValueError:
            return None
        return goal if goal in self.files else None

    def listed(self) -> dict[str, ParsedPage]:
        """The pages that search engines list: they stand for themselves, and lead nowhere else."""
        return {
            path: page
            for path, page in self.pages.items()
            if page.is_indexed and (not page.canonical or self.file_at(page.canonical, path) == path)
        }


def _is_index(path: str) -> bool:
    return path == "index.html" or path.endswith("/index.html")
