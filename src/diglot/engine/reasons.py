"""Why a task runs, as data: recorded with its trace, and shown by `explain`."""

from typing import Literal

import msgspec

from diglot.digests import ABSENT
from diglot.engine.keys import Key

FAILED = "failed"
"""In place of the digest of a value that could not be made. It is the same for all failures, so a failure
whose text changes does not rerun the tasks above it."""

UNSETTLED = "failed, to be tried again"
"""As FAILED, for a failure that the inputs may not have caused: the task runs again in the next build."""

UNDECIDED = "undecided"
"""In place of the digest of a value that would have to be made first; occurs only in explanations."""

ReasonKind = Literal[
    "first build",
    "code changed",
    "dependency changed",
    "value missing",
    "tried again",
    "cycle",
    "shared cache",
]


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a task has to run."""

    kind: ReasonKind
    dependency: Key | None = None
    """The first recorded dependency that changed, if that is the reason."""
    old: str | None = None
    """Recorded digest of the dependency, or of the code for `code changed`."""
    new: str | None = None
    """The digest now."""

    def __str__(self) -> str:
        match self.kind:
            case "first build":
                return "it was never built"
            case "code changed":
                return f"diglot's code that makes it changed ({_change(self.old, self.new)})"
            case "value missing":
                return "its stored value is missing or damaged"
            case "tried again":
                return "it failed for a reason that may be temporary"
            case "shared cache":
                return "its value came from the shared cache"
            case "cycle":
                return "its recorded dependencies lead back to itself"
            case "dependency changed":
                return f"{self.dependency} {_event(self.old, self.new)}"


def _event(old: str | None, new: str | None) -> str:
    if new == UNDECIDED:
        return "would be rebuilt first"
    if old == ABSENT:
        return "was created"
    if new == ABSENT:
        return "was deleted"
    if new in (FAILED, UNSETTLED):
        return "failed"
    if old in (FAILED, UNSETTLED):
        return "no longer fails"
    return f"changed ({_change(old, new)})"


def _change(old: str | None, new: str | None) -> str:
    return f"{(old or '')[:8]} → {(new or '')[:8]}"
