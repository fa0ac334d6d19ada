"""What a build reports while it runs and when it is done."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.reasons import Reason

Outcome = Literal["changed", "unchanged", "failed", "upstream failed", "unfinished"]
"""changed: the value differs from the one before; unchanged: it is the same again, so no task above had to
run for it; upstream failed: a value that the task fetched could not be made, which has its own diagnostic;
unfinished: the task takes longer than the build may take, so its last value is used."""


class Progress(NamedTuple):
    """How far a build is. A tuple, because two are made for each task."""

    done: int = 0
    """Tasks that are up to date."""
    known: int = 0
    """Tasks that the build knows of so far, done or not; grows as tasks fetch others."""
    running: Key | None = None
    """The task that started last."""
    waiting: bool = False
    """Whether this build has not started because another one runs in the project."""
    holder: int | None = None
    """The id of the process that runs the other build, if known."""


class TaskRun(NamedTuple):
    """One task that ran."""

    key: Key
    reason: Reason
    seconds: float
    """The task's own time, without that of the tasks it fetched."""
    outcome: Outcome


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did."""

    ran: tuple[TaskRun, ...]
    """The tasks that ran, in the order in which they finished."""
    verified: int
    """How many tasks were up to date and did not run."""
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics of all visited tasks, reported now or when they last ran. Sorted, without duplicates."""
    values: Mapping[Key, str | None]
    """The digest of each target's value; None for a target that failed."""
    visited: frozenset[Key] | None
    """All tasks that the targets depend on, which `prune` keeps. None if no input changed."""
    inputs: Callable[[], frozenset[Key]]
    """All inputs that the targets depend on, for a watcher of files."""
    input_digests: Callable[[], Mapping[Key, str]]
    """The digests of these inputs."""
    seconds: float
    adopted: tuple[Key, ...] = ()
    """Tasks that did not run, because another machine's trace of them holds here. They count as verified."""
