"""Addresses as pages write them; every path of the site is converted here exactly once.

A site may be below a path of its host (`https://example.org/blog/`). Inside diglot, paths start at the site's
root, without a slash: `zh/posts/roofline/`.
"""

import functools
from urllib.parse import quote, urlsplit

import msgspec

from diglot.web_addresses import is_elsewhere


class Addresses(msgspec.Struct, frozen=True, kw_only=True):
    """Converts paths from the site's root to addresses."""

    base_url: str
    """Address of the site's root, ending in a slash."""

    def path(self, path: str) -> str:
        """For links inside the site: `/blog/zh/posts/roofline/`. A whole address is returned unchanged."""
        return _below(self.base_url, path)

    def whole(self, path: str) -> str:
        """For feeds, maps and canonical links: `https://example.org/blog/zh/posts/roofline/`."""
        return _whole(self.base_url, path)


class WholeAddresses(Addresses, frozen=True, kw_only=True):
    """Writes whole addresses everywhere, for a file that is opened from anywhere."""

    def path(self, path: str) -> str:
        """For links: `https://example.org/blog/zh/posts/roofline/`."""
        return self.whole(path)


def _is_whole(path: str) -> bool:
    return path.startswith("#") or is_elsewhere(path)


# Cached because many pages link to the same tags and neighbours, and those of an article to each other.
@functools.lru_cache(maxsize=4096)
def _below(base_url: str, path: str) -> str:
    return path if _is_whole(path) else urlsplit(base_url).path + _quoted(path)


@functools.lru_cache(maxsize=4096)
def _whole(base_url: str, path: str) -> str:
    return path if _is_whole(path) else base_url + _quoted(path)


def _quoted(path: str) -> str:
    return quote(path.removeprefix("/"), safe="/:@!$&'()*+,;=?#%~-._")
