"""Parts of an expression as their author would write them, for messages about their values."""

import json
from collections.abc import Callable
from typing import Any

from jinja2 import nodes

_SIGNS: dict[type[nodes.Node], str] = {
    **{nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.FloorDiv: "//"},
    **{nodes.Mod: "%", nodes.Pow: "**", nodes.And: "and", nodes.Or: "or"},
}
_COMPARISONS = {
    **{"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in"},
    "notin": "not in",
}


def written(node: nodes.Node | None) -> str:
    """A part of an expression, with brackets around every operation inside another one."""
    return "" if node is None else _HOW[type(node)](node)


def _inner(node: nodes.Node | None) -> str:
    text = written(node)
    simple = (nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Call, nodes.List, nodes.Tuple)
    return text if isinstance(node, simple) else f"({text})"


def _listed(values: list[Any]) -> str:
    return ", ".join(map(written, values))


def _constant(node: nodes.Const) -> str:
    return json.dumps(node.value, ensure_ascii=False)


def _filter(node: nodes.Filter) -> str:
    arguments = _listed([*node.args, *node.kwargs])
    return f"{_inner(node.node)} | {node.name}" + (f"({arguments})" if arguments else "")


def _compared(node: nodes.Compare) -> str:
    return " ".join([_inner(node.expr), *map(written, node.ops)])


def _chosen(node: nodes.CondExpr) -> str:
    otherwise = "" if node.expr2 is None else f" else {_inner(node.expr2)}"
    return f"{_inner(node.expr1)} if {_inner(node.test)}{otherwise}"


def _two_sided(node: Any) -> str:
    return f"{_inner(node.left)} {_SIGNS[type(node)]} {_inner(node.right)}"


def _slice(node: nodes.Slice) -> str:
    step = "" if node.step is None else f":{written(node.step)}"
    return f"{written(node.start)}:{written(node.stop)}{step}"


_HOW: dict[type[nodes.Node], Callable[[Any], str]] = {
    nodes.Const: _constant,
    nodes.Name: lambda node: str(node.name),
    nodes.Getattr: lambda node: f"{_inner(node.node)}.{node.attr}",
    nodes.Getitem: lambda node: f"{_inner(node.node)}[{written(node.arg)}]",
    nodes.Slice: _slice,
    nodes.Call: lambda node: f"{_inner(node.node)}({_listed(node.kwargs)})",
    nodes.Keyword: lambda node: f"{node.key}={written(node.value)}",
    nodes.List: lambda node: f"[{_listed(node.items)}]",
    nodes.Tuple: lambda node: f"({_listed(node.items)})",
    nodes.Filter: _filter,
    nodes.Concat: lambda node: " ~ ".join(map(_inner, node.nodes)),
    nodes.CondExpr: _chosen,
    nodes.Compare: _compared,
    nodes.Operand: lambda node: f"{_COMPARISONS[node.op]} {_inner(node.expr)}",
    nodes.Not: lambda node: f"not {_inner(node.node)}",
    nodes.Neg: lambda node: f"-{_inner(node.node)}",
    nodes.Pos: lambda node: f"+{_inner(node.node)}",
    **dict.fromkeys(_SIGNS, _two_sided),
}
