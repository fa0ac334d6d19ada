"""Failures of an author's script as diagnostics, with the line in their file, a traceback and a fix.

DiagnosticError
└── FigureFailed     a worker's call failed; has the dependencies that the worker observed
"""

import linecache
import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest
from diglot.figures.records import Observed, Script
from diglot.figures.scripts import memory

PACKAGE = Path(__file__).resolve().parents[2]
_LONGEST_MESSAGE = 300


class FigureFailed(DiagnosticError):
    """A script's call failed."""

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        observed: tuple[Observed, ...] = (),
        *,
        retry: bool = False,
        wrote: tuple[str, ...] = (),
    ) -> None:
        super().__init__(*diagnostics)
        self.observed = observed
        """Dependencies that the worker observed. When one of them changes, the call is tried again."""
        self.wrote = wrote
        """Paths where the script wrote something that may outlive it."""
        self.retry = retry
        """True if the machine may be at fault (time, memory), so that the next build tries again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _failed, (self.diagnostics, self.observed, self.retry, self.wrote)


def _failed(
    diagnostics: tuple[Diagnostic, ...], observed: tuple[Observed, ...], retry: bool, wrote: tuple[str, ...]
) -> FigureFailed:
    return FigureFailed(diagnostics, observed, retry=retry, wrote=wrote)


def diagnose(error: BaseException, script: Script, root: Path, *, data: Any = None) -> Diagnostic:
    """An exception from a script as a diagnostic.

    The location is the innermost line of the script itself, or else of another file of the author's. The
    detail is the traceback, cut to the author's files. `data` is what `draw` was given, for suggesting keys.
    """
    if memory.ran_out(error):
        memory.spare()
    if isinstance(error, SyntaxError) and error.filename is not None and _of_author(error.filename, root):
        return Diagnostic(
            rule="figure-syntax",
            message=f"{type(error).__name__}: {error.msg}",
            location=Location(
                path=_relative(error.filename, root), line=error.lineno, column=error.offset or None
            ),
            source_line=_source_line(os.path.join(root, error.filename), error.lineno),
            fix="correct the syntax of this line or of the one above it.",
        )
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _of_author(f.filename, root)]
    own = [f for f in frames if _relative(f.filename, root) == script.path] or frames
    place = own[-1] if own else None
    rule = "figure-script"
    if memory.ran_out(error):
        rule = "figure-memory"
    return Diagnostic(
        rule=rule,
        message=f'figure "{script.figure_id}": {_said(error)}',
        location=Location(path=_relative(place.filename, root), line=place.lineno)
        if place
        else Location(path=script.path),
        source_line=_source_line(os.path.join(root, place.filename), place.lineno) if place else None,
        detail=_way_there(frames, root) if len(frames) > 1 else None,
        fix=_way_out(error, script, data) or "correct this line, or the code that leads to it.",
    )


def _said(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"the script called sys.exit({error.code if error.code is not None else ''})"
    if memory.ran_out(error):
        text = " ".join(str(error).split())
        more = f": {text}" if text else ""
        return f"it needs more than the {memory.limit_mb():,} MB of memory that a figure may use{more}"
    lines = "".join(traceback.format_exception_only(error)).split("\n")
    text = " ".join(line.strip() for line in lines if line.strip())
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} …"


def _way_there(frames: Iterable[traceback.FrameSummary], root: Path) -> str:
    lines = []
    for frame in frames:
        lines.append(f"{_relative(frame.filename, root)}:{frame.lineno} in {frame.name}")
        if frame.line:
            lines.append(f"    {frame.line}")
    return "\n".join(lines)


def _way_out(error: BaseException, script: Script, data: Any) -> str | None:
    if isinstance(error, SystemExit):
        return "return from `compute` or `draw` instead; raise an exception to report an error."
    if isinstance(error, ModuleNotFoundError):
        return (
            f'there is no module "{error.name}": a script can import modules next to it and in figures/, '
            "`diglot.hardware`, and installed packages."
        )
    if isinstance(error, FileNotFoundError):
        return "paths in a script are relative to the project's root."
    if (
        isinstance(error, KeyError)
        and error.args
        and isinstance(error.args[0], str)
        and isinstance(data, Mapping)
    ):
        return f"{did_you_mean(error.args[0], _keys(data))} the keys are those that `compute` returns."
    if memory.ran_out(error):
        return "compute less at a time, or raise figure_memory_mb in site/site.yaml."
    if isinstance(error, RecursionError):
        return None
    if isinstance(error, TypeError) and "Words.__call__" in str(error):
        return 'give both languages by name: t(zh="…", en="…").'
    if isinstance(error, NameError) and error.name is not None:
        near = nearest(error.name, sys.modules["diglot.figures"].__all__)
        return f"is `from diglot.figures import {near}` missing?" if near else None
    return None


def _keys(data: Any) -> set[str]:
    """All keys in a figure's data, at any depth."""
    if isinstance(data, Mapping):
        return {str(key) for key in data}.union(*map(_keys, data.values()))
    return set().union(*map(_keys, data)) if isinstance(data, list) else set()


def _of_author(filename: str, root: Path) -> bool:
    """Whether a file belongs to the project or to `diglot.hardware`, whose lines may help the author."""
    if filename.startswith("<"):
        return False
    path = os.path.realpath(os.path.join(root, filename))
    if path.startswith(str(PACKAGE / "hardware") + os.sep):
        return True
    inside = path.startswith(os.path.realpath(root) + os.sep)
    return (
        inside and not path.startswith(str(PACKAGE) + os.sep) and f"{os.sep}site-packages{os.sep}" not in path
    )


def path_of_author(filename: str, root: Path) -> str | None:
    """An author's file, relative to the project; None for files of Python, libraries and diglot."""
    path = _relative(filename, root)
    return path if _of_author(filename, root) and not os.path.isabs(path) else None


def _relative(filename: str, root: Path) -> str:
    path, inside = os.path.realpath(os.path.join(root, filename)), os.path.realpath(root) + os.sep
    return path.removeprefix(inside).replace(os.sep, "/") if path.startswith(inside) else path


def _source_line(filename: str, line: int | None) -> str | None:
    return (linecache.getline(filename, line).rstrip("\n") or None) if line else None


def line_with(text: str, script: Script, root: Path) -> tuple[int | None, str | None]:
    """Number and content of the script's first line that contains `text`, or (None, None).

    Used when no traceback leads to a line.
    """
    try:
        source = script.source if script.source is not None else (root / script.path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None, None
    for number, line in enumerate(source.splitlines(), start=script.first_line):
        if text in line:
            return number, line
    return None, None
