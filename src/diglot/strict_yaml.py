"""YAML as authors mean it: `no` is a word, `12:30` a text, keys are unique, and every key knows its line.

Front matter, `meta.yaml` and `site.yaml` are all read here. `read_mapping` gives plain values with the line
of every key; `Fields` reads them with types and collects mistakes.
"""

import datetime
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec
import yaml

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest, shortened
from diglot.languages import LANGUAGES, Bilingual

Scalar = str | bool | int | float | datetime.date | None
Keys = tuple[str | int, ...]
"""Where a value is: keys of mappings and indices of lists, from the outside in."""

# The type of a field's default. mypy refuses `= None` for such a parameter, although a call without it
# correctly gives None. Hence the ignored assignments below.
_T = TypeVar("_T")

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
        if self._resolved > 2 * _MOST_VALUES:  # keys are nodes too
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
        return [shortened(line, _MOST_SHOWN) for line in self.text.split("\n")]


def read_mapping(text: str, path: str, *, first_line: int = 1) -> Mapping:
    """The mapping in a YAML text; an empty text gives an empty mapping.

    `path` is for the diagnostics; `first_line` is the line of the file on which `text` begins. Raises
    DiagnosticError for broken syntax, and once for all repeated keys, odd keys, aliases and tags together.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (found := _unfit(text, path, first_line)) is not None:
        raise DiagnosticError(found)
    try:
        root = yaml.compose(text, _Loader)
    except _TooManyValues:
        message = f"the YAML has more than {_MOST_VALUES:,} values"
        place = Location(path=path, line=first_line)
        raise DiagnosticError(
            Diagnostic(rule="yaml-limit", message=message, location=place, fix=_TOO_MUCH)
        ) from None
    except yaml.YAMLError as error:
        raise DiagnosticError(_syntax_mistake(error, text, path, first_line)) from None
    reading = _Reading(text, path, first_line)
    if root is None or root.tag == f"{_TAG}null":
        values: dict[str, Any] = {}
    elif isinstance(root, yaml.MappingNode):
        values = reading.mapping(root, ())
    else:
        values = {}
        what = "a list" if isinstance(root, yaml.SequenceNode) else _named(reading.value(root, ()))
        reading.report(root, "yaml-syntax", f"expected `key: value` lines, found {what}", _KEY_VALUE)
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


_DEEPEST = 100
_MOST_CHARACTERS = 1_000_000
_MOST_VALUES = 10_000
MOST_MISTAKES = 100
"""Mistakes reported per file."""
_TOO_LARGE = 2**63
"""Larger whole numbers cannot be stored between builds."""
_MOST_SHOWN = 300
"""Characters of a line that are shown."""
_LONGEST_MESSAGE = 500
_MOST_BITS = 10_000
"""Limit for a whole number: 3,000 digits."""
_TOO_MUCH = "keep only configuration in it, and put text into articles."
_UNFIT = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Characters that YAML does not allow, and U+0085, U+2028 and U+2029, which some readers treat as line
ends."""


def _unfit(text: str, path: str, first_line: int) -> Diagnostic | None:
    """The reason why a text cannot be read at all; None if it can."""
    if len(text) > _MOST_CHARACTERS:
        message = f"the YAML has {len(text):,} characters; at most {_MOST_CHARACTERS:,} are allowed"
        return Diagnostic(
            rule="yaml-limit", message=message, location=Location(path=path, line=first_line), fix=_TOO_MUCH
        )
    if (odd := _UNFIT.search(text)) is not None:
        index = text.count("\n", 0, odd.start())
        return Diagnostic(
            rule="yaml-syntax",
            message=f"the character U+{ord(odd[0]):04X} is not allowed here",
            location=Location(
                path=path, line=first_line + index, column=odd.start() - text.rfind("\n", 0, odd.start())
            ),
            source_line=shortened(
                text.split("\n")[index].replace(odd[0], "\N{REPLACEMENT CHARACTER}"), _MOST_SHOWN
            ),
            fix="delete it.",
        )
    if _too_deep(text):  # libyaml recurses in C and would crash the process
        return Diagnostic(
            rule="yaml-syntax",
            message="the YAML is nested too deeply to be read",
            location=Location(path=path, line=first_line),
            fix="put text with many brackets into a block: `key: |` with the text indented below it.",
        )
    return None


