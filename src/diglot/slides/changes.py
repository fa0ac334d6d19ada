"""Which numbers of a figure have changed: its data then and now, value by value."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_NOTHING = object()
MOST_LISTED = 50
"""How many changes of a picture are listed."""


class Change(NamedTuple):
    """A value that has changed."""

    path: str
    """Where it is in the data, as an article quotes it: `chips.h200.ridge`."""
    old: str
    new: str


def list_changes(old: Any, new: Any) -> list[Change]:
    """All values that differ: first words, then numbers with a name, then those in lists."""
    changes = [*_differences(old, new, "")]
    return [one for _, one in sorted(changes, key=lambda one: one[0])]


_LONGEST_WORD = 24


def _is_word(value: Any) -> bool:
    """Whether a value is a name or the like, which a conclusion may depend on: `cheapest: "H200"`."""
    return isinstance(value, str) and len(value) <= _LONGEST_WORD


def _differences(old: Any, new: Any, path: str, depth: int = 0) -> Iterator[tuple[tuple[bool, int], Change]]:
    """Each change, with whether it is of something other than a word, and the number of lists around it."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in {**old, **new}:
            inner = f"{path}.{key}" if path else str(key)
            yield from _differences(old.get(key, _NOTHING), new.get(key, _NOTHING), inner, depth)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, f"{path}[{index}]", depth + 1)
    elif old is _NOTHING or new is _NOTHING or old != new or isinstance(old, bool) != isinstance(new, bool):
        yield (not (_is_word(old) and _is_word(new)), depth), Change(path, *_texts(old, new))


def _texts(old: Any, new: Any) -> tuple[str, str]:
    before, after = value_text(old), value_text(new)
    return (before, after) if before != after else (repr(old), repr(new))


def value_text(value: Any) -> str:
    """A value for a message: numbers with six digits, others in few words."""
    if value is _NOTHING:
        return "nothing"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, int | float):
        if isinstance(value, int) and abs(value) < 10**7:
            return f"{value:,}"
        return f"{value:.6g}".replace("e+", "e").replace("e0", "e").replace("e-0", "e-")
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 60 else f'"{value[:59]}…"'
    return f"{len(value):,} {'value' if len(value) == 1 else 'values'}"
