"""Reads texts of the source, with front matter in any format."""

import datetime
import json
import re
import tomllib
from email.utils import parsedate
from typing import Any

import yaml

from diglot.importing.records import Matter
from diglot.importing.source_folder import Unreadable

MARKDOWN = (".md", ".markdown", ".mkd", ".mkdown")


def decoded(data: bytes) -> str:
    """The text of a file, with `\n` as line ends. Raises Unreadable if it is not text."""
    if b"\x00" in data:
        raise Unreadable("is not a text file")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text.replace("\r\n", "\n").replace("\r", "\n")
    raise Unreadable("is neither in UTF-8 nor in GB 18030")


_YAML_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TOML_END = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_JSON = re.compile(r'\{\s*(?:"|\}[ \t]*\n)')
_JSON_END = re.compile(r"^\}[ \t]*$", re.MULTILINE)
_JSON_KEY = re.compile(r'^[ \t]*"([^"\n]*)"[ \t]*:[ \t]*(.*?),?[ \t]*$', re.MULTILINE)
_KINDS = {
    **{"---": "yaml", "---yaml": "yaml", "---yml": "yaml", "---json": "json", "---toml": "toml"},
    **{"+++": "toml", "+++toml": "toml"},
}
"""The format of front matter, by the line that opens it."""
_KEY = re.compile(r"""^["']?([A-Za-z_][\w .-]*?)["']?[ \t]*[:=]""")


NEVER_CLOSED = "it is never closed"
_HEAD = re.compile(
    r"(?:(?:[A-Za-z_][\w-]*[ \t]*[:=](?:[ \t][^\n]*)?|[ \t]*-[ \t][^\n]*|[ \t]+\S[^\n]*)(?:\n|\Z))+"
)
_OPEN_MATTER = re.compile(
    r"(?P<keys>[A-Za-z_][\w-]*:[^\n]*\n"
    r"(?:[A-Za-z_][\w-]*:(?:[ \t][^\n]*)?\n|[ \t]*-[ \t][^\n]*\n|[ \t]+\S[^\n]*\n)*)"
    r"(?P<end>;;;|---)[ \t]*\n"
)
"""Front matter of Hexo's that no line opens."""
_END_OF_HEXO = re.compile(r"[ \t]*\n;;;[ \t]*\n")
_KEY_OF_A_POST = re.compile(r"^(?:title|date|layout)\b", re.MULTILINE)


def split_matter(text: str) -> Matter:
    """Split a file into front matter and body; the values are empty without front matter."""
    text = text.removeprefix("\ufeff")
    start = len(text) - len(text.lstrip("\n"))
    if text.startswith("---", start) or text.startswith("+++", start):
        toml = text.startswith("+++", start)
        first = text.find("\n", start) + 1
        end = (_TOML_END if toml else _YAML_END).search(text, first) if first else None
        kind = _KINDS.get(text[start:first].strip().replace(" ", "").lower())
        if kind in ("yaml", "toml") and (unclosed := _unclosed(text, first, end, kind)) is not None:
            return unclosed
        if end is not None and kind is not None:
            return _matter(text, first, end.start(), end.end(), kind)
    if _JSON.match(text, start) and (stop := _end_of_json(text, start)):
        mark = _END_OF_HEXO.match(text, stop)
        return _matter(text, start, stop, mark.end() - 1 if mark is not None else stop, "json")
    opened = _OPEN_MATTER.match(text)
    if opened is not None and (opened["end"] == ";;;" or _KEY_OF_A_POST.search(opened["keys"]) is not None):
        return _matter(text, 0, opened.end("keys"), opened.end() - 1, "yaml")
    return Matter({}, {}, text, 1)


def _unclosed(text: str, first: int, end: re.Match[str] | None, kind: str) -> Matter | None:
    """Front matter whose last line is missing: its keys, and all below them as the body. None for any other.

    What seems to end it may be a rule in the text; then the text between is no YAML, and no key begins it.
    """
    head = _HEAD.match(text, first)
    if head is None or _KEY_OF_A_POST.search(head[0]) is None:
        return None
    matter = _matter(text, first, head.end(), head.end() - 1, kind)
    if end is not None:
        below = text[head.end() : end.start()].lstrip("\n")
        if not below or below[0] in "#[{" or _KEY.match(below) or matter.trouble:
            return None
        if not _matter(text, first, end.start(), end.end(), kind).trouble:
            return None
    return matter._replace(trouble=NEVER_CLOSED)


def _end_of_json(text: str, start: int) -> int:
    """Where JSON that is front matter ends, even if it is broken; 0 if it is part of the text."""
    try:
        _, stop = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        end = _JSON_END.search(text, start)
        return end.end() if end is not None and text.startswith("{\n", start) else 0
    line_end = text.find("\n", stop)
    return 0 if text[stop : line_end if line_end >= 0 else None].strip() else stop


def _matter(text: str, first: int, last: int, end: int, kind: str) -> Matter:
    source = text[first:last]
    body_start = min(len(text), end + 1)
    line = text.count("\n", 0, body_start) + 1
    first_line = text.count("\n", 0, first) + 1
    lines: dict[str, int] = {}
    for index, one in enumerate(source.split("\n")):
        if found := _KEY.match(one.lstrip() if kind == "json" else one):
            lines.setdefault(found[1], first_line + index)
    trouble = ""
    values: Any = {}
    try:
        values = read_values(source, kind)
    except ValueError as error:
        trouble = " ".join(str(error).split())
        values = _rescued(_JSON_KEY.sub(r"\1: \2", source) if kind == "json" else source)
    if not isinstance(values, dict):
        values, trouble = {}, "it is not a list of keys with values"
    plain = {str(key): value for key, value in values.items()}
    return Matter(plain, lines, text[body_start:], line, trouble)


