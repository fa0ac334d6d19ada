"""A YAML reader that keeps line numbers and reads scalars without surprises.

YAML 1.1 reads `no` as false, `1:30` as ninety and `1e12` as text. Here a plain scalar is a number if it has
the form of a JSON number, `true`, `false` or `null` if it is that word, and otherwise text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

import yaml
from yaml.reader import ReaderError

Scalar: TypeAlias = "str | int | float | bool | None"
Value: TypeAlias = "Scalar | list[Located] | dict[str, Located]"

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None, "": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A value and the line it starts on."""

    value: Value
    line: int
    """Counted from 1."""


class LocatedYamlError(ValueError):
    """The text is not valid here: `line` (from 1) and `problem` say where and why."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def read_located_yaml(text: str) -> Located:
    """The single document in `text`, with the line of every value.

    Raises LocatedYamlError where it cannot be parsed, for a repeated key, for a key that is not text, and for
    an alias of a list or mapping: a few aliases can expand to millions of values or refer to themselves.
    """
    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise LocatedYamlError(mark.line + 1 if mark else 1, error.problem or str(error)) from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise LocatedYamlError(line, f"a character that YAML does not allow: {error.reason}") from error
    if node is None:
        raise LocatedYamlError(1, "the file is empty")
    return _locate(node, set())


def _locate(node: yaml.Node, met: set[yaml.Node]) -> Located:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.CollectionNode):
        if node in met:
            raise LocatedYamlError(
                line, "aliases of lists and mappings are not supported: write it out again"
            )
        met.add(node)
    if isinstance(node, yaml.MappingNode):
        return Located(value=dict(_locate_items(node, met)), line=line)
    if isinstance(node, yaml.SequenceNode):
        return Located(value=[_locate(item, met) for item in node.value], line=line)
    return Located(value=_read_scalar(cast(yaml.ScalarNode, node)), line=line)


def _locate_items(node: yaml.MappingNode, met: set[yaml.Node]) -> Iterator[tuple[str, Located]]:
    first_lines: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise LocatedYamlError(line, "a key must be text")
        if key.value in first_lines:
            raise LocatedYamlError(line, f'"{key.value}" is already defined on line {first_lines[key.value]}')
        first_lines[key.value] = line
        yield key.value, _locate(value, met)


def _read_scalar(node: yaml.ScalarNode) -> Scalar:
    text: str = node.value
    if node.style:  # a quoted or block scalar is always text
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return text
