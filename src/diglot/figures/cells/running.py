"""Runs the code cells of an article, one after another, and keeps what they show and assign."""

import ast
import io
import json
import linecache
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

from diglot.diagnostics import Diagnostic, Location
from diglot.figures.cells import pyplot_backend
from diglot.figures.cells.shown import caption_of, picture_of, pieces_of, plain_text
from diglot.figures.drawing.style import know_colours, use_style
from diglot.figures.observation import chance
from diglot.figures.palette import SENTINELS
from diglot.figures.records import CellCode, CellPiece, CellRun, Script
from diglot.figures.scripts.failures import FigureFailed, ScriptFailures, line_numbered
from diglot.figures.scripts.input_requests import InputRequested
from diglot.figures.scripts.memory import ran_out
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.plain_data import NotPlainData, plain_data
from diglot.figures.scripts.raised import readable
from diglot.figures.scripts.words import Words
from diglot.invariants import certain
from diglot.languages import LANGUAGES, Language

MOST_PRINTED = 200_000
"""Bytes that a cell may print."""
_MOST_ITEMS = 10_000
_MOST_VALUE = 200_000
"""Characters of the JSON of a value; prose needs no larger ones."""
_OF_JUPYTER = ("%matplotlib", "%config", "%load_ext", "%autoreload", "%reload_ext", "%%time\n")
"""Commands that change only how Jupyter shows things, or measure."""
_TIMED = "%time "
"""What is before a statement that Jupyter measures."""
_COMMANDS = ("%", "!", "?")
_SIZE_IN = (680 / 72, 400 / 72)
"""Of a figure without `figsize`: as wide as the column of text."""


def run_cells(script: Script, root: Path, files: Callable[[], Iterable[str]]) -> tuple[CellRun, ...]:
    """One run for both languages, or one for each where the code asks for texts by `t(zh=…, en=…)`.

    `files` gives the data files that the cells have read, for messages. Raises FigureFailed.
    """
    _show_lines(script, root)
    cells = [*_compiled(script, root)]
    has_words = any(_asks_for_words(cell.code.source) for cell in cells)
    languages: tuple[Language, ...] = LANGUAGES if has_words else ("en",)
    return tuple(_Run(script, root, one, files, has_words=has_words).all(cells) for one in languages)


def _show_lines(script: Script, root: Path) -> None:
    """Let tracebacks quote the code, whose lines are not those of the article."""
    lines = certain(script.source, "cells have their code").splitlines(keepends=True)
    for path in (script.path, str(root / script.path)):
        linecache.cache[path] = (0, None, lines, path)


class _Cell(NamedTuple):
    code: CellCode
    first_line: int
    body: CodeType
    value: CodeType | None
    """Its last line, if that is an expression whose value is shown."""


def _compiled(script: Script, root: Path) -> Iterator[_Cell]:
    """The cells as code. Raises FigureFailed for the first that is not Python."""
    first = 1
    for cell in script.cells:
        source = "\n" * (first - 1) + "\n".join(map(_without_command, cell.source.split("\n")))
        with ScriptFailures(script, root):
            try:
                tree = ast.parse(source, script.path)
                value = tree.body[-1] if tree.body else None
                shown = isinstance(value, ast.Expr) and not _ends_with_semicolon(source, value)
                if shown:
                    del tree.body[-1]
                yield _Cell(
                    code=cell,
                    first_line=first,
                    body=compile(tree, script.path, "exec", dont_inherit=True),
                    value=compile(ast.Expression(value.value), script.path, "eval", dont_inherit=True)
                    if isinstance(value, ast.Expr) and shown
                    else None,
                )
            except SyntaxError as error:
                _refuse_command(error, script, root)
                raise
        first += cell.source.count("\n")


def _without_command(line: str) -> str:
    if line.startswith(_TIMED):
        return line.removeprefix(_TIMED).lstrip()
    return "" if f"{line.rstrip()}\n".startswith(_OF_JUPYTER) else line


