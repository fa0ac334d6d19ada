"""From a text to plain values, with the line of every key."""

import datetime
import re
from functools import cached_property
from typing import Any

import msgspec
import yaml

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, shortened
from diglot.strict_yaml.limits import MOST_BITS, MOST_MISTAKES, MOST_SHOWN, MOST_VALUES, TOO_MUCH
from diglot.strict_yaml.syntax_mistakes import KEY_VALUE, explain_syntax
from diglot.strict_yaml.unfit_texts import find_unfit
from diglot.strict_yaml.words import name_value, why_no_date

Scalar = str | bool | int | float | datetime.date | None
Keys = tuple[str | int, ...]
"""Where a value is: keys of mappings and indices of lists, from the outside in."""

try:
    from yaml import CSafeLoader as _FastestLoader
except ImportError:  # PyYAML was built without libyaml: slower, same values
    from yaml import SafeLoader as _FastestLoader  # type: ignore[assignment]  # same interface


class _TooManyValues(Exception):
    """A text has too many values. Raised early, because composing 100,000 nodes takes seconds."""


class _Loader(_FastestLoader):
    """Composes nodes with the scalars of YAML 1.2's core schema and dates, and limits their number."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  PyYAML's hook
    _resolved = 0

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> Any:
        """The tag of a node without an explicit one. PyYAML calls this for nearly every node."""
        self._resolved += 1
        if self._resolved > 2 * MOST_VALUES:  # keys are nodes too
            raise _TooManyValues
        return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]  # PyYAML has no types


_SCALARS: tuple[tuple[str, str, str], ...] = (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
    ("timestamp", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "0123456789"),
)
for _name, _pattern, _first in _SCALARS:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}",
        re.compile(rf"(?:{_pattern})\Z"),
        ["", *_first] if _name == "null" else list(_first),
    )

_TAG = "tag:yaml.org,2002:"
_OF_KEYS = frozenset(("str", *(name for name, _, _ in _SCALARS)))
"""The tags of what a key may be."""


class Mapping(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A YAML mapping as plain values, with the lines of its keys."""

    values: dict[str, Any]
    """Texts, booleans, numbers, dates, None, and lists and dictionaries of these."""
    path: str
    lines: dict[Keys, int]
    """The line in the file, from 1, of every key and every list item."""
    columns: dict[Keys, tuple[int, int]]
    """The columns, from 1, of every key and of its value, or of a list item twice. A value below its key
    has the key's."""
    text: str
    """The YAML itself, without what precedes it in the file."""
    first_line: int = 1

    def line_of(self, *keys: str | int) -> int:
        """The line of a key, or of the nearest enclosing key that has one."""
        for end in range(len(keys), 0, -1):
            if keys[:end] in self.lines:
                return self.lines[keys[:end]]
        return self.first_line

    def source_line(self, line: int) -> str | None:
        """A line of the file, unchanged; None outside the mapping."""
        index = line - self.first_line
        return self._lines[index] if 0 <= index < len(self._lines) else None

    @cached_property
    def _lines(self) -> list[str]:
        return [shortened(line, MOST_SHOWN) for line in self.text.split("\n")]


