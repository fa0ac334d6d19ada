"""What other machines made, as a build sees it: traces that may hold here, and values by their digests."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from diglot.engine.keys import Key
from diglot.engine.traces import Trace


class OthersValue(NamedTuple):
    """A value that another machine stored."""

    content: bytes
    is_packed: bool
    """Whether it was in a pack there, whatever its size: some tasks ask for a place in a pack."""


class OthersTraces(Protocol):
    """Traces and values of other machines.

    A trace is a claim: its dependencies are compared with this machine, and its value with the digest that
    it names, but nobody can check that a task makes this value of these dependencies without running it. So
    whoever implements this answers for who wrote a trace.
    """

    def traces(self, key: Key, code: str) -> Sequence[Trace]:
        """Traces of a task whose rule has this code, best first; all have a value."""

    def has(self, digest: str) -> bool:
        """Whether `value` is likely to find a value."""

    def value(self, digest: str) -> OthersValue | None:
        """The value with a digest; None if it is lost or damaged."""
