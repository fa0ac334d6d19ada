"""Code slice: the part of a script that a function depends on, so that editing `draw` keeps a sweep's points.

The slice contains every statement that does more than define a name, and every definition that the slice
names, directly or indirectly. Comments and line numbers do not count. If the slice inspects the script in
other ways, such as `globals()`, it contains the whole script.
"""

import ast
from collections.abc import Iterator

from diglot.digests import digest_of

_LOOKS_AROUND = frozenset(
    ("globals", "locals", "vars", "eval", "exec", "inspect", "__file__", "__dict__", "modules", "__import__")
)
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PURE_CALLS = frozenset(
    [
        "Range",
        "abs",
        "dict",
        "enumerate",
        "float",
        "frozenset",
        "int",
        "len",
        "list",
        "max",
        "min",
        "pow",
        "range",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
    ]
)
_PURE_MODULES = frozenset(("np", "numpy", "math", "itertools"))


def code_slice_digest(source: str | bytes, function: str) -> str:
    """The digest of the code slice of one function of a script, given by its dotted name."""
    module = ast.parse(source)
    root = function.partition(".")[0]
    counted = [node for node in module.body if not _only_defines(node)]
    defined = [node for node in module.body if _only_defines(node)]
    seen = {root}.union(*map(_names, counted))
    while found := [node for node in defined if seen.intersection(_defined_names(node))]:
        counted += found
        defined = [node for node in defined if node not in found]
        seen.update(*map(_names, found))
    if seen & _LOOKS_AROUND:
        counted = module.body
    in_order = [node for node in module.body if node in counted]
    return digest_of("\n".join(ast.dump(node) for node in in_order).encode())


def _only_defines(node: ast.stmt) -> bool:
    """Whether a statement has no effect except to define names."""
    if isinstance(node, ast.ClassDef):  # a base class or a decorator may register the class
        return not (node.decorator_list or node.bases or node.keywords)
    if isinstance(node, _DEFINES):
        return not node.decorator_list
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
        return _is_pure(node.value)
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value is not None
        and _is_pure(node.value)
    )


def _is_pure(value: ast.expr) -> bool:
    """Whether an expression calls only functions without side effects that make numbers and collections."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in _PURE_CALLS:
                continue
            if (
                isinstance(called, ast.Attribute)
                and isinstance(called.value, ast.Name)
                and called.value.id in _PURE_MODULES
            ):
                continue
            return False
        if isinstance(node, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return False
    return True


def _defined_names(node: ast.stmt) -> set[str]:
    if isinstance(node, _DEFINES):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return (
        {node.target.id} if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else set()
    )


def _names(node: ast.AST) -> set[str]:
    """Every word in the code that may name a definition, including the content of string literals."""
    return set(_words(node))


def _words(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr
        elif isinstance(one, ast.alias):
            yield one.name.rpartition(".")[2]
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