_INDENTED = re.compile(r"^([ \t]*(?:[-?][ \t]+)*)[^ \n]", re.MULTILINE)


def _too_deep(text: str) -> bool:
    """Whether brackets, list marks or indented lines nest deeper than any real file; quotes are ignored."""
    open_at: list[int] = []
    for found in _INDENTED.finditer(text):
        while open_at and open_at[-1] >= len(found[1]):
            open_at.pop()
        open_at.append(len(found[1]))
        if len(open_at) > _DEEPEST:
            return True
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        if depth > _DEEPEST:
            return True
    return re.search(rf"(?:[-?:][ \t]+){{{_DEEPEST}}}", text) is not None


def why_no_date(text: str) -> str:
    """What is wrong with a date that does not exist, as a fix."""
    import calendar  # noqa: PLC0415  (only mistakes need it)

    found = re.fullmatch(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    if found is None:
        return "write the date as YYYY-MM-DD."
    year, month, day = map(int, found.groups())
    if not 1 <= month <= 12:
        return "months are 01 to 12: write the date as YYYY-MM-DD."
    if year >= 1 and day > 0:
        days = calendar.monthrange(year, month)[1]
        of_year = f" {year}" if month == 2 else ""
        return f"{calendar.month_name[month]}{of_year} has {days} days."
    return "write the date as YYYY-MM-DD."


def _column(node: yaml.Node) -> int:
    return int(node.start_mark.column) + 1


_KEY_VALUE = "write each key as `key: value`, with an ASCII colon followed by a space."


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
                source_line=shortened(self.source[self._index(node)], _MOST_SHOWN),
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
        if self._values > _MOST_VALUES:
            if self._values == _MOST_VALUES + 1:
                message = f"the YAML has more than {_MOST_VALUES:,} values"
                self.mistakes.clear()
                self.report(node, "yaml-limit", message, _TOO_MUCH)
            return None
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, keys)
        if isinstance(node, yaml.SequenceNode):
            items = []
            for index, item in enumerate(node.value):
                self.lines[(*keys, index)] = self.line(item)
                self.columns[(*keys, index)] = _column(item), _column(item)
                items.append(self.value(item, (*keys, index)))
            return items
        return self._scalar(node)

    def mapping(self, node: yaml.MappingNode, keys: Keys) -> dict[str, Any]:
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
                if value.bit_length() > _MOST_BITS:  # base 16 has no limit on digits
                    raise ValueError("it has too many digits")
                return value
            if kind == "float":
                return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError as error:
            self.report(
                node, "yaml-number", f"{shortened(text, 40)} cannot be read: {error}", "put it in quotes."
            )
            return None
        self.report(
            node,
            "yaml-tag",
            f'the tag "{shortened(str(node.tag), 60)}" is not supported',
            "write the plain value.",
        )
        return None


def _syntax_mistake(error: yaml.YAMLError, text: str, path: str, first_line: int) -> Diagnostic:
    source = text.split("\n")
    if not isinstance(error, yaml.MarkedYAMLError):  # a character that YAML does not allow
        position = int(getattr(error, "position", 0))
        index = text.count("\n", 0, position)
        character = getattr(error, "character", "")
        name = f"U+{character:04X}" if isinstance(character, int) else repr(character)
        return Diagnostic(
            rule="yaml-syntax",
            message=f"the character {name} is not allowed here",
            location=Location(path=path, line=first_line + index),
            source_line=shortened(source[index], _MOST_SHOWN) if index < len(source) else None,
            fix="delete it.",
        )
    # The place where something was opened says more than the place where the parser noticed the error.
    unclosed = "end of stream" in (error.problem or "") or "expected ',' or" in (error.problem or "")
    mark = (error.context_mark if unclosed else None) or error.problem_mark or error.context_mark
    index = min(int(mark.line) if mark else 0, len(source) - 1)
    problem, fix = _explain(error, source, index)
    if fix is _KEY_VALUE and (culprit := _line_without_colon(source, index)) is not None:
        index, mark = culprit, None
    return Diagnostic(
        rule="yaml-syntax",
        message=f"invalid YAML: {problem}",
        location=Location(path=path, line=first_line + index, column=int(mark.column) + 1 if mark else None),
        source_line=shortened(source[index], _MOST_SHOWN),
        fix=fix,
    )


