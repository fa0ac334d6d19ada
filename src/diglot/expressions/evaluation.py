"""Evaluates expressions from the syntax tree of Jinja2's parser.

Nothing is compiled, and expressions have no access to Python: there are only values, paths, a few operations
and filters, each bounded before it starts. The cost is counted in steps, not seconds, so that an expression
is refused on all machines or on none; the steps allowed take about a tenth of a second together.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from jinja2 import nodes

from diglot.expressions.arithmetic import MOST_DIGITS, checked, computed, is_number, negated
from diglot.expressions.figure_values import Figure, Items, Record, has_several_values
from diglot.expressions.filters import Filter, filtered, plain_text, text_checked
from diglot.expressions.mistakes import no_such_format, no_such_value, shortened, shown, too_much
from diglot.expressions.parsing import ExpressionError, request_of

MOST_STEPS = 100_000
"""Steps of one expression; a step takes about a microsecond."""
_STEPS_OF_LONG_NUMBERS = 100
_ITEMS_A_STEP = 10

Value: TypeAlias = Any


class Evaluation:
    """The evaluation of one expression."""

    def __init__(self, values: Mapping[str, Value], filters: Mapping[str, Filter]) -> None:
        """`values` are what names stand for: figures in prose, parts of one figure's data in its message."""
        self._values = values
        self._filters = filters
        self._steps = 0

    def value(self, node: nodes.Node) -> Value:
        """The value of an expression or of a part of it. Raises ValueMistake.

        Recurses into the parts; `parse_expression` has limited the depth.
        """
        self._spend(1)
        return _HOW[type(node)](self, node)

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise too_much("it takes more steps than a value in prose is allowed")

    def _spend_on(self, *values: Value) -> None:
        """Count the steps of an operation on these values."""
        for value in values:
            if isinstance(value, Items):
                self._spend(1 + len(value) // _ITEMS_A_STEP)
            elif isinstance(value, int) and value.bit_length() > MOST_DIGITS // 10:
                self._spend(_STEPS_OF_LONG_NUMBERS)

    def _constant(self, node: nodes.Const) -> Value:
        value = node.value
        return checked(value) if is_number(value) else value

    def _name(self, node: nodes.Name) -> Value:
        return self._values[node.name]

    def _call(self, node: nodes.Call) -> Value:
        request = request_of(node)
        called = self._values[request.figure_id]
        if not isinstance(called, Figure):
            raise no_such_value(
                f"{shown(called)} is not a figure, so it has no parameters", "leave them out."
            )
        return called.asked_for(request)

    def _attribute(self, node: nodes.Getattr) -> Value:
        return _part(self.value(node.node), node.attr)

    def _item(self, node: nodes.Getitem) -> Value:
        holder = self.value(node.node)
        if not isinstance(node.arg, nodes.Slice):
            return _part(holder, self.value(node.arg))
        self._spend_on(holder)
        ends = [
            None if end is None else self.value(end) for end in (node.arg.start, node.arg.stop, node.arg.step)
        ]
        if any(end is not None and (isinstance(end, bool) or not isinstance(end, int)) for end in ends):
            raise no_such_value(
                f"the bounds of a slice of {shown(holder)} must be whole numbers", "write `[0:3]`."
            )
        return _part(holder, slice(*ends))

    def _items(self, node: nodes.List | nodes.Tuple) -> Value:
        values = [self.value(one) for one in node.items]
        odd = next((one for one in values if isinstance(one, Items | Record)), None)
        if odd is not None:
            raise no_such_format(f"{shown(odd)} cannot be an item of a list", "use single values.")
        return Items(values, "the list")

    def _filter(self, node: nodes.Filter) -> Value:
        if node.node is None:
            raise ExpressionError("there is nothing before the bar")
        value = self.value(node.node)
        arguments = [self.value(one) for one in node.args]
        named = [(str(one.key), self.value(one.value)) for one in node.kwargs]
        self._spend_on(value)
        return filtered(self._filters, node.name, value, arguments, named)

    def _joined(self, node: nodes.Concat) -> Value:
        texts = [plain_text(self.value(one), "a part of it") for one in node.nodes]
        return text_checked("".join(texts))

    def _choice(self, node: nodes.CondExpr) -> Value:
        if self._condition(node.test):
            return self.value(node.expr1)
        if node.expr2 is None:
            raise no_such_format("the condition is false, and there is no `else`", "add `else …`.")
        return self.value(node.expr2)

    def _condition(self, node: nodes.Node) -> Value:
        """A value that is true or false. Raises ValueMistake for one of several values, which is neither."""
        value = self.value(node)
        if isinstance(value, Record):
            raise has_several_values(value, "compare")
        if isinstance(value, Items):
            fix = f"compare their number, as in `({shortened(value.path)} | length) > 0`."
            raise no_such_format(f"{shown(value)} is a list, which is neither true nor false", fix)
        return value

    def _both(self, node: nodes.And) -> Value:
        return self._condition(node.left) and self._condition(node.right)

    def _either(self, node: nodes.Or) -> Value:
        return self._condition(node.left) or self._condition(node.right)

    def _opposite(self, node: nodes.Not) -> Value:
        return not self._condition(node.node)

    def _compared(self, node: nodes.Compare) -> Value:
        left = self.value(node.expr)
        for operand in node.ops:
            right = self.value(operand.expr)
            self._spend_on(left, right)
            if not _holds(operand.op, left, right):
                return False
            left = right
        return True

    def _negative(self, node: nodes.Neg) -> Value:
        return negated(self.value(node.node))

    def _positive(self, node: nodes.Pos) -> Value:
        return -negated(self.value(node.node))

    def _operation(self, node: nodes.BinExpr) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        self._spend_on(left, right)
        result = computed(_SIGNS[type(node)], left, right)
        return text_checked(result) if isinstance(result, str) else result


_SIGNS: dict[type[nodes.Node], str] = {
    nodes.Add: "+",
    nodes.Sub: "-",
    nodes.Mul: "*",
    nodes.Div: "/",
    nodes.FloorDiv: "//",
    nodes.Mod: "%",
    nodes.Pow: "**",
}

_HOW: dict[type[nodes.Node], Callable[[Evaluation, Any], Value]] = {
    nodes.Const: Evaluation._constant,
    nodes.Name: Evaluation._name,
    nodes.Call: Evaluation._call,
    nodes.Getattr: Evaluation._attribute,
    nodes.Getitem: Evaluation._item,
    nodes.List: Evaluation._items,
    nodes.Tuple: Evaluation._items,
    nodes.Filter: Evaluation._filter,
    nodes.Concat: Evaluation._joined,
    nodes.CondExpr: Evaluation._choice,
    nodes.And: Evaluation._both,
    nodes.Or: Evaluation._either,
    nodes.Not: Evaluation._opposite,
    nodes.Compare: Evaluation._compared,
    nodes.Neg: Evaluation._negative,
    nodes.Pos: Evaluation._positive,
    **dict.fromkeys(_SIGNS, Evaluation._operation),
}


def _part(holder: Value, key: Value) -> Value:
    if isinstance(holder, Record | Items):
        return holder[key]
    what = repr(shortened(key)) if isinstance(key, str) else shown(key)
    raise no_such_value(f"{shown(holder)} is a single value and has no {what}", "shorten the path.")


def _holds(name: str, left: Value, right: Value) -> bool:
    """Whether a comparison is true. Raises ValueMistake for values that cannot be compared."""
    match name:
        case "eq":
            return _is_same(left, right)
        case "ne":
            return not _is_same(left, right)
        case "in":
            return _is_in(left, right)
        case "notin":
            return not _is_in(left, right)
    alike = (is_number(left) and is_number(right)) or (isinstance(left, str) and isinstance(right, str))
    if not alike:
        raise no_such_format(f"{shown(left)} and {shown(right)} cannot be compared", "compare two numbers.")
    match name:
        case "lt":
            return bool(left < right)
        case "lteq":
            return bool(left <= right)
        case "gt":
            return bool(left > right)
        case _:
            return bool(left >= right)


def _is_same(left: Value, right: Value) -> bool:
    for one in (left, right):
        if isinstance(one, Items | Record):
            raise no_such_format(f"{shown(one)} cannot be compared", "name a single value.")
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _is_in(item: Value, holder: Value) -> bool:
    if isinstance(item, Items | Record):
        raise no_such_format(f"{shown(item)} cannot be searched for", "name a single value.")
    if isinstance(holder, Items):
        return item in holder.values and any(
            isinstance(item, bool) == isinstance(one, bool) and item == one for one in holder.values
        )
    if isinstance(holder, Record) and isinstance(item, str):
        return item in set(holder)
    if isinstance(holder, str) and isinstance(item, str):
        return item in holder
    raise no_such_format(f"{shown(item)} cannot be searched for in {shown(holder)}", "search in a list.")
