"""Texts that cannot be read at all: too long, too deep, or with characters that YAML does not allow."""

import re

from diglot.diagnostics import Diagnostic, Location, shortened
from diglot.strict_yaml.limits import DEEPEST, MOST_CHARACTERS, MOST_SHOWN, TOO_MUCH

_UNFIT = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML does not allow, and U+0085, U+2028 and U+2029, which some readers treat as line
ends. Those that it allows take 3 ms to compile."""


def find_unfit(text: str, path: str, first_line: int) -> Diagnostic | None:
    """The reason why a text cannot be read at all; None if it can."""
    if len(text) > MOST_CHARACTERS:
        message = f"the YAML has {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed"
        return Diagnostic(
            rule="yaml-limit", message=message, location=Location(path=path, line=first_line), fix=TOO_MUCH
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
                text.split("\n")[index].replace(odd[0], "\N{REPLACEMENT CHARACTER}"), MOST_SHOWN
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
        if len(open_at) > DEEPEST:
            return True
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        if depth > DEEPEST:
            return True
    return re.search(rf"(?:[-?:][ \t]+){{{DEEPEST}}}", text) is not None
