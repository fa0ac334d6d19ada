"""Builds after each save, and reports the result to browsers and terminal."""

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from urllib.parse import unquote

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.editors import find_editor
from diglot.engine import FILE, BuildReport, Key, Progress
from diglot.languages import LANGUAGES, Language
from diglot.rules.building import SiteBuild
from diglot.rules.configuration import read_configuration
from diglot.rules.failures import EndOfBuild
from diglot.rules.live import LiveSite
from diglot.serve.blocks import SiteBlocks
from diglot.serve.changes import Change
from diglot.serve.following import Following
from diglot.serve.hub import EVERYTHING, Hub
from diglot.serve.inputs import BuildInputs
from diglot.serve.outdated import outdated_figures
from diglot.serve.problems import Problem, describe_problems
from diglot.serve.reports import BuildReports, Speaker

EDITOR_VARIABLE = "DIGLOT_EDITOR"
_REST_S = 0.5
"""Seconds after a build before all inputs are checked, so that a new save need not wait for that."""
_MOST_RESTLESS = 100
"""Builds followed at once by another after which memory is tidied all the same."""
_GIVING_UP_S = 10.0
"""Seconds for which each save restarts the build of the other pages; then one build is completed."""


class PreviewBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the last build, as the writers' view shows it."""

    began_at: float
    """Seconds since 1970, UTC."""
    seconds: float
    """From its start until it was published or found to have errors."""
    diagnostics: tuple[Diagnostic, ...]
    report: BuildReport | None = None
    """None if it ended before it could report."""
    visited: frozenset[Key] = frozenset()
    """All tasks that the site depends on, as far as known."""
    changed: int | None = None
    """Number of published files it changed; None if it was not published."""


