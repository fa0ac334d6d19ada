"""Where a figure script gives the values of its data, read from its code without running it.

A value of the data is found by the keys that lead to it. The mapping displays in `compute`, and in the
functions beside it, have these keys, and the line of the last one says how the value is computed.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

_NOT_COMPUTING = ("draw", "describe", "table", "answer")
"""Functions of scripts whose mappings are no data."""
_ANY: None = None
"""Stands in a chain for a key, or an index, that only running the script would tell."""
_MOST_SHOWN = 120
"""Characters of a line of code that readers see."""

Keys: TypeAlias = tuple[str, ...]
"""The way to a value in a figure's data; numbers of items as text."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a script that gives a value."""

    keys: tuple[str | None, ...]
    """The keys of the mapping displays around it, from outside; None for one that is not written there."""
    line: int
    """In the file."""
    code: str
    """The line, without the space around it."""
    is_given: bool
    """Whether these keys lead to it from the top of the data, and constants and parameters alone make it."""


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

    @property
    def given(self) -> tuple[Keys, ...]:
        """The values that are made of constants of the script and of parameters alone."""
        return tuple(
            tuple(key for key in one.keys if key is not _ANY) for one in self.origins if one.is_given
        )


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
    compute = next((one for one in functions if one.name == "compute"), None)
    given = set() if compute is None else {*_given(tree, compute)}
    return Origins(
        origins=tuple(
            Origin(
                keys=keys,
                line=first_line + line - 1,
                code=_shortened(lines[line - 1]),
                is_given=value in given,
            )
            for value, (keys, line) in found.items()
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


# Values that are given, not computed


def _given(tree: ast.Module, compute: ast.FunctionDef) -> Iterator[ast.expr]:
    """The values of the mapping that `compute` returns which constants and parameters alone decide."""
    returned = [one for one in ast.walk(compute) if isinstance(one, ast.Return)]
    if len(returned) != 1 or not isinstance(returned[0].value, ast.Dict):
        return
    arguments = compute.args
    parameters = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    changed = {*_bound(compute)}
    known = {*parameters, *_constants(tree)} - changed
    free = {*dir(builtins)} - {*_bound(tree), *parameters} - changed
    yield from _given_in(returned[0].value, known, _PURE & free)


_PURE = frozenset({"abs", "float", "int", "len", "max", "min", "round", "str", "sum"})
"""Functions whose result nothing but their arguments decides."""


def _given_in(display: ast.Dict, known: set[str], functions: frozenset[str]) -> Iterator[ast.expr]:
    # What stands behind `**` may have any key, and the last one of the same name counts.
    after = max((number for number, key in enumerate(display.keys) if key is None), default=-1) + 1
    names = [one.value if isinstance(one, ast.Constant) else None for one in display.keys[after:]]
    for name, value in zip(names, display.values[after:], strict=True):
        if name is None or names.count(name) > 1 or None in names:
            continue
        if isinstance(value, ast.Dict):
            yield from _given_in(value, known, functions)
        elif _is_given(value, known, functions):
            yield value


def _is_given(value: ast.expr, known: set[str], functions: frozenset[str]) -> bool:
    called = {one.func for one in ast.walk(value) if isinstance(one, ast.Call)}
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            if node.id not in (functions if node in called else known):
                return False
        elif not isinstance(node, _PLAIN):
            return False
    return True


_PLAIN = (
    *(ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Subscript, ast.Slice, ast.Call),
    *(ast.Tuple, ast.List, ast.expr_context),
)


def _constants(tree: ast.Module) -> Iterator[str]:
    """Names at the top of a script that stand for literals and are never bound again."""
    times = Counter(_bound(tree))
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name() as target], value=value):
                pairs: Iterable[tuple[ast.expr, ast.expr]] = [(target, value)]
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=False)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                pairs = [(target, value)]
            case _:
                continue
        for one, literal in pairs:
            if isinstance(one, ast.Name) and times[one.id] == 1 and _is_literal(literal):
                yield one.id


def _is_literal(node: ast.expr) -> bool:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return False
    return isinstance(value, str | int | float | tuple)  # others could be changed in place


def _bound(tree: ast.AST) -> Iterator[str]:
    """The names that are bound in some code and in functions in it, each time; without parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del(), id=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                yield name
            case _:
                pass
