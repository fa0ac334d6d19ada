"""What a build tells: while it is at work, and when it is done."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.reasons import Reason

Outcome = Literal["changed", "unchanged", "failed", "upstream failed", "unfinished"]
"""changed: made a value, and not the one before; unchanged: made the same value again, so that nothing above
it ran; upstream failed: something it fetched could not be made, and that has its own diagnostic; unfinished:
takes longer than the build, so that what it made last stands in."""


class Progress(NamedTuple):
    """How far a build is. A tuple, for two are made of each task."""

    done: int = 0
    """Tasks that are up to date."""
    known: int = 0
    """Tasks that the build has met so far, done or not: it grows as tasks fetch others."""
    running: Key | None = None
    """The task that was last begun."""
    waiting: bool = False
    """Whether the build has not begun because another one is at work in the project."""
    holder: int | None = None
    """The process that is waited for, where it is known."""


class TaskRun(NamedTuple):
    """One task that ran."""

    key: Key
    reason: Reason
    seconds: float
    """Its own time, without that of the tasks it fetched."""
    outcome: Outcome


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did."""

    ran: tuple[TaskRun, ...]
    """In the order in which they finished."""
    verified: int
    """How many tasks were up to date and did not run."""
    diagnostics: tuple[Diagnostic, ...]
    """Of everything that was visited, whether it ran now or said so earlier. Without repetitions, sorted."""
    values: Mapping[Key, str | None]
    """The digest of each target's value; None for a target that failed."""
    visited: frozenset[Key] | None
    """All tasks that the targets rest on: what `prune` keeps. None where no input changed, and so nothing."""
    inputs: Callable[[], frozenset[Key]]
    """All inputs that the targets rest on, for who watches them."""
    seconds: float
