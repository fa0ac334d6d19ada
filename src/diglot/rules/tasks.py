"""How a task is declared: its kind, the types of its name and value, and the function that makes the value.

    @task("summary")
    async def summarise(fetch: Fetch, article: str) -> Summary:
        outline = await fetch(outline_half, HalfId(article, "zh"))  # an `Outline`
        ...

The types are read off the function, and the function is what others fetch: the name `summarise` in
`await fetch(summarise, "moe")` leads to the code that makes the value.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import NoneType
from typing import Any, Protocol, TypeAlias, TypeVar, get_type_hints, overload

from diglot import engine
from diglot.engine import BlobReference, Encoded, Key, Rule, StoredBlob, Target
from diglot.languages import Language
from diglot.rules.context import TaskContext
from diglot.rules.ids import as_language

Fetch: TypeAlias = engine.Fetch[TaskContext]

NameT = TypeVar("NameT")
ValueT = TypeVar("ValueT")
Stored: TypeAlias = Encoded | BlobReference | StoredBlob
"""A value that was encoded elsewhere, and may be in the store already."""


class Task(Target[NameT, ValueT]):
    """The tasks of one kind; declared by `task`."""

    def __init__(
        self,
        kind: str,
        run: Callable[[Fetch, NameT], Awaitable[object]],
        value: type[ValueT] | None,
        *,
        keeps_last_good: bool,
    ) -> None:
        super().__init__(kind)
        self.module = run.__module__
        """Where it is declared."""
        self.run = run
        self._value = value
        self._keeps_last_good = keeps_last_good

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.run)

    @cached_property
    def _read_name(self) -> Callable[[str], Any]:
        _fetch, name_type, _value = self._hints.values()
        if name_type is NoneType:
            return lambda _: None
        if name_type is str:
            return str
        return as_language if name_type == Language else name_type.parse

    def read_name(self, text: str) -> NameT:
        """The name that `key` wrote."""
        name: NameT = self._read_name(text)
        return name

    def names_in(self, keys: Iterable[Key]) -> Iterator[NameT]:
        """The names of those keys that are of this kind."""
        return (self.read_name(key.name) for key in keys if key.kind == self.kind)

    def rule(self, code: str) -> Rule:
        """How the engine runs these tasks; `code` is the digest of the code that makes the values."""
        run, read_name = self.run, self._read_name
        return Rule(
            run=lambda fetch, name: run(fetch, read_name(name)),
            value_type=self._value or self._hints["return"],
            code=code,
            keeps_last_good=self._keeps_last_good,
        )


class _Declare(Protocol):
    def __call__(self, run: Callable[[Fetch, NameT], Awaitable[ValueT]], /) -> Task[NameT, ValueT]: ...


class _DeclareStored(Protocol[ValueT]):
    def __call__(self, run: Callable[[Fetch, NameT], Awaitable[Stored]], /) -> Task[NameT, ValueT]: ...


@overload
def task(kind: str, *, keeps_last_good: bool = False) -> _Declare: ...


@overload
def task(kind: str, value: type[ValueT]) -> _DeclareStored[ValueT]: ...


def task(kind: str, value: Any = None, *, keeps_last_good: bool = False) -> Any:
    """Declare the tasks of a kind: the types of name and value are those of the function below.

    `value` is the type of a value that the function hands over encoded. A function whose tasks have no name
    is given None. Where the task fails in a preview that has a value of it, that is used: `keeps_last_good`.
    """
    return lambda run: Task(kind, run, value, keeps_last_good=keeps_last_good)
