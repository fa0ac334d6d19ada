"""Traces: what a task fetched when it last ran, and the code that decides whether a trace still holds."""

import itertools
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import NamedTuple

from diglot.engine.keys import Key
from diglot.engine.reasons import FAILED, UNSETTLED, Reason
from diglot.invariants import require

_SEPARATOR = "\x1f"
"""ASCII's unit separator, between the fields of dependencies; no key may contain it."""


class Dependency(NamedTuple):
    """One value that a task used."""

    key: Key
    digest: str
    """Digest of the value, as the task saw it."""
    stage: str
    """Dependencies fetched together share a stage: none of them was needed to fetch another."""


class Trace(NamedTuple):
    """What a task did when it last ran. A tuple, because some builds start by reading all traces."""

    code: str
    """The digest of its rule's code."""
    dependencies: str
    """In fetch order, as `write_dependencies` wrote them: not decoded, because most are needed only once."""
    digest: str
    """Digest of the value it made; FAILED or UNSETTLED if it made none."""
    diagnostics: str | None = None
    """Warnings and errors, as JSON: shown again by every build in which the trace holds."""


def write_dependencies(dependencies: Iterable[Dependency]) -> str:
    """The dependencies as one text."""
    fields = [
        field for ((kind, name), digest, stage) in dependencies for field in (kind, name, digest, stage)
    ]
    text = _SEPARATOR.join(fields)
    require(
        not fields or text.count(_SEPARATOR) == len(fields) - 1, "keys and digests hold no control characters"
    )
    return text


def read_dependencies(text: str) -> list[Dependency]:
    """The dependencies that `write_dependencies` wrote."""
    if not text:
        return []
    fields = text.split(_SEPARATOR)
    keys = map(Key._make, zip(fields[0::4], fields[1::4], strict=True))
    return list(map(Dependency._make, zip(keys, fields[2::4], fields[3::4], strict=True)))


_FIRST_BUILD = Reason(kind="first build")
"""One object for all tasks, because a clean build has this reason a hundred thousand times."""


def verify(
    trace: Trace | None, *, code: str, digests: Mapping[Key, str], has: Callable[[str], bool]
) -> Generator[tuple[Key, ...], None, Reason | None]:
    """Decide whether a task has to run: returns the reason, or None if its recorded value holds.

    A generator, driven by its caller: it yields keys, and goes on when `digests` has all of them. `build`
    brings them up to date meanwhile, `explain` only looks. Dependencies are compared in recorded order, up
    to the first mismatch: what the task fetched after that may have been due to a value that has changed.
    """
    if trace is None:
        return _FIRST_BUILD
    if trace.digest == UNSETTLED:
        return Reason(kind="tried again")
    if trace.code != code:
        return Reason(kind="code changed", old=trace.code, new=code)
    dependencies = read_dependencies(trace.dependencies)
    for position, (key, recorded, stage) in enumerate(dependencies):
        if key not in digests:
            together = itertools.takewhile(lambda d: d.stage == stage, dependencies[position:])  # noqa: B023  (used up in the next line)
            yield tuple(d.key for d in together if d.key not in digests)
        if (now := digests[key]) != recorded:
            return Reason(kind="dependency changed", dependency=key, old=recorded, new=now)
    if trace.digest != FAILED and not has(trace.digest):
        return Reason(kind="value missing")
    return None
