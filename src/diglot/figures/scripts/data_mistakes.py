"""Finds the line of a data file that an exception of the script that reads it is about."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_LARGEST_BYTES = 4_000_000
_POSITION = re.compile(r"\(at line (\d+), column (\d+)\)")
_QUOTED = re.compile(r"'([^']{1,200})'\s*$")


class DataLine(NamedTuple):
    """A line of a data file."""

    path: str
    """Relative to the project's root."""
    line: int
    column: int | None
    source: str


def find_data_line(error: BaseException, files: Iterable[str], root: Path) -> DataLine | None:
    """The line at which a file cannot be parsed. `files` are those that the script has read."""
    texts = dict(_texts(files, root))
    if isinstance(error, UnicodeDecodeError):
        return next((line for path, text in texts.items() if (line := _undecodable(path, text))), None)
    if isinstance(error, json.JSONDecodeError):
        same = [path for path, text in texts.items() if text.decode("utf-8", "replace") == error.doc]
        return _line(same, texts, error.lineno, error.colno)
    if (mark := getattr(error, "problem_mark", None)) is not None:  # of PyYAML
        named = [path for path in texts if path == mark.name]
        return _line(named or _ending(texts, ".yaml", ".yml"), texts, mark.line + 1, mark.column + 1)
    if type(error).__name__ == "TOMLDecodeError" and (at := _POSITION.search(str(error))) is not None:
        return _line(_ending(texts, ".toml"), texts, int(at[1]), int(at[2]))
    return None


def find_data_value(error: BaseException, files: Iterable[str], root: Path) -> DataLine | None:
    """The line that probably has the value that a script could not use, as in `could not convert 'n/a'`."""
    if not isinstance(error, ValueError) or (quoted := _QUOTED.search(str(error))) is None:
        return None
    value = quoted[1].strip()
    if not value:
        return None
    whole = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
    found = [
        DataLine(path, number, match.start() + 1, line)
        for path, text in _texts(files, root)
        for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), start=1)
        if (match := whole.search(line)) is not None
    ]
    return found[0] if found and len({one.path for one in found}) == 1 else None


def _texts(files: Iterable[str], root: Path) -> Iterator[tuple[str, bytes]]:
    for path in files:
        try:
            if (root / path).stat().st_size <= _LARGEST_BYTES and not Path(path).is_absolute():
                yield path, (root / path).read_bytes()
        except OSError:
            continue


def _ending(texts: Iterable[str], *suffixes: str) -> list[str]:
    return [path for path in texts if path.endswith(suffixes)]


def _line(paths: list[str], texts: dict[str, bytes], line: int, column: int) -> DataLine | None:
    """A place in the only file that comes into question."""
    if len(paths) != 1:
        return None
    lines = texts[paths[0]].decode("utf-8", "replace").split("\n")
    return DataLine(paths[0], line, column, lines[line - 1]) if 0 < line <= len(lines) else None


def _undecodable(path: str, text: bytes) -> DataLine | None:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        start = text.rfind(b"\n", 0, error.start) + 1
        source = text[start:].split(b"\n", 1)[0].decode("utf-8", "replace")
        return DataLine(path, text.count(b"\n", 0, error.start) + 1, None, source)
    return None
