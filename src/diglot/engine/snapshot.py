"""What a whole build came to, with everything it rests on: the next build begins where something changed.

A build without changes would find every trace to hold, one after the other: each rests on inputs alone, in
the end. So it is enough to compare the inputs; and where some changed, only tasks above one of them need be
looked at. A snapshot is taken away as soon as any trace is written, and taken again when a build is through.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from diglot.digests import digest_of
from diglot.engine.inputs import INPUT_KINDS, UNREADABLE, Inputs
from diglot.engine.keys import Key
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.rules import Rule
from diglot.engine.traces import read_dependencies

MOST_STEPS = 50
"""After so many builds that only looked above what changed, one looks at everything, and prunes."""

_DIGEST_BYTES = len(digest_of(b""))


@dataclass(kw_only=True)
class Snapshot:
    """All that some targets rest on, as it was: inputs and tasks, each behind those that it used."""

    codes: dict[str, str]
    """Of every rule, the digest of its code."""
    targets: list[tuple[str, str]]
    kinds: list[str]
    names: list[str]
    digests: list[str]
    used: list[tuple[int, ...]]
    """Of each, the places of those that it used."""
    diagnostics: dict[int, str]
    """What was said, as `write_diagnostics` wrote it, by the place of who said it."""
    steps: int
    """How many builds ago everything was looked at."""

    def changed(self, inputs: Inputs) -> dict[int, str]:
        """The places of the inputs that are no longer as they were, with their digests now."""
        found = {}
        for place, key in enumerate(self.keys):
            if key.kind in INPUT_KINDS:
                digest = inputs.digest(key)
                if digest != self.digests[place]:
                    found[place] = digest
        return found

    @cached_property
    def keys(self) -> list[Key]:
        """What stands in each place."""
        return list(map(Key, self.kinds, self.names))

    def tasks_count(self) -> int:
        """How many of them are tasks."""
        return sum(kind not in INPUT_KINDS for kind in self.kinds)

    def values(self) -> dict[Key, str | None]:
        """The digests of the targets, None for one that failed."""
        digests = dict(zip(zip(self.kinds, self.names, strict=True), self.digests, strict=True))
        found = {Key(*target): digests[target] for target in self.targets}
        return {key: None if digest == FAILED else digest for key, digest in found.items()}


def name_of(targets: Iterable[Key]) -> str:
    """What the snapshot of some targets is called, by this version of Python."""
    return "\n".join([sys.version, *map(str, targets)])


def write_snapshot(snapshot: Snapshot) -> bytes:
    """The snapshot as bytes."""
    content = marshal.dumps(tuple(getattr(snapshot, field.name) for field in fields(Snapshot)))
    return digest_of(content).encode() + content


def read_snapshot(content: bytes, rules: Mapping[str, Rule]) -> Snapshot | None:
    """The snapshot that `write_snapshot` wrote; None if it is damaged, or of other code."""
    if digest_of(content[_DIGEST_BYTES:]).encode() != content[:_DIGEST_BYTES]:
        return None
    values = marshal.loads(content[_DIGEST_BYTES:])
    snapshot = Snapshot(**dict(zip([field.name for field in fields(Snapshot)], values, strict=True)))
    return snapshot if snapshot.codes == {kind: rule.code for kind, rule in rules.items()} else None


class Finished(NamedTuple):
    """What is known at the end of a build."""

    digests: Mapping[Key, str]
    """Of all keys, in the order in which they finished."""
    used: Mapping[Key, str]
    """Of the tasks that were looked at, what they used, as `write_dependencies` wrote it."""
    kept: Mapping[Key, int]
    """The places in `past` of the tasks that were not."""
    past: Snapshot | None
    said: Mapping[Key, str]
    """Diagnostics of the tasks that were looked at."""

    def reached_from(self, targets: Iterable[Key]) -> list[Key]:
        """The tasks that the targets rest on, each behind those that it used."""
        kept, used = self.kept, self.used
        names = self.past.keys if self.past else []
        marks = bytearray(len(names))
        reached = set(targets)
        found = []
        for key in reversed([*self.digests]):
            if key.kind in INPUT_KINDS:
                continue
            place = kept.get(key)
            if place is None:
                if key in reached:
                    found.append(key)
                    reached.update([one.key for one in read_dependencies(used[key])])
            elif marks[place] or key in reached:
                found.append(key)
                assert self.past is not None
                for one in self.past.used[place]:
                    if not marks[one]:
                        marks[one] = 1
                        if names[one] not in kept:
                            reached.add(names[one])
        found.reverse()
        return found


def take_snapshot(
    rules: Mapping[str, Rule], targets: Sequence[Key], finished: Finished, reached: Iterable[Key]
) -> Snapshot | None:
    """A snapshot of what the targets rest on; None where that is not settled."""
    past = finished.past
    names = past.keys if past else []
    moved: list[int | None] = [None] * len(names)  # where a place of the past is now
    snapshot = Snapshot(
        codes={kind: rule.code for kind, rule in rules.items()},
        targets=[(target.kind, target.name) for target in targets],
        kinds=[],
        names=[],
        digests=[],
        used=[],
        diagnostics={},
        steps=past.steps + 1 if past else 0,
    )
    places: dict[Key, int] = {}

    def put(key: Key, digest: str, used: tuple[int, ...]) -> int:
        if digest in _NOT_SETTLED:
            raise _NotSettled
        places[key] = place = len(snapshot.kinds)
        snapshot.kinds.append(key.kind)
        snapshot.names.append(key.name)
        snapshot.digests.append(digest)
        snapshot.used.append(used)
        return place

    def find(key: Key, digest: str) -> int:
        if (place := places.get(key)) is None:
            if key.kind not in INPUT_KINDS:  # observed, and not looked at in this build; or lost meanwhile
                raise _NotSettled
            return put(key, digest, ())
        if snapshot.digests[place] != digest:  # two tasks saw it differently
            raise _NotSettled
        return place

    def found_again(place: int) -> int:
        assert past is not None
        if (now := moved[place]) is None:
            moved[place] = now = find(names[place], past.digests[place])
        return now

    try:
        for key in reached:
            before = finished.kept.get(key)
            if before is None:
                used = read_dependencies(finished.used[key])
                place = put(key, finished.digests[key], tuple([find(*one[:2]) for one in used]))
                said = finished.said.get(key)
            else:
                assert past is not None
                place = put(key, past.digests[before], tuple(map(found_again, past.used[before])))
                moved[before] = place
                said = past.diagnostics.get(before)
            if said is not None:
                snapshot.diagnostics[place] = said
    except _NotSettled:
        return None
    return snapshot


_NOT_SETTLED = frozenset((UNSETTLED, UNREADABLE))


class _NotSettled(Exception):
    """The next build has to look again."""
