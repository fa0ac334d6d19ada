"""Looks at a site on a thread of its own whenever a text changes, and hands over what it found."""

import threading
import traceback
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine import BuildReport
from diglot.lsp.knowledge import Known, answered, questions
from diglot.rules.editing import EditedSite, Overtaken, is_read_as_typed
from diglot.rules.options import SiteOptions

_REST_S = 0.12
"""Seconds without a key before a look begins: a fast typist needs as long from one to the next."""
_MOST_ROUNDS = 4
"""What a first look finds, such as a figure, raises questions for a second one."""


class OpenText(msgspec.Struct, frozen=True, kw_only=True):
    """A file as an editor shows it."""

    text: str
    version: int | None = None


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What a look found."""

    known: Known
    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, OpenText]
    """The open files that it looked at, by their paths in the project."""


class Analyst:
    """Looks again after each change. Its results come on its own thread."""

    def __init__(
        self, options: SiteOptions, *, done: Callable[[Analysis], None], say: Callable[[str], None]
    ) -> None:
        """`say` is told about errors of diglot itself, which must not end the server."""
        self._root = options.root
        self._options = options
        self._done, self._say = done, say
        self._lock = threading.Condition()
        self._texts: Mapping[str, OpenText] = {}
        self._is_asked = self._is_stopping = False
        self._known = Known()
        self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)
        self._thread.start()

    def ask(self, texts: Mapping[str, OpenText] | None = None) -> None:
        """Look at these texts; without any, at the last ones, because files have changed. From any thread."""
        with self._lock:
            self._texts = self._texts if texts is None else texts
            self._is_asked = True
            self._lock.notify_all()

    def stop(self) -> None:
        """End the thread and its processes."""
        with self._lock:
            self._is_stopping = True
            self._lock.notify_all()
        self._thread.join()

    def _is_wanted(self) -> bool:
        return not (self._is_asked or self._is_stopping)

    def _work(self) -> None:
        with EditedSite(self._options, is_wanted=self._is_wanted) as site:
            site.calls.finished = self.ask
            while (texts := self._next()) is not None:
                try:
                    self._done(self._look(site, texts))
                except Overtaken:
                    continue
                except DiagnosticError as error:
                    self._done(Analysis(known=self._known, diagnostics=error.diagnostics, texts=texts))
                except Exception as error:  # an error of ours must not end the server
                    self._say(
                        f"diglot itself failed: {type(error).__name__}: {error}\n{traceback.format_exc()}"
                    )

    def _next(self) -> Mapping[str, OpenText] | None:
        """The texts to look at, once nobody types; None at the end."""
        with self._lock:
            self._lock.wait_for(lambda: self._is_asked or self._is_stopping)
            while self._is_asked and not self._is_stopping:
                self._is_asked = False
                self._lock.wait(_REST_S)
            return None if self._is_stopping else self._texts

    def _look(self, site: EditedSite, texts: Mapping[str, OpenText]) -> Analysis:
        unsaved = unsaved_texts(self._root, texts)
        report: BuildReport | None = None
        keys = None
        for _ in range(_MOST_ROUNDS):
            if keys == (keys := questions(self._known, texts.keys())):
                break
            report, values = site.look(keys, unsaved)
            self._known = answered(self._known, keys, values)
        diagnostics = () if report is None else report.diagnostics
        return Analysis(known=self._known, diagnostics=diagnostics, texts=texts)


def unsaved_texts(root: Path, texts: Mapping[str, OpenText]) -> dict[str, bytes]:
    """The content of files that editors hold otherwise than the disk, if it counts before it is saved."""
    found = {}
    for path, one in texts.items():
        content = one.text.encode("utf-8", "surrogatepass")
        if is_read_as_typed(path) and content != _on_disk(root, path):
            found[path] = content
    return found


def _on_disk(root: Path, path: str) -> bytes | None:
    """The content of a file without the mark of its byte order, which editors do not show."""
    try:
        return (root / path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return None


def opened(paths: Collection[str], root: Path) -> dict[str, OpenText]:
    """Files as they are on disk, as if an editor showed them."""
    contents = {path: _on_disk(root, path) for path in paths}
    return {
        path: OpenText(text=content.decode("utf-8", "replace"))
        for path, content in contents.items()
        if content is not None
    }