class Preview:
    """Builds a site when asked; the last good output keeps being served."""

    def __init__(self, site: LiveSite, hub: Hub, terminal: Speaker) -> None:
        self._site = site
        self._hub = hub
        self._terminal = terminal
        self._reports = BuildReports(terminal)
        self._blocks = SiteBlocks()
        self._following = Following(site.last_build, self._blocks)
        self._progress, site.progress = site.progress, self._tell
        self._stopping = threading.Event()
        self.inputs = BuildInputs(site.options.root)
        """What the last build read."""
        self.base_path = "/"
        """The decoded base path of the served output: `/` or `/blog/`."""
        self._read_configuration()
        self.look_again: Callable[[], None] = lambda: None
        """Called when another build is due although no change was reported."""
        self.show_figure: Callable[[], None] = lambda: None
        """Called when a figure is done that no build waited for."""
        self.notice: Callable[[Change], None] = lambda _: None
        """Called with changes that the watcher did not report."""
        self._seen: Mapping[Key, str] = {}
        """The inputs found changed at the last check, with their digests."""
        self.last: PreviewBuild | None = None
        """None before the first build has ended."""
        self._looks: list[tuple[int, ...] | None] = []
        """The inputs' states at that check."""
        self._began = (0.0, 0.0)
        self._shown_early = False
        """Whether the running build has published the pages that browsers show."""
        self._saved = False
        """Whether the running build was caused by a save, and not only by a figure that is done."""
        self._saved_again = False
        """Whether something was saved since the running build began."""
        self._restless = 0
        """Number of builds that were followed at once by another."""
        self._given_up_since: float | None = None
        """Since when every build has been abandoned for a newer one."""

    def stop(self) -> None:
        """Make a build on another thread end at its next task, without a message."""
        self._stopping.set()
        self._site.hurry()
        self._site.workers.close_figures()  # otherwise a figure in an endless loop would be waited for

    @property
    def languages(self) -> tuple[Language, ...]:
        """Both languages, in the order of the site."""
        project = read_configuration(self._site.options)
        return project.languages if project else LANGUAGES

    @property
    def editor(self) -> str | None:
        """The URL template of the editor: the author's own choice, else the site's."""
        project = read_configuration(self._site.options)
        own = find_editor(os.environ.get(EDITOR_VARIABLE, ""))
        return own or (project.editor if project else None)

    def build(self, changes: frozenset[Change] = frozenset()) -> BuildInputs | None:
        """Build once after these changes, and return what was read, None if that is unknown.

        All errors are reported; none is raised.
        """
        self._began = time.time(), time.perf_counter()
        self._saved = bool(changes) or self.last is None
        self._shown_early = self._saved_again = False
        try:
            return self._build(changes)
        except _Stopped:
            return None
        except _GivenUp:
            if self._given_up_since is None:
                self._given_up_since = self._began[1]
                self._terminal.say("another file was saved: starting again")
            self.look_again()
            return self.inputs
        except DiagnosticError as error:
            self._failed(error.diagnostics)
        except OSError as error:
            if not self._stopping.is_set():
                self._failed((_refusal(error),))
        except Exception as error:  # an error of ours must not end the preview
            if not self._stopping.is_set():
                text = f"diglot itself failed: {type(error).__name__}: {error}"
                self._terminal.say(f"{text}\n(`diglot build -v` shows where)")
                self._tell_failed(
                    (Diagnostic(rule="preview-failed", message=text, fix="`diglot build -v` shows where."),)
                )
        return None

    def hurry(self) -> None:
        """Stop waiting for figures, because something else was saved. From any thread.

        A build that has published the visible pages and is making the others is restarted.
        """
        self._saved_again = True
        self._site.hurry()

    def draw_again(self) -> None:
        """Start another build at once, as a figure that no build waited for is done. From any thread."""
        self._site.hurried.set()
        self.show_figure()

    def look(self) -> None:
        """Check all inputs after a while without changes; on the building thread."""
        with suppress(OSError):
            if self._site.has_lost_its_folders():
                self.look_again()
            looks = self.inputs.looks()
            if looks != self._looks:  # finding out what changed takes longer
                self._looks = looks
                self._tell_changes()

    def _tell_changes(self) -> bool:
        """Report inputs changed since the last build, unless already reported; whether there are any."""
        changed = self._site.changed_inputs()
        news = [key for key, digest in changed.items() if self._seen.get(key) != digest]
        self._seen = changed
        for key in news:
            if key.kind != FILE.kind:  # a build has to find out which names came or went
                self.look_again()
                break
            self.notice(Change(os.path.join(self._site.options.root, key.name), True, False))
        return bool(news)

    def _build(self, changes: frozenset[Change]) -> BuildInputs:
        names = self._names(changes)
        follows = bool(names) and self._hub.is_followed
        if follows:
            self._following.before(names)
        result = self._site.refresh(
            names,
            touched=self.inputs.at(changes) if changes else None,
            first=self._hub.visited,
            first_done=self._show_early,
            done=self._show,
        )
        self._given_up_since = None
        if follows and (places := self._following.after(names)):
            self._hub.tell_places(places)
        self.inputs.update(result.report.inputs())
        if self._site.hurried.wait(_REST_S):
            self._restless += 1
            if self._restless % _MOST_RESTLESS == 0:
                self._site.tidy()
            return self.inputs
        # Other inputs may have changed without a report, or have only just been reported.
        if self._site.is_outdated() and changes and not self._tell_changes():
            self.look_again()
        if not self._site.hurried.is_set():
            self._site.tidy()
        return self.inputs

    def _show_early(self, files: tuple[str, ...]) -> None:
        """Tell browsers about the visible pages, while the others are still being made."""
        if files:
            state = self._hub.state
            self._hub.tell_built(files, state.problems, kept=state.kept, saved=False)
        self._shown_early = True

    def _show(self, result: SiteBuild) -> None:
        """Report a build to browsers and terminal: browsers first, as an author waits for the page."""
        published = result.published
        files = (*published.written, *published.removed) if published else ()
        failed = result.failed(strict=self._site.options.strict)
        is_new = self.last is None or _ran_project(result.report)
        if is_new:
            self._read_configuration()
        self._remember(result.diagnostics, result.report, len(files) if files or not failed else None)
        problems = self._describe(result.diagnostics) if failed else ()
        self._hub.tell_built(files, problems, kept=_kept_pages(result), saved=self._saved)
        if result.unfinished or self._hub.state.outdated:
            with self._site.last_build.records() as records:
                self._hub.tell_outdated(outdated_figures(result, self._blocks, records))
        self._reports.built(result, changed=len(files), failed=failed, saved=self._saved)

    def _read_configuration(self) -> None:
        """Take over what the preview needs of the configuration, if it can be read."""
        if (project := read_configuration(self._site.options)) is not None:
            self.base_path = unquote(project.base_path)
            self._hub.tell_time_zone(project.timezone)

    def _names(self, changes: frozenset[Change]) -> frozenset[str]:
        """Paths as the engine names them: relative to the project if they are in it."""
        root = f"{self._site.options.root}/"
        return frozenset(change.path.removeprefix(root) for change in changes)

    def _tell(self, progress: Progress) -> None:
        if self._stopping.is_set():
            raise _Stopped
        if self._shown_early and self._saved_again and not self._gives_up_for_long():
            raise _GivenUp
        self._progress(progress)

    def _gives_up_for_long(self) -> bool:
        """Whether saves have restarted the build for so long that the other pages are never made."""
        since = self._given_up_since
        return since is not None and time.perf_counter() - since > _GIVING_UP_S

    def _failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._tell_failed(diagnostics)
        self._reports.refused(diagnostics, saved=self._saved)

    def _tell_failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._remember(diagnostics, None)
        self._hub.tell_failed(self._describe(diagnostics))

    def _describe(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[Problem, ...]:
        return describe_problems(diagnostics, root=self._site.options.root, editor=self.editor)

    def _remember(
        self, diagnostics: tuple[Diagnostic, ...], report: BuildReport | None, changed: int | None = None
    ) -> None:
        """Keep the result of a build. Call it before browsers are notified, because they ask for it then."""
        began_at, since = self._began
        visited = report.visited if report else None
        if visited is None:
            visited = self.last.visited if self.last else frozenset()
        self.last = PreviewBuild(
            began_at=began_at,
            seconds=time.perf_counter() - since,
            diagnostics=diagnostics,
            report=report,
            visited=visited,
            changed=changed,
        )


def _kept_pages(result: SiteBuild) -> tuple[str, ...]:
    """The pages that are served as an earlier build made them."""
    if result.published is None:
        return EVERYTHING
    return tuple(path for path in result.published.kept if path.endswith(".html"))


def _ran_project(report: BuildReport) -> bool:
    """Whether the build read the configuration again."""
    if not report.ran:
        return False
    from diglot.rules.projects import read_project  # noqa: PLC0415  (imported only if tasks ran, for a quick start)

    return any(run.key.kind == read_project.kind for run in report.ran)


def _refusal(error: OSError) -> Diagnostic:
    """The diagnostic for an error of the machine: a full disk, a folder that cannot be written to."""
    where = f": {error.filename}" if error.filename else ""
    return Diagnostic(
        rule="build-refused",
        message=f"the site cannot be built: {error.strerror or error}{where}",
        fix="check permissions and disk space; the next save tries again.",
    )


class _Stopped(EndOfBuild):
    """The preview ends, so the build is no longer needed."""


class _GivenUp(EndOfBuild):
    """The build is already out of date, and has published the visible pages."""
