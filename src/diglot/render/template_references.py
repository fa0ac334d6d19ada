"""Which templates a template extends, includes or imports, as far as its text says."""

import posixpath
import re
from collections.abc import Iterator

import msgspec
from jinja2 import Environment, TemplateSyntaxError, nodes

_REFERENCE = re.compile(r"""\{%[-+]?\s*(?:extends|include|import|from)\b(?:\s+(["'])(?P<name>[^"']+)\1)?""")
_Tag = nodes.Extends | nodes.Include | nodes.Import | nodes.FromImport


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """One tag that asks for a template."""

    names: tuple[str, ...]
    """The templates that it may be, the first one that is there; empty if only a page decides."""
    is_optional: bool
    """Whether nothing is missed if there is none of them."""
    line: int


def references_in(source: str) -> tuple[Reference, ...]:
    """The references of a template of a project. Where its tags are wrong, those that can be seen."""
    if _REFERENCE.search(source) is None:
        return ()
    try:
        tree = Environment().parse(source)
    except TemplateSyntaxError:  # reported where the template is rendered
        return plain_references_in(source)
    return tuple(_references(tree))


def plain_references_in(source: str) -> tuple[Reference, ...]:
    """The same of a template of the built-in theme, which names others by a literal, without parsing it."""
    return tuple(
        Reference(names=(found["name"],), is_optional=False, line=source.count("\n", 0, found.start()) + 1)
        for found in _REFERENCE.finditer(source)
        if found["name"] is not None
    )


def _references(tree: nodes.Template) -> Iterator[Reference]:
    for asked in _tags(tree):
        yield Reference(
            names=_names(asked.template),
            is_optional=isinstance(asked, nodes.Include) and asked.ignore_missing,
            line=asked.lineno,
        )


def _tags(tree: nodes.Template) -> Iterator[_Tag]:
    """The tags that ask for templates, in the order of the text."""
    found: list[_Tag] = [
        *tree.find_all(nodes.Extends),
        *tree.find_all(nodes.Include),
        *tree.find_all(nodes.Import),
        *tree.find_all(nodes.FromImport),
    ]
    yield from sorted(found, key=lambda tag: tag.lineno)


def _names(asked: nodes.Expr) -> tuple[str, ...]:
    """The literal names in an expression; none if anything in it is no literal."""
    items = asked.items if isinstance(asked, nodes.List | nodes.Tuple) else [asked]
    names = [one.value for one in items if isinstance(one, nodes.Const) and isinstance(one.value, str)]
    return tuple(names) if len(names) == len(items) else ()


def leaves_theme(name: str) -> bool:
    """Whether a template's name is no path inside of the theme: `../a.html`, `/etc/a`, `parts/../a.html`."""
    is_path = name.startswith(("/", "../")) or name == ".." or "\\" in name or "\0" in name
    return is_path or posixpath.normpath(name) != name


def name_inside(name: str) -> str | None:
    """The name that such a path has inside of the theme; None if it leads out of it."""
    inside = posixpath.normpath(name.replace("\\", "/"))
    return None if inside.startswith(("/", "../")) or inside == ".." or "\0" in name else inside
