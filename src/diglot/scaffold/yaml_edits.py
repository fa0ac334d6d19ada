"""Changes YAML in one place and keeps the text of everything else, comments included."""

import re
from collections.abc import Sequence
from typing import Any

import yaml

from diglot.diagnostics import DiagnosticError, Refusal
from diglot.scaffold.templates import yaml_text
from diglot.strict_yaml import read_mapping

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<yaml>(?:.*\r?\n)*?)---[ \t]*\r?$", re.MULTILINE)


def front_matter_span(text: str, path: str) -> tuple[int, int]:
    """Where the YAML of a file begins and ends: the whole file, or the front matter of a half.

    Raises Refusal if a half has none.
    """
    if not path.endswith(".md"):
        return 0, len(text)
    found = _FRONT_MATTER.match(text)
    if found is None:
        raise Refusal(f"{path} has no front matter", "run `diglot check`, and correct it first.")
    return found.span("yaml")


def with_items(text: str, key: str, items: Sequence[str], path: str) -> str:
    """A YAML mapping with texts added to the list at a key, which need not exist.

    Raises Refusal if the mapping cannot be read, or has a form that this function does not support.
    """
    before = _values(text, path)
    value = _value_at(text, key)
    written = [yaml_text(item) for item in items]
    if value is None:
        end = "\r\n" if "\r\n" in text else "\n"
        start = text if not text or text.endswith("\n") else text + end
        changed = f"{start}{key}: [{', '.join(written)}]{end}"
    else:
        changed = _added(text, value, written)
    had = before.get(key)
    wanted = {**before, key: [*([had] if isinstance(had, str) else had or ()), *items]}
    return _checked(changed, wanted, key, path)


def with_text(text: str, keys: Sequence[str | int], value: str, path: str) -> str:
    """A YAML mapping with the value at a place replaced by a text. Raises Refusal as `with_items` does."""
    wanted = inside = _values(text, path)
    for key in keys[:-1]:
        inside = inside[key]
    inside[keys[-1]] = value
    node = _value_at(text, *keys)
    if node is None:
        raise _cannot(str(keys[0]), path)
    changed = text[: node.start_mark.index] + yaml_text(value) + text[node.end_mark.index :]
    return _checked(changed, wanted, str(keys[0]), path)


def _values(text: str, path: str) -> dict[Any, Any]:
    try:
        return read_mapping(text, path).values
    except DiagnosticError as error:
        raise Refusal(f"{path} has a mistake: {error.diagnostics[0].message}", "correct it first.") from error


def _value_at(text: str, *keys: str | int) -> yaml.Node | None:
    """The node of the value at a place, with its position in the text; None if there is none."""
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    for key in keys:
        if isinstance(key, int):
            node = node.value[key] if isinstance(node, yaml.SequenceNode) else None
        elif isinstance(node, yaml.MappingNode):
            node = next((value for name, value in node.value if name.value == key), None)
        else:
            return None
    return node


def _added(text: str, value: yaml.Node, written: Sequence[str]) -> str:
    """The text with items added to a list, in the style of that list."""
    start, end = value.start_mark.index, value.end_mark.index
    joined = ", ".join(written)
    if isinstance(value, yaml.ScalarNode):
        if start == end:  # `aliases:` without a value
            return f"{text[:start].rstrip(' ')} [{joined}]{text[start:]}"
        return f"{text[:start]}[{text[start:end]}, {joined}]{text[end:]}"
    if not isinstance(value, yaml.SequenceNode):
        return text
    if not value.value:
        return f"{text[: start + 1]}{joined}{text[end - 1 :]}"
    last = value.value[-1].end_mark.index
    if value.flow_style:
        return f"{text[:last]}, {joined}{text[last:]}"
    indent = " " * value.start_mark.column
    line_end = re.compile(r"\r?\n|$").search(text, last)
    at = line_end.start() if line_end is not None else len(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    return text[:at] + "".join(f"{newline}{indent}- {item}" for item in written) + text[at:]


def _checked(changed: str, wanted: object, key: str, path: str) -> str:
    try:
        if read_mapping(changed, path).values == wanted:
            return changed
    except DiagnosticError:
        pass
    raise _cannot(key, path)


def _cannot(key: str, path: str) -> Refusal:
    return Refusal(f"`{key}` in {path} is written in a way that cannot be changed here", "simplify it first.")
