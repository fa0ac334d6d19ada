"""What a whole build came to, with everything it rests on: the next build begins where something changed.

A build without changes would find every trace to hold, one after the other: each rests on inputs alone, in
the end. So it is enough to compare the inputs; and where some changed, only tasks above one of them need be
looked at. A snapshot is taken away as soon as any trace is written, and taken again when a build is through.
"""

from __future__ import annotations

import marshal
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from diglot.digests import digest_of
from diglot.engine.inputs import UNREADABLE, Inputs
from diglot.engine.keys import Key
from diglot.engine.reasons import FAILED, UNSETTLED
from diglot.engine.rules import Rule, codes_of
from diglot.engine.targets import INPUT_KINDS
from diglot.engine.used import Used

MOST_STEPS = 50
"""After so many builds that only looked above what changed, one looks at everything, and prunes."""


class Snapshot(msgspec.Struct, kw_only=True, dict=True):
    """All that some targets rest on, as it was: inputs and tasks, each behind those that it used."""

    codes: dict[str, str]
    """Digests of the code of all rules."""
    targets: list[tuple[str, str]]
    kinds: list[str]
    names: list[str]
    digests: list[str]
    packed: bytes
    """The positions of those that each used, one after the other, and then how many each used: see `used`."""
    diagnostics: dict[int, str]
    """What was said, as `write_diagnostics` wrote it, by the position of who said it."""
    steps: int
    """How many builds ago everything was looked at."""

    def changed(self, inputs: Inputs, among: Iterable[Key] | None = None) -> dict[int, str]:
        """The positions of the inputs that are no longer as they were, with their digests now.

        All are looked at, or those `among` some keys.
        """
        if among is None:
            looked_at: Iterable[tuple[int, Key]] = enumerate(self.keys)
        else:
            looked_at = sorted((self.positions[key], key) for key in among if key in self.positions)
        found = {}
        for position, key in looked_at:
            if key.kind in INPUT_KINDS:
                digest = inputs.digest(key)
                if digest != self.digests[position]:
                    found[position] = digest
        return found

    @cached_property
    def keys(self) -> list[Key]:
        """What stands in each position."""
        return list(map(Key, self.kinds, self.names))

    @cached_property
    def positions(self) -> dict[Key, int]:
        """Where each of them stands."""
        return dict(zip(self.keys, range(len(self.keys)), strict=True))

    @cached_property
    def used(self) -> list[tuple[int, ...]]:
        """Of each, the positions of those that it used; a build without changes does not ask."""
        count = len(self.kinds)
        numbers = array(_NUMBERS)
        numbers.frombytes(self.packed)
        # The same numbers again and again, for they take more memory than what refers to them.
        positions = map([*range(count)].__getitem__, numbers)
        return [tuple(islice(positions, length)) for length in islice(numbers, len(numbers) - count, None)]

    @cached_property
    def inputs(self) -> frozenset[Key]:
        """The inputs among them."""
        return frozenset(key for key in self.keys if key.kind in INPUT_KINDS)

    @cached_property
    def tasks(self) -> frozenset[Key]:
        """The tasks among them."""
        return frozenset(key for key in self.keys if key.kind not in INPUT_KINDS)

    @cached_property
    def _tasks_before(self) -> list[int]:
        """Of each position, and of the end, how many tasks stand before it."""
        return [0, *accumulate(kind not in INPUT_KINDS for kind in self.kinds)]

    @cached_property
    def _task_positions(self) -> list[int]:
        return [position for position, kind in enumerate(self.kinds) if kind not in INPUT_KINDS]

    @cached_property
    def _task_keys(self) -> list[Key]:
        return [self.keys[position] for position in self._task_positions]

    def tasks_between(self, start: int, end: int) -> Iterable[tuple[Key, str]]:
        """The tasks that stand from one position up to another, with their digests."""
        first, last = self._tasks_before[start], self._tasks_before[end]
        if first == last:
            return ()
        digests = map(self.digests.__getitem__, self._task_positions[first:last])
        return zip(self._task_keys[first:last], digests, strict=True)

    def tasks_count(self) -> int:
        """How many of them are tasks."""
        return self._tasks_before[-1]

    def is_like(self, used: Used) -> bool:
        """Whether some tasks have used what they used before, in the same order."""
        return all(
            (position := self.positions.get(key)) is not None
            and used.keys_of(key) == [self.keys[one] for one in self.used[position]]
            for key in used
        )

    def with_news(self, finished: Finished, changed: Mapping[int, str]) -> Snapshot | None:
        """What came of a build in which all tasks that were looked at used what they used before.

        `changed` are inputs with their digests. None where something is not settled.
        """
        digests, diagnostics, positions = self.digests[:], dict(self.diagnostics), self.positions
        for position, digest in changed.items():
            digests[position] = digest
        for key in finished.used:
            position = positions[key]
            digests[position] = finished.digests[key]
            diagnostics.pop(position, None)
            if (said := finished.said.get(key)) is not None:
                diagnostics[position] = said
        if not _NOT_SETTLED.isdisjoint(digests):
            return None
        for key in finished.used:
            if key not in finished.deferred and any(
                digests[position] != digest
                for position, (_, digest) in zip(
                    self.used[positions[key]], finished.used.of(key), strict=True
                )
            ):
                return None
        after = replace(self, digests=digests, diagnostics=diagnostics, steps=self.steps + 1)
        vars(after).update({name: vars(self)[name] for name in _OF_KEYS if name in vars(self)})
        return after

    def said(self) -> list[str]:
        """What the tasks said, as it was recorded, in the order of their keys.

        They run in another order in every build, and two may speak of one line.
        """
        positions = sorted(
            self.diagnostics, key=lambda position: (self.kinds[position], self.names[position])
        )
        return [self.diagnostics[position] for position in positions]

    def values(self) -> dict[Key, str | None]:
        """The digests of the targets, None for one that failed."""
        digests = {Key(*target): self._digest_of(*target) for target in self.targets}
        return {key: None if digest == FAILED else digest for key, digest in digests.items()}

    def _digest_of(self, kind: str, name: str) -> str:
        # What much rests on stands early, targets late; where the keys stand is not worked out for this.
        for position in range(len(self.kinds) - 1, -1, -1):
            if self.kinds[position] == kind and self.names[position] == name:
                return self.digests[position]
        raise KeyError(kind, name)


