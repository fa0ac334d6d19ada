"""Where a figure script gives the values of its data, read from its code without running it.

A value of the data is found by the keys that lead to it. The mapping displays in `compute`, and in the
functions next to it, have these keys, and the line of the last one says how the value is computed.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from diglot.figures.scripts.value_parts import Keys

_NOT_COMPUTING = ("draw", "describe", "table", "answer")
"""Functions of scripts whose mappings are no data."""
_ANY: None = None
"""Stands in a chain for a key, or an index, that only running the script would tell."""
_MOST_SHOWN = 120
"""Characters of a line of code that readers see."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a script that gives a value."""

    keys: tuple[str | None, ...]
    """The keys of the mapping displays around it, from outside; None for one that is not written there."""
    line: int
    """In the file."""
    code: str
    """The line, without the space around it."""


class Origins(msgspec.Struct, frozen=True, kw_only=True):
    """All such lines of a script."""

    origins: tuple[Origin, ...] = ()

    def find(self, keys: Keys) -> Origin | None:
        """The line that gives a value, or else the innermost mapping around it that is known."""
        for end in range(len(keys), 0, -1):
            found = [one for one in self.origins if _ends(keys[:end], one.keys)]
            longest = max((len(one.keys) for one in found), default=0)
            best = [one for one in found if len(one.keys) == longest]
            if len(best) == 1:
                return best[0]
        return None


def _ends(keys: Keys, chain: Sequence[str | None]) -> bool:
    last = keys[len(keys) - len(chain) :]
    return len(chain) <= len(keys) and all(one in (key, _ANY) for one, key in zip(chain, last, strict=True))


def read_origins(source: str, *, first_line: int = 1) -> Origins:
    """The lines of a script that give values. No lines of code that Python cannot read.

    `first_line` is the line of its file at which the code begins.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return Origins()
    lines = source.splitlines()
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    found: dict[ast.expr, _Way] = {}
    for function in functions:
        if function.name not in _NOT_COMPUTING:
            for node in ast.walk(function):
                for value, way in _values_at(node):
                    found.setdefault(value, way)
    return Origins(
        origins=tuple(
            Origin(
                keys=keys,
                line=first_line + line - 1,
                code=_shortened(lines[line - 1]),
            )
            for keys, line in found.values()
            if keys[-1] is not _ANY
        )
    )


def _shortened(line: str) -> str:
    code = line.strip().removesuffix(",")
    return code if len(code) <= _MOST_SHOWN else f"{code[: _MOST_SHOWN - 1]}…"


class _Way(NamedTuple):
    """The keys that lead to a value, and the line of the last one."""

    keys: tuple[str | None, ...]
    line: int


def _values_at(node: ast.AST) -> Iterator[tuple[ast.expr, _Way]]:
    """The values in a mapping display, or in what is assigned to an item of a mapping."""
    match node:
        case ast.Dict():
            yield from _values_in(node, ())
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
            yield value, _Way((_name(key),), key.lineno)
            yield from _values_in(value, (_name(key),))
        case ast.AugAssign(target=ast.Subscript(slice=key), value=value):
            yield from _values_in(value, (_name(key),))
        case _:
            pass


def _name(key: ast.expr) -> str | None:
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _ANY


def _values_in(node: ast.expr, keys: tuple[str | None, ...]) -> Iterator[tuple[ast.expr, _Way]]:
    """The values of a mapping display, and of the displays nested in it."""
    match node:
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:  # `**other`
                    yield from _values_in(value, keys)
                else:
                    yield value, _Way((*keys, _name(key)), key.lineno)
                    yield from _values_in(value, (*keys, _name(key)))
        case ast.DictComp(value=value) | ast.ListComp(elt=value):
            yield from _values_in(value, (*keys, _ANY))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for one in items:
                yield from _values_in(one, (*keys, _ANY))
        case _:
            pass