def _explain(error: yaml.MarkedYAMLError, source: Sequence[str], index: int) -> tuple[str, str]:
    """What is wrong and how to correct it; common mistakes are described in an author's words."""
    problem = error.problem or "it cannot be read"
    line = source[index]
    if "\t" in line and ("cannot start any token" in problem or "tab" in problem):
        return "a tab where only spaces are allowed", "indent with spaces."
    if "mapping values are not allowed" in problem:
        if index and _line_without_colon(source, index - 1) == index - 1:
            return "a line without a colon", _KEY_VALUE
        if line.startswith(" ") and line.count(": ") < 2:
            return "an indented key below a key that has a value", "indent it like the keys around it."
        return "a second colon in an unquoted text", _quote_it(line)
    if "cannot start any token" in problem:
        return "a text must not begin with this character", _quote_it(line)
    if "end of stream" in problem and "quoted scalar" in (error.context or ""):
        return "a quotation mark is never closed", "close it on the same line."
    if "flow mapping" in (error.context or "") or "flow sequence" in (error.context or ""):
        return "a { or [ is never closed", "close it, or put a text that begins with { or [ in quotes."
    if "could not find expected ':'" in problem:
        return "a line without a colon", _KEY_VALUE
    if "block mapping" in (error.context or "") or "block collection" in (error.context or ""):
        return "this line does not fit the lines before it", "check its indentation and quotes."
    if "single document" in (error.context or "") or "document" in problem:
        return "a line of --- in the middle", "delete it, or put it in quotes."
    return problem, "check quotes, colons and indentation around this line."


def _quote_it(line: str) -> str:
    """A fix: the line with its value in quotes, if quoting is that simple."""
    key, _, value = line.strip().partition(":")
    mark = "'" if '"' in value else '"'
    if not value.strip() or mark in value or "\\" in value:
        return "put the text in quotes."
    return f"put the text in quotes: {shortened(key, 60)}: {mark}{shortened(value.strip(), 200)}{mark}"


def _line_without_colon(source: Sequence[str], index: int) -> int | None:
    """The line, at `index` or up to two above, that looks like a key without an ASCII colon."""
    for candidate in range(index, max(-1, index - 3), -1):
        line = source[candidate].strip()
        if line and not line.startswith("#") and not re.search(r":(\s|$)", line):
            return candidate
    return None


