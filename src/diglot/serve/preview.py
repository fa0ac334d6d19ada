"""What happens at each save: build, and tell browser and terminal what came of it."""

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol
from urllib.parse import unquote

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.editors import find_editor
from diglot.engine import FILE, BuildReport, Key, Progress
from diglot.rules.building import SiteBuild
from diglot.rules.configuration import read_configuration
from diglot.rules.failures import EndOfBuild
from diglot.rules.live import LiveSite
from diglot.serve.changes import Change
from diglot.serve.hub import Hub
from diglot.serve.inputs import BuildInputs
from diglot.serve.problems import Problem, describe_problems


class Speaker(Protocol):
    """What the preview needs of a terminal."""

    def say(self, text: str) -> None:
        """Say how things go."""

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...], /) -> None:
        """Show what is wrong with the site."""

    def failure(self, message: str, fix: str) -> None:
        """Say why the preview cannot begin."""


EDITOR_VARIABLE = "DIGLOT_EDITOR"
_REST_S = 0.5
"""After a build, who saves something within this time is not kept waiting by a look at everything."""
_MOST_RESTLESS = 100
"""After so many builds that were followed at once by another, memory is tidied all the same."""
_GIVING_UP_S = 10.0
"""For so long builds are begun anew at each save; then one is brought to its end."""