_OF_KEYS = ("keys", "positions", "used", "inputs", "tasks", "_task_positions", "_task_keys", "_tasks_before")
"""What is worked out from the keys, and from what they used."""

_NUMBERS = "I"
"""How positions are packed: four bytes each, as this machine writes them."""


def name_of(targets: Iterable[Key]) -> str:
    """What the snapshot of some targets is called, by this version of Python on such a machine."""
    return "\n".join([sys.version, sys.byteorder, *map(str, targets)])


def write_snapshot(snapshot: Snapshot) -> Iterator[bytes]:
    """The snapshot as bytes, in parts; the last one tells that all of them are there."""
    digests = []
    for content in _written(snapshot):
        digests.append(digest_of(content))
        yield content
    yield "".join(digests).encode()


def _written(snapshot: Snapshot) -> Iterator[bytes]:
    yield marshal.dumps({name: getattr(snapshot, name) for name in _OF_THE_WHOLE})
    yield snapshot.packed
    for start in range(0, len(snapshot.kinds), _POSITIONS_A_PART):
        end = start + _POSITIONS_A_PART
        yield marshal.dumps(
            [of_all[start:end] for of_all in (snapshot.kinds, snapshot.names, snapshot.digests)]
        )


def read_snapshot(parts: Sequence[bytes], rules: Mapping[str, Rule]) -> Snapshot | None:
    """The snapshot that `write_snapshot` wrote; None if it is damaged, or of other code, or there is none."""
    if not parts or "".join(map(digest_of, parts[:-1])).encode() != parts[-1]:
        return None
    head, packed, *rest, _ = parts
    kinds: list[str] = []
    names: list[str] = []
    digests: list[str] = []
    for part in rest:
        for known, more in zip((kinds, names, digests), marshal.loads(part), strict=True):
            known.extend(more)
    snapshot = Snapshot(kinds=kinds, names=names, digests=digests, packed=packed, **marshal.loads(head))
    return snapshot if snapshot.codes == dict(codes_of(rules)) else None


_OF_THE_WHOLE = ("codes", "targets", "diagnostics", "steps")
_POSITIONS_A_PART = 16_384
"""All at once would take as much memory once more."""


