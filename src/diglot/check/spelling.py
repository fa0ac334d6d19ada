"""Looks for names of products in the prose of authors' files, at their line and column."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from diglot.check.product_names import NameFound, ProductNames
from diglot.content.front_matter import split_front_matter
from diglot.content.leftovers.lines import LIKE_FENCE
from diglot.content.parser import markdown_parser
from diglot.content.twins import as_ascii
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.strict_yaml import Mapping, read_mapping

_NO_PROSE = re.compile(
    r"""
      <!--.*?-->
    | (?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=ticks)(?!`)
    | (?<![\\$])\$(?!\s)[^$\n]+\$
    | \]\([^)\n]*\) | \]\[[^]\n]*\] | ^\s{0,3}\[[^]\n]+\]:\s*\S+[^\n]* | \[\^[^]\n]+\]
    | https?://[^\s<>，。；、）」』”]+ | <[^<>\n]+> | \{[^{}\n]*\}
    | “[^”]*” | "[^"\n]*" | 「[^」]*」 | 『[^』]*』 | 《[^》]*》
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""Comments, code, formulas, addresses, tags, attributes, and words that are quoted or a title."""

_BLOCKS_WITHOUT = frozenset(("fence", "code_block", "display_formula", "blockquote_open"))

_PROSE_KEYS = frozenset(
    ("title", "description", "event", "label", "licence", "tags", "categories", "navigation")
)
"""Keys of front matter and of the configuration whose texts readers see, with all that is below them."""
_TERMS = ("tags", "categories")


def check_markdown(text: str, path: str, names: ProductNames) -> Iterator[Diagnostic]:
    """Names in the front matter and the body of a half."""
    try:
        matter = split_front_matter(text, path)
    except DiagnosticError:  # the build has reported it
        return
    if matter.yaml is not None:
        yield from check_yaml(matter.yaml, path, names, first_line=2)
    if names.find(matter.body):  # to tell prose from code takes longer
        yield from _at_their_lines(prose_of(matter.body), matter.lines, matter.body_line, path, names)


def check_yaml(text: str, path: str, names: ProductNames, *, first_line: int = 1) -> Iterator[Diagnostic]:
    """Names in the values that readers see."""
    try:
        mapping = read_mapping(text, path, first_line=first_line)
    except DiagnosticError:
        return
    for key, value in mapping.values.items():
        if key in _PROSE_KEYS and not (key in _TERMS and isinstance(value, list)):  # ids, not labels
            yield from _in_values(mapping, (key,), value, names)


def prose_of(body: str) -> str:
    """The text with spaces in place of all that is not prose, so that the rest keeps its position."""
    lines = body.split("\n")
    for token in markdown_parser().parse(body, {}):
        if token.type in _BLOCKS_WITHOUT and token.map is not None:
            for number in range(token.map[0], min(token.map[1], len(lines))):
                lines[number] = " " * len(lines[number])
    for number in _spoilt_code(lines):
        lines[number] = " " * len(lines[number])
    return _NO_PROSE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), "\n".join(lines))


_SPOILT_FENCE = re.compile(rf"[ \t]*(?P<mark>{LIKE_FENCE})[ \t]*[\w+#.-]*[ \t]*")


def _spoilt_code(lines: Sequence[str]) -> Iterator[int]:
    """The lines of code between marks such as `···`, which are reported as no fence."""
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        if (found := _SPOILT_FENCE.fullmatch(as_ascii(line))) is None:
            continue
        yield number
        if opened is not None and found["mark"] == opened[1]:
            yield from range(opened[0], number)
            opened = None
        elif opened is None:
            opened = number, found["mark"]


def _in_values(
    mapping: Mapping, keys: tuple[str | int, ...], value: Any, names: ProductNames
) -> Iterator[Diagnostic]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _in_values(mapping, (*keys, key), inner, names)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _in_values(mapping, (*keys, index), inner, names)
    elif isinstance(value, str) and keys[-1] not in ("path", "url"):
        for one in names.find(_NO_PROSE.sub(lambda found: " " * len(found[0]), value)):
            line = mapping.line_of(*keys)
            start = mapping.columns.get(keys, (1, 1))[1]
            while (text := mapping.source_line(line)) is not None and text.find(one.written, start - 1) < 0:
                line, start = line + 1, 1  # the value goes on below
            if text is not None:
                column = text.find(one.written, start - 1) + 1
                yield _misspelt(one, Location(path=mapping.path, line=line, column=column), text)


def _at_their_lines(
    prose: str, lines: list[str], body_line: int, path: str, names: ProductNames
) -> Iterator[Diagnostic]:
    for one in names.find(prose):
        number = body_line + prose.count("\n", 0, one.start)
        place = Location(path=path, line=number, column=one.start - prose.rfind("\n", 0, one.start))
        yield _misspelt(one, place, lines[number - 1])


def _misspelt(one: NameFound, place: Location, line: str) -> Diagnostic:
    return Diagnostic(
        rule="name-spelling",
        severity="warning",
        message=f'"{one.written}" is written {one.right}',
        location=place,
        source_line=line,
        fix=f"write {one.right}, or add the name to `leave:` in site/words.yaml.",
    )
