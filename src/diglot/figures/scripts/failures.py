"""Failures of an author's script as diagnostics, with the line in their file, a traceback and a fix.

DiagnosticError
└── FigureFailed     a worker's call failed; has the dependencies that the worker observed
"""

import errno
import linecache
import os
import re
import resource
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, split_suggestion
from diglot.figures.records import Observed, Script
from diglot.figures.scripts import memory
from diglot.figures.scripts.data_mistakes import find_data_line, find_data_value
from diglot.figures.scripts.input_requests import InputRequested
from diglot.figures.scripts.loading import import_folders
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.raised import leaves_of, readable
from diglot.figures.scripts.refused import Refused
from diglot.figures.scripts.suggestions import (
    missing_key,
    suggest_arguments,
    suggest_attribute,
    suggest_by_kind,
    suggest_colour,
    suggest_file,
    suggest_import,
    suggest_key,
    suggest_name,
    unknown_colour,
)
from diglot.unreadable import diagnose_unreadable, find_unreadable

PACKAGE = Path(__file__).resolve().parents[2]
_LONGEST_MESSAGE = 300
_MOST_OF_A_GROUP = 3
_OWN_ERROR = re.compile(r"^(?:diglot(?:\.\w+)*\.\w+: |figure_\w+\.(?:\w+\.<locals>\.)*)")
"""How a traceback names an exception of diglot, whose message is a sentence; and the module of a script."""
_PLACE_OF_MODULE = re.compile(r"(?<=') \((?:/|[A-Z]:)[^()]*\)$")
"""Where an installed module is, at the end of an ImportError: it differs between machines."""


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
        return partial(FigureFailed, retry=self.retry, wrote=self.wrote), (self.diagnostics, self.observed)


