"""Where a build takes place, and what it tells and asks of its caller."""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.engine.keys import Key
from diglot.engine.reports import Progress
from diglot.engine.traces import Dependency

Describe: TypeAlias = Callable[[Key, Iterable[Dependency], Exception], Diagnostic | None]
"""A diagnostic for an exception that a task raised unexpectedly, from its key and what it has used; None to
have the exception raised."""


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a build works with, besides rules, store and session."""

    root: Path
    """The folder that paths of inputs are relative to."""
    given: Mapping[str, object]
    """Values of `Given` inputs."""
    context: object = None
    """What tasks work with and no value depends on: `fetch.context`."""
    progress: Callable[[Progress], None] = lambda _: None
    work: Callable[[], bool] = lambda: False
    """Called when all tasks wait for futures: may do what some of them wait for; returns whether it did."""
    forget_work: Callable[[], None] = lambda: None
    """Called where the store turns out to be damaged and the build begins again."""
    describe: Describe = lambda *_: None
    clock_s: Callable[[], float] = time.perf_counter
    """The clock that measures how long tasks take, in seconds from any start."""
