"""`requirements.txt`: which packages a site needs, and which ones its lines install.

A site that builds here and not on the host lacks a line there. No task depends on this; `check`, `doctor` and
`init` read it.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, Location
from diglot.engine.globs import Folders
from diglot.project import Project
from diglot.rules.figures import SCRIPT_FILES
from diglot.rules.layouts import CONTENT
from diglot.rules.libraries import Requirement, normal_name, read_requirement, with_required

REQUIREMENTS = "requirements.txt"
_DIGLOT = Requirement("diglot")
_CODE = (*SCRIPT_FILES, "figures/**/*.py", "extensions/*.py")
_MERMAID = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?mermaid\b", re.MULTILINE)


class Extra(msgspec.Struct, frozen=True):
    """An extra of diglot."""

    name: str
    distribution: str
    """What it brings."""
    serves: str
    is_set: Callable[[Project], bool] = lambda _: False
    """Whether the settings of a site ask for it."""


EXTRAS = (
    Extra("search", "pagefind-bin", "search on the site (search:)", lambda project: project.search),
    Extra(
        "hant",
        "opencc",
        "traditional characters (traditional:)",
        lambda project: project.traditional is not None,
    ),
    Extra(
        "pictures", "pillow", "pictures as AVIF (pictures: avif)", lambda project: project.pictures == "avif"
    ),
    Extra(
        "remote",
        "cryptography",
        "a shared cache (cache:)",
        lambda project: project.cache is not None,
    ),
    Extra("slides", "python-pptx", "talks as PowerPoint files"),
    Extra("pinyin", "pypinyin", "addresses from Chinese titles"),
    Extra("brotli", "brotli", "texts as .br (--precompress)"),
    Extra("altair", "vl-convert-python", "figures by Altair"),
    Extra("mermaid", "mermaidx", "diagrams by Mermaid, with Chromium"),
    Extra("lsp", "pygls", "help in an editor (diglot lsp)"),
    Extra("dask", "distributed", "figures on a cluster (--executor)"),
)


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """A package without which the site cannot be built as it is."""

    requirement: str
    """A line that installs it: `diglot[search]`, `pandas==2.3.0`."""
    distribution: str
    reason: str
    path: str
    line: int | None = None

    @property
    def extra(self) -> str | None:
        """The extra of diglot that brings it, if one does."""
        return read_requirement(self.requirement).extras[0] if "[" in self.requirement else None


def find_needs(root: Path, config: str, project: Project | None) -> tuple[Need, ...]:
    """What the settings, the scripts and the diagrams of a site need besides diglot, each package once."""
    needs: dict[str, Need] = {}
    for need in (*_of_settings(root, config, project), *_of_code(root), *_of_diagrams(root)):
        needs.setdefault(need.distribution, need)
    return tuple(needs.values())


def find_unlisted(root: Path, needs: Iterable[Need]) -> tuple[Need, ...]:
    """Those that no line of `requirements.txt` installs; none if there is no such file, or it is unclear."""
    listed = _read_lines(root / REQUIREMENTS, set())
    if listed is None:
        return ()
    extras = {extra for requirement in listed if requirement.name == "diglot" for extra in requirement.extras}
    installed = with_required(listed)
    for_extras = installed - with_required([_DIGLOT])  # an extra asks for newer versions of some of these
    return tuple(
        need
        for need in needs
        if need.extra not in extras and need.distribution not in (for_extras if need.extra else installed)
    )


def check_requirements(root: Path, config: str, project: Project | None) -> Iterator[Diagnostic]:
    """Warnings about what a site uses and its `requirements.txt` does not install."""
    for need in find_unlisted(root, find_needs(root, config, project)):
        what, add = need.distribution, f"add a line `{need.requirement}` to {REQUIREMENTS}."
        if need.extra:
            what, add = need.requirement, f"add `[{need.extra}]` to diglot there, as in `{need.requirement}`."
        yield Diagnostic(
            rule="requirement-missing",
            severity="warning",
            message=f"{REQUIREMENTS} does not install {what}, which {need.reason} needs",
            location=Location(path=need.path, line=need.line),
            fix=add,
        )


def _of_settings(root: Path, config: str, project: Project | None) -> Iterator[Need]:
    if project is None:
        return
    text = (root / config).read_text("utf-8")
    for extra in EXTRAS:
        if extra.is_set(project):
            setting = extra.serves.rpartition("(")[2].rstrip(")")
            yield _need_of(extra, f"`{setting}`", config, _line_of(setting, text))


def _line_of(setting: str, text: str) -> int | None:
    key = re.search(rf"^{setting.partition(':')[0]}\s*:", text, re.MULTILINE)
    return None if key is None else text.count("\n", 0, key.start()) + 1


def _need_of(extra: Extra, reason: str, path: str, line: int | None = None) -> Need:
    return Need(
        requirement=f"diglot[{extra.name}]",
        distribution=extra.distribution,
        reason=reason,
        path=path,
        line=line,
    )


def _of_code(root: Path) -> Iterator[Need]:
    folders, own, distributions = Folders(f"{root}/"), with_required([_DIGLOT]), packages_distributions()
    for path in sorted({path for pattern in _CODE for path in folders.find(pattern)}):
        for module, line in _imports_of(root / path):
            for distribution in sorted(set(distributions.get(module, ()))):
                name = normal_name(distribution)
                if name not in own:
                    extra = next((one for one in EXTRAS if one.name == name), None)
                    reason = f"`import {module}`"
                    yield (
                        _need_of(extra, reason, path, line)
                        if extra is not None
                        else Need(
                            requirement=f"{distribution}=={version(distribution)}",
                            distribution=name,
                            reason=reason,
                            path=path,
                            line=line,
                        )
                    )


def _imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """The top-level modules that a file imports, with lines. What it can do without is left out."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError):  # a build reports it
        return
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                yield node.module.partition(".")[0], node.lineno
        elif isinstance(node, ast.Try) and any(map(_catches_missing, node.handlers)):
            todo += [*node.orelse, *node.finalbody]
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            todo += ast.iter_child_nodes(node)


