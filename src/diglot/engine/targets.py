"""Targets, which tasks fetch from: kinds of inputs and tasks, with the types of their names and values."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from diglot.engine.keys import Key
from diglot.unreadable import Unreadable

NameT = TypeVar("NameT")
ValueT_co = TypeVar("ValueT_co", covariant=True)


class Target(Generic[NameT, ValueT_co]):
    """All values of one kind. Each has a name of its own, which is `None` if there is only one value.

    The store has names as `str` writes them.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"<{self.kind}>"

    def key(self, name: NameT) -> Key:
        """The key of one value."""
        return Key(self.kind, "" if name is None else str(name))


FILE: Target[str, bytes | None] = Target("file")
"""The content of a file, by its path: relative to the project, or absolute. None if there is no such file."""
LISTING: Target[str, tuple[str, ...]] = Target("listing")
"""The paths of the files that match a pattern."""
UNREADABLE_LISTING: Target[str, tuple[Unreadable, ...]] = Target("unreadable-listing")
"""What matches a pattern and is neither file nor folder: links that lead nowhere or in a circle, pipes."""
FOLDER: Target[str, tuple[str, ...] | None] = Target("folder")
"""The names directly in a folder; None if there is no such folder."""
ENTRY: Target[str, None] = Target("entry")
"""What is at a path (a file, folder or link), whatever its content. It has a digest, but no value."""
ENVIRONMENT: Target[str, str | None] = Target("env")
"""A variable of the environment."""
_GIVEN = "given"
INPUT_KINDS = frozenset(
    (*(target.kind for target in (FILE, LISTING, UNREADABLE_LISTING, FOLDER, ENTRY, ENVIRONMENT)), _GIVEN)
)


class Lazy(Generic[ValueT_co]):
    """A given value that is looked up when something first depends on it, and once in a build."""

    def __init__(self, look_up: Callable[[], ValueT_co]) -> None:
        self._look_up = look_up

    @cached_property
    def value(self) -> ValueT_co:
        """The value."""
        return self._look_up()


class Given(Target[None, ValueT_co]):
    """A value that the caller gives to the build."""

    def __init__(self, name: str) -> None:
        super().__init__(_GIVEN)
        self.name = name

    def key(self, name: None = None) -> Key:
        """The key of the value."""
        return Key(_GIVEN, self.name)
