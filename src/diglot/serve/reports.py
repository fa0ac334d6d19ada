"""What the terminal shows about builds: all problems once, then only new ones and how many are mended."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from diglot.diagnostics import Diagnostic
from diglot.engine import Progress
from diglot.left_out import left_out_note
from diglot.rules.building import SiteBuild
from diglot.rules.code_cells import run_cells
from diglot.rules.figures import compute_figure, draw_figure, export_figure
from diglot.rules.traditional_pictures import export_traditional

_MOST_NAMED = 4
"""Maximum number of figures that a line names; beyond that, it gives their number."""


class Speaker(Protocol):
    """The methods of a terminal that the preview uses."""

    def say(self, text: str) -> None:
        """Print a status message."""

    def told(self, progress: Progress) -> None:
        """Show how far a build is."""

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...], /) -> None:
        """Print what is wrong with the site."""


class BuildReports:
    """Reports builds to a terminal. A slow figure causes many builds, which differ little."""

    def __init__(self, terminal: Speaker) -> None:
        self._terminal = terminal
        self._known: tuple[Diagnostic, ...] = ()
        """The problems of the site, as far as the last build could tell."""
        self._waiting: tuple[str, ...] | None = None
        """The figures that the last report said were being computed; None before the first report."""
        self._left_out = ""
        """What the last report said of articles that are not shown."""

    def built(self, result: SiteBuild, *, changed: int, failed: bool, saved: bool) -> None:
        """Report a build that changed a number of published files.

        `saved` says that a save caused it. Any other build is reported only if there is news.
        """
        new, words = self._compared(result.diagnostics)
        self._terminal.diagnostics(new)
        waiting = figures_at_work(result)
        left_out = left_out_note(result.manifest.left_out) if result.manifest else self._left_out
        is_news = bool(new) or "mended" in words or waiting != self._waiting or left_out != self._left_out
        if saved or is_news or (changed and not waiting):
            parts = [_summary(result, changed, failed), words, _at_work(waiting)]
            if left_out != self._left_out:
                parts.append(left_out or "no article is left out")
            self._terminal.say("; ".join(filter(None, parts)))
        self._left_out = left_out
        self._waiting = waiting

    def refused(self, diagnostics: tuple[Diagnostic, ...], *, saved: bool) -> None:
        """Report a build that could not determine the state of the site."""
        new = _without(diagnostics, self._known)
        self._known = (*self._known, *new)
        self._terminal.diagnostics(new)
        if saved or new:
            self._terminal.say("not published; the last good site is still served")

    def _compared(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[tuple[Diagnostic, ...], str]:
        """The problems that were not known, and in words how many are new, mended and as before."""
        new, mended = _without(diagnostics, self._known), _without(self._known, diagnostics)
        is_first = self._waiting is None and not self._known
        self._known = diagnostics
        counts = {"new": len(new), "mended": len(mended), "as before": len(diagnostics) - len(new)}
        told = [(count, word) for word, count in counts.items() if count and not is_first]
        words = [f"{count} {word}" for count, word in told]
        if told:
            count, word = told[0]
            problems = "problem" if count == 1 else "problems"
            words[0] = f"{count} new {problems}" if word == "new" else f"{count} {problems} {word}"
        return new, ", ".join(words)


def figures_at_work(result: SiteBuild) -> tuple[str, ...]:
    """The figures and the articles' cells that the build did not wait for, sorted, with parameters."""
    unfinished = [run.key for run in result.report.ran if run.outcome == "unfinished"]
    made = (compute_figure, run_cells, draw_figure, export_figure, export_traditional)
    kinds = {one.kind for one in made}  # a dataset is no figure
    return tuple(sorted({key.name.partition("@")[0] for key in unfinished if key.kind in kinds}))


def _without(ones: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The problems that are not among the others. One that only moved to another line is the same."""
    left = Counter(map(_identity, others))
    found = []
    for one in ones:
        identity = _identity(one)
        if left[identity]:
            left[identity] -= 1
        else:
            found.append(one)
    return tuple(found)


def _identity(one: Diagnostic) -> tuple[str, ...]:
    path = one.location.path if one.location else ""
    return (one.rule, one.severity, path, one.message, one.source_line or "", one.fix or "")


def _summary(result: SiteBuild, count: int, failed: bool) -> str:
    changed = f"{count} file{'s' if count != 1 else ''} changed" if count else "nothing changed"
    if failed:
        kept = "the last good site is still served"
        return f"{changed}; for pages with errors, {kept}" if count else f"not published; {kept}"
    return f"built in {result.report.seconds:.2f} s, {changed}"


def _at_work(figures: tuple[str, ...]) -> str:
    if not figures:
        return ""
    more = len(figures) - _MOST_NAMED
    named = ", ".join(figures[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"still being computed: {named}"