class ScriptFailures:
    """Turns whatever a script raises in a `with` block into a FigureFailed, even what is no Exception."""

    def __init__(
        self,
        script: Script,
        root: Path,
        *,
        data: Callable[[], Any] = lambda: None,
        files: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """`data` and `files` give what `failure_of` takes; they are asked when something is raised."""
        self._script, self._root, self._data, self._files = script, root, data, files

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if error is None or isinstance(error, FigureFailed):
            return
        for leaf in leaves_of(error):
            if isinstance(leaf, InputRequested):
                raise leaf
        raise failure_of(error, self._script, self._root, data=self._data(), files=self._files()) from error


def failure_of(
    error: BaseException, script: Script, root: Path, *, data: Any = None, files: Iterable[str] = ()
) -> FigureFailed:
    """The failure of a script that raised an exception.

    `data` is what `draw` was given, for suggesting keys; `files` are the data files that the script has read.
    A mistake in a file of chips, and a link that leads nowhere, are reported as the checks of files report
    them, and thus not repeated for each figure.
    """
    if type(error).__name__ == "CatalogueError" and (problems := getattr(error, "problems", ())):
        from diglot.figures.custom_chips import diagnose_chips  # noqa: PLC0415  (only such mistakes need it)

        return FigureFailed(diagnose_chips(problems, lambda path: _text_of(root / path)))
    if isinstance(error, OSError) and isinstance(error.filename, str):
        path = os.path.relpath(os.path.join(root, error.filename), root)
        if not path.startswith("..") and (unreadable := find_unreadable(str(root), path)) is not None:
            return FigureFailed([diagnose_unreadable(unreadable)])
    return FigureFailed([diagnose(error, script, root, data=data, files=files)])


def diagnose(
    error: BaseException, script: Script, root: Path, *, data: Any = None, files: Iterable[str] = ()
) -> Diagnostic:
    """An exception from a script as a diagnostic.

    The location is the line of the data file that cannot be parsed, else the innermost line of the script
    itself, or else of another file of the author's. The detail is the traceback, cut to the author's files.
    """
    if memory.ran_out(error):
        memory.spare()
    error = readable(error)
    if isinstance(error, BaseExceptionGroup):
        return _diagnose_group(error, script, root, data=data, files=files)
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
    summary = traceback.extract_tb(error.__traceback__)
    frames = [f for f in summary if path_of_author(f.filename, root) is not None]
    frames = frames or [f for f in summary if _of_author(f.filename, root)]
    # A comprehension, and each step of a recursion, has a frame of its own on the same line.
    frames = [next(same) for _, same in groupby(frames, key=lambda frame: (frame.filename, frame.lineno))]
    own = [f for f in frames if _relative(f.filename, root) == script.path] or frames
    place = own[-1] if own else None
    message, suggestion = _said(error)
    fix: str | None = None
    with suppress(Exception):  # an exception of the script's own may have attributes of any kind
        fix = _way_out(error, script, root, data)
    fix = fix or suggestion
    if (line := find_data_line(error, files, root)) is not None:
        return Diagnostic(  # names no script, so that it is reported once, however many scripts read the file
            rule="figure-input",
            message=message,
            location=Location(path=line.path, line=line.line, column=line.column),
            source_line=line.source,
            fix="correct this line of the file; figures read it.",
        )
    rule = "figure-script"
    if memory.ran_out(error):
        rule = "figure-memory"
    if fix is None and (line := find_data_value(error, files, root)) is not None:
        fix = f"correct {line.path}:{line.line}, if the value comes from there: {line.source.strip()}"
    if fix is None and own and frames[-1] is not own[-1]:
        inner = frames[-1]
        fix = f"correct {_relative(inner.filename, root)}:{inner.lineno}, or what this line gives to it."
    return Diagnostic(
        rule=rule,
        message=f'figure "{script.figure_id}": {message}',
        location=Location(path=_relative(place.filename, root), line=place.lineno)
        if place
        else Location(path=script.path),
        source_line=_source_line(os.path.join(root, place.filename), place.lineno) if place else None,
        detail=_way_there(frames, root) if len(frames) > 1 else None,
        fix=fix or suggest_by_kind(error) or _what_to_look_at(error, place),
    )


_RAISED = "correct the value that the script refuses here, or the condition on which it refuses it."
_LOOK = "print the values that this line uses: the build shows what a script prints."


def _what_to_look_at(error: BaseException, place: traceback.FrameSummary | None) -> str:
    """What to do about an exception of which only the place is known."""
    if _raises(place):
        return _RAISED
    if (library := _library_of(error)) is not None:
        return f"change what this line asks of {library}: the message is from there."
    return _LOOK


def _library_of(error: BaseException) -> str | None:
    """The installed package or standard module that raised an exception; None for Python itself."""
    frame = next((frame for frame, _ in [*traceback.walk_tb(error.__traceback__)][-1:]), None)
    for name in (type(error).__module__, frame.f_globals.get("__name__") if frame is not None else None):
        top = name.partition(".")[0] if isinstance(name, str) else ""
        path = getattr(sys.modules.get(top), "__file__", None) or ""
        if top in sys.stdlib_module_names - {"builtins"} or f"{os.sep}site-packages{os.sep}" in path:
            return top
    return None


def _raises(place: traceback.FrameSummary | None) -> bool:
    """Whether a line of the script is where it raises the exception itself."""
    return place is not None and (place.line or "").startswith(("raise ", "assert "))


def _diagnose_group(
    group: BaseExceptionGroup[BaseException], script: Script, root: Path, *, data: Any, files: Iterable[str]
) -> Diagnostic:
    """A group of exceptions: at the line of the first, with what all of them say."""
    first, *others = (readable(leaf) for leaf in leaves_of(group))
    said = [_said(error)[0] for error in (first, *others[: _MOST_OF_A_GROUP - 1])]
    more = f"; and {len(others) + 1 - len(said)} more" if len(others) >= len(said) else ""
    if _author_frame(first, root) is None:
        first = first.with_traceback(group.__traceback__)
    inner = diagnose(first, script, root, data=data, files=files)
    message = f'figure "{script.figure_id}": {type(group).__name__}: {"; ".join(said)}{more}'
    return replace(inner, message=message)


def _said(error: BaseException) -> tuple[str, str | None]:
    """What went wrong, and what the exception itself suggests."""
    if isinstance(error, SystemExit):
        return f"the script called sys.exit({error.code if error.code is not None else ''})", None
    if memory.ran_out(error):
        text = " ".join(str(error).split())
        more = f": {text}" if text else ""
        return f"it needs more than the {memory.limit_mb():,} MB of memory that a figure may use{more}", None
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        most_mb, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        return f"it prints or writes more than the {most_mb // 2**20} MB that a figure may", None
    if isinstance(error, Refused):
        return str(error).rpartition(": ")[0], error.fix
    if (colour := unknown_colour(error)) is not None:
        return f'there is no palette colour named "{colour}"', suggest_colour(colour)
    lines = "".join(traceback.format_exception_only(error)).split("\n")
    text = _OWN_ERROR.sub("", " ".join(line.strip() for line in lines if line.strip()))
    text, suggestion = split_suggestion(_PLACE_OF_MODULE.sub("", text))
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} …", suggestion


