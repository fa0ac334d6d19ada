"""Where converted files are, and addresses in texts that are to lead to them."""

import re
from functools import lru_cache
from urllib.parse import urlsplit

from diglot.digests import digest_of
from diglot.languages import TRADITIONAL
from diglot.site_map import traditional_path

_HASHED = re.compile(rf"(?<=\.{TRADITIONAL}\.)[0-9a-f]{{8}}(?=\.\w+$)")
"""The digest in the name of a file that browsers may keep for ever."""
_PART = r"[^\s\"'<>()?#,]"
_IN_FOLDER = rf"(?:pagefind/)?zh/(?:{_PART}*/)?(?:{_PART}+\.(?:html|xml|json|md)|card\.png)?"
_BY_NAME = rf"figures/{_PART}*\.zh\.(?:[0-9a-f]{{8}}\.)?(?:html|json|csv|svg|png)"


def converted_path(path: str, stamp: str) -> str | None:
    """Where the converted copy of a file is; None for a file that is not Chinese, or no text.

    Both are percent-encoded, as in addresses.
    """
    if re.fullmatch(f"(?!pagefind/)(?:{_IN_FOLDER}|{_BY_NAME})", path) is None:
        return None
    return _HASHED.sub(lambda found: digest_of(f"{found[0]} {stamp}".encode())[:8], traditional_path(path))


class AddressBook:
    """Finds addresses of Chinese files in a text, and gives those of their converted copies."""

    def __init__(self, base_url: str, stamp: str) -> None:
        parts = urlsplit(base_url)
        origin = re.escape(f"{parts.scheme}://{parts.netloc}")
        self._address = re.compile(
            rf"(?<![^\s\"'(<>=,])((?:{origin})?{re.escape(parts.path)})({_IN_FOLDER}|{_BY_NAME})(?!{_PART})"
        )
        self._stamp = stamp

    def swapped(self, text: str) -> str:
        """A text with the addresses of converted files."""
        return self._address.sub(self._of_copy, text) if "zh" in text else text

    def _of_copy(self, found: re.Match[str]) -> str:
        path = converted_path(found[2], self._stamp)
        return found[1] + (traditional_path(found[2]) if path is None else path)


@lru_cache(4)
def address_book(base_url: str, stamp: str) -> AddressBook:
    """The address book of a site, made once in each process."""
    return AddressBook(base_url, stamp)
