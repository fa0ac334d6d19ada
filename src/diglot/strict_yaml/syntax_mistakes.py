"""Broken syntax, described in an author's words."""

import re
from collections.abc import Sequence

import yaml

from diglot.diagnostics import Diagnostic, Location, shortened
from diglot.strict_yaml.limits import MOST_SHOWN

KEY_VALUE = "write each key as `key: value`, with an ASCII colon followed by a space."


def explain_syntax(error: yaml.YAMLError, text: str, path: str, first_line: int) -> Diagnostic:
    """Why YAML refuses a text, at the line that an author has to mend."""
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
            source_line=shortened(source[index], MOST_SHOWN) if index < len(source) else None,
            fix="delete it.",
        )
    # The place where something was opened says more than the place where the parser noticed the error.
    unclosed = "end of stream" in (error.problem or "") or "expected ',' or" in (error.problem or "")
    mark = (error.context_mark if unclosed else None) or error.problem_mark or error.context_mark
    index = min(int(mark.line) if mark else 0, len(source) - 1)
    problem, fix = _explain(error, source, index)
    if fix is KEY_VALUE and (culprit := _line_without_colon(source, index)) is not None:
        index, mark = culprit, None
    if index and problem == _IN_THE_MIDDLE and source[index - 1].rstrip() == "...":
        problem, index, mark = "a line of ... in the middle", index - 1, None
    return Diagnostic(
        rule="yaml-syntax",
        message=f"invalid YAML: {problem}",
        location=Location(path=path, line=first_line + index, column=int(mark.column) + 1 if mark else None),
        source_line=shortened(source[index], MOST_SHOWN),
        fix=fix,
    )


_IN_THE_MIDDLE = "a line of --- in the middle"


def _explain(error: yaml.MarkedYAMLError, source: Sequence[str], index: int) -> tuple[str, str]:
    """What is wrong and how to correct it; common mistakes are described in an author's words."""
    problem = error.problem or "it cannot be read"
    line = source[index]
    if "\t" in line and ("cannot start any token" in problem or "tab" in problem):
        return "a tab where only spaces are allowed", "indent with spaces."
    if "mapping values are not allowed" in problem:
        if index and _line_without_colon(source, index - 1) == index - 1:
            return "a line without a colon", KEY_VALUE
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
        return "a line without a colon", KEY_VALUE
    if "block mapping" in (error.context or "") or "block collection" in (error.context or ""):
        return "this line does not fit the lines before it", "check its indentation and quotes."
    if "single document" in (error.context or "") or "document" in problem:
        return _IN_THE_MIDDLE, "delete it, or put it in quotes."
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
