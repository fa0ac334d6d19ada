"""Checks `{eval}` expressions, and finds which figures they read, without evaluating them.

Expressions are written as in Jinja2, and its parser parses them; `expressions.evaluation` evaluates them when
a page is rendered. This module checks their syntax and size and lists the figures they read, so that the
build knows what to compute first.
"""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING

from diglot.figure_request import FigureRequest

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

MOST_CHARACTERS = 1000
"""Length of an expression. The longest one on a page so far has 150 characters."""
DEEPEST_BRACKETS = 20
"""Brackets that are open at once; for each one, Jinja2's parser recurses a dozen calls deeper."""
DEEPEST = 60
"""Depth of the syntax tree: nested operations, and parts of paths."""


class ExpressionError(ValueError):
    """An expression that cannot be read; the message says why, and `fix` what to write instead."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.fix = fix


class ExpressionTooLarge(ExpressionError):
    """An expression that is too large to be evaluated."""


@functools.lru_cache(maxsize=4096)
def parse_expression(expression: str) -> nodes.Expr:
    """The syntax tree of an expression that `expressions.evaluation` can evaluate.

    Raises ExpressionError for invalid syntax, unsupported parts, and excessive length or depth.
    """
    from jinja2 import TemplateSyntaxError  # noqa: PLC0415  (takes 100 ms, which only articles with values pay)

    if not expression.strip():
        raise ExpressionError("the expression is empty")
    _check_size(expression)
    parser = None
    try:
        parser = _parser(expression)
        tree: nodes.Expr = parser.parse_expression()
        if not parser.stream.eos:
            unexpected = parser.stream.current
            fix = "write == to compare." if unexpected.type == "assign" else _python_format(expression)
            raise ExpressionError(f'"{unexpected.value}" is unexpected', fix)
    except TemplateSyntaxError as error:
        message = error.message or "the syntax is invalid"
        unread = None if parser is None else parser.stream.current
        if "end of template" in message or (unread is not None and unread.type == "eof"):
            message = "it ends too early"
        elif message.startswith("expected") and unread is not None:
            message = f'"{unread.value}" is unexpected'
        raise ExpressionError(message, _python_format(expression)) from None
    except RecursionError:  # a chain of `not` or signs, longer than allowed in any case
        raise _too_deep() from None
    except ExpressionError:
        raise
    except (ValueError, ArithmeticError) as error:  # a number that Python cannot read
        raise ExpressionError(f"it cannot be read: {error}") from None
    _check_parts(tree)
    return tree


_FORMAT = re.compile(r"[:|,] *['\"{:]*[.,]*(?P<digits>[0-9]*)(?P<kind>[dfFgGe%])['\"}]*\s*$")
"""How Python would format a value, at the end of an expression."""


def _python_format(expression: str) -> str | None:
    """The fix for a value that is formatted as in Python; None for others."""
    found = _FORMAT.search(expression)
    if found is None:
        return None
    name = "percent" if found["kind"] == "%" else "number"
    return f"write `{expression[: found.start()].strip()} | {name}({found['digits']})`.".replace("()", "")


@functools.lru_cache(maxsize=4096)
def figures_read_by(expression: str) -> tuple[FigureRequest, ...]:
    """The figures whose data an expression reads, in their order in the text.

    `roofline.h200.ridge` reads `roofline`; `roofline(dtype="fp8").ridge` reads it with that parameter. Raises
    ExpressionError for invalid syntax, and for parameters that are not constants.
    """
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    found: dict[FigureRequest, None] = {}

    def walk(node: nodes.Node) -> None:
        if isinstance(node, nodes.Name):
            found[FigureRequest(node.name)] = None
        elif isinstance(node, nodes.Call):
            found[request_of(node)] = None
        else:
            for child in node.iter_child_nodes():
                walk(child)

    walk(parse_expression(expression))  # its depth was checked, so the recursion in `walk` ends
    return tuple(found)


_FUNCTIONS = {
    **{
        name: name
        for name in ("round", "max", "min", "sum", "abs", "int", "float", "join", "number", "percent")
    },
    **{"len": "length", "format": "number(1)", "str": "plain"},
}
"""Functions of Python, each with the filter that does the same."""


def request_of(call: nodes.Call) -> FigureRequest:
    """The called figure with its parameters, as text like the values of `:key:`. Raises ExpressionError."""
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    if not isinstance(call.node, nodes.Name):
        raise ExpressionError(
            "only figures can be called", 'give parameters to the figure, as in x(dtype="fp8").y.'
        )
    name = call.node.name
    if name in _FUNCTIONS and call.args:
        raise ExpressionError(
            f"{name}(…) is not a figure", f"write it after the value: … | {_FUNCTIONS[name]}."
        )
    if call.args or call.dyn_args or call.dyn_kwargs:
        raise ExpressionError("parameters must be named", f'write {name}(dtype="fp8").')
    parameters: dict[str, str] = {}
    for keyword in call.kwargs:
        value, sign = keyword.value, ""
        if isinstance(value, nodes.Neg):
            value, sign = value.node, "-"
        if not isinstance(value, nodes.Const) or value.value is None:
            what = f'the parameter "{keyword.key}" of {name} must be a text or a number'
            raise ExpressionError(what, f'write one, as in {name}({keyword.key}="fp8").')
        if keyword.key in parameters:
            raise ExpressionError(f'the parameter "{keyword.key}" of {name} is repeated', "write it once.")
        parameters[keyword.key] = sign + _as_written(value.value)
    return FigureRequest.of(name, tuple(parameters.items()))


def _as_written(value: object) -> str:
    """A constant as an author would write it after `:key:`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