def _refuse_command(error: SyntaxError, script: Script, root: Path) -> None:
    line, written = line_numbered(error.lineno or 0, script, root)
    if written is not None and (written.startswith(_COMMANDS) or written.rstrip().endswith("?")):
        message = f'"{written.strip()}" is a command of Jupyter, not Python'
        raise _failure(script, line, written, message, "write it in Python, or delete it.")


def _ends_with_semicolon(source: str, value: ast.Expr) -> bool:
    """Whether an author hides the value of the last line, as in Jupyter."""
    lines = source.split("\n")[certain(value.end_lineno, "it was parsed") - 1 :]
    rest = [lines[0].encode()[value.end_col_offset :].decode(), *lines[1:]]
    return any(part.strip().startswith(";") for part in rest)


def _asks_for_words(source: str) -> bool:
    """Whether code calls `t(zh=…, en=…)`."""
    if "zh" not in source:
        return False
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "t"
        and {keyword.arg for keyword in node.keywords} >= set(LANGUAGES)
        for node in ast.walk(ast.parse("\n".join(map(_without_command, source.split("\n")))))
    )


class _Run:
    """All cells of an article, for readers of one language."""

    def __init__(
        self,
        script: Script,
        root: Path,
        language: Language,
        files: Callable[[], Iterable[str]],
        *,
        has_words: bool,
    ) -> None:
        self._script, self._root, self._language, self._files = script, root, language, files
        self._module = ModuleType("__main__")
        self._module.__file__ = script.path
        self._given = {"display": self._display, **({"t": Words(language)} if has_words else {})}
        vars(self._module).update(self._given)
        self._pieces: list[CellPiece] = []
        self._printed = _Printed()
        self._cell: _Cell | None = None

    def all(self, cells: Iterable[_Cell]) -> CellRun:
        """Run them. Changes the process: `__main__` is theirs, and pyplot has the style of the site."""
        chance.begin()
        sys.modules["__main__"] = self._module  # where dataclasses and pickle look for what cells define
        use_style(self._language, "variables")
        know_colours(dict.fromkeys(("k", "black"), SENTINELS["ink"]))  # dark pages show it, too
        mpl.rcParams._set("backend", f"module://{pyplot_backend.__name__}")
        mpl.rcParams.update({"text.parse_math": True, "figure.figsize": _SIZE_IN, "axes.labelpad": 8})
        pyplot_backend.showing[:] = [self._show_figures]
        shown = tuple(map(self._shown_by, cells))
        return CellRun(data=self._data(), shown=shown)

    def _shown_by(self, cell: _Cell) -> tuple[CellPiece, ...]:
        self._cell, self._pieces = cell, []
        failures = ScriptFailures(self._script, self._root, files=self._files)
        with failures, self._printed.heard(discard=cell.code.is_hidden):
            if cell.code.may_fail:
                self._run_to_failure(cell)
            else:
                self._run(cell)
            self._take_text()
        return () if cell.code.is_hidden else tuple(self._pieces)

    def _run(self, cell: _Cell) -> None:
        namespace = vars(self._module)
        exec(cell.body, namespace)
        value = eval(cell.value, namespace) if cell.value is not None else None
        with self._blamed():
            self._take_text()
            self._pieces += pieces_of(value, self._drawn)
            self._show_figures()

    def _run_to_failure(self, cell: _Cell) -> None:
        try:
            self._run(cell)
        except (InputRequested, FigureFailed):
            raise
        except BaseException as error:
            if ran_out(error):
                raise
            self._take_text()
            said = "".join(traceback.format_exception_only(readable(error)))
            self._pieces.append(CellPiece(kind="error", text=plain_text(said.strip())))
            self._show_figures()

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Have what cannot be shown reported at the first line of the cell, as no line of it is running."""
        try:
            yield
        except Misuse as error:
            cell = certain(self._cell, "a cell is running")
            line, source = line_numbered(cell.first_line, self._script, self._root)
            raise _failure(self._script, line, source, str(error), error.fix) from error

    def _display(self, *values: Any) -> None:
        """What cells call to show something before their end."""
        self._take_text()
        for value in values:
            self._pieces += pieces_of(value, self._drawn)

    def _show_figures(self) -> None:
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        self._take_text()
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if figure.axes or figure.texts:
                self._pieces.append(self._drawn(figure))
            pyplot.close(figure)

    def _drawn(self, figure: Figure) -> CellPiece:
        cell = certain(self._cell, "a cell is running")
        if cell.code.is_hidden:
            return CellPiece(kind="picture")
        nth = sum(piece.kind == "picture" for piece in self._pieces)
        prefix = f"cell-{cell.first_line}-{nth}"
        caption = caption_of(figure, prefix, cell.code.alt, self._language)
        if not caption.alt:
            warnings.warn_explicit(_NO_WORDS, UserWarning, self._script.path, cell.first_line)
        piece = picture_of(figure, caption)
        if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
            pyplot.close(figure)
        return piece

    def _take_text(self) -> None:
        if text := plain_text(self._printed.taken()).strip("\n"):
            self._pieces.append(CellPiece(kind="text", text=text))

    def _data(self) -> bytes:
        """The values that cells have assigned and prose can show, in their order."""
        values = {}
        for name, value in vars(self._module).items():
            if name.startswith("_") or value is self._given.get(name) or isinstance(value, _NO_VALUES):
                continue
            encoded = _encoded(value, name)
            if encoded is not None:
                values[name] = encoded
        return f"{{{','.join(f'{json.dumps(name)}:{encoded}' for name, encoded in values.items())}}}".encode()


_NO_WORDS = (
    "this picture has no title and no names of axes, so that it says nothing to those who cannot see it: "
    "add `:alt: …` to the cell, or a title"
)
_NO_VALUES = (ModuleType, FunctionType, type)


def _encoded(value: Any, name: str) -> str | None:
    """A value as JSON; None if it is none that prose can show."""
    try:
        if len(value) > _MOST_ITEMS:
            return None
    except Exception:  # most have no length, and a value may do anything when it is asked
        pass
    try:
        encoded = json.dumps(
            plain_data(value, name), ensure_ascii=False, separators=(",", ":"), allow_nan=False
        )
    except NotPlainData:
        return None
    except Exception:
        return None
    return encoded if len(encoded) <= _MOST_VALUE else None


class _Printed(io.BufferedIOBase):
    """What a cell prints, up to a limit: it stops code that would print without end."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._discards = False
        self._stream = io.TextIOWrapper(self, "utf-8", write_through=True)  # type: ignore[type-var]  # its bytes
        """One for all cells: a stream that is thrown away closes what is below it."""

    @contextmanager
    def heard(self, *, discard: bool) -> Iterator[None]:
        """Take in what is printed; with `discard`, forget it."""
        self._bytes.clear()
        self._discards = discard
        before, sys.stdout = sys.stdout, self._stream
        try:
            yield
        finally:
            sys.stdout = before

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Take in some bytes. Raises Misuse if they are too many."""
        if not self._discards:
            self._bytes += data
        if len(self._bytes) > MOST_PRINTED:
            fix = "print less, or add `:tags: [remove-output]` to the cell."
            raise Misuse(f"this cell prints more than {MOST_PRINTED:,} bytes", fix)
        return len(data)

    def taken(self) -> str:
        """The text so far, once."""
        text = self._bytes.decode("utf-8", "replace")
        self._bytes.clear()
        return text


def _failure(script: Script, line: int | None, source: str | None, message: str, fix: str) -> FigureFailed:
    return FigureFailed(
        [
            Diagnostic(
                rule="cell-failed",
                message=message,
                location=Location(path=script.path, line=line),
                source_line=source,
                fix=fix,
            )
        ]
    )
