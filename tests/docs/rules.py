"""The names of rules, found in the source wherever a diagnostic gets its name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from diglot.figures.scripts.contract import PARTS

SOURCE = Path(__file__).parents[2] / "src/diglot"
_NAME = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")
_TELLERS = frozenset(
    (
        "error",
        "warn",
        "wrong",
        "report",
        "_warn",
        "_fail",
        "_warning",
        "halves_warning",
        "_at",
        "_raised",
        "ValueMistake",
        "TooMuch",
        "PlanError",
        "_explore_mistake",
        "_kind",
        "_lines",
        "Kind",
        "Advice",
    )
)
"""Functions that get a rule's name as an argument."""

_EMBEDS, _TARGETS = ("figure", "table"), ("link", "image")
_MADE_UP = {
    ("content/tree/building.py", "{kind}-nested"): _EMBEDS,
    ("render/embeds.py", "{kind}-missing"): _EMBEDS,
    ("render/placeholders.py", "{kind}-unknown"): _TARGETS,
    ("rules/missing_targets.py", "{placeholder.kind}-missing"): _TARGETS,
    ("figures/scripts/contract.py", "figure-{name}"): tuple(PARTS),
}
"""Names made of two words: the file, the f-string, and the possible words."""


def rule_names() -> set[str]:
    """All names of rules in the generator's code."""
    return {
        name
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != "hardware"  # has errors of its own, and no rules
        for name in _names_in(path)
    }


def _names_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for given in _places(node):
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                if _NAME.fullmatch(given.value):
                    yield given.value
            elif isinstance(given, ast.JoinedStr):
                yield from _expanded(path.relative_to(SOURCE).as_posix(), ast.unparse(given)[2:-1])


def _places(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a node that may be a rule's name."""
    if isinstance(node, ast.keyword) and node.arg == "rule":
        yield node.value
    elif isinstance(node, ast.arguments):
        names = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        defaults = [*node.defaults, *(d for d in node.kw_defaults if d is not None)]
        if any(one.arg == "rule" for one in names):
            yield from defaults
    elif isinstance(node, ast.Assign):
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = zip(target.elts, value.elts, strict=True)
            yield from (v for t, v in pairs if isinstance(t, ast.Name) and t.id == "rule")
        elif isinstance(target, ast.Name) and target.id == "rule":
            yield value
    elif isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in _TELLERS:
            yield from node.args


def _expanded(path: str, pattern: str) -> Iterator[str]:
    """The names that an f-string can give. Messages and fixes are told from names by their spaces."""
    if not re.fullmatch(r"[a-z.{}-]+", pattern) or "-" not in pattern:
        return
    words = _MADE_UP[path, pattern]
    yield from (re.sub(r"\{[^}]*\}", word, pattern) for word in words)
