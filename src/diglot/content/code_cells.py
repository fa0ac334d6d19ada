"""Code cells as MyST and Quarto write them: which language, which options, which lines are code."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Any

import msgspec

from diglot.content.highlighting import without_comments
from diglot.content.mistakes import Mistakes
from diglot.content.records import CodeCell
from diglot.diagnostics import (
    Diagnostic,
    DiagnosticError,
    Location,
    did_you_mean,
    differ_little,
    nearest,
    shortened,
)
from diglot.invariants import certain

CELL_NAMES = ("code-cell", "python", "python3")
"""What stands in the braces of a fence that runs; the last two are Quarto's."""
CELL = "code-cell"
"""The name of the node, around its code and what it shows."""
_PYTHON = ("", "python", "python3", "ipython", "ipython3", "py")
_COLON_OPTION = re.compile(r":([\w-]+):[ \t]*(.*)")
_HASH = "#|"
_RULE = "---"
_TAGS = {
    "hide-input": "folds_code",
    "hide-output": "folds_output",
    "hide-cell": "folds_all",
    "remove-input": "no_code",
    "remove-output": "no_output",
    "remove-cell": "nothing",
    "raises-exception": "may_fail",
    "skip-execution": "not_run",
}
_SWITCHES = {
    ("echo", False): "no_code",
    ("output", False): "no_output",
    ("include", False): "nothing",
    ("eval", False): "not_run",
    ("error", True): "may_fail",
    ("code-fold", True): "folds_code",
    ("code-fold", "true"): "folds_code",
    ("code-fold", "show"): "",
    ("output", "asis"): "",
}
_TEXTS = ("label", "name", "alt", "fig-alt", "code-summary", "caption", "fig-cap", "tags")
_OF_OTHERS = ("warning", "message", "cache", "fig-width", "fig-height", "layout-ncol", "lines_to_next_cell")
"""Options that change nothing here: warnings are reported by the build, and figures give their size."""
_SWITCH_NAMES = tuple(dict.fromkeys(name for name, _ in _SWITCHES))


class CellOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What an author asks of a cell."""

    asked: frozenset[str] = frozenset()
    label: str = ""
    caption: str = ""
    """Markdown; what the cell shows is a numbered figure then."""
    alt: str = ""
    summary: str = ""

    @property
    def shows_code(self) -> bool:
        """Whether readers see its code."""
        return not self.asked & {"no_code", "nothing"}

    @property
    def shows_output(self) -> bool:
        """Whether readers see what it shows."""
        return not self.asked & {"no_output", "nothing"}

    @property
    def is_run(self) -> bool:
        """Whether it runs."""
        return "not_run" not in self.asked


def is_cell(name: str) -> bool:
    """Whether a fence with this name in braces is a code cell."""
    return name in CELL_NAMES


def read_cell(content: str, argument: str, line: int, mistakes: Mistakes) -> tuple[CodeCell, CellOptions]:
    """A cell, whose fence is on `line`; `argument` is what stands behind the braces."""
    words = argument.split()
    if words and words[0] not in _PYTHON:
        mistakes.error(
            "cell-language",
            f'"{shortened(words[0], 40)}" does not run here, only Python does',
            line,
            "write python."
            if differ_little(words[0].lower(), "python")
            else f"write ```{words[0]} to show the code.",
        )
    lines = content.split("\n")
    count, written = _options_of(lines)
    options = _read(written, line + 1, mistakes)
    while count < len(lines) and not lines[count].strip():
        count += 1
    source = "\n".join(lines[count:]).rstrip("\n") + "\n"
    cell = CodeCell(
        source=source,
        line=line + 1 + count,
        fence_line=line,
        alt=options.alt,
        may_fail="may_fail" in options.asked,
        is_hidden=not options.shows_output,
    )
    return cell, options


def _options_of(lines: Sequence[str]) -> tuple[int, str]:
    """How many lines hold options, and these as YAML, on their own lines."""
    if lines[0].strip() == _RULE and _RULE in map(str.strip, lines[1:]):
        end = [*map(str.strip, lines)].index(_RULE, 1)
        return end + 1, "\n".join(["", *lines[1:end]])
    hashed = [*takewhile(lambda one: one.startswith(_HASH), lines)]
    if hashed:
        return len(hashed), "\n".join(one.removeprefix(_HASH).removeprefix(" ") for one in hashed)
    colons = [*takewhile(lambda one: _COLON_OPTION.fullmatch(one.rstrip()) is not None, lines)]
    return len(colons), "\n".join(_COLON_OPTION.sub(r"\1: \2", one.rstrip()) for one in colons)


def _read(written: str, first_line: int, mistakes: Mistakes) -> CellOptions:
    if not written.strip():
        return CellOptions()
    from diglot.strict_yaml import read_mapping  # noqa: PLC0415  (only cells with options need it)

    try:
        mapping = read_mapping(written, mistakes.path, first_line=first_line)
    except DiagnosticError as error:
        for one in error.diagnostics:
            place = one.location.line if one.location is not None else None
            mistakes.error(one.rule, one.message, place or first_line, one.fix)
        return CellOptions()
    asked: set[str] = set()
    texts: dict[str, str] = {}
    for name, value in mapping.values.items():
        line = mapping.line_of(name)
        if name == "mystnb":
            texts |= _of_notebooks(value)
        elif name == "tags":
            asked |= _tags(value, line, mistakes)
        elif name in _TEXTS and isinstance(value, str):
            texts[name] = value
        elif name in _TEXTS:
            message = f'the option "{name}" of a code cell is not text'
            mistakes.warn("code-option-unknown", message, line, f"write `{name}: text`.")
        elif isinstance(value, str | bool) and (name, value) in _SWITCHES:
            asked.add(_SWITCHES[name, value])
        elif name not in _SWITCH_NAMES and name not in _OF_OTHERS:
            mistakes.warn(
                "code-option-unknown",
                f'a code cell has no option "{shortened(str(name), 40)}"',
                line,
                did_you_mean(str(name), (*_SWITCH_NAMES, *_TEXTS)),
            )
    return CellOptions(
        asked=frozenset(asked),
        label=texts.get("label") or texts.get("name", ""),
        caption=texts.get("caption") or texts.get("fig-cap", ""),
        alt=texts.get("alt") or texts.get("fig-alt", ""),
        summary=texts.get("code-summary", ""),
    )


def _of_notebooks(value: Any) -> dict[str, str]:
    """What MyST-NB has in `mystnb:`: `figure: {name: …, caption: …}`, `image: {alt: …}`."""
    given = value if isinstance(value, dict) else {}
    parts = [part for key in ("figure", "image", "table") if isinstance(part := given.get(key), dict)]
    names = {"name": "label", "caption": "caption", "alt": "alt"}
    return {
        names[str(key)]: text
        for part in parts
        for key, text in part.items()
        if key in names and isinstance(text, str)
    }


def _tags(value: Any, line: int, mistakes: Mistakes) -> set[str]:
    """What tags ask for; those of other programs mean nothing here."""
    tags = value if isinstance(value, list) else str(value).replace(",", " ").split()
    asked = set()
    for tag in map(str, tags):
        if tag in _TAGS:
            asked.add(_TAGS[tag])
        elif near := nearest(tag, _TAGS):
            message = f'"{shortened(tag, 40)}" is not a tag that changes how a cell is shown'
            mistakes.warn("code-option-unknown", message, line, f'did you mean "{near}"?')
    return asked


def lines_of_code(cell: CodeCell) -> list[str]:
    """Its lines without comments, which may differ between the halves, and without empty ones."""
    code = without_comments(cell.source, "python")
    return [line.rstrip() for line in code.split("\n") if line.strip()]


def compare_cells(
    path: str, cells: Sequence[CodeCell], twin: str, others: Sequence[CodeCell]
) -> Diagnostic | None:
    """The first difference between the code of the half at `path` and of its twin; None if there is none."""
    for cell, other in zip_longest(cells, others):
        if cell is None or other is None:
            place, lone, lacking = (path, cell, twin) if other is None else (twin, other, path)
            lone = certain(lone, "one of both is there")
            first = lone.source.partition("\n")[0]
            return _difference(place, lone.line, f"{lacking} lacks this code cell", first)
        if lines_of_code(cell) == lines_of_code(other):
            continue
        place = f"the code cell at {path}:{cell.line}"
        for line, here, there in _pairs_of_lines(other, cell):
            if here == there:
                continue
            message = f"this line is {_quoted(there)} in {place}"
            if not there:
                message = f"this line is not in {place}"
            elif not here:
                message = f"{place} has another line after this one: {_quoted(there)}"
            return _difference(twin, line, message, here or None)
    return None


def _pairs_of_lines(cell: CodeCell, other: CodeCell) -> Iterator[tuple[int, str, str]]:
    """Lines of code of two cells, each with its number in the file of the first one."""
    numbered = [
        (number, text.rstrip())
        for number, text in enumerate(without_comments(cell.source, "python").split("\n"), cell.line)
        if text.strip()
    ]
    end = numbered[-1][0] if numbered else cell.line
    for here, there in zip_longest(numbered, lines_of_code(other)):
        number, text = here or (end, "")
        yield number, text, there or ""


def _quoted(text: str) -> str:
    return f'"{shortened(text.strip(), 60)}"'


def _difference(path: str, line: int, message: str, source: str | None) -> Diagnostic:
    return Diagnostic(
        rule="cells-differ",
        message=message,
        location=Location(path=path, line=line),
        source_line=source,
        fix='write the same code in both halves, as it runs once; texts that differ are t(zh="…", en="…").',
    )
