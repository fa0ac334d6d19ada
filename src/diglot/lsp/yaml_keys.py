"""Which key of a YAML text an author is at, by its indentation: also in one that is not finished."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from diglot.lsp.marks import front_matter_end
from diglot.scaffold.schemas import Kind, find_schema

_LINE = re.compile(
    r"(?P<indent>[ ]*)(?P<item>(?:-[ ]+)*)(?P<key>[\w./-]*)(?P<rest>[ ]*:(?:[ ]+(?P<value>.*))?$)?"
)
ITEM = "[]"
"""Stands in a way of keys for an item of a list."""


class YamlPlace(NamedTuple):
    """A place in a YAML text."""

    keys: tuple[str, ...]
    """The keys that lead to it, from the outside in; the last one is that of its line."""
    in_value: bool
    """Whether it is behind the colon."""
    written: str
    """What is written before it of a key or a value."""


def kind_of(path: str, config: str) -> Kind | None:
    """Which schema a file of the project has; None for a file without one."""
    if path == config:
        return "site"
    if path.endswith(("/meta.yaml", ".meta.yaml")) and path.startswith("content/"):
        return "meta"
    if path.startswith("site/hardware/") and path.endswith(".yaml"):
        return "chips"
    return "front-matter" if path.startswith("content/") and path.endswith(".md") else None


def yaml_lines(kind: Kind, lines: list[str]) -> range:
    """The lines of a file, from 0, that are YAML."""
    if kind != "front-matter":
        return range(len(lines))
    end = front_matter_end(lines)
    is_closed = end and lines[end - 1].rstrip() == "---" and end > 1
    return range(1, end - 1 if is_closed else end)


def place_at(lines: list[str], number: int, column: int) -> YamlPlace:
    """The place at a character of a line, both from 0."""
    line = lines[number][:column]
    found = _LINE.match(lines[number])
    colon = -1 if found is None or found["rest"] is None else lines[number].index(":", found.end("key"))
    keys = _keys_above(lines, number)
    key = found["key"] if found is not None else ""
    if 0 <= colon < column:
        written = re.split(r"[\[,\s]+", line[colon + 1 :])[-1]
        return YamlPlace((*keys, key), True, written.strip("\"'"))
    written = line.lstrip(" -")
    if found is not None and found["item"] and found["rest"] is None:
        return YamlPlace(keys, True, written)  # an item of a list, such as a tag
    return YamlPlace((*keys, key), False, written)


def _keys_above(lines: list[str], number: int) -> tuple[str, ...]:
    """The keys of the lines above that a line is below."""
    found = _LINE.match(lines[number])
    keys: list[str] = []
    if found is None:
        return ()
    depth = len(found["indent"]) + len(found["item"])
    if found["item"]:
        keys.append(ITEM)
        depth = len(found["indent"]) + 1  # its list may be on the level of its key
    for above in reversed(lines[:number]):
        one = _LINE.match(above)
        if one is None or not above.strip() or above.lstrip().startswith("#"):
            continue
        indent = len(one["indent"]) + len(one["item"])
        if indent >= depth or not one["key"]:
            if one["item"] and keys[:1] != [ITEM] and len(one["indent"]) < depth <= indent:
                keys.insert(0, ITEM)
                depth = len(one["indent"]) + 1
            continue
        keys.insert(0, one["key"])
        depth = indent
        if one["item"]:
            keys.insert(0, ITEM)
            depth = len(one["indent"]) + 1
    return tuple(keys)


@lru_cache
def _schema(kind: Kind) -> Mapping[str, Any]:
    return find_schema(kind)


def schema_at(kind: Kind, keys: tuple[str, ...]) -> Mapping[str, Any]:
    """The part of a schema that keys lead to; empty where it says nothing."""
    at: Any = _schema(kind)
    for key in keys:
        at = _inside(at, key)
    return at if isinstance(at, dict) else {}


def _inside(schema: Any, key: str) -> Any:
    if not isinstance(schema, dict):
        return {}
    options = [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    for one in options:
        if key == ITEM and "items" in one:
            return one["items"]
        if key in one.get("properties", {}):
            return one["properties"][key]
    return next(
        (one["additionalProperties"] for one in options if isinstance(one.get("additionalProperties"), dict)),
        {},
    )


def keys_below(schema: Mapping[str, Any]) -> dict[str, str]:
    """The keys that a mapping can have, with what each is."""
    options = [schema, *schema.get("anyOf", ())]
    return {
        key: str(one.get("description", ""))
        for option in options
        for key, one in option.get("properties", {}).items()
    }


def words_of(schema: Mapping[str, Any]) -> list[str]:
    """The words that a value can be."""
    if schema.get("type") == "boolean":
        return ["true", "false"]
    options = [schema, *schema.get("anyOf", ())]
    return [str(word) for option in options for word in option.get("enum", ())]