class LastBuild(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the last build, as writers want to look at it."""

    began_at: float
    """Seconds since 1970, UTC."""
    seconds: float
    """From its begin until it was published, or found to be wrong."""
    diagnostics: tuple[Diagnostic, ...]
    report: BuildReport | None = None
    """None where it ended before it could report."""
    visited: frozenset[Key] = frozenset()
    """All tasks that the site rests on, as far as is known."""
    changed: int | None = None
    """How many published files it changed; None where it was not published."""


class Preview:
    """Builds a site whenever it is told to; the last good output keeps being served."""

    def __init__(
        self, site: LiveSite, hub: Hub, terminal: Speaker, progress: Callable[[Progress], None]
    ) -> None:
        self._site = site
        self._hub = hub
        self._terminal = terminal
        self._progress = progress
        self._stopping = threading.Event()
        self.inputs = BuildInputs(site.options.root)
        """What the last build read."""
        project = read_configuration(site.options)
        self.base_path = unquote(project.base_path if project else "/")
        """Where the served output expects to stand, decoded: `/` or `/blog/`."""
        self.look_again: Callable[[], None] = lambda: None
        """Called where another build is due although no change was told."""
        self.show_figure: Callable[[], None] = lambda: None
        """Called where a figure is done that no build waited for."""
        self.notice: Callable[[Change], None] = lambda _: None
        """Told of changes that nobody else has told of."""
        self._seen: Mapping[Key, str] = {}
        """The inputs that were found changed when they were last looked at, with their digests."""
        self.last: LastBuild | None = None
        """None before the first build has ended."""
        self._looks: list[tuple[int, ...] | None] = []
        """How they looked then."""
        self._began = (0.0, 0.0)
        self._shown_early = False
        """Whether the build at work has shown the pages that are looked at."""
        self._saved_again = False
        """Whether something else was saved since the build at work began."""
        self._restless = 0
        """How many builds were followed at once by another."""
        self._given_up_since: float | None = None
        """Since when builds have been given up, one after the other."""

    def stop(self) -> None:
        """Let a build that is under way on another thread end at its next task, without a word."""
        self._stopping.set()
        self._site.hurry()
        self._site.workers.close_figures()  # a figure that loops would be waited for

    @property
    def editor(self) -> str | None:
        """What opens a file in the writer's editor: their own choice before that of the site."""
        project = read_configuration(self._site.options)
        own = find_editor(os.environ.get(EDITOR_VARIABLE, ""))
        return own or (project.editor if project else None)

    def build(self, changes: frozenset[Change] = frozenset()) -> BuildInputs | None:
        """Build once, after these changes; what was read, None where nobody knows.

        Whatever goes wrong is told; nothing is raised.
        """
        self._began = time.time(), time.perf_counter()
        self._shown_early = self._saved_again = False
        try:
            return self._build(changes)
        except _Stopped:
            return None
        except _GivenUp:
            self._given_up_since = self._given_up_since or self._began[1]
            self._terminal.say("another file was saved: starting again")
            self.look_again()
            return self.inputs
        except DiagnosticError as error:
            self._failed(error.diagnostics)
        except OSError as error:
            if not self._stopping.is_set():
                self._failed((_refusal(error),))
        except Exception as error:  # a fault of ours must not take the preview down
            if not self._stopping.is_set():
                text = f"diglot itself failed: {type(error).__name__}: {error}"
                self._terminal.say(f"{text}\n(`diglot build -v` shows where)")
                self._tell_failed(
                    (Diagnostic(rule="preview-failed", message=text, fix="`diglot build -v` shows where."),)
                )
        return None

    def hurry(self) -> None:
        """Do not wait for anything any more: something else was saved. From any thread.

        A build that has shown the pages that are looked at, and goes on with all others, is begun anew.
        """
        self._saved_again = True
        self._site.hurry()

    def draw_again(self) -> None:
        """A figure that no build waited for is done: another build is due at once. From any thread."""
        self._site.hurried.set()
        self.show_figure()

    def look(self) -> None:
        """Look at everything, as nothing has been told for a while; on the thread that builds."""
        with suppress(OSError):
            if self._site.has_lost_its_folders():
                self.look_again()
            looks = self.inputs.looks()
            if looks != self._looks:  # what that means takes longer to find out
                self._looks = looks
                self._tell_changes()

    def _tell_changes(self) -> bool:
        """Tell of inputs that changed since the last build, unless that was told; whether there are any."""
        changed = self._site.changed_inputs()
        news = [key for key, digest in changed.items() if self._seen.get(key) != digest]
        self._seen = changed
        for key in news:
            if key.kind != FILE.kind:  # which names came or went, a build has to look for
                self.look_again()
                break
            self.notice(Change(os.path.join(self._site.options.root, key.name), True, False))
        return bool(news)

    def _build(self, changes: frozenset[Change]) -> BuildInputs:
        result = self._site.refresh(
            self._names(changes),
            touched=self.inputs.at(changes) if changes else None,
            first=self._hub.visited,
            first_done=self._show_early,
            progress=self._tell,
            done=self._show,
        )
        self._given_up_since = None
        self.inputs.update(result.report.inputs())
        if self._site.hurried.wait(_REST_S):
            self._restless += 1
            if self._restless % _MOST_RESTLESS == 0:
                self._site.tidy()
            return self.inputs
        # Of what else changed, nobody was told, or is told only now.
        if self._site.is_outdated() and changes and not self._tell_changes():
            self.look_again()
        if not self._site.hurried.is_set():
            self._site.tidy()
        return self.inputs

    def _show_early(self, files: tuple[str, ...]) -> None:
        """Tell browsers of the pages that are looked at: all others are still made."""
        if files:
            self._hub.tell_built(files, self._hub.state.problems)
        self._shown_early = True

    def _show(self, result: SiteBuild) -> None:
        """Tell browsers and terminal what came of a build; the pages first, for somebody waits for them."""
        published = result.published
        files = (*published.written, *published.removed) if published else ()
        failed = result.failed(strict=self._site.options.strict)
        is_new = self.last is None or _ran_project(result.report)
        if is_new and (project := read_configuration(self._site.options)):
            self.base_path = unquote(project.base_path)
        self._remember(result.diagnostics, result.report, len(files) if files or not failed else None)
        self._hub.tell_built(files, self._describe(result.diagnostics) if failed else ())
        self._terminal.diagnostics(result.diagnostics)
        self._terminal.say(_summary(result, len(files), failed=failed))

    def _names(self, changes: frozenset[Change]) -> frozenset[str]:
        """Paths as the engine names them: relative to the project where they lie in it."""
        root = f"{self._site.options.root}/"
        return frozenset(change.path.removeprefix(root) for change in changes)

    def _tell(self, progress: Progress) -> None:
        if self._stopping.is_set():
            raise _Stopped
        if self._shown_early and self._saved_again and not self._gives_up_for_long():
            raise _GivenUp
        self._progress(progress)

    def _gives_up_for_long(self) -> bool:
        """Whether something is saved again and again, so that the other pages never come to be made."""
        since = self._given_up_since
        return since is not None and time.perf_counter() - since > _GIVING_UP_S

    def _failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._tell_failed(diagnostics)
        self._terminal.diagnostics(diagnostics)
        self._terminal.say("not published; the last good site is still served")

    def _tell_failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._remember(diagnostics, None)
        self._hub.tell_failed(self._describe(diagnostics))

    def _describe(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[Problem, ...]:
        return describe_problems(diagnostics, root=self._site.options.root, editor=self.editor)

    def _remember(
        self, diagnostics: tuple[Diagnostic, ...], report: BuildReport | None, changed: int | None = None
    ) -> None:
        """Keep what came of a build; before browsers are told, for they look at it then."""
        began_at, since = self._began
        visited = report.visited if report else None
        if visited is None:
            visited = self.last.visited if self.last else frozenset()
        self.last = LastBuild(
            began_at=began_at,
            seconds=time.perf_counter() - since,
            diagnostics=diagnostics,
            report=report,
            visited=visited,
            changed=changed,
        )


def _ran_project(report: BuildReport) -> bool:
    """Whether the configuration was read anew."""
    if not report.ran:
        return False
    from diglot.rules.summaries import read_project  # imported where tasks ran; a quick start needs it not

    return any(run.key.kind == read_project.kind for run in report.ran)


def _summary(result: SiteBuild, count: int, *, failed: bool) -> str:
    """One line on a build that came to its end."""
    changed = f"{count} file{'s' if count != 1 else ''} changed" if count else "nothing changed"
    if failed:
        kept = "the last good site is still served"
        return f"{changed}; for pages with errors, {kept}" if count else f"not published; {kept}"
    waiting = "; figures are still being computed" if result.unfinished else ""
    return f"built in {result.report.seconds:.2f} s, {changed}{waiting}"


def _refusal(error: OSError) -> Diagnostic:
    """What the machine refused: a full disk, a folder that may not be written to."""
    where = f": {error.filename}" if error.filename else ""
    return Diagnostic(
        rule="build-refused",
        message=f"the site cannot be built: {error.strerror or error}{where}",
        fix="check permissions and disk space; the next save tries again.",
    )


class _Stopped(EndOfBuild):
    """Nobody wants the build any more."""


class _GivenUp(EndOfBuild):
    """What the build makes is out of date already, and who looks has been shown the most of it."""
