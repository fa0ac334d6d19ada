"""What the caller provides to a build: the folder, given values, a context and callbacks."""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.others import OthersTraces
from diglot.engine.reports import Progress
from diglot.engine.traces import Dependency

Describe: TypeAlias = Callable[[Key, Iterable[Dependency], Exception], Diagnostic | None]
"""Makes a diagnostic for an exception that a task raised unexpectedly, from its key and what it has used.
None lets the exception through."""


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a build needs besides rules, store and session."""

    root: Path
    """The folder that paths of inputs are relative to."""
    given: Mapping[str, object]
    """Values of `Given` inputs."""
    edited: Mapping[str, bytes] = {}
    """Content of files that is read instead of the disk's, as an editor holds it before it is saved."""
    context: object = None
    """Given to tasks as `fetch.context`; no value depends on it."""
    progress: Callable[[Progress], None] = lambda _: None
    work: Callable[[], bool] = lambda: False
    """Called when all tasks wait for futures. It may do what they wait for, and returns whether it did."""
    forget_work: Callable[[], None] = lambda: None
    """Called if the store turns out to be damaged, before the build starts again."""
    describe: Describe = lambda *_: None
    others: OthersTraces | None = None
    """What other machines made; None to use only what this one did."""
    clock_s: Callable[[], float] = time.perf_counter
    """The clock that measures how long tasks take, in seconds from any start."""
