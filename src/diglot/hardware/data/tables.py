"""Typed access to the mappings of a located YAML file. Errors name line, key and what was expected."""

import difflib
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from diglot.hardware.data.located_yaml import Located

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class TableError(ValueError):
    """A value breaks the schema: `line` (from 1), dotted `key`, `problem`."""

    def __init__(self, line: int, key: str, problem: str) -> None:
        super().__init__(f"{line}: {key}: {problem}")
        self.line = line
        self.key = key
        self.problem = problem


class ToldError(Exception):
    """The value read is not usable, and its problems have already been collected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A mapping of the file, with its line and its dotted path."""

    path: str
    line: int
    members: dict[str, Located]

    def error(self, key: str, problem: str) -> TableError:
        """A TableError for one key, at the line of its value, or of the mapping where the key is missing."""
        line = self.members[key].line if key in self.members else self.line
        return TableError(line, f"{self.path}.{key}" if self.path else key, problem)

    def check_keys(self, allowed: Collection[str]) -> None:
        """Raise TableError for the first key that is not allowed, suggesting the nearest allowed one."""
        for key in self.members:
            if key not in allowed:
                raise self.error(key, f"unknown key; {_suggest(key, allowed)}")

    def text(self, key: str, *, among: Collection[str] = ()) -> str:
        """Required text; one of `among` where that is not empty. Raises TableError."""
        if key not in self.members:
            raise self.error(key, "is missing")
        value = self.members[key].value
        if not isinstance(value, str) or not value:
            raise self.error(key, f"must be text, not {_describe(value)}")
        if among and value not in among:
            raise self.error(key, f'"{value}" is not known; {_suggest(value, among)}')
        return value

    def address(self, key: str) -> str:
        """Required address of a page. Raises TableError."""
        value = self.text(key)
        if not value.startswith(("https://", "http://")):
            raise self.error(key, f'"{value}" is not a complete address: begin it with https://')
        return value

    def optional_text(self, key: str, *, among: Collection[str] = ()) -> str | None:
        """Text, or None where the key is missing."""
        return self.text(key, among=among) if key in self.members else None

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a list; none where the key is missing. Raises TableError."""
        values = [item.value for item in self.items(key)]
        if not all(isinstance(value, str) and value.strip() for value in values):
            raise self.error(key, "must be a list of texts")
        return tuple(str(value) for value in values)

    def number(self, key: str) -> float:
        """Required finite number above zero. Raises TableError."""
        if key not in self.members:
            raise self.error(key, "is missing")
        value = self.members[key].value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"must be a number, not {_describe(value)}")
        if not 0 < value < math.inf:
            raise self.error(key, f"must be above zero and finite, not {value}")
        return value

    def amount(self, key: str) -> float:
        """Required finite number, zero or above. Raises TableError."""
        value = self.members[key].value if key in self.members else None
        return 0.0 if value == 0 and not isinstance(value, bool) else float(self.number(key))

    def year(self, key: str) -> int:
        """Required year, 2000 to 2099. Raises TableError."""
        value = self.number(key)
        if not isinstance(value, int) or not 2000 <= value < 2100:
            raise self.error(key, f"must be a year, not {value}")
        return value

    def flag(self, key: str) -> bool:
        """true or false; false where the key is missing."""
        value = self.members[key].value if key in self.members else False
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {_describe(value)}")
        return value

    def is_table(self, key: str) -> bool:
        """Whether the key exists and holds a mapping."""
        return key in self.members and isinstance(self.members[key].value, dict)

    def table(self, key: str) -> "Table":
        """Required mapping. Raises TableError."""
        if key not in self.members:
            raise self.error(key, "is missing")
        return open_table(self.members[key], f"{self.path}.{key}" if self.path else key)

    def tables(self, key: str) -> Iterator["Table"]:
        """The mappings of a list; none where the key is missing."""
        for index, item in enumerate(self.items(key)):
            yield open_table(item, f"{self.path}.{key}[{index}]" if self.path else f"{key}[{index}]")

    def items(self, key: str) -> list[Located]:
        """The items of a list; none where the key is missing."""
        if key not in self.members:
            return []
        value = self.members[key].value
        if not isinstance(value, list):
            raise self.error(key, f"must be a list, not {_describe(value)}")
        return value


def open_table(node: Located, path: str) -> Table:
    """`node` as a mapping. Raises TableError where it is not one."""
    if not isinstance(node.value, dict):
        raise TableError(node.line, path or "the file", f"must be a mapping, not {_describe(node.value)}")
    return Table(path=path, line=node.line, members=node.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """Collects the problems of a file, so that all are shown at once."""

    found: list[TableError] = field(default_factory=list)

    def attempt(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """The result of `read` for these arguments, or None where it raises; its TableError is collected."""
        try:
            return read(*args, **kwargs)
        except TableError as error:
            self.found.append(error)
        except ToldError:
            pass
        return None

    def check_keys(self, table: Table, allowed: Collection[str]) -> None:
        """Collect a problem for each key of a table that is not allowed."""
        for key in table.members:
            if key not in allowed:
                self.found.append(table.error(key, f"unknown key; {_suggest(key, allowed)}"))

    def gather(self, **reads: Callable[[], Any]) -> dict[str, Any]:
        """Results of all reads by name. All are tried; raises ToldError where one failed."""
        values = {}
        for name, read in reads.items():
            try:
                values[name] = read()
            except TableError as error:
                self.found.append(error)
            except ToldError:
                pass
        if len(values) < len(reads):
            raise ToldError
        return values

    def attempt_each(self, read: Callable[[S], T], items: Iterable[S]) -> list[T]:
        """Results of `read` for the items that it could read; problems of the others are collected."""
        return [value for item in items if (value := self.attempt(read, item)) is not None]


def _describe(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _suggest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1) if len(known) > 3 else []
    return f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}"