def _catches_missing(handler: ast.ExceptHandler) -> bool:
    caught = ast.dump(handler.type) if handler.type is not None else "ImportError"
    return "ImportError" in caught or "ModuleNotFoundError" in caught


def _of_diagrams(root: Path) -> Iterator[Need]:
    if (root / "node_modules/mermaid").is_dir():
        return
    (extra,) = (one for one in EXTRAS if one.name == "mermaid")
    for path in Folders(f"{root}/").find(f"{CONTENT}/**"):
        if path.endswith(".md"):
            text = (root / path).read_bytes().decode("utf-8", "replace")
            if (fence := _MERMAID.search(text)) is not None:
                yield _need_of(extra, "this diagram", path, text.count("\n", 0, fence.start()) + 1)
                return


def _read_lines(path: Path, met: set[Path]) -> list[Requirement] | None:
    """What the lines of a file require; None if one of them does not say its name, or a file is not there."""
    if path in met:
        return []
    met.add(path)
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    requirements: list[Requirement] = []
    for whole in text.replace("\\\n", " ").splitlines():
        line = re.split(r"(?:^|\s)#", whole, maxsplit=1)[0].strip()
        option, _, rest = line.partition("=" if line.startswith("--requirement=") else " ")
        if option in ("-r", "--requirement"):
            below = _read_lines(path.parent / rest.strip(), met)
            if below is None:
                return None
            requirements += below
        elif option in ("-e", "--editable"):
            return None
        elif line and not line.startswith("-"):
            name = _wheel_name(line) or line
            if ("/" in name or "\\" in name) and "@" not in name:
                return None  # a folder or an address
            requirements.append(read_requirement(name))
    return requirements


def _wheel_name(line: str) -> str | None:
    """`diglot[search]` for `./vendor/diglot-0.1.0-py3-none-any.whl[search]`; None for other lines."""
    found = re.search(r"^[^@]*?([^/\\@]+?)-[^/\\]*\.whl(\[[^\]]*\])?", line)
    return f"{found[1]}{found[2] or ''}" if found else None
