"""What a module of rules offers: how the tasks of some kinds run, and what they make."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from diglot.crew import Crew
from diglot.engine import Fetch
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.figures.workers import FigureWorkers
    from diglot.rules.figure_calls import FigureCalls


class Task(NamedTuple):
    """How the tasks of one kind run."""

    run: Callable[[Fetch, str], Awaitable[object]]
    value_type: Any
    """What the value is, as msgspec decodes it; `bytes` is stored as it stands."""


class Setting(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What tasks are set up with: one for each process that builds."""

    options: SiteOptions
    workers: "Callable[[], FigureWorkers]"
    """Gives the figure workers when a figure needs them."""
    calls: "FigureCalls"
    """Those under way, which may have begun in an earlier build."""
    crew: Crew
    """Does what takes long and needs nothing but its arguments."""
