"""The number behind an expression's text, and what it can be compared with."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from jinja2 import nodes

from diglot.expressions.arithmetic import is_number
from diglot.expressions.evaluation import Evaluation
from diglot.expressions.figure_values import Record
from diglot.expressions.mistakes import ValueMistake
from diglot.expressions.number_formats import base_unit
from diglot.expressions.parsing import ExpressionError, parse_expression
from diglot.expressions.texts import FILTERS
from diglot.expressions.writing import written

_FORMATS = ("large", "number", "percent", "round", "si", "unit")
_WITH_UNIT = ("si", "unit")


def without_format(expression: str) -> str:
    """An expression without the filters that only format its number. Raises ExpressionError."""
    node: nodes.Node | None = parse_expression(expression)
    while isinstance(node, nodes.Filter) and node.name in _FORMATS:
        node = node.node
    return written(node)


class NamedChip(NamedTuple):
    """A chip that a path leads through, and what is at the end of that path."""

    id: str
    key: str
    """The last key of the path."""
    number: float | None


def chips_named_in(expression: str, values: Mapping[str, Any]) -> tuple[NamedChip, ...]:
    """The chips that paths in an expression lead through: mappings that have a key `chip`."""
    parsed = parse_expression(expression)
    steps = [
        one
        for one in (parsed, *parsed.find_all((nodes.Getattr, nodes.Getitem)))
        if isinstance(one, nodes.Getattr | nodes.Getitem)
    ]
    inner = {id(one.node) for one in steps}
    found: dict[NamedChip, None] = {}
    for path in steps:
        if id(path) not in inner:
            found.update(dict.fromkeys(_chips_on(path, values)))
    return tuple(sorted(found, key=lambda one: (one.id, one.key)))


def _chips_on(path: nodes.Node, values: Mapping[str, Any]) -> Iterator[NamedChip]:
    evaluation = Evaluation(values, FILTERS["en"])
    key, number = path.attr if isinstance(path, nodes.Getattr) else "", None
    with suppress(ValueMistake, ExpressionError, KeyError):
        end = evaluation.value(path)
        number = float(end) if is_number(end) else None
    while isinstance(path, nodes.Getattr | nodes.Getitem):
        path = path.node
        with suppress(ValueMistake, ExpressionError, KeyError):
            holder = evaluation.value(path)
            if isinstance(holder, Record) and isinstance(chip := holder["chip"], str):
                yield NamedChip(chip, key, number)


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
