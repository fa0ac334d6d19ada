"""Builds that nobody asked for: a figure that changes what it reads is made again because of what it changed.

A change counts as a figure's own if it was made while a figure was at work. A person may save something just
then, too, so that nothing is held up for that alone: only where one and the same figure is begun again and
again, and nobody saves anything while no figure is at work. Before it is let be, it is stopped for longer and
longer times, in which nothing but a person can change a file.
"""

import math
import os
import time
from collections.abc import Callable, Collection, Sequence

from diglot.rules.figure_calls import FigureCalls
from diglot.serve.changes import Change

FREE = 5
"""So often a figure may be begun for whatever reason."""
MOST = 9
"""Then, after so many times, it is let be until somebody saves something."""
_FIRST_PAUSE_S = 0.25
"""Doubled each time."""
_GIVE_NS = 10_000_000
"""The clock of file systems is a tick behind ours."""
_MOST_NAMED = 3


class RebuildLoops:
    """Says how long to wait before the next build. Lives on the watcher's thread."""

    def __init__(self, calls: Sequence[FigureCalls], cut: Callable[[str, Sequence[str]], None]) -> None:
        """`cut` is told of a script that is let be, and of the files that changed while it was at work."""
        self._calls = calls
        self._cut = cut
        self._files: dict[str, None] = {}
        """What changed since somebody saved something."""
        self._paused_for = 0
        self._until = 0.0
        self._is_cut = False

    def wait_s(self, changes: Collection[Change]) -> float:
        """How long to wait with a build after these changes, or after a figure is done where there are none.

        Infinite where it is not to be built at all.
        """
        if changes and not all(map(self._is_a_figures, changes)):
            self._begin_anew()
            return 0.0
        self._files.update(dict.fromkeys(change.path for change in changes))
        count, script = max(one.begun_most() for one in self._calls)
        if count < FREE:
            return 0.0
        if count >= MOST:
            if not self._is_cut:
                self._is_cut = True
                self._cut(script, [*self._files][-_MOST_NAMED:])
            return math.inf
        now = time.monotonic()
        if self._paused_for != count:
            self._paused_for = count
            self._until = now + _FIRST_PAUSE_S * 2 ** (count - FREE)
            for one in self._calls:
                one.drop_begun(FREE)  # so that whatever changes now is a person's
        return max(0.0, self._until - now)

    def _begin_anew(self) -> None:
        for one in self._calls:
            one.forget_begun()
        self._files.clear()
        self._paused_for, self._is_cut = 0, False

    def _is_a_figures(self, change: Change) -> bool:
        """Whether it was made while a figure was at work."""
        moment_ns = _changed_at_ns(change.path)
        return any(one.was_at_work(moment_ns, give_ns=_GIVE_NS) for one in self._calls)


def _changed_at_ns(path: str) -> int:
    """When a file changed last; where it is gone, when its folder did."""
    for one in (path, os.path.dirname(path)):
        try:
            return os.stat(one).st_ctime_ns
        except OSError:
            continue
    return time.time_ns()
