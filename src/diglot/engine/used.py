"""What the tasks of a build used. Kept as numbers, because a clean build has two million dependencies."""

from collections.abc import Iterable, Iterator, Mapping

from diglot.engine.keys import Key
from diglot.engine.traces import Dependency


class Used:
    """The keys that each task used, with the digests that it saw."""

    def __init__(self, digests: Mapping[Key, str]) -> None:
        """`digests` has those of all finished keys: a digest is kept here only if a task saw another one."""
        self._digests = digests
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []
        self._used: dict[int, tuple[int, ...]] = {}
        self._seen: dict[int, dict[int, str]] = {}

    def note(self, key: Key, dependencies: Iterable[Dependency]) -> None:
        """Record what a task used, in the order in which it fetched it, in place of an earlier record."""
        number, numbers, digests = self.number(key), self._numbers, self._digests
        used, seen = [], {}
        for dependency, digest, _stage in dependencies:
            one = numbers.get(dependency)
            if one is None:
                one = self.number(dependency)
            used.append(one)
            if digests.get(dependency) != digest:
                seen[one] = digest
        self._used[number] = tuple(used)
        self._seen.pop(number, None)
        if seen:
            self._seen[number] = seen

    def number(self, key: Key) -> int:
        """The number of a key. A new key gets the next one."""
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def count(self) -> int:
        """How many keys have a number."""
        return len(self._keys)

    def __contains__(self, key: Key) -> bool:
        return self._numbers.get(key) in self._used

    def __iter__(self) -> Iterator[Key]:
        """The tasks that have a record."""
        return (self._keys[number] for number in self._used)

    def keys_of(self, key: Key) -> list[Key]:
        """The keys that a task used."""
        return [self._keys[one] for one in self._used[self._numbers[key]]]

    def numbers_of(self, number: int) -> tuple[int, ...]:
        """The numbers of the keys that the task with this number used."""
        return self._used[number]

    def of(self, key: Key) -> list[tuple[Key, str]]:
        """The keys that a task used, with the digests that it saw."""
        number = self._numbers[key]
        seen, keys, digests = self._seen.get(number, {}), self._keys, self._digests
        return [(keys[one], seen[one] if one in seen else digests[keys[one]]) for one in self._used[number]]

    def take(self, key: Key) -> list[tuple[int, str]]:
        """As `of`, with numbers for keys. Drops the record, because the result takes as much memory."""
        number = self._numbers[key]
        seen, keys, digests = self._seen.get(number, {}), self._keys, self._digests
        return [(one, seen[one] if one in seen else digests[keys[one]]) for one in self._used.pop(number)]

    def key(self, number: int) -> Key:
        """The key with this number."""
        return self._keys[number]
