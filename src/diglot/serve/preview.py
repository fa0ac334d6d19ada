"""What happens at each save: build, and tell browser and terminal what came of it."""

import threading
from collections.abc import Callable
from typing import Protocol
from urllib.parse import unquote

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine import Progress
from diglot.rules.building import Site
from diglot.serve.hub import Hub
from diglot.serve.problems import describe_problems


class Speaker(Protocol):
    """What the preview needs of a terminal."""

    def say(self, text: str) -> None:
        """Say how things go."""

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...], /) -> None:
        """Show what is wrong with the site."""

    def failure(self, message: str, fix: str) -> None:
        """Say why the preview cannot begin."""


class Preview:
    """Builds a site whenever it is told to; the last good output keeps being served."""

    def __init__(self, site: Site, hub: Hub, terminal: Speaker, progress: Callable[[Progress], None]) -> None:
        self._site = site
        self._hub = hub
        self._terminal = terminal
        self._progress = progress
        self._stopping = threading.Event()
        self.base_path = unquote(site.base_path())
        """Where the served output expects to stand, decoded: `/` or `/blog/`."""

    def stop(self) -> None:
        """Let a build that is under way on another thread end at its next task, without a word."""
        self._stopping.set()
        self._site.close()  # a figure that loops would be waited for

    def build(self) -> None:
        """Build once. Whatever goes wrong is told; nothing is raised."""
        try:
            self._build()
        except _Stopped:
            pass
        except DiagnosticError as error:
            self._failed(error.diagnostics)
        except Exception as error:  # a fault of ours must not take the preview down
            if not self._stopping.is_set():
                text = f"diglot itself failed: {type(error).__name__}: {error}"
                self._terminal.say(f"{text}\n(`diglot build -v` shows where)")
                self._tell_failed(
                    (Diagnostic(rule="preview-failed", message=text, fix="`diglot build -v` shows where."),)
                )

    def _build(self) -> None:
        result = self._site.build(progress=self._tell)
        if result.failed(strict=self._site.options.strict):
            self._failed(result.diagnostics)
            return
        self._terminal.diagnostics(result.diagnostics)
        self.base_path = unquote(self._site.base_path())
        published = result.published
        assert published is not None, "what did not fail is published"
        files = (*published.written, *published.removed)
        count = len(files)
        changed = f"{count} file{'s' if count != 1 else ''} changed" if count else "nothing changed"
        self._terminal.say(f"built in {result.report.seconds:.2f} s, {changed}")
        self._hub.tell_built(files)

    def _tell(self, progress: Progress) -> None:
        if self._stopping.is_set():
            raise _Stopped
        self._progress(progress)

    def _failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._terminal.diagnostics(diagnostics)
        self._terminal.say("not published; the last good site is still served")
        self._tell_failed(diagnostics)

    def _tell_failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        options = self._site.options
        self._hub.tell_failed(describe_problems(diagnostics, root=options.root, editor=self._editor()))

    def _editor(self) -> str | None:
        return None


class _Stopped(Exception):
    """Nobody wants the build any more."""
