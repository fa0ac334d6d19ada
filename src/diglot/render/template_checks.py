"""Finds what Jinja2 would leave out without a word: blocks that no page has, and text outside of blocks."""

import re
from collections.abc import Iterator, Mapping

from jinja2 import Environment, TemplateSyntaxError, nodes

from diglot.diagnostics import Diagnostic, Location, did_you_mean
from diglot.render.templates import BUILT_IN, BUILT_IN_PREFIX, THEMES_URL, TemplateSource

_EXTENDS = re.compile(r"""\{%[-+]?\s*extends\s+(["'])(?P<name>[^"']+)\1\s*[-+]?%\}""")
_EXTENDS_ANY = re.compile(r"\{%[-+]?\s*extends\b")
_BLOCK = re.compile(r"\{%[-+]?\s*block\s+(?P<name>\w+)")


def check_templates(sources: Mapping[str, TemplateSource]) -> tuple[Diagnostic, ...]:
    """Errors in a project's templates that extend others. `sources` holds those others, too."""
    return tuple(
        mistake
        for name, source in sources.items()
        if not source.path.startswith(BUILT_IN) and _EXTENDS.search(source.text)
        for mistake in _mistakes(name, sources)
    )


def _mistakes(name: str, sources: Mapping[str, TemplateSource]) -> Iterator[Diagnostic]:
    source = sources[name]
    try:
        tree = Environment().parse(source.text)
    except TemplateSyntaxError:
        return  # reported where the template is rendered
    above = [name]
    while (found := _EXTENDS.search(sources[above[-1]].text)) is not None:
        parent = found["name"]
        if parent in above:
            if parent == name:
                yield _extends_itself(name, source, found)
            return
        if parent not in sources:
            return
        above.append(parent)
    if _EXTENDS_ANY.search(sources[above[-1]].text):  # a page decides on what it extends
        return
    known = {found["name"] for one in above[1:] for found in _BLOCK.finditer(sources[one].text)}
    extends = next((node for node in tree.body if isinstance(node, nodes.Extends)), None)
    if extends is None:  # inside a condition: whether it extends anything is known only for a page
        return
    for node in tree.body[tree.body.index(extends) + 1 :]:
        if isinstance(node, nodes.Block) and node.name not in known:
            yield _mistake(
                source,
                node.lineno,
                f'no page shows the block "{node.name}": {above[1]} has no block of this name',
                did_you_mean(node.name, known),
            )
        elif (line := _first_shown(node)) is not None:
            yield _mistake(
                source,
                line,
                f"this is no part of a page: of a template that extends {above[1]}, only blocks are",
                "put it into a block, as in `{% block footer %}{{ super() }} … {% endblock %}`.",
            )


def _first_shown(node: nodes.Node) -> int | None:
    """The line of the first thing that is more than white space. What is included comes before the page."""
    if isinstance(node, nodes.Include):
        return node.lineno
    if isinstance(node, nodes.Output):
        return _first_in_output(node)
    if isinstance(node, nodes.Block | nodes.Macro | nodes.AssignBlock):
        return None  # a block is a part of the page; the others are shown where their names are
    shown = (_first_shown(child) for child in node.iter_child_nodes() if isinstance(child, nodes.Stmt))
    return next((line for line in shown if line is not None), None)


def _first_in_output(output: nodes.Output) -> int | None:
    for node in output.nodes:
        if not isinstance(node, nodes.TemplateData):
            return node.lineno
        if text := node.data.lstrip():
            return node.lineno + node.data[: len(node.data) - len(text)].count("\n")
    return None


def _extends_itself(name: str, source: TemplateSource, found: re.Match[str]) -> Diagnostic:
    return _mistake(
        source,
        source.text.count("\n", 0, found.start()) + 1,
        "this template extends itself",
        f'write `{{% extends "{BUILT_IN_PREFIX}{name}" %}}` to extend the built-in one.',
    )


def _mistake(source: TemplateSource, line: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(
        rule="template-unused",
        message=message,
        location=Location(path=source.path, line=line),
        source_line=source.text.splitlines()[line - 1],
        fix=f"{fix} Templates and their blocks: {THEMES_URL}",
    )