class Finished(NamedTuple):
    """What is known at the end of a build."""

    digests: Mapping[Key, str]
    """Of all keys, in the order in which they finished."""
    used: Used
    """What the tasks used that were looked at."""
    past: Snapshot | None
    """The past build that the other tasks were taken over from."""
    said: Mapping[Key, str]
    """Diagnostics of the tasks that were looked at."""
    deferred: Collection[Key]
    """Tasks that what they made earlier stands in for: they have to run in the next build."""
    unfinished: Collection[Key]
    """Those of them that did not fail: nobody knows what they will have used."""

    def position_of(self, key: Key) -> int | None:
        """The position in the past build of a task that was not looked at."""
        return None if self.past is None or key in self.used else self.past.positions.get(key)

    def said_by(self, tasks: Iterable[Key]) -> list[str]:
        """All that was said by some tasks, now or earlier, as it was recorded; in the order of their keys."""
        found: list[tuple[Key, str]] = []
        for key in tasks:
            position = self.position_of(key)
            if position is None or self.past is None:
                text = self.said.get(key)
            else:
                text = self.past.diagnostics.get(position)
            if text is not None:
                found.append((key, text))
        return [text for _, text in sorted(found)]

    def reached_from(self, targets: Iterable[Key]) -> tuple[list[Key], frozenset[Key]]:
        """The tasks that the targets rest on, each behind those that it used; and the inputs."""
        used, past = self.used, self.past
        marks = bytearray(len(past.keys) if past else 0)
        reached = set(map(used.number, targets))  # numbers, which are found in a set faster than keys
        found = []
        for key in reversed([*self.digests]):
            if key.kind in INPUT_KINDS:
                continue
            position = self.position_of(key)
            number = used.number(key)
            if position is None or past is None:
                if number in reached:
                    found.append(key)
                    reached.update(used.numbers_of(number))
            elif marks[position] or number in reached:
                found.append(key)
                for one in past.used[position]:
                    if not marks[one]:
                        marks[one] = 1
                        name = past.keys[one]
                        if name in used or name.kind in INPUT_KINDS:
                            reached.add(used.number(name))
        found.reverse()
        return found, frozenset(key for key in map(used.key, reached) if key.kind in INPUT_KINDS)


def take_snapshot(
    rules: Mapping[str, Rule], targets: Sequence[Key], finished: Finished, reached: Iterable[Key]
) -> Snapshot | None:
    """A snapshot of what the targets rest on; None where that is not settled. Takes `finished` apart."""
    if finished.unfinished:
        return None
    past = finished.past
    names = past.keys if past else []
    digests = past.digests if past else []
    lengths, packed = array(_NUMBERS), array(_NUMBERS)
    moved = array("l", [-1]) * len(names)  # where a position of the past is now
    snapshot = Snapshot(
        codes=dict(codes_of(rules)),
        targets=[(target.kind, target.name) for target in targets],
        kinds=[],
        names=[],
        digests=[],
        packed=b"",
        diagnostics={},
        steps=past.steps + 1 if past else 0,
    )
    used = finished.used
    # By number: the keys need no second table. Each of the past may be given one.
    positions = array("l", [-1]) * (used.count() + len(names))

    def put(number: int, key: Key, digest: str, on: Sequence[int]) -> int:
        if digest in _NOT_SETTLED:
            raise _NotSettled
        positions[number] = position = len(snapshot.kinds)
        snapshot.kinds.append(key.kind)
        snapshot.names.append(sys.intern(key.name))  # several kinds have the same: it is written once
        snapshot.digests.append(digest)
        lengths.append(len(on))
        packed.extend(on)
        return position

    def find(number: int, digest: str) -> int:
        if (position := positions[number]) < 0:
            key = used.key(number)
            if key.kind not in INPUT_KINDS:  # observed, and not looked at in this build; or lost meanwhile
                raise _NotSettled
            return put(number, key, digest, ())
        if snapshot.digests[position] != digest:  # two tasks saw it differently
            raise _NotSettled
        return position

    def found_again(position: int) -> int:
        if (now := moved[position]) < 0:
            moved[position] = now = find(used.number(names[position]), digests[position])
        return now

    try:
        for key in reached:
            before, number = finished.position_of(key), used.number(key)
            if before is None or past is None:
                on = [find(*one) for one in used.take(key)]
                position = put(number, key, finished.digests[key], on)
                said = finished.said.get(key)
            else:
                on = [*map(found_again, past.used[before])]
                position = put(number, key, past.digests[before], on)
                moved[before] = position
                said = past.diagnostics.get(before)
            if said is not None:
                snapshot.diagnostics[position] = said
    except _NotSettled:
        return None
    packed.extend(lengths)
    return replace(snapshot, packed=packed.tobytes())


_NOT_SETTLED = frozenset((UNSETTLED, UNREADABLE))


class _NotSettled(Exception):
    """The next build has to look again."""
