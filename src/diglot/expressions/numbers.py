"""The number behind an expression's text, and what it can be compared with."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from jinja2 import nodes

from diglot.expressions.arithmetic import is_number
from diglot.expressions.evaluation import Evaluation
from diglot.expressions.figure_values import Figure, Record
from diglot.expressions.mistakes import ValueMistake
from diglot.expressions.number_formats import base_unit
from diglot.expressions.parsing import ExpressionError, parse_expression, request_of
from diglot.expressions.texts import FILTERS
from diglot.expressions.writing import written
from diglot.figure_request import FigureRequest

_FORMATS = ("large", "number", "percent", "plain", "round", "si", "unit")
_WITH_UNIT = ("si", "unit")


def without_format(expression: str) -> str:
    """An expression without the filters that only format its number. Raises ExpressionError."""
    node: nodes.Node | None = parse_expression(expression)
    while isinstance(node, nodes.Filter) and node.name in _FORMATS:
        node = node.node
    return written(node)


class ValuePath(NamedTuple):
    """A path into a figure's data, as in an expression."""

    figure: str
    """The text of a `FigureRequest`."""
    keys: tuple[str, ...]
    """The keys on the way, and the numbers of items, up to the first one that is computed."""
    chips: tuple[str, ...]
    """The ids of the chips that it leads through: mappings that have a key `chip`."""
    number: float | None
    """What is at its end; None for anything else."""


def paths_in(expression: str, values: Mapping[str, Any]) -> tuple[ValuePath, ...]:
    """The paths in an expression, in the order of its text, each once."""
    found: dict[ValuePath, None] = {}

    def walk(node: nodes.Node) -> None:
        root, keys = _root_of(node)
        inner = node.iter_child_nodes()
        if root is not None:
            found[_path(node, root, keys, values)] = None
            items = (node, *node.find_all(nodes.Getitem))
            inner = (one.arg for one in items if isinstance(one, nodes.Getitem))
        for one in inner:
            walk(one)

    walk(parse_expression(expression))  # its depth was checked, so the recursion in `walk` ends
    return tuple(found)


def _root_of(node: nodes.Node) -> tuple[FigureRequest | None, tuple[str, ...]]:
    """The figure that a path begins with, and its keys; None for a node that is no path."""
    keys: list[str] = []
    while isinstance(node, nodes.Getattr | nodes.Getitem):
        if isinstance(node, nodes.Getattr):
            keys.append(node.attr)
        elif isinstance(node.arg, nodes.Const):
            keys.append(str(node.arg.value))
        else:
            keys.clear()
        node = node.node
    match node:
        case nodes.Name():
            root = FigureRequest(node.name)
        case nodes.Call():
            root = request_of(node)
        case _:
            return None, ()
    return root, tuple(reversed(keys))


def _path(
    node: nodes.Node, root: FigureRequest, keys: tuple[str, ...], values: Mapping[str, Any]
) -> ValuePath:
    evaluation = Evaluation(values, FILTERS["en"])
    number, chips = None, []
    with suppress(ValueMistake, ExpressionError, KeyError):
        end = evaluation.value(node)
        number = float(end) if is_number(end) else None
    while isinstance(node, nodes.Getattr | nodes.Getitem):
        node = node.node
        with suppress(ValueMistake, ExpressionError, KeyError):
            holder = evaluation.value(node)
            if isinstance(holder, Record) and isinstance(chip := holder["chip"], str):
                chips.append(chip)
    figure = values.get(root.figure_id)
    known = figure.known_as(root) if isinstance(figure, Figure) else str(root)
    return ValuePath(known, keys, tuple(sorted({*chips})), number)


def path_at(figure: str, keys: tuple[str, ...], data: Any) -> ValuePath:
    """The path that keys make in a figure's decoded data; numbers of items may be among them."""
    chips = []
    at = data
    for key in keys:
        if isinstance(at, Mapping):
            if isinstance(chip := at.get("chip"), str):
                chips.append(chip)
            at = at.get(key)
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            at = None
    return ValuePath(figure, keys, tuple(sorted({*chips})), float(at) if is_number(at) else None)


def number_of(expression: str, values: Mapping[str, Any]) -> tuple[float | None, str]:
    """The value of an expression before it is formatted, None if it is no number, and its dimension.

    The dimension is the unit without a prefix, `%`, or for a number without a unit the last key of its path.
    """
    try:
        node: nodes.Node | None = parse_expression(expression)
        dimension = ""
        while isinstance(node, nodes.Filter) and node.name in _FORMATS:
            dimension = _dimension(node) or dimension
            node = node.node
        value = None if node is None else Evaluation(values, FILTERS["en"]).value(node)
    except (ValueMistake, ExpressionError, KeyError):
        return None, ""
    if value is None or not is_number(value):
        return None, ""
    if not dimension and isinstance(node, nodes.Getattr):
        dimension = f".{node.attr}"
    return float(value), dimension


def _dimension(node: nodes.Filter) -> str:
    if node.name == "percent":
        return "%"
    unit = node.args[0] if node.name in _WITH_UNIT and node.args else None
    return base_unit(unit.value) if isinstance(unit, nodes.Const) and isinstance(unit.value, str) else ""
