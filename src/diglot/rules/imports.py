"""What a module of diglot imports, by its syntax: read only where the module has changed."""

import ast
from collections.abc import Iterator
from itertools import pairwise

import msgspec


class Import(msgspec.Struct, frozen=True, array_like=True):
    """An import of names from a module, or of the module itself if there are none."""

    module: str
    names: tuple[str, ...]
    is_inner: bool
    """Whether it is inside a function, so that importing the module does not do it."""


class ModuleImports(msgspec.Struct, frozen=True, array_like=True):
    """The imports of one module."""

    imports: tuple[Import, ...]
    prefixes: tuple[str, ...]
    """What the names of modules begin with that it imports by a name it makes: f"diglot.figures.{name}"."""
    unreadable: tuple[int, ...]
    """Lines of imports by a name of which the syntax says nothing."""
    tasks: tuple[str, ...]
    """The names of the tasks that it declares."""


def read_imports(source: bytes, module: str, *, is_package: bool) -> ModuleImports:
    """The imports of a module with this source, except those that only type checkers see."""
    found = _Imports(module, module if is_package else module.rpartition(".")[0], source)
    found.visit(ast.parse(source))
    return ModuleImports(
        imports=tuple(dict.fromkeys(found.imports)),
        prefixes=tuple(found.prefixes),
        unreadable=tuple(found.unreadable),
        tasks=tuple(found.tasks),
    )


_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""The parts of statements that are statements, too."""
_SIGNS = (b"import_module", b"__import__", b'"-m"')


class _Imports(ast.NodeVisitor):
    def __init__(self, module: str, package: str, source: bytes) -> None:
        self._module, self._package = module, package
        self._may_import_by_name = any(sign in source for sign in _SIGNS)
        self._depth = 0
        self.imports: list[Import] = []
        self.prefixes: list[str] = []
        self.unreadable: list[int] = []
        self.tasks: list[str] = []

    def generic_visit(self, node: ast.AST) -> None:
        """Visit what may hold an import. Expressions, which are most of the code, seldom do."""
        if self._may_import_by_name:
            super().generic_visit(node)
            return
        for part in _BLOCKS:
            for one in getattr(node, part, ()):
                self.visit(one)

    def _note(self, module: str, *names: str) -> None:
        self.imports.append(Import(module, names, self._depth > 0))

    def visit_If(self, node: ast.If) -> None:
        if not _is_for_type_checkers(node.test):
            self.generic_visit(node)
            return
        for one in node.orelse:
            self.visit(one)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any(_is_declaration(one) for one in node.decorator_list):
            self.tasks.append(node.name)
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            self._note(one.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        package = self._package.split(".")
        base = package[: len(package) - node.level + 1] if node.level else []
        self._note(".".join([*base, *filter(None, [node.module])]), *(one.name for one in node.names))

    def visit_Call(self, node: ast.Call) -> None:
        if getattr(node.func, "id", getattr(node.func, "attr", "")) in ("import_module", "__import__"):
            self._read_name(node)
        self.generic_visit(node)

    def _read_name(self, call: ast.Call) -> None:
        name = call.args[0] if call.args else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            self._note(name.value)
        elif isinstance(name, ast.JoinedStr) and (prefix := self._beginning(name)):
            self.prefixes.append(prefix)
        else:
            self.unreadable.append(call.lineno)

    def _beginning(self, text: ast.JoinedStr) -> str:
        """What an f-string begins with, as far as it is known."""
        known = ""
        for part in text.values:
            if isinstance(part, ast.Constant):
                known += str(part.value)
            elif isinstance(part, ast.FormattedValue) and getattr(part.value, "id", "") == "__name__":
                known += self._module
            else:
                break
        return known

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> None:
        for option, module in _neighbours(node.elts):
            if option == "-m":  # a process of Python that begins with this module
                self._note(module)
        self.generic_visit(node)

    visit_List = visit_Tuple


def _neighbours(parts: list[ast.expr]) -> Iterator[tuple[str, str]]:
    for one, other in pairwise(parts):
        if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
            yield str(one.value), str(other.value)


def _is_for_type_checkers(test: ast.expr) -> bool:
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def _is_declaration(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "task"
