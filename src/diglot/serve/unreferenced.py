"""Draws unreferenced figures while a browser shows the sheet of all figures."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine import FILE, LISTING, Key, Progress
from diglot.languages import Language
from diglot.rules.figures import SCRIPT_FILES, draw_figure
from diglot.rules.unreferenced import Stopped, UnreferencedFigures
from diglot.serve.hub import Hub
from diglot.serve.preview import Preview

if TYPE_CHECKING:
    from diglot.figures.records import DrawnFigure, Script

Drawings: TypeAlias = "Mapping[tuple[str, Language], DrawnFigure]"
"""Drawings by request and language."""
_PAUSE_S = 1.0
"""Seconds between updates of the sheet while figures are drawn; each one loads the sheet again."""


class _DrawRequest(msgspec.Struct, frozen=True, kw_only=True):
    scripts: "tuple[Script, ...]"
    built_at: float | None
    """When the last build began. Drawings hold until the next build, because all their inputs are watched."""


class UnreferencedDrawing:
    """Draws on one thread, which ends when all is drawn. A build stops it; an open sheet restarts it."""

    def __init__(self, figures: UnreferencedFigures, preview: Preview, hub: Hub) -> None:
        self._figures = figures
        self._preview = preview
        self._hub = hub
        self._lock = threading.Lock()
        self._next: _DrawRequest | None = None
        """What to draw next."""
        self._at_work: _DrawRequest | None = None
        self._done: _DrawRequest | None = None
        self._thread: threading.Thread | None = None
        self._inputs: frozenset[Key] = frozenset()
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """What was wrong with these figures when they were last drawn."""

    @property
    def is_at_work(self) -> bool:
        """Whether more drawings will follow."""
        with self._lock:
            return self._next is not None or self._at_work is not None

    def ask(self, scripts: "Sequence[Script]") -> None:
        """Draw these, unless that was done since the last build. From any thread."""
        last = self._preview.last
        request = _DrawRequest(scripts=tuple(scripts), built_at=last.began_at if last else None)
        with self._lock:
            if not scripts or request in (self._next, self._at_work, self._done):
                return
            self._next = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="unreferenced", daemon=True)
                self._thread.start()

    def drawings(self, scripts: "Iterable[Script]") -> Drawings:
        """The recorded drawings of these scripts, perhaps outdated; a figure without drawing has a title."""
        ids = {one.figure_id for one in scripts}
        return {
            (str(name.request), name.language): drawn
            for name, drawn in self._figures.last_build.values(draw_figure).items()
            if name.request.figure_id in ids
        }

    def stop(self) -> None:
        """Stop drawing at once, to free the machine. From any thread."""
        with self._lock:
            self._next = self._at_work = None
        self._figures.calls.drop_all()

    def close(self, timeout_s: float) -> None:
        """Stop, and wait up to `timeout_s` seconds until no process is left."""
        end = time.monotonic() + timeout_s
        self.stop()
        while (thread := self._thread) is not None and time.monotonic() < end:
            thread.join(0.05)
            self._figures.calls.drop_all()  # one may have started just then

    def _run(self) -> None:
        while True:
            with self._lock:
                request, self._next = self._next, None
                self._at_work = request
                if request is None:
                    self._thread = None
                    return
            self._draw(request)

    def _draw(self, request: _DrawRequest) -> None:
        told_at = time.monotonic()

        def tell(_progress: Progress) -> None:
            nonlocal told_at
            if time.monotonic() - told_at > _PAUSE_S:
                self._hub.tell_own()
                told_at = time.monotonic()

        # Scripts may appear, or be saved before they have reported what they read.
        listings = [LISTING.key(one) for one in SCRIPT_FILES]
        scripts = [FILE.key(one.path) for one in request.scripts]
        self._preview.inputs.look_at([*self._inputs, *listings, *scripts])
        try:
            report = self._figures.draw(
                request.scripts, wanted=lambda: self._at_work is request, progress=tell
            )
        except Stopped:
            return
        except Exception as error:  # an error of ours must not end the preview
            self._end(request, (_refusal(error),))
            return
        self._inputs = report.inputs().union(listings)
        self._preview.inputs.look_at(self._inputs)
        self._end(request, report.diagnostics)

    def _end(self, request: _DrawRequest, diagnostics: tuple[Diagnostic, ...]) -> None:
        with self._lock:
            if self._at_work is not request:  # stopped meanwhile; the error is the killed worker's
                return
            self._at_work, self._done = None, request
            self.diagnostics = diagnostics
        self._hub.tell_own()


def _refusal(error: Exception) -> Diagnostic:
    return Diagnostic(
        rule="preview-failed",
        message=f"figures that no article uses could not be drawn: {type(error).__name__}: {error}",
        fix="`diglot figures export` draws them too, and shows where it fails.",
    )
