"""What happens at each save: build, and tell browser and terminal what came of it."""

import threading
from collections.abc import Callable
from typing import Protocol
from urllib.parse import unquote

from diglot.diagnostics import Diagnostic, DiagnosticError, format_diagnostic
from diglot.engine import Progress
from diglot.rules.building import Site, SiteBuild
from diglot.serve.hub import Hub
from diglot.serve.inputs import BuildInputs


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
        self.inputs = BuildInputs(site.options.root)
        """What the last build read."""
        self.base_path = unquote(site.base_path())
        """Where the served output expects to stand, decoded: `/` or `/blog/`."""

    def stop(self) -> None:
        """Let a build that is under way on another thread end at its next task, without a word."""
        self._stopping.set()
        self._site.close()  # a figure that loops would be waited for

    def build(self, changed: frozenset[str] = frozenset()) -> BuildInputs | None:
        """Build once, after files with these absolute paths changed; what was read, None where nobody knows.

        Whatever goes wrong is told; nothing is raised.
        """
        try:
            return self._build(changed)
        except _Stopped:
            return None
        except DiagnosticError as error:
            self._failed(error.diagnostics)
        except OSError as error:
            if not self._stopping.is_set():
                self._failed((_refusal(error),))
        except Exception as error:  # a fault of ours must not take the preview down
            if not self._stopping.is_set():
                text = f"diglot itself failed: {type(error).__name__}: {error}"
                self._terminal.say(f"{text}\n(`diglot build -v` shows where)")
                self._hub.tell_errors(text)
        return None

    def hurry(self) -> None:
        """Do not wait for figures any more: something else was saved. From any thread."""
        self._site.calls.hurry()

    def _build(self, changed: frozenset[str]) -> BuildInputs:
        result = self._site.refresh(self._names(changed), progress=self._tell)
        self._terminal.diagnostics(result.diagnostics)
        published = result.published
        count = len(published.written) + len(published.removed) if published else 0
        failed = result.failed(strict=self._site.options.strict)
        if published is not None:
            self.base_path = unquote(self._site.base_path())
            if count or not failed:
                self._hub.tell_built(changed=count > 0)
        if failed:
            self._hub.tell_errors("\n\n".join(map(format_diagnostic, result.diagnostics)))
        self._terminal.say(_summary(result, count, failed=failed))
        self.inputs.update(result.report)
        return self.inputs

    def _names(self, paths: frozenset[str]) -> frozenset[str]:
        """Paths as the engine names them: relative to the project where they lie in it."""
        root = f"{self._site.options.root}/"
        return frozenset(path.removeprefix(root) for path in paths)

    def _tell(self, progress: Progress) -> None:
        if self._stopping.is_set():
            raise _Stopped
        self._progress(progress)

    def _failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._terminal.diagnostics(diagnostics)
        self._terminal.say("not published; the last good site is still served")
        self._hub.tell_errors("\n\n".join(map(format_diagnostic, diagnostics)))


def _summary(result: SiteBuild, count: int, *, failed: bool) -> str:
    """One line on a build that came to its end."""
    changed = f"{count} file{'s' if count != 1 else ''} changed" if count else "nothing changed"
    if failed:
        kept = "the last good site is still served"
        return f"{changed}; where there are mistakes, {kept}" if count else f"not published; {kept}"
    waiting = "; figures are still at work" if result.unfinished else ""
    return f"built in {result.report.seconds:.2f} s, {changed}{waiting}"


def _refusal(error: OSError) -> Diagnostic:
    """What the machine refused: a full disk, a folder that may not be written to."""
    where = f": {error.filename}" if error.filename else ""
    return Diagnostic(
        rule="build-refused",
        message=f"the site cannot be built: {error.strerror or error}{where}",
        fix="look at permissions and at the space on the disk; the next save tries again.",
    )


class _Stopped(Exception):
    """Nobody wants the build any more."""
