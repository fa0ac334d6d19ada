"""Writes expressions into articles where numbers are typed that figures compute."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from diglot.content.bindings import Binding
from diglot.rules.reading import decode_text
from diglot.scaffold.files import replace_text

_CODE = re.compile(r"`+[^`]*`+|\$[^$]*\$|\]\([^)]*\)|<[^<>]*>")
"""What is no prose, although digits in it may be the same."""


_SPACE = re.compile(r"\\[ \u00a0]|\u00a0")
_ANY_SPACE = "(?:[ \u00a0]|&nbsp;)"


class Bound(NamedTuple):
    """What became of the typed numbers of a site."""

    done: tuple[Binding, ...]
    left: tuple[Binding, ...]
    """Those whose digits are not once, and only once, in the lines that they are typed in."""


def bind(root: Path, bindings: Iterable[Binding]) -> Bound:
    """Write the expressions; each file is replaced in one step."""
    by_path = defaultdict(list)
    for binding in bindings:
        by_path[binding.path].append(binding)
    done: list[Binding] = []
    left: list[Binding] = []
    for path, here in by_path.items():
        content = decode_text((root / path).read_bytes(), path)
        lines = content.splitlines(keepends=True)
        for binding in here:
            (done if _replaced(lines, binding) else left).append(binding)
        if (text := "".join(lines)) != content:
            replace_text(root / path, text)
    return Bound(tuple(done), tuple(left))


def _replaced(lines: list[str], binding: Binding) -> bool:
    """Put the expression where the digits are between the lines; False if they are not there once."""
    typed = _SPACE.sub(lambda _: _ANY_SPACE, re.escape(binding.typed))
    number = re.compile(rf"(?<![\w.,]){typed}(?![A-Za-z0-9_](?<![KkMBT])|[.,]\d)", re.ASCII)
    found = [
        (index, place)
        for index in range(binding.line - 1, min(binding.last_line, len(lines)))
        for place in number.finditer(lines[index])
        if not any(one.start() <= place.start() < one.end() for one in _CODE.finditer(lines[index]))
    ]
    if len(found) != 1:
        return False
    ((index, place),) = found
    lines[index] = lines[index][: place.start()] + binding.expression + lines[index][place.end() :]
    return True
