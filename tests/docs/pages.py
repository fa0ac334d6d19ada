"""The documents, taken apart: fenced examples, tables, code in a section."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
AUTHORING, FIGURES, ARCHITECTURE = (
    (DOCS / f"{name}.md").read_text("utf-8") for name in ("authoring", "figures", "architecture")
)
_FENCE = re.compile(r"^(`{3,})(\w+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A fenced example."""

    language: str
    text: str
    line: int


def examples(page: str, language: str) -> tuple[Example, ...]:
    """The fenced examples of a page in a language, with their lines."""
    return tuple(
        Example(found[2], found[3], page.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(page)
        if found[2] == language
    )


def section(page: str, heading: str) -> str:
    """The text below a heading, up to the next heading of the same or a higher level."""
    level = re.match("#+", heading)
    assert level is not None
    assert page.count(f"\n{heading}\n") == 1, f"{heading!r} stands {page.count(heading)} times"
    rest = page.partition(f"\n{heading}\n")[2]
    # Inside a fence, a line that begins with # is no heading.
    fenced = [match.span() for match in _FENCE.finditer(rest)]
    for end in re.finditer(rf"^#{{1,{len(level[0])}}} ", rest, re.MULTILINE):
        if not any(start <= end.start() < stop for start, stop in fenced):
            return rest[: end.start()]
    return rest


def rows(text: str) -> tuple[tuple[str, ...], ...]:
    """The rows of all tables in a text, without heads; a bar in a cell is written with a backslash."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [
        tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        for line in lines
    ]
    heads = {n for n, row in enumerate(cells[1:]) if all(re.fullmatch("-+:?", cell) for cell in row)}
    return tuple(row for n, row in enumerate(cells) if n not in heads and n - 1 not in heads)


def code(cell: str) -> list[str]:
    """The texts between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def fields_of(record: type[msgspec.Struct]) -> Iterator[str]:
    """The names of a record's fields, and of those of the records in them: `values`, `values[].text`."""
    hints = get_type_hints(record)
    for field in msgspec.structs.fields(record):
        yield field.encode_name
        for inner in _structs_in(hints[field.name]):
            yield from (f"{field.encode_name}[].{name}" for name in fields_of(inner))


def _structs_in(hint: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for inner in get_args(hint):
        yield from _structs_in(inner)
