"""Lists and reads the files of the source, with front matter in any format."""

import datetime
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from diglot.diagnostics import Refusal
from diglot.importing.records import Matter
from diglot.importing.words import words

MARKDOWN = (".md", ".markdown", ".mkd", ".mkdown")

_IGNORED = words("folders of tools")
"""Folders of tools, themes or output, at any depth of a source."""


def list_files(root: Path, *, ignored: frozenset[str] = _IGNORED) -> list[str]:
    """All files below a folder of the source, sorted, without hidden files and `ignored` folders."""
    found = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if not n.startswith(".") and n not in ignored)
        found += [
            (Path(folder) / name).relative_to(root).as_posix()
            for name in files
            if not name.startswith((".", "~")) and not name.endswith("~")
        ]
    return sorted(found)


def read_text(path: Path) -> str:
    """The text of a file, with `\n` as line ends. Raises Refusal if it is not text."""
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise Refusal(f"{path.name} is not a text file", "save it as UTF-8.")


_YAML_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TOML_END = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"""^["']?([A-Za-z_][\w .-]*?)["']?[ \t]*[:=]""")


def split_matter(text: str) -> Matter:
    """Split a file into front matter and body; the values are empty without front matter."""
    text = text.removeprefix("\ufeff")
    start = len(text) - len(text.lstrip("\n"))
    if text.startswith("---", start) or text.startswith("+++", start):
        toml = text.startswith("+++", start)
        first = text.find("\n", start) + 1
        end = (_TOML_END if toml else _YAML_END).search(text, first) if first else None
        if end is not None and not text[start + 3 : first].strip():
            return _matter(text, first, end.start(), end.end(), "toml" if toml else "yaml")
    if text.startswith("{\n", start):
        try:
            _, stop = json.JSONDecoder().raw_decode(text, start)
        except ValueError:
            return Matter({}, {}, text, 1)
        return _matter(text, start, stop, stop, "json")
    if found := re.match(r"((?:[A-Za-z_][\w-]*:[ \t][^\n]*\n|[ \t]*-[ \t][^\n]*\n)+)(;;;|---)[ \t]*\n", text):
        return _matter(text, 0, found.end(1), found.end() - 1, "yaml")  # Hexo: no `---` on the first line
    return Matter({}, {}, text, 1)


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
        values = _rescued(source)
    if not isinstance(values, dict):
        values, trouble = {}, "it is not a list of keys with values"
    plain = {str(key): value for key, value in values.items()}
    return Matter(plain, lines, text[body_start:], line, trouble)


def read_values(text: str, kind: str) -> Any:
    """The values of a text in YAML, TOML or JSON. Raises ValueError."""
    if kind == "toml":
        return tomllib.loads(text)
    if kind == "json":
        return json.loads(text)
    try:
        return yaml.load(text.replace("\t", "  "), _Loader) or {}
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from None


class _Loader(yaml.SafeLoader):
    """Reads YAML as the old systems do; invalid dates and unknown tags become plain text."""


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


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _date)
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
    found = re.match(r"\s*([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])", str(value))
    try:
        return datetime.date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def as_texts(value: Any) -> tuple[str, ...]:
    """A value of front matter as a flat list of texts, from a list, nested lists or one text."""
    if isinstance(value, dict):
        value = list(value)
    if isinstance(value, list | tuple):
        return tuple(text for item in value for text in as_texts(item))
    text = str(value).strip() if value is not None else ""
    return (text,) if text else ()
