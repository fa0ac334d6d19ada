"""What is particular to the process that a script runs in.

A worker makes one call and ends, so its state belongs to the process. In tests, and in scripts run by
hand, the state is the initial one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Door: TypeAlias = Callable[[Callable[..., Any], tuple[bytes, ...]], Sequence[bytes]]
"""The source of a sweep's results: takes the function and its arguments at each point, as JSON."""


class WorkerState:
    """Set once, before the script runs."""

    def __init__(self) -> None:
        self.variables: Mapping[str, str | None] | None = None
        """What `env` reads; None for the environment of the process."""
        self.requests_variables = False
        """Whether a variable that is not among them ends the call with an input request."""
        self.door: Door | None = None
        """Where `sweep` gets results; None to compute them in this process."""
        self.memory_limit_mb: int | None = None


state = WorkerState()
