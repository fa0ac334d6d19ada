"""How a task is declared: its kind, the types of its name and value, and the function that makes the value.

    @task("summary")
    async def summarise(fetch: Fetch, article: str) -> Summary:
        outline = await fetch(outline_half, HalfId(article, "zh"))  # an `Outline`
        ...

The function's annotations give the types. Other tasks fetch the function itself: the name `summarise` in
`await fetch(summarise, "moe")` leads to the code that makes the value.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import NoneType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar, get_type_hints, overload

import msgspec

from diglot import engine
from diglot.engine import BlobReference, Encoded, Key, Packs, Rule, StoredBlob, Target
from diglot.languages import Edition, Language
from diglot.rules.context import TaskContext
from diglot.rules.ids import as_edition, as_language

Fetch: TypeAlias = engine.Fetch[TaskContext]

NameT = TypeVar("NameT")
ValueT = TypeVar("ValueT")
P = ParamSpec("P")
Stored: TypeAlias = Encoded | BlobReference | StoredBlob
"""A value that is encoded already, and may be in a pack already."""


class Task(Target[NameT, ValueT]):
    """The tasks of one kind, as declared by `task`."""

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
        """The module that declares it."""
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
        if name_type == Language:
            return as_language
        return as_edition if name_type == Edition else name_type.parse

    def read_name(self, text: str) -> NameT:
        """Read a name that `key` wrote."""
        name: NameT = self._read_name(text)
        return name

    def decoded(self, encoded: bytes) -> ValueT:
        """A value of these tasks that is a record, as the store has it."""
        value: ValueT = msgspec.msgpack.decode(encoded, type=self._value or self._hints["return"])
        return value

    def names_in(self, keys: Iterable[Key]) -> Iterator[NameT]:
        """The names in the keys of this kind; other keys are skipped."""
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
    """Declare the tasks of a kind. The types of name and value are those of the decorated function.

    `value` is the type of the value if the function returns it encoded. A function whose task has no name
    gets None. With `keeps_last_good`, a task that fails in a preview keeps its last good value.
    """
    return lambda run: Task(kind, run, value, keeps_last_good=keeps_last_good)


async def in_worker(
    fetch: Fetch, work: Callable[Concatenate[Packs, P], ValueT], *arguments: P.args, **_: P.kwargs
) -> ValueT:
    """What a module-level function makes in a worker. It gets the packs, for what is large, and arguments."""
    made: ValueT = await fetch.wait(fetch.context.pool.call(work, packs_for(fetch), *arguments))
    return made


def packs_for(fetch: Fetch) -> Packs:
    """The packs, for work whose value is not stored again if it is the task's last one."""
    return fetch.context.packs._replace(last=fetch.last_blob(by_any_code=True))