def read_values(text: str, kind: str) -> Any:
    """The values of a text in YAML, TOML or JSON. Raises ValueError."""
    try:
        if kind == "toml":
            values = tomllib.loads(text)
        elif kind == "json":
            values = json.loads(text)
        else:
            values = yaml.load(text.replace("\t", "  "), _Loader) or {}
    except (yaml.YAMLError, RecursionError, OverflowError) as error:
        raise ValueError(_reason(error)) from None
    if _is_deep(values):
        raise ValueError(f"values are more than {_DEEPEST} levels deep")
    return _without_surrogates(values) if "\\u" in text.lower() else values


def _without_surrogates(value: Any) -> Any:
    """A value without halves of characters, `"\\ud800"`, which no file can hold."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "", value)
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(inner) for key, inner in value.items()}
    return [_without_surrogates(inner) for inner in value] if isinstance(value, list) else value


_DEEPEST = 40
_MOST_BITS = 1000
"""Longer whole numbers are no values of any setting, and Python does not print the longest."""


def _is_deep(values: Any) -> bool:
    level = [values]
    for _ in range(_DEEPEST):
        if any(isinstance(value, int) and value.bit_length() > _MOST_BITS for value in level):
            raise ValueError("a number has too many digits")
        level = [
            inner
            for value in level
            if isinstance(value, list | dict)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


def _reason(error: Exception) -> str:
    """Why YAML cannot be read, with the line of its own that is to blame."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"{error.problem}, at line {error.problem_mark.line + 1}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


_MOST_NODES = 100_000
"""Values of a file, counting those that an alias repeats each time."""


class _Loader(yaml.SafeLoader):
    """Reads YAML as the old systems do; invalid dates and unknown tags become plain text."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """The next node. An anchor may be set again, as YAML 1.2 allows (3.2.2.2); PyYAML refuses that."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if not isinstance(event, yaml.AliasEvent) and getattr(event, "anchor", None) in self.anchors:
            del self.anchors[event.anchor]
        return super().compose_node(parent, index)

    def get_single_node(self) -> yaml.Node | None:
        """The document; refused if aliases repeat values without end, or nearly so."""
        node = super().get_single_node()
        if node is not None and _size(node, {}) > _MOST_NODES:
            raise yaml.YAMLError(f"with its aliases, it has more than {_MOST_NODES:,} values")
        return node


def _size(node: yaml.Node, known: dict[int, float]) -> float:
    """The number of values in a node, with all that aliases repeat; infinite if it contains itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = float("inf")  # while it is being counted
        inner = (
            node.value if isinstance(node, yaml.SequenceNode) else [one for two in node.value for one in two]
        )
        known[id(node)] = 1 + sum(_size(one, known) for one in inner)
    return known[id(node)]


def _date(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    try:
        return loader.construct_yaml_timestamp(node)
    except ValueError:
        return str(node.value)


def _plain(loader: yaml.SafeLoader, _suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return str(node.value)


def _number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    try:
        value = loader.construct_yaml_int(node)
    except ValueError:  # `_1`, or thousands of digits
        return str(node.value)
    return value if value.bit_length() <= _MOST_BITS else str(node.value)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _date)
_Loader.add_constructor("tag:yaml.org,2002:int", _number)
_Loader.add_multi_constructor("!", _plain)
_Loader.add_multi_constructor("tag:", _plain)


def _rescued(text: str) -> dict[str, Any]:
    """The simple `key: value` lines of front matter that cannot be parsed as a whole."""
    found = re.findall(r"^([A-Za-z_][\w-]*)[ \t]*[:=][ \t]*(\S.*?)[ \t]*$", text, re.MULTILINE)
    return {key: value.strip("\"'") for key, value in found}


def as_date(value: Any) -> datetime.date | None:
    """The date in a value of front matter, as its author wrote it, without the time; None if it is none."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    if isinstance(value, list | dict) or value is None:
        return None
    text = str(value).strip()[:80]
    found = re.match(r"([0-9]{4})\s*[-/.年]\s*([0-9]{1,2})\s*[-/.月]\s*([0-9]{1,2})(?![0-9])", text)
    try:
        if found:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
        if re.fullmatch("[0-9]{8}", text):
            return datetime.datetime.strptime(text, "%Y%m%d").date()
        if (parts := parsedate(text)) is not None:  # `3 May 2024`, `Fri, 03 May 2024 10:00:00 +0800`
            return datetime.date(*parts[:3])
    except (ValueError, IndexError, TypeError):
        return None
    return None


def rough_date(value: Any) -> datetime.date | None:
    """The first day of a year or month, `2024` or `2024-05`; None for anything else."""
    found = re.fullmatch(r"((?:19|20)[0-9]{2})(?:\s*[-/.年]\s*([0-9]{1,2})月?|年)?", str(value).strip())
    try:
        return datetime.date(int(found[1]), int(found[2] or 1), 1) if found else None
    except ValueError:
        return None


def as_texts(value: Any) -> tuple[str, ...]:
    """A value of front matter as a flat list of texts, from a list, nested lists or one text."""
    waiting, texts = [value], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | tuple | dict):
            waiting.extend(reversed(list(one)))
        elif one is not None and (text := str(one).strip()):
            texts.append(text)
    return tuple(texts)