_BRACKET_OR_TEXT = re.compile(r"""[(\[{]|[)\]}]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)


def _check_size(expression: str) -> None:
    """Raise ExpressionTooLarge where the parser would need too much time or too deep a stack."""
    if len(expression) > MOST_CHARACTERS:
        raise ExpressionTooLarge(
            f"it has {len(expression):,} characters; at most {MOST_CHARACTERS:,} are allowed"
        )
    depth = 0
    for found in _BRACKET_OR_TEXT.finditer(expression):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        if depth > DEEPEST_BRACKETS:
            raise _too_deep()


def _too_deep() -> ExpressionTooLarge:
    return ExpressionTooLarge("it is nested too deeply")


def _parser(expression: str) -> _Parser:
    """Jinja2's parser, but it refuses ambiguous powers.

    Jinja2 reads `-2 ** 2` as 4 and `2 ** 3 ** 2` as 64; most languages read -4 and 512.
    """
    return _parser_class()(_environment(), expression, state="variable")


if TYPE_CHECKING:
    from jinja2.parser import Parser as _Parser


@functools.lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    return Environment(autoescape=False)


@functools.lru_cache(maxsize=1)
def _parser_class() -> type[_Parser]:
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)
    from jinja2.parser import Parser  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    class ParserWithClearPowers(Parser):
        def parse_pow(self) -> nodes.Expr:
            signed = self.stream.current.type in ("sub", "add")
            left = self.parse_unary()
            if self.stream.current.type != "pow":
                return left
            if signed:
                raise ExpressionError(
                    "a power of a signed value is ambiguous", "write (-a) ** b or -(a ** b)."
                )
            next(self.stream)
            power = nodes.Pow(left, self.parse_unary(), lineno=left.lineno)
            if self.stream.current.type == "pow":
                raise ExpressionError(
                    "a power of a power is ambiguous", "write (a ** b) ** c or a ** (b ** c)."
                )
            return power

    return ParserWithClearPowers


@functools.lru_cache(maxsize=1)
def _allowed() -> tuple[type[nodes.Node], ...]:
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    return (
        *(nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call, nodes.Keyword),
        *(nodes.List, nodes.Tuple, nodes.Filter, nodes.Concat, nodes.CondExpr, nodes.Compare, nodes.Operand),
        *(nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos),
        *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow),
    )


_TEXTS = {
    "si": (0, "unit"),
    "unit": (0, "unit"),
    "join": (0, "between"),
    "round": (1, "method"),
    "within": (0, "tolerance"),
}
"""Filters with an argument that is a text: its place, and its name."""


def _check_arguments(given: nodes.Filter) -> None:
    """Raise ExpressionError for a word without quotes, which would be read as the name of a figure."""
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    arguments: list[tuple[int | str, nodes.Expr]] = [*enumerate(given.args)]
    arguments += [(str(keyword.key), keyword.value) for keyword in given.kwargs]
    for place, argument in arguments:
        words = [argument.left, argument.right] if isinstance(argument, nodes.Div) else [argument]
        names = [word.name for word in words if isinstance(word, nodes.Name)]
        if len(names) != len(words):
            continue
        word = "/".join(names)
        if place in _TEXTS.get(given.name, ()):
            written = f'{given.name}("{word}")' if place == 0 else f'"{word}"'
            raise ExpressionError("quotes are missing", f"write {written}.")
        if place == "of":
            raise ExpressionError(f'"{word}" is a whole figure', f"name one of its values: of={word}.time_s.")
        what = f'"{word}" is the name of a figure, not a number'
        raise ExpressionError(what, f"write a number, as in {given.name}(2).")


def _check_parts(tree: nodes.Expr) -> None:
    """Refuse unsupported parts and deep nesting; iterates, because the tree may be too deep for recursion."""
    from jinja2 import nodes  # noqa: PLC0415  (takes 100 ms, and only articles with values need it)

    level: list[nodes.Node] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            if not isinstance(node, _allowed()):
                what = {"Dict": "a mapping", "Test": "`is`"}.get(type(node).__name__, "this")
                fix = "compare with ==, != or in." if isinstance(node, nodes.Test) else None
                raise ExpressionError(f"{what} cannot be used in a value", fix)
            if isinstance(node, nodes.Call):
                request_of(node)
            if isinstance(node, nodes.Filter) and (node.dyn_args or node.dyn_kwargs):
                raise ExpressionError(f'"{node.name}" gives a single item, so nothing can follow it')
            if isinstance(node, nodes.Filter):
                _check_arguments(node)
            if isinstance(node, nodes.Const) and isinstance(node.value, float) and math.isinf(node.value):
                raise ExpressionTooLarge("a number in it is too large")
        level = [child for node in level for child in node.iter_child_nodes()]
        if not level:
            return
    raise _too_deep()
