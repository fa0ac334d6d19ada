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
        # The last is a bare name where the parser wants nothing more: it must be at the end.
        parser = Parser(Environment(autoescape=False), expression, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise ExpressionError(f'"{parser.stream.current.value}" is too much')
    except TemplateSyntaxError as error:
        raise ExpressionError(error.message or "the syntax is broken") from None
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
                try:
                    value = keyword.value.as_const()
                except nodes.Impossible:
                    raise ExpressionError(
                        f'the parameter "{keyword.key}" of {name} must be a constant'
                    ) from None
                parameters.append((keyword.key, _as_written(keyword.key, value)))
            found[FigureRequest.of(name, tuple(parameters))] = None
            return
        for child in node.iter_child_nodes():
            walk(child)

    try:
        walk(tree)
    except RecursionError:
        raise ExpressionError("it is nested too deeply") from None
    return tuple(found)


def _as_written(key: str, value: object) -> str:
    """A constant as an author would write it behind `:key:`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise ExpressionError(f'the parameter "{key}" must be a text or a number')