def _way_there(frames: Iterable[traceback.FrameSummary], root: Path) -> str:
    lines = []
    for frame in frames:
        lines.append(f"{_relative(frame.filename, root)}:{frame.lineno} in {frame.name}")
        if frame.line:
            lines.append(f"    {frame.line}")
    return "\n".join(lines)


def _way_out(error: BaseException, script: Script, root: Path, data: Any) -> str | None:
    if isinstance(error, Misuse):
        return error.fix
    if (refused := _refusal_in(error)) is not None:
        return refused.fix
    frame = _author_frame(error, root)
    match error:
        case SystemExit() if script.cells:
            return "delete the call: it would end all code cells of the article."
        case SystemExit():
            return "return from `compute` or `draw` instead; raise an exception to report an error."
        case _ if memory.ran_out(error):
            return "compute less at a time, or raise figure_memory_mb in site/site.yaml."
        case OSError() if error.errno == errno.EFBIG:
            return "print less, and return data from `compute` instead of writing it."
        case ImportError():
            return suggest_import(error, import_folders(script, root))
        case FileNotFoundError():
            folders = (*import_folders(script, root), root, root / "content", root / "data")
            return suggest_file(error, folders, root)
        case _ if (key := missing_key(error)) is not None:
            return suggest_key(key, data, frame)
        case NameError():
            return suggest_name(error, frame)
        case AttributeError():
            return suggest_attribute(error)
        case TypeError() if "Words.__call__" in str(error):
            return 'give both languages by name: t(zh="…", en="…").'
        case TypeError():
            return suggest_arguments(error, frame)
    return None


def _refusal_in(error: BaseException | None) -> Refused | None:
    """The refusal that an exception tells of: itself, or one that a library has put into words of its own."""
    message = str(error)
    seen: set[int] = set()
    while error is not None and id(error) not in seen:  # a script may make an exception its own cause
        if isinstance(error, Refused) and str(error) in message:
            return error
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return None


def _author_frame(error: BaseException, root: Path) -> FrameType | None:
    """The innermost frame of the author's code."""
    found, step = None, error.__traceback__
    while step is not None:
        if path_of_author(step.tb_frame.f_code.co_filename, root) is not None:
            found = step.tb_frame
        step = step.tb_next
    return found


def _of_author(filename: str, root: Path) -> bool:
    """Whether a file belongs to the project or to `diglot.hardware`, whose lines may help the author."""
    if filename.startswith("<"):
        return False
    path = os.path.realpath(os.path.join(root, filename))
    if path.startswith(str(PACKAGE / "hardware") + os.sep):
        return True
    inside = path.startswith(os.path.realpath(root) + os.sep)
    if not inside or path.startswith(str(PACKAGE) + os.sep) or f"{os.sep}site-packages{os.sep}" in path:
        return False
    # Compiled libraries name sources relative to a folder that is not there: `pandas/_libs/parsers.pyx`.
    return os.path.isabs(filename) or os.path.isfile(path)


def path_of_author(filename: str, root: Path) -> str | None:
    """An author's file, relative to the project; None for files of Python, libraries and diglot."""
    path = _relative(filename, root)
    return path if _of_author(filename, root) and not os.path.isabs(path) else None


def _relative(filename: str, root: Path) -> str:
    path, inside = os.path.realpath(os.path.join(root, filename)), os.path.realpath(root) + os.sep
    return path.removeprefix(inside).replace(os.sep, "/") if path.startswith(inside) else path


def _source_line(filename: str, line: int | None) -> str | None:
    return (linecache.getline(filename, line).rstrip("\n") or None) if line else None


def line_with(
    text: str, script: Script, root: Path, *, within: tuple[str, ...] = ()
) -> tuple[int | None, str | None]:
    """Number and content of the script's first line that contains `text`, or (None, None).

    Lines before those that contain the texts of `within`, one after the other, do not count. Used when no
    traceback leads to a line.
    """
    places = [*within]
    for number, line in _lines_of(script, root):
        while places and places[0] in line:
            places.pop(0)
        if not places and text in line:
            return number, line
    return None, None


def line_numbered(number: int, script: Script, root: Path) -> tuple[int | None, str | None]:
    """A line of the script with its content, or (None, None) if there is no such line."""
    return next((one for one in _lines_of(script, root) if one[0] == number), (None, None))


def _lines_of(script: Script, root: Path) -> Iterator[tuple[int, str]]:
    try:
        source = script.source if script.source is not None else (root / script.path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    yield from enumerate(source.splitlines(), start=script.first_line)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
