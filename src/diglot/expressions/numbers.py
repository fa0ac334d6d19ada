"""The number behind an expression's text, and what it can be compared with."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

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


def chips_named_in(expression: str, values: Mapping[str, Any]) -> frozenset[str]:
    """The ids of chips that paths in an expression lead through: mappings that have a key `chip`."""
    found: set[str] = set()
    for node in parse_expression(expression).find_all((nodes.Getattr, nodes.Getitem)):
        with suppress(ValueMistake, ExpressionError, KeyError):
            holder = Evaluation(values, FILTERS["en"]).value(node.node)  # type: ignore[attr-defined]  # both have it
            if isinstance(holder, Record) and isinstance(chip := holder.get("chip"), str):
                found.add(chip)
    return frozenset(found)


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
