"""Which values of a figure's data are made of constants, parameters and other values of the data alone.

Read from a script's code without running it, and only where nothing could make it otherwise: `compute`
returns one mapping display, names are bound once, and no later key takes the place of another.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

Keys: TypeAlias = tuple[str, ...]
"""The way to a value in a figure's data; numbers of items as text."""
Parts: TypeAlias = tuple[tuple[Keys, tuple[Keys, ...]], ...]
"""Values, each with the values that it is made of besides constants and parameters; often with none."""

_PURE = frozenset({"abs", "float", "int", "len", "max", "min", "round", "str", "sum"})
"""Functions whose result nothing but their arguments decides."""


def read_parts(source: str) -> Parts:
    """Those values in the mapping that `compute` returns. None of code that Python cannot read."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    functions = (one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "compute")
    compute = next(functions, None)
    returned = [] if compute is None else [one for one in ast.walk(compute) if isinstance(one, ast.Return)]
    if compute is None or len(returned) != 1 or not isinstance(returned[0].value, ast.Dict):
        return ()
    display = returned[0].value
    arguments = compute.args
    parameters = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound = Counter(_bound(compute))
    scope = _Scope(
        known=({*parameters, *_constants(tree)}) - bound.keys(),
        functions=_PURE & {*dir(builtins)} - {*_bound(tree), *parameters},
        places=_places(compute, display, bound),
        keys={str(one.value) for one in display.keys if isinstance(one, ast.Constant)},
    )
    return tuple(_parts_in(display, (), scope))


class _Scope(NamedTuple):
    """What names stand for where `compute` returns."""

    known: set[str]
    """Constants and parameters."""
    functions: frozenset[str]
    places: Mapping[str, Keys]
    """Local names of what is in the data, and where."""
    keys: set[str]
    """The keys that are written in the mapping itself, which hide those that `**` gives it."""


def _parts_in(display: ast.Dict, keys: Keys, scope: _Scope) -> Iterator[tuple[Keys, tuple[Keys, ...]]]:
    for name, value in _last_keys(display).items():
        if isinstance(value, ast.Dict):
            yield from _parts_in(value, (*keys, name), scope)
        elif not (isinstance(value, ast.Name) and value.id in scope.places):  # no value is a part of itself
            found = _made_of(value, scope)
            if found is not None:
                yield (*keys, name), tuple(dict.fromkeys(found))


def _last_keys(display: ast.Dict) -> dict[str, ast.expr]:
    """The values whose keys nothing else in a display can have: what is behind `**` may have any."""
    after = max((at for at, key in enumerate(display.keys) if key is None), default=-1) + 1
    names = [one.value if isinstance(one, ast.Constant) else None for one in display.keys[after:]]
    if None in names:
        return {}
    return {
        name: value
        for name, value in zip(names, display.values[after:], strict=True)
        if isinstance(name, str) and names.count(name) == 1
    }


def _made_of(node: ast.expr, scope: _Scope) -> list[Keys] | None:
    """The places in the data that an expression reads; None if it reads anything else."""
    inner: list[ast.expr]
    match node:
        case ast.Constant():
            return []
        case ast.Name(id=name) if name in scope.known:
            return []
        case ast.Name() | ast.Subscript() if (place := _place(node, scope.places)) is not None:
            is_hidden = not scope.places[_root(node)] and place[:1] and place[0] in scope.keys
            return None if is_hidden else [place]
        case ast.BinOp(left=left, right=right):
            inner = [left, right]
        case ast.UnaryOp(operand=operand):
            inner = [operand]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            inner = items
        case ast.Subscript(value=value, slice=ast.Constant()):
            inner = [value]
        case ast.Call(func=ast.Name(id=name), args=items, keywords=[]) if name in scope.functions:
            inner = items
        case _:
            return None
    found = [_made_of(one, scope) for one in inner]
    return None if None in found else [place for one in found for place in one or ()]


def _place(node: ast.expr, places: Mapping[str, Keys]) -> Keys | None:
    """Where in the data a name, or an item below it, is."""
    keys: list[str] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str | int):
            return None
        keys.append(str(node.slice.value))
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in places:
        return None
    return (*places[node.id], *reversed(keys))


def _places(compute: ast.FunctionDef, display: ast.Dict, bound: Mapping[str, int]) -> dict[str, Keys]:
    """Local names whose value the returned display holds: under a key, or spread by the last `**` in it."""
    last = _last_keys(display)
    found: dict[str, Keys] = {
        value.id: (key,) for key, value in last.items() if isinstance(value, ast.Name) and bound.get(value.id)
    }
    spread = [value for key, value in zip(display.keys, display.values, strict=True) if key is None]
    if spread and isinstance(spread[-1], ast.Name) and bound.get(spread[-1].id):
        found[spread[-1].id] = ()
    changed = {name: line for line, name in sorted(_changes(compute))}
    for statement in compute.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                root = _root(value)
                place = _place(value, found)
                is_last = changed.get(root, 0) < statement.lineno
                if place is not None and is_last and bound[name] == 1 and bound[root] == 1:
                    found.setdefault(name, place)
            case _:
                pass
    return found


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _changes(compute: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """The lines at which items are assigned or methods called, each with the name of what holds them."""
    for node in ast.walk(compute):
        match node:
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                yield node.lineno, _root(node)
            case ast.Attribute(value=ast.Name(id=name)):
                yield node.lineno, name
            case _:
                pass


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
