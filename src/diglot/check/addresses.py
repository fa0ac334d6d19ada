"""Where addresses on the pages of a site lead, as far as the addresses alone tell."""

from functools import lru_cache
from urllib.parse import quote, unquote, urljoin, urlsplit


class SiteAddress:
    """The address of a site, under which its files are."""

    def __init__(self, base_url: str) -> None:
        base = urlsplit(base_url)
        self.base_url = base_url
        self.origin = f"{base.scheme}://{base.netloc}"
        self._base_path = unquote(base.path)
        self._goal = lru_cache(maxsize=None)(self._find_goal)

    def of(self, path: str) -> str:
        """The whole address of an output path."""
        return self.base_url + quote(path.removesuffix("index.html") if _is_index(path) else path)

    def whole(self, target: str, page: str) -> str:
        """The whole address that a target on a page leads to. Raises ValueError if it is no address."""
        return urljoin(self.base_url + quote(page), target.strip())

    def goal(self, target: str, page: str) -> tuple[str | None, str]:
        """The output file that a target leads to (None outside the site), and the fragment.

        The file need not exist; where it does not, a host may find a folder of that name. Raises ValueError
        if the target is no address.
        """
        return self._goal(target, "" if target.startswith("/") else page)  # most are named on many pages

    def _find_goal(self, target: str, page: str) -> tuple[str | None, str]:
        parts = urlsplit(self.whole(target, page))
        if f"{parts.scheme}://{parts.netloc}" != self.origin:
            return None, ""
        path = unquote(parts.path)
        if not path.startswith(self._base_path):
            # A link to another site on the same host is fine, but only with its complete URL.
            return (None if urlsplit(target.strip()).netloc else path), ""
        inside = path.removeprefix(self._base_path)
        goal = f"{inside}index.html" if inside == "" or inside.endswith("/") else inside
        return goal, unquote(parts.fragment)


def _is_index(path: str) -> bool:
    return path == "index.html" or path.endswith("/index.html")