def read_mapping(text: str, path: str, *, first_line: int = 1) -> Mapping:
    """The mapping in a YAML text; an empty text gives an empty mapping.

    `path` is for the diagnostics; `first_line` is the line of the file on which `text` begins. Raises
    DiagnosticError for broken syntax, and once for all repeated keys, odd keys, aliases and tags together.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (found := find_unfit(text, path, first_line)) is not None:
        raise DiagnosticError(found)
    try:
        root = yaml.compose(text, _Loader)
    except _TooManyValues:
        message = f"the YAML has more than {MOST_VALUES:,} values"
        place = Location(path=path, line=first_line)
        raise DiagnosticError(
            Diagnostic(rule="yaml-limit", message=message, location=place, fix=TOO_MUCH)
        ) from None
    except yaml.YAMLError as error:
        raise DiagnosticError(explain_syntax(error, text, path, first_line)) from None
    reading = _Reading(text, path, first_line)
    if root is None or root.tag == f"{_TAG}null":
        values: dict[str, Any] = {}
    elif isinstance(root, yaml.MappingNode):
        values = reading.mapping(root, ())
    else:
        values = {}
        what = "a list" if isinstance(root, yaml.SequenceNode) else name_value(reading.value(root, ()))
        reading.report(root, "yaml-syntax", f"expected `key: value` lines, found {what}", KEY_VALUE)
    if reading.mistakes:
        raise DiagnosticError(*reading.mistakes)
    return Mapping(
        values=values,
        path=path,
        lines=reading.lines,
        columns=reading.columns,
        text=text,
        first_line=first_line,
    )


def _column(node: yaml.Node) -> int:
    return int(node.start_mark.column) + 1


class _Reading:
    """One walk over the nodes of a file; it collects values, lines and mistakes."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.source = text.split("\n")
        self.path = path
        self._values = 0
        self.first_line = first_line
        self.lines: dict[Keys, int] = {}
        self.columns: dict[Keys, tuple[int, int]] = {}
        self.mistakes: list[Diagnostic] = []
        self._seen: set[int] = set()

    def line(self, node: yaml.Node) -> int:
        return self.first_line + self._index(node)

    def _index(self, node: yaml.Node) -> int:
        return min(int(node.start_mark.line), len(self.source) - 1)

    def report(self, node: yaml.Node, rule: str, message: str, fix: str) -> None:
        if len(self.mistakes) >= MOST_MISTAKES:
            return
        self.mistakes.append(
            Diagnostic(
                rule=rule,
                message=message,
                location=Location(path=self.path, line=self.line(node), column=_column(node)),
                source_line=shortened(self.source[self._index(node)], MOST_SHOWN),
                fix=fix,
            )
        )

    def _check(self, node: yaml.Node, text: str) -> None:
        """Report a forbidden character that was written as an escape (`"\\x07"`)."""
        if (character := forbidden_in(text)) is not None:
            self.report(
                node,
                "character-forbidden",
                f"this text contains the character {code_of(character)}, which is not allowed in "
                "pages and feeds",
                "delete it: it is invisible, and feeds that contain it cannot be read.",
            )

    def value(self, node: yaml.Node, keys: Keys) -> Any:
        # An alias appears as the node it stands for, met a second time. It is refused so that every value has
        # one line, and so that a file of ten lines cannot expand to a billion values.
        if id(node) in self._seen:
            self.report(
                node,
                "yaml-alias",
                "this value is used again by an alias (`*name`), which is not supported",
                "write the value out.",
            )
            return None
        self._seen.add(id(node))
        self._values += 1
        if self._values > MOST_VALUES:
            if self._values == MOST_VALUES + 1:
                message = f"the YAML has more than {MOST_VALUES:,} values"
                self.mistakes.clear()
                self.report(node, "yaml-limit", message, TOO_MUCH)
            return None
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, keys)
        if isinstance(node, yaml.SequenceNode):
            if node.tag != f"{_TAG}seq":
                self._refuse_tag(node)
            items = []
            for index, item in enumerate(node.value):
                self.lines[(*keys, index)] = self.line(item)
                self.columns[(*keys, index)] = _column(item), _column(item)
                items.append(self.value(item, (*keys, index)))
            return items
        return self._scalar(node)

    def mapping(self, node: yaml.MappingNode, keys: Keys) -> dict[str, Any]:
        if node.tag != f"{_TAG}map":
            self._refuse_tag(node)
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.report(
                    key_node,
                    "yaml-syntax",
                    "a key must be a word, not a mapping or a list",
                    "put text that begins with { or [ in quotes.",
                )
                continue
            key = str(key_node.value)
            if not str(key_node.tag).startswith(_TAG) or key_node.tag.removeprefix(_TAG) not in _OF_KEYS:
                self._refuse_tag(key_node)
            self._check(key_node, key)
            if key in values:
                self.report(
                    key_node,
                    "yaml-duplicate-key",
                    f'the key "{shortened(key, 60)}" is repeated, first on line {self.lines[(*keys, key)]}',
                    "keep one of them.",
                )
                continue
            self.lines[(*keys, key)] = self.line(key_node)
            beside = value_node if value_node.start_mark.line == key_node.start_mark.line else key_node
            self.columns[(*keys, key)] = _column(key_node), _column(beside)
            values[key] = self.value(value_node, (*keys, key))
        return values

    def _scalar(self, node: yaml.Node) -> Scalar:
        text = str(node.value)
        kind = str(node.tag).removeprefix(_TAG)
        if kind == "str":
            self._check(node, text)
            return text
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() == "true"
        if kind == "timestamp":
            try:
                return datetime.date.fromisoformat(text)
            except ValueError:
                self.report(node, "yaml-date", f"the date {text} does not exist", why_no_date(text))
                return None
        try:
            if kind == "int":
                digits = text.lower().lstrip("+-")
                base = {"0x": 16, "0o": 8}.get(digits[:2], 10)
                value = int(text, base)
                if value.bit_length() > MOST_BITS:  # base 16 has no limit on digits
                    raise ValueError("it has too many digits")
                return value
            if kind == "float":
                return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError as error:
            self.report(
                node, "yaml-number", f"{shortened(text, 40)} cannot be read: {error}", "put it in quotes."
            )
            return None
        self._refuse_tag(node)
        return None

    def _refuse_tag(self, node: yaml.Node) -> None:
        tag = str(node.tag).replace(_TAG, "!!", 1)
        self.report(
            node, "yaml-tag", f'the tag "{shortened(tag, 60)}" is not supported', "write the plain value."
        )
