"""The dependencies of a key as a graph, for Graphviz and as plain values for other programs."""

from collections.abc import Iterable

from diglot.engine.explanation import Explanation
from diglot.engine.keys import Key
from diglot.engine.targets import INPUT_KINDS


def graph_dot(explanation: Explanation) -> str:
    """The graph in Graphviz's DOT language: arrows from user to used, inputs as boxes.

    Tasks that would be rebuilt are red.
    """
    lines = ["digraph {", "  rankdir=LR;", '  node [shape=ellipse, fontname="sans-serif"];']
    for key in _nodes(explanation):
        looks = [f"shape={'box' if key.kind in INPUT_KINDS else 'ellipse'}"]
        if key in explanation.stale:
            looks.append("color=red")
        lines.append(f"  {_quoted(key)} [{', '.join(looks)}];")
    lines += [f"  {_quoted(user)} -> {_quoted(used)};" for user, used in explanation.edges]
    return "\n".join([*lines, "}", ""])


def graph_values(explanation: Explanation) -> dict[str, object]:
    """The graph as nodes, with what is known about each, and edges; only plain values, for JSON."""
    return {
        "key": str(explanation.key),
        "nodes": [
            {
                "key": str(key),
                "kind": key.kind,
                "name": key.name,
                "input": key.kind in INPUT_KINDS,
                "would_be_rebuilt": key in explanation.stale,
            }
            for key in _nodes(explanation)
        ],
        "edges": [[str(user), str(used)] for user, used in explanation.edges],
    }


def _nodes(explanation: Explanation) -> Iterable[Key]:
    ends = (end for edge in explanation.edges for end in edge)
    return dict.fromkeys([explanation.key, *ends])


def _quoted(key: Key) -> str:
    text = str(key).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
