"""Facts of pages that checks have parsed before. Few of them are read and written after an edit."""

from collections.abc import Callable, Container
from pathlib import Path
from zlib import crc32

import msgspec
from msgspec import msgpack

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.check.page_facts import PageFacts

_FILES = 64
"""In how many files they lie. An edit of a paragraph concerns three or four pages."""


class _Facts(msgspec.Struct, frozen=True, array_like=True):
    """What is known of one page."""

    digest: str
    """That of the page."""
    facts: msgspec.Raw


class KeptFacts:
    """The facts of pages by their paths, for the contents that they had in the last check."""

    def __init__(self, folder: Path | None = None, purpose: str = "") -> None:
        """Without a folder nothing is kept from one check to the next."""
        self._folder, self._purpose = folder, purpose
        self._files: dict[int, dict[str, _Facts]] = {}
        """The files that were read, by their numbers."""
        self._changed: set[int] = set()

    def facts(self, path: str, digest: str, make: Callable[[], PageFacts]) -> PageFacts:
        """The facts of a page whose content has this digest."""
        number = crc32(path.encode("utf-8", "surrogatepass")) % _FILES
        known = self._read(number)
        if (found := known.get(path)) is not None and found.digest == digest:
            return _DECODER.decode(found.facts)
        facts = make()
        known[path] = _Facts(digest, msgspec.Raw(msgpack.encode(facts)))
        self._changed.add(number)
        return facts

    def write(self, pages: Container[str]) -> None:
        """Keep the facts of some pages; what is known of others is forgotten as their files are written."""
        if self._folder is None:
            return
        for number in sorted(self._changed):
            facts = {path: one for path, one in self._files[number].items() if path in pages}
            write_file(self._path(number), sealed(msgpack.encode(facts), self._purpose))
        self._changed.clear()

    def _read(self, number: int) -> dict[str, _Facts]:
        if number not in self._files:
            content = None
            if self._folder is not None:
                content = unsealed(read_file(self._path(number)), self._purpose)
            self._files[number] = {} if content is None else msgpack.decode(content, type=dict[str, _Facts])
        return self._files[number]

    def _path(self, number: int) -> str:
        return f"{self._folder}/{number:02d}"


_DECODER = msgpack.Decoder(PageFacts)
"""To make one takes longer than to decode the facts of a page."""