def _named(value: Any) -> str:
    """A value in an author's words, e.g. `a list`, `the number 3`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {shortened(str(value), 40)}"
    if isinstance(value, datetime.date):
        return f"the date {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    shown = value if len(value) <= 40 else value[:39] + "…"
    return f'the text "{shown}"'


_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])")


def _date_in(text: str) -> datetime.date | None:
    """The date that a text such as `2019-05-01 08:30:00 +0800` begins with."""
    found = _DAY.match(text.strip())
    try:
        return datetime.date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


class Fields:
    """A mapping that is read field by field, with type checks; mistakes are collected.

    A key with a wrong value is reported and gives the default, so that one run shows all mistakes. A key
    without a value (`tags:`) counts as left out.
    """

    def __init__(self, mapping: Mapping, *, _keys: Keys = (), _root: "Fields | None" = None) -> None:
        self.mapping = mapping
        self._keys = _keys
        self._values: dict[str, Any] = mapping.values
        for key in _keys:
            self._values = self._values[key]  # type: ignore[index]  # inside lists, keys are numbers
        self._asked: set[str] = set()
        self._nested: list[Fields] = []
        self._mistakes: list[Diagnostic] = _root._mistakes if _root else []
        self._missing: dict[str, Diagnostic] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All mistakes found so far, those of nested mappings included."""
        return tuple(self._mistakes)

    def __iter__(self) -> Iterator[str]:
        """The keys, in the file's order."""
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def line_of(self, key: str) -> int:
        """The line of a key, in the file."""
        return self.mapping.line_of(*self._keys, key)

    def location_of(self, key: str) -> Location:
        """The place of a key."""
        return Location(path=self.mapping.path, line=self.line_of(key))

    def raw(self, key: str) -> Any:
        """The value as YAML gives it; None if the key is left out."""
        self._asked.add(key)
        return self._values.get(key)

    def text(self, key: str, default: _T = None) -> str | _T:  # type: ignore[assignment]  # see _T
        """A text; `title: 2024` must be quoted."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, str):
            return value
        self._expected(key, "text", value)
        return default

    def flag(self, key: str, default: bool = False) -> bool:
        """`true` or `false`; no other words are accepted."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, bool):
            return value
        self._expected(key, "true or false", value, f"write `{key}: true` or `{key}: false`.")
        return default

    def date(self, key: str, default: _T = None) -> datetime.date | _T:  # type: ignore[assignment]  # see _T
        """A date in the form YYYY-MM-DD."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, datetime.date):
            return value
        # The message shows what the author wrote, not the value that YAML made of it.
        fix = f"write it without quotes and without a time, as in `{key}: 2026-11-20`."
        if isinstance(value, str) and (day := _date_in(value)) is not None:
            fix = f"leave out the time and the quotes: `{key}: {day}`."
        self._expected(key, "a date", value, fix)
        return default

    def integer(self, key: str, default: _T = None) -> int | _T:  # type: ignore[assignment]  # see _T
        """A whole number."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self._expected(key, "a whole number", value)
        return default

    def number(self, key: str, default: _T = None) -> float | _T:  # type: ignore[assignment]  # see _T
        """A number, whole or not."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:  # a whole number of more than 308 digits
                return math.inf if value > 0 else -math.inf
        self._expected(key, "a number", value)
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.raw(key)
        if value is None:
            return ()
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list):
            self._expected(key, "a list of texts", value)
            return ()
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self._expected(key, "text", item, index=index)
        return tuple(item for item in value if isinstance(item, str))

    def choice(self, key: str, allowed: Sequence[str], default: _T = None) -> str | _T:  # type: ignore[assignment]  # see _T
        """One of the allowed words."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, str) and value in allowed:
            return value
        words = ", ".join(allowed)
        self._expected(key, f"one of {words}", value, did_you_mean(str(value), allowed))
        return default

    def bilingual(self, key: str, default: _T = None) -> Bilingual | _T:  # type: ignore[assignment]  # see _T
        """A text in both languages, `{zh: …, en: …}`; a plain text is used for both."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, str):
            return Bilingual(zh=value, en=value)
        if not isinstance(value, dict):
            self._expected(key, "text, or {zh: …, en: …}", value)
            return default
        both = self._below(key)
        both.require(*LANGUAGES)
        zh, en = both.text("zh"), both.text("en")
        return default if zh is None or en is None else Bilingual(zh=zh, en=en)

    def nested(self, key: str) -> "Fields | None":
        """The nested mapping of a key as `Fields`; its mistakes join these."""
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, dict):
            return self._below(key)
        self._expected(key, "a mapping of `key: value` lines", value)
        return None

    def free(self, key: str) -> dict[str, Any]:
        """A mapping of whatever an author puts there, for templates. Its dates are texts."""
        value = self.raw(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._expected(key, "a mapping of `key: value` lines", value)
            return {}
        return {name: self._plain(one, key, name) for name, one in value.items()}

    def _plain(self, value: Any, *keys: str | int) -> Any:
        """A value as it can be stored."""
        if isinstance(value, dict):
            return {name: self._plain(one, *keys, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self._plain(one, *keys, index) for index, one in enumerate(value)]
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, int) and abs(value) >= _TOO_LARGE:
            self._report(keys, f"{shortened(str(value), 40)} has too many digits", "put it in quotes.")
        return value

    def items(self, key: str) -> tuple["Fields", ...]:
        """A list of mappings, each as `Fields`."""
        value = self.raw(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._expected(key, "a list", value, "begin each item with `- `.")
            return ()
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                self._expected(key, "a mapping of `key: value` lines", item, index=index)
        return tuple(self._below(key, index) for index, item in enumerate(value) if isinstance(item, dict))

    def require(self, *keys: str) -> None:
        """Report those of the keys that are left out or have no value."""
        for key in keys:
            self._asked.add(key)
            if self._values.get(key) is None:
                example = {"date": "2026-11-20"}.get(key, "…")
                fix = f"add `{key}: {example}`."
                if len(self._mistakes) < MOST_MISTAKES:
                    self.report(key, f"{self._name(key)} is missing", fix, rule="field-missing")
                    self._missing[key] = self._mistakes[-1]

    def report(
        self,
        key: str,
        message: str,
        fix: str | None = None,
        *,
        rule: str = "field-value",
        index: int | str | None = None,
    ) -> None:
        """Add a mistake about a key, or about what is below it, with its location and source line."""
        self._report((key,) if index is None else (key, index), message, fix, rule)

    def _report(self, keys: Keys, message: str, fix: str | None, rule: str = "field-value") -> None:
        if len(self._mistakes) >= MOST_MISTAKES:
            return
        keys = (*self._keys, *keys)
        line = self.mapping.line_of(*keys)
        of_key, of_value = self.mapping.columns.get(keys, (None, None))
        column = of_key if rule == "field-unknown" else of_value
        self._mistakes.append(
            Diagnostic(
                rule=rule,
                message=shortened(message, _LONGEST_MESSAGE),
                location=Location(path=self.mapping.path, line=line, column=column),
                source_line=self.mapping.source_line(line),
                fix=None if fix is None else shortened(fix, _LONGEST_MESSAGE),
            )
        )

    def finish(self, known: Iterable[str] = (), hints: dict[str, str] | None = None) -> None:
        """Report keys that were never read, here and in nested mappings.

        `known` are valid keys that need not be read; `hints` say what to do about unknown ones. A required
        key that is only misspelt is not missing as well.
        """
        names = {*self._asked, *known}
        for key in self._values:
            if key not in names and len(self._mistakes) < MOST_MISTAKES:
                fix = (hints or {}).get(key) or did_you_mean(key, names)
                self.report(key, f'unknown key "{self._name(key)}"', fix, rule="field-unknown")
                if (meant := nearest(key, names)) in self._missing:
                    self._mistakes.remove(self._missing.pop(meant))
        for fields in self._nested:
            fields.finish()

    def raise_mistakes(self) -> None:
        """Raise DiagnosticError if any mistake was reported."""
        if self._mistakes:
            raise DiagnosticError(*self._mistakes)

    def _below(self, *keys: str | int) -> "Fields":
        nested = Fields(self.mapping, _keys=(*self._keys, *keys), _root=self)
        self._nested.append(nested)
        return nested

    def _name(self, key: str, index: int | None = None) -> str:
        parts = [f"[{k}]" if isinstance(k, int) else f".{shortened(k, 60)}" for k in (*self._keys, key)]
        return "".join(parts).removeprefix(".") + ("" if index is None else f"[{index}]")

    def _expected(
        self, key: str, expected: str, found: Any, fix: str | None = None, *, index: int | None = None
    ) -> None:
        if fix is None and expected.startswith("text") and not isinstance(found, list | dict):
            fix = "put it in quotes."
        message = f"{self._name(key, index)}: expected {expected}, found {_named(found)}"
        self.report(key, message, fix, rule="field-type", index=index)
