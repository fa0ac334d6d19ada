"""Snapshots: the result of a build with all that it depends on, so that the next build starts at the changes.

In the end every trace depends on inputs alone. So if no input changed, every trace holds, and it is enough to
compare the inputs; if some changed, only tasks above them need be checked. Builds of other targets write
traces meanwhile: the store notes which tasks have overtaken a snapshot, and these are checked, too.
"""

from __future__ import annotations

import marshal
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import accumulate, pairwise, repeat
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
"""After this many builds that checked only tasks above changes, one build checks everything, and prunes."""


class Snapshot(msgspec.Struct, kw_only=True, dict=True):
    """All inputs and tasks that some targets depend on, as they were; each after those that it used."""

    codes: dict[str, str]
    """Digests of the code of all rules."""
    targets: list[tuple[str, str]]
    kinds: list[str]
    names: list[str]
    digests: list[str]
    packed: bytes
    """The positions of the keys that each key used, in one row, then the count for each key: see `used`."""
    diagnostics: dict[int, str]
    """What tasks reported, as `write_diagnostics` wrote it, by the position of the task."""
    steps: int
    """How many builds ago everything was checked."""

    def changed(self, inputs: Inputs, among: Iterable[Key] | None = None) -> dict[int, str]:
        """The positions of the inputs that changed since, with their digests now.

        All inputs are checked, or only those `among` some keys.
        """
        looked_at: Iterable[tuple[int, Key]] = self._inputs
        if among is not None:
            known = [key for key in among if key.kind in INPUT_KINDS and key in self.positions]
            looked_at = sorted((self.positions[key], key) for key in known)
        return {
            position: digest
            for position, key in looked_at
            if (digest := inputs.digest(key)) != self.digests[position]
        }

    @cached_property
    def keys(self) -> list[Key]:
        """The key at each position."""
        # What `map(Key, kinds, names)` gives, in half the time: a named tuple's own function is not in C.
        return list(map(tuple.__new__, repeat(Key), zip(self.kinds, self.names, strict=True)))

    @cached_property
    def positions(self) -> dict[Key, int]:
        """The position of each key."""
        return dict(zip(self.keys, range(len(self.keys)), strict=True))

    def positions_of(self, keys: Set[Key]) -> frozenset[int]:
        """The positions of those of some keys that it has."""
        if keys.isdisjoint(zip(self.kinds, self.names, strict=True)):  # mostly so, and `positions` takes long
            return frozenset()
        return frozenset(self.positions[key] for key in keys if key in self.positions)

    @cached_property
    def used(self) -> list[tuple[int, ...]]:
        """For each key, the positions of those that it used; a build without changes does not need this."""
        count = len(self.kinds)
        numbers = array(_NUMBERS)
        numbers.frombytes(self.packed)
        # All equal positions share one int object, because an int takes more memory than a reference to it.
        positions = tuple(map([*range(count)].__getitem__, numbers[:-count]))
        starts = accumulate(numbers[-count:], initial=0)
        return [positions[start:end] for start, end in pairwise(starts)]

    @cached_property
    def inputs(self) -> frozenset[Key]:
        """The keys that are inputs."""
        return frozenset(key for _, key in self._inputs)

    @cached_property
    def _inputs(self) -> list[tuple[int, Key]]:
        """The inputs with their positions; a build without changes needs no other keys."""
        return [
            (position, Key(kind, self.names[position]))
            for position, kind in enumerate(self.kinds)
            if kind in INPUT_KINDS
        ]

    @cached_property
    def tasks(self) -> frozenset[Key]:
        """The keys that are tasks."""
        return frozenset(self._task_keys)

    @cached_property
    def _tasks_before(self) -> list[int]:
        """For each position, and for the end, how many tasks come before it."""
        return [0, *accumulate(kind not in INPUT_KINDS for kind in self.kinds)]

    @cached_property
    def _task_positions(self) -> list[int]:
        return [position for position, kind in enumerate(self.kinds) if kind not in INPUT_KINDS]

    @cached_property
    def _task_keys(self) -> list[Key]:
        return [self.keys[position] for position in self._task_positions]

    def tasks_between(self, start: int, end: int) -> Iterable[tuple[Key, str]]:
        """The tasks from position `start` up to, not including, `end`, with their digests."""
        first, last = self._tasks_before[start], self._tasks_before[end]
        if first == last:
            return ()
        digests = map(self.digests.__getitem__, self._task_positions[first:last])
        return zip(self._task_keys[first:last], digests, strict=True)

    def tasks_count(self) -> int:
        """How many keys are tasks."""
        return self._tasks_before[-1]

    def is_of(self, targets: Sequence[Key]) -> bool:
        """Whether it was taken of these targets."""
        return self.targets == [*map(tuple, targets)]

    def is_like(self, used: Used) -> bool:
        """Whether all tasks in `used` used the same keys as in this snapshot, in the same order."""
        return all(
            (position := self.positions.get(key)) is not None
            and used.keys_of(key) == [self.keys[one] for one in self.used[position]]
            for key in used
        )

    def with_news(self, finished: Finished, changed: Mapping[int, str]) -> Snapshot | None:
        """The snapshot after a build in which all tasks that were checked used the same keys as before.

        `changed` has the positions of changed inputs with their digests. None if something is not settled.
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
        """What the tasks reported, as it was recorded, in the order of their keys.

        Tasks run in a different order in each build, and two of them may report the same line of a file.
        """
        positions = sorted(
            self.diagnostics, key=lambda position: (self.kinds[position], self.names[position])
        )
        return [self.diagnostics[position] for position in positions]

    def values(self) -> dict[Key, str | None]:
        """The digests of the targets' values; None for a target that failed."""
        digests = self._digests_of(frozenset(self.targets))
        found = {Key(*target): digests[target] for target in self.targets}
        return {key: None if digest == FAILED else digest for key, digest in found.items()}

    def _digests_of(self, targets: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
        # Targets are near the end. A search from there costs less than computing `positions`.
        found: dict[tuple[str, str], str] = {}
        for position in range(len(self.kinds) - 1, -1, -1):
            if len(found) == len(targets):
                break
            target = self.kinds[position], self.names[position]
            if target in targets:
                found[target] = self.digests[position]
        return found


_OF_KEYS = (
    "keys",
    "positions",
    "used",
    "inputs",
    "_inputs",
    "tasks",
    "_task_positions",
    "_task_keys",
    "_tasks_before",
)
"""The cached properties that depend only on the keys and on what they used."""

_NUMBERS = "I"
"""How positions are packed: four bytes each, in the byte order of this machine."""


def name_of(targets: Iterable[Key]) -> str:
    """The name of the snapshot of some targets, for this version of Python and this byte order."""
    return "\n".join([sys.version, sys.byteorder, *map(str, targets)])


def write_snapshot(snapshot: Snapshot) -> Iterator[bytes]:
    """The snapshot as bytes, in parts; the last one has the digests of all others."""
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
    """The snapshot that `write_snapshot` wrote; None if there is none, it is damaged, or the code changed."""
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
"""Positions in one part: to encode all at once would take as much memory again."""


class Finished(NamedTuple):
    """What is known at the end of a build."""

    digests: Mapping[Key, str]
    """The digests of all keys, in the order in which they finished."""
    used: Used
    """What each task used. Has only the tasks that were checked."""
    past: Snapshot | None
    """The past build that the other tasks were taken over from."""
    said: Mapping[Key, str]
    """Diagnostics of the tasks that were checked."""
    deferred: Collection[Key]
    """Tasks that made no new value, so that their last one is used: the next build has to run them."""
    unfinished: Collection[Key]
    """Tasks that make a snapshot impossible: deferred ones that did not fail, because what they will use is
    unknown, and those whose lost value came out different when it was made again."""

    def position_of(self, key: Key) -> int | None:
        """The position in the past build of a task that was not checked; None for others."""
        return None if self.past is None or key in self.used else self.past.positions.get(key)

    def said_by(self, tasks: Iterable[Key]) -> list[str]:
        """What some tasks reported, now or earlier, as it was recorded; in the order of their keys."""
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
        """The tasks that the targets depend on, each after those that it used; and the inputs."""
        used, past = self.used, self.past
        marks = bytearray(len(past.keys) if past else 0)
        reached = set(map(used.number, targets))  # numbers are found in a set faster than keys
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
    """A snapshot of what the targets depend on; None if that is not settled. Empties `finished.used`."""
    if finished.unfinished:
        return None
    past = finished.past
    names = past.keys if past else []
    digests = past.digests if past else []
    lengths, packed = array(_NUMBERS), array(_NUMBERS)
    moved = array("l", [-1]) * len(names)  # by past position: the new one, or -1
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
    # Positions by number, so that no second table of keys is needed. Any past key may still get a number.
    positions = array("l", [-1]) * (used.count() + len(names))

    def put(number: int, key: Key, digest: str, on: Sequence[int]) -> int:
        if digest in _NOT_SETTLED:
            raise _NotSettled
        positions[number] = position = len(snapshot.kinds)
        snapshot.kinds.append(key.kind)
        snapshot.names.append(sys.intern(key.name))  # several kinds share a name: it is written once
        snapshot.digests.append(digest)
        lengths.append(len(on))
        packed.extend(on)
        return position

    def find(number: int, digest: str) -> int:
        if (position := positions[number]) < 0:
            key = used.key(number)
            if key.kind not in INPUT_KINDS:  # a task that was only observed, or was lost meanwhile
                raise _NotSettled
            return put(number, key, digest, ())
        if snapshot.digests[position] != digest:  # two tasks saw different values
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
    """There can be no snapshot, because the next build has to check something again."""
