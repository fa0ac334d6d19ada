"""Notebooks of Jupyter as the Markdown of a half: each line of text stays on its line of the file."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from diglot.diagnostics import Diagnostic, DiagnosticError, Location

ENDING = ".ipynb"
_TITLE = re.compile(r"#[ \t]+(.+?)[ \t#]*$")
_HEADING = re.compile(r"#{1,5}[ \t]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_TICKS = re.compile(r"`{3,}")
_ATTACHED = re.compile(r"\(attachment:([^)\s]+)")


class _Cell(NamedTuple):
    kind: str
    lines: list[str]
    line: int
    """Of the file, from 0; -1 where the file does not have each line of the cell on a line of its own."""
    raw: dict[str, Any]


def notebook_text(content: str, path: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """A notebook as Markdown with code cells, and warnings of what is left out.

    Its front matter is a first cell between lines of ---; without one, its first heading is the title. Raises
    DiagnosticError for a file that is no notebook.
    """
    notebook = _read(content, path)
    found = [*_placed(notebook.cells, content.split("\n"))]
    if any(cell.line < 0 for cell in found):
        found = [*_one_below_another(found)]
    _begin(found)
    out = [""] * (max((cell.line + len(cell.lines) for cell in found), default=0) + 2)
    left_out = []
    for at, cell in enumerate(found):
        if cell.kind == "code":
            _write_code(cell, notebook.language, out)
        elif cell.kind == "markdown" or (at == 0 and cell.lines[0].rstrip() == "---"):
            out[cell.line : cell.line + len(cell.lines)] = _with_pictures(cell)
        else:
            left_out.append(_left_out(cell, path))
    return "\n".join(_with_matter_first(out)).rstrip("\n") + "\n", tuple(left_out)


def _left_out(cell: _Cell, path: str) -> Diagnostic:
    return Diagnostic(
        rule="notebook-cell",
        message=f"a cell of the kind {cell.kind!r} is left out",
        severity="warning",
        location=Location(path=path, line=cell.line + 1),
        source_line=cell.lines[0],
        fix="make it a cell of Markdown or code, or delete it.",
    )


def stored_outputs(content: str, path: str) -> list[list[dict[str, Any]]]:
    """What a notebook stores of the output of each code cell that would run, as Jupyter writes it."""
    return [
        [one for one in cell.get("outputs") or () if isinstance(one, dict)]
        for cell in _read(content, path).cells
        if cell.get("cell_type") == "code" and "skip-execution" not in _tags_of(cell)
    ]


def joined(text: Any) -> str:
    """A text of a notebook, which may be a list of its lines."""
    if isinstance(text, list):
        return "".join(part for part in text if isinstance(part, str))
    return text if isinstance(text, str) else ""


class _Notebook(NamedTuple):
    cells: list[dict[str, Any]]
    """Those that hold something."""
    language: str


def _read(content: str, path: str) -> _Notebook:
    line, message = 1, "this is no notebook of Jupyter: it has no cells"
    try:
        notebook = json.loads(content)
        if isinstance(notebook, dict) and notebook.get("nbformat", 0) < 4:
            message = "this notebook is in an old format"
        elif isinstance(notebook, dict) and isinstance(cells := notebook.get("cells"), list):
            whole = [one for one in cells if isinstance(one, dict) and joined(one.get("source")).strip()]
            return _Notebook(whole, _language_of(notebook))
    except (ValueError, RecursionError) as error:
        line, message = getattr(error, "lineno", 1), f"this notebook cannot be read: {error}"
    fix = "save it again in Jupyter, which writes format 4."
    raise DiagnosticError(
        Diagnostic(rule="notebook-format", message=message, location=Location(path=path, line=line), fix=fix)
    )


def _language_of(notebook: dict[str, Any]) -> str:
    """The language of its code."""
    metadata = notebook.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(about, dict) and isinstance(language := about.get(name), str) and language:
            return language.split()[0].lower()
    return "python"


def _tags_of(cell: dict[str, Any]) -> list[Any]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return tags if isinstance(tags, list) else []


def _placed(cells: Sequence[dict[str, Any]], lines: Sequence[str]) -> Iterator[_Cell]:
    """The cells with the lines of the file where they begin: Jupyter writes each line on one of its own."""
    at: int | None = 0  # where the next cell is looked for; None behind one that has no place
    for cell in cells:
        text = joined(cell["source"]).rstrip("\n").split("\n")
        parts = cell["source"] if isinstance(cell["source"], list) else []
        place = None
        if parts and at is not None:
            place = next((n for n in range(at, len(lines)) if _begins(parts, lines, n)), None)
        at = None if place is None else place + len(parts)
        yield _Cell(str(cell.get("cell_type")), text, -1 if place is None else place, cell)


def _begins(parts: Sequence[Any], lines: Sequence[str], at: int) -> bool:
    if lines[at - 1].strip() != '"source": [':
        return False
    return all(_value(line) == part for line, part in zip(lines[at : at + len(parts)], parts, strict=False))


def _value(line: str) -> object:
    try:
        return json.loads(line.strip().removesuffix(","))
    except ValueError:
        return None


def _one_below_another(cells: Sequence[_Cell]) -> Iterator[_Cell]:
    """Cells of a file that has them on one line: there are no lines of the file to keep."""
    at = 8
    for cell in cells:
        yield cell._replace(line=at)
        at += len(cell.lines) + 8


def _begin(cells: list[_Cell]) -> None:
    """Make a title of the first heading where there is no front matter, and sections of the others."""
    texts = [cell for cell in cells if cell.kind == "markdown"]
    if not cells or cells[0].lines[0].rstrip() == "---":
        return
    headings = [(cell, number) for cell in texts for number in _top_headings(cell.lines)]
    if not headings or headings[0] != (texts[0], 0):
        return
    title = _TITLE.match(texts[0].lines[0])
    texts[0].lines[0] = ""
    if len(headings) > 1:
        for cell in texts:
            for number in _headings(cell.lines):
                cell.lines[number] = f"#{cell.lines[number]}"
    written = json.dumps(title[1] if title is not None else "", ensure_ascii=False)
    cells.insert(0, _Cell("markdown", ["---", f"title: {written}", "---"], 0, {}))


def _headings(lines: Sequence[str]) -> Iterator[int]:
    """The lines with headings, outside of code."""
    fence = ""
    for number, line in enumerate(lines):
        if (found := _FENCE.match(line)) is not None:
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        elif not fence and _HEADING.match(line):
            yield number


def _top_headings(lines: Sequence[str]) -> Iterator[int]:
    return (number for number in _headings(lines) if lines[number].startswith(("# ", "#\t")))


def _with_matter_first(out: list[str]) -> list[str]:
    """The lines with the beginning of the front matter on the first one, where it has to be."""
    first = next((number for number, line in enumerate(out) if line), 0)
    if first and out[first].rstrip() == "---":
        out[0], out[first] = "---", ""
    return out


def _write_code(cell: _Cell, language: str, out: list[str]) -> None:
    """A code cell as a fence around its lines, above which the file has others of the same cell."""
    tags = _tags_of(cell.raw)
    options = [f":tags: {json.dumps(tags, ensure_ascii=False)}"] if tags else []
    longest = max((len(ticks) for line in cell.lines for ticks in _TICKS.findall(line)), default=2)
    ticks = "`" * (longest + 1)
    begin = cell.line - 1 - len(options)
    out[begin : cell.line + len(cell.lines) + 1] = [
        f"{ticks}{{code-cell}} {language}",
        *options,
        *cell.lines,
        ticks,
    ]


def _with_pictures(cell: _Cell) -> list[str]:
    """The lines of a cell with the pictures that are pasted into it."""
    attached = cell.raw.get("attachments")

    def address(found: re.Match[str]) -> str:
        kinds = attached.get(found[1], {}) if isinstance(attached, dict) else {}
        return next((f"(data:{kind};base64,{joined(data)}" for kind, data in kinds.items()), found[0])

    return [_ATTACHED.sub(address, line) for line in cell.lines]
