"""What an `{eval}` expression reads, found without evaluating it.

Expressions are Jinja2's; they are evaluated in a sandbox when the page is rendered. Here only their syntax
is checked and the figures they read are named, so that the build knows what to compute first.
"""

import functools

from diglot.figure_request import FigureRequest


class ExpressionError(ValueError):
    """An expression that cannot be read; the message says why, in an author's words."""


@functools.lru_cache(maxsize=4096)
def figures_read_by(expression: str) -> tuple[FigureRequest, ...]:
    """The figures whose data an expression reads, in the order they stand.

    `roofline.h200.ridge` reads `roofline`; `roofline(dtype="fp8").ridge` reads it with that parameter.
    Raises ExpressionError for broken syntax, and for parameters that are not constants.
    """
    from jinja2 import Environment, TemplateSyntaxError, nodes  # 100 ms that only articles with values pay
    from jinja2.parser import Parser

    if not expression.strip():
        raise ExpressionError("there is no expression")
    try:
        parser = Parser(Environment(autoescape=False), expression, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise ExpressionError(f'"{parser.stream.current.value}" is too much')
    except TemplateSyntaxError as error:
        message = error.message or "the syntax is broken"
        if "end of template" in message:
            message = "it ends too early"
        raise ExpressionError(message) from None
    except RecursionError:
        raise ExpressionError("it is nested too deeply") from None

    found: dict[FigureRequest, None] = {}

    def walk(node: nodes.Node) -> None:
        if isinstance(node, nodes.Name):
            found[FigureRequest(node.name)] = None
            return
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            name = node.node.name
            if node.args or node.dyn_args or node.dyn_kwargs:
                raise ExpressionError(f'parameters are named: {name}(dtype="fp8")')
            parameters = []
            for keyword in node.kwargs:
                value, sign = keyword.value, ""
                if isinstance(value, nodes.Neg):
                    value, sign = value.node, "-"
                if not isinstance(value, nodes.Const) or value.value is None:
                    raise ExpressionError(
                        f'the parameter "{keyword.key}" of {name} must be a text or a number'
                    )
                parameters.append((keyword.key, sign + _as_written(value.value)))
            found[FigureRequest.of(name, tuple(parameters))] = None
            return
        for child in node.iter_child_nodes():
            walk(child)

    try:
        walk(tree)
    except RecursionError:
        raise ExpressionError("it is nested too deeply") from None
    return tuple(found)


def _as_written(value: object) -> str:
    """A constant as an author would write it behind `:key:`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
