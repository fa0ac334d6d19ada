"""What checks know of pages that they have read before: facts, and an index of these.

The index is read and written by every check, and few of the facts after an edit.
"""

from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import msgspec
from msgspec import msgpack

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.check.page_facts import FactDigests, PageFacts

_FILES = 64
"""In how many files they lie. An edit of a paragraph concerns three or four pages."""


class _Facts(msgspec.Struct, frozen=True, array_like=True):
    """What is known of one page."""

    digest: str
    """That of the page."""
    facts: msgspec.Raw


class KnownPage(msgspec.Struct, frozen=True, array_like=True):
    """A page whose facts are known."""

    digest: str
    """That of the page."""
    facts: FactDigests
    is_wrong: bool | None
    """Whether there is a mistake on it; None where that was not looked for."""


class PageIndex(msgspec.Struct, frozen=True, array_like=True):
    """The pages of a site, as a check knows them."""

    files: str = ""
    """The digest of the names of all files."""
    pages: dict[str, KnownPage] = {}
    """By output path."""


class KeptFacts:
    """The facts of pages by their paths, for the contents that they had in the last check."""

    def __init__(self, folder: Path | None = None, purpose: str = "") -> None:
        """Without a folder nothing is kept from one check to the next."""
        self._folder, self._purpose = folder, purpose
        self._files: dict[int, dict[str, _Facts]] = {}
        """The files that were read, by their numbers."""
        self._changed: set[int] = set()

    def index(self) -> PageIndex:
        """What the last check knew of all pages."""
        content = None if self._folder is None else unsealed(read_file(self._index), self._purpose)
        return PageIndex() if content is None else msgpack.decode(content, type=PageIndex)

    def facts(self, path: str, digest: str, make: Callable[[], PageFacts]) -> PageFacts:
        """The facts of a page whose content has this digest."""
        known = self._read(_file_of(path))
        if (found := known.get(path)) is not None and found.digest == digest:
            return _DECODER.decode(found.facts)
        facts = make()
        self.keep(path, digest, msgpack.encode(facts))
        return facts

    def keep(self, path: str, digest: str, facts: bytes) -> None:
        """Keep the encoded facts of a page whose content has this digest."""
        self._read(_file_of(path))[path] = _Facts(digest, msgspec.Raw(facts))
        self._changed.add(_file_of(path))

    def write(self, index: PageIndex) -> None:
        """Keep the index and facts of its pages. Those of others are forgotten as their files are written."""
        if self._folder is None:
            return
        for number in sorted(self._changed):
            facts = {path: one for path, one in self._files[number].items() if path in index.pages}
            write_file(self._path(number), sealed(msgpack.encode(facts), self._purpose))
        self._changed.clear()
        write_file(self._index, sealed(msgpack.encode(index), self._purpose))

    def _read(self, number: int) -> dict[str, _Facts]:
        if number not in self._files:
            content = None
            if self._folder is not None:
                content = unsealed(read_file(self._path(number)), self._purpose)
            self._files[number] = {} if content is None else msgpack.decode(content, type=dict[str, _Facts])
        return self._files[number]

    def _path(self, number: int) -> str:
        return f"{self._folder}/{number:02d}"

    @property
    def _index(self) -> str:
        return f"{self._folder}/index"


def _file_of(path: str) -> int:
    return crc32(path.encode("utf-8", "surrogatepass")) % _FILES


_DECODER = msgpack.Decoder(PageFacts)
"""To make one takes longer than to decode the facts of a page."""
