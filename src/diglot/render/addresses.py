"""Addresses as pages write them: every path of the site goes through here once.

A site may stand under a path of its host (`https://example.org/blog/`); paths inside diglot begin at the
site's root, without a slash: `zh/posts/roofline/`.
"""

import functools
from urllib.parse import quote, urlsplit

import msgspec


class Addresses(msgspec.Struct, frozen=True, kw_only=True):
    """Turns paths from the site's root into addresses."""

    base_url: str
    """Where the site stands, with a slash at the end."""

    def path(self, path: str) -> str:
        """For links inside the site: `/blog/zh/posts/roofline/`. A whole address stays as it is."""
        if _is_whole(path):
            return path
        return urlsplit(self.base_url).path + _quoted(path.removeprefix("/"))

    def whole(self, path: str) -> str:
        """For feeds, maps and canonical links: `https://example.org/blog/zh/posts/roofline/`."""
        return path if _is_whole(path) else self.base_url + _quoted(path.removeprefix("/"))


def _is_whole(path: str) -> bool:
    return path.startswith(("https:", "http:", "mailto:", "data:", "//", "#"))


# Tags, neighbours and the page itself are linked to again and again.
@functools.lru_cache(maxsize=4096)
def _quoted(path: str) -> str:
    return quote(path, safe="/:@!$&'()*+,;=?#%~-._")
