"""The index of the search in a preview: made from the pages as they are, when a reader asks for it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from diglot.languages import LANGUAGES, Language
from diglot.search.pagefind import ENTRY, SearchFailed, make_index
from diglot.search.texts import search_text

_Stamp = tuple[int, int]


class PreviewIndex:
    """The indexes of both languages, so that saves do not wait for them."""

    def __init__(self, output: Path, pages: Callable[[], Iterable[str]]) -> None:
        """`pages` gives the paths in the output of the pages that readers find."""
        self._output = output
        self._pages = pages
        self._texts: dict[str, tuple[_Stamp, bytes]] = {}
        self._made: dict[Language, tuple[Mapping[str, _Stamp], Mapping[str, bytes]]] = {}

    def file(self, path: str) -> bytes | None:
        """A file below the folder of all indexes, as in `zh/pagefind.js`; None if there is none.

        The entry is what browsers read first: with it, the index is brought up to date, which takes seconds
        for a large site.
        """
        folder, _, name = path.partition("/")
        language = next((one for one in LANGUAGES if one == folder), None)
        if language is None:
            return None
        if name == ENTRY or language not in self._made:
            with suppress(SearchFailed):  # the dialog says that the index could not be loaded
                self._bring_up(language)
        _, files = self._made.get(language, ({}, {}))
        return files.get(name)

    def _bring_up(self, language: Language) -> None:
        stamps: dict[str, _Stamp] = {}
        for path in self._pages():
            if path.startswith(f"{language}/"):
                with suppress(OSError):  # removed since
                    state = (self._output / path).stat()
                    stamps[path] = (state.st_mtime_ns, state.st_size)
        before, _ = self._made.get(language, (None, {}))
        if stamps != before:
            texts = {
                path.removesuffix("index.html"): self._text(path, stamp, language)
                for path, stamp in stamps.items()
            }
            self._made[language] = (stamps, make_index(texts))

    def _text(self, path: str, stamp: _Stamp, language: Language) -> bytes:
        known = self._texts.get(path)
        if known is None or known[0] != stamp:
            page = (self._output / path).read_text("utf-8")
            known = self._texts[path] = stamp, search_text(page, language).encode()
        return known[1]
