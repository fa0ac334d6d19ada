"""Whether what an `{assert}` says of values is true, and the values because of which it is not."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import nodes

from diglot.expressions.arithmetic import is_number
from diglot.expressions.evaluation import Evaluation
from diglot.expressions.figure_values import Record, has_several_values
from diglot.expressions.filters import plain_text
from diglot.expressions.mistakes import ValueMistake, no_such_format, shortened, shown
from diglot.expressions.texts import FILTERS, evaluated
from diglot.expressions.writing import written

_FIX = "correct the sentence, or the assertion if the sentence says something else."


def check_assertion(
    expression: str,
    values: Mapping[str, Any],
    *,
    unknown: Callable[[str], ValueMistake],
    syntax: str,
) -> None:
    """Raise ValueMistake if an expression is not true; it names the values that it compares.

    The parameters are those of `text_of`.
    """
    result, tree = evaluated(expression, values, "en", unknown=unknown, syntax=syntax)
    if isinstance(result, Record):
        raise has_several_values(result, "compare")
    if not isinstance(result, bool):
        raise no_such_format(
            f"`{shortened(expression)}` is {shown(result)}, which is neither true nor false",
            "compare it with something, as in `a.time_s < b.time_s`.",
        )
    if not result:
        said = "; ".join(dict.fromkeys(_reasons(tree, Evaluation(values, FILTERS["en"]))))
        raise ValueMistake("assert-false", f"this is not true: {said or 'it says so itself'}", _FIX)


def _reasons(node: nodes.Node, evaluation: Evaluation) -> Iterator[str]:
    """What is compared where a condition is decided, each with its value."""
    if isinstance(node, nodes.And):
        first = node.left if not evaluation.value(node.left) else node.right
        yield from _reasons(first, evaluation)
    elif isinstance(node, nodes.Or):
        yield from _reasons(node.left, evaluation)
        yield from _reasons(node.right, evaluation)
    elif isinstance(node, nodes.Not):
        yield from _reasons(node.node, evaluation)
    elif isinstance(node, nodes.Compare):
        yield _values([node.expr, *(one.expr for one in node.ops)], evaluation)
    elif isinstance(node, nodes.Filter):
        of = [one.value for one in node.kwargs if one.key == "of"]
        yield _values([node.node, *node.args, *of], evaluation)
    elif not isinstance(node, nodes.Const):
        yield _values([node], evaluation)


def _values(compared: list[nodes.Node | None], evaluation: Evaluation) -> str:
    sides = [(one, evaluation.value(one)) for one in compared if one is not None]
    rounded = [_said(value, digits=6) for _, value in sides]
    # Where they do not differ in six digits, all of them are said.
    texts = rounded if len({*rounded}) == len(rounded) else [_said(value, digits=17) for _, value in sides]
    return " and ".join(
        f"`{shortened(written(one))}` is {text}"
        for (one, _), text in zip(sides, texts, strict=True)
        if not isinstance(one, nodes.Const)
    )


def _said(value: Any, *, digits: int) -> str:
    """A value for the message: a number as prose would show it."""
    if isinstance(value, float) and not value.is_integer():
        value = float(f"{value:.{digits}g}")
    return plain_text(value, "") if is_number(value) else shown(value)
