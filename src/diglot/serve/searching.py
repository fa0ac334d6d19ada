"""The index of the search in a preview: made from the pages as they are, when a reader asks for it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from diglot.languages import EDITIONS, TRADITIONAL, Edition
from diglot.search.pagefind import ENTRY, SearchFailed, make_index
from diglot.search.texts import search_text
from diglot.site_map import traditional_path

_Stamp = tuple[int, int]


class PreviewIndex:
    """The indexes of all that readers choose, so that saves do not wait for them."""

    def __init__(self, output: Path, pages: Callable[[], Iterable[str]]) -> None:
        """`pages` gives the paths in the output of the pages that readers find."""
        self._output = output
        self._pages = pages
        self._texts: dict[str, tuple[_Stamp, bytes]] = {}
        self._made: dict[Edition, tuple[Mapping[str, _Stamp], Mapping[str, bytes]]] = {}

    def file(self, path: str) -> bytes | None:
        """A file below the folder of all indexes, as in `zh/pagefind.js`; None if there is none.

        The entry is what browsers read first: with it, the index is brought up to date, which takes seconds
        for a large site.
        """
        folder, _, name = path.partition("/")
        edition = next((one for one in EDITIONS if one == folder), None)
        if edition is None:
            return None
        if name == ENTRY or edition not in self._made:
            with suppress(SearchFailed):  # the dialog says that the index could not be loaded
                self._bring_up(edition)
        _, files = self._made.get(edition, ({}, {}))
        return files.get(name)

    def _bring_up(self, edition: Edition) -> None:
        stamps: dict[str, _Stamp] = {}
        pages = map(traditional_path, self._pages()) if edition == TRADITIONAL else self._pages()
        for path in pages:
            if path.startswith(f"{edition}/"):
                with suppress(OSError):  # removed since
                    state = (self._output / path).stat()
                    stamps[path] = (state.st_mtime_ns, state.st_size)
        before, _ = self._made.get(edition, (None, {}))
        if stamps != before:
            texts = {
                path.removesuffix("index.html"): self._text(path, stamp, edition)
                for path, stamp in stamps.items()
            }
            self._made[edition] = (stamps, make_index(texts))

    def _text(self, path: str, stamp: _Stamp, edition: Edition) -> bytes:
        known = self._texts.get(path)
        if known is None or known[0] != stamp:
            page = (self._output / path).read_text("utf-8")
            known = self._texts[path] = stamp, search_text(page, edition).encode()
        return known[1]
