"""Diagnostics for unexpected exceptions of tasks: anything but an author's mistake is a bug in diglot.

The diagnostic names the file that the task worked on. The traceback is kept for a bug report, and the other
tasks go on. Exceptions that are not a task's fault (from the machine, the store, or to end the build) end the
build, and so does every exception if `DIGLOT_DEBUG` is set.
"""

import errno
import os
import re
import sqlite3
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import diglot
from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of
from diglot.engine import Key
from diglot.engine.globs import Folders
from diglot.engine.packs import ObjectMissing
from diglot.engine.traces import Dependency
from diglot.languages import LANGUAGES
from diglot.rules.layouts import CONTENT
from diglot.rules.sources import Pairing, section_of

DEBUG_VARIABLE = "DIGLOT_DEBUG"
"""Environment variable that lets unexpected exceptions through, for debugging diglot."""

FOLDER = "failures"
"""Folder of tracebacks in the cache, with one file per task."""


class EndOfBuild(Exception):
    """Raised by a progress callback if the build is no longer needed."""


_MACHINE = frozenset(
    (
        *(errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
    )
)
"""Errors that are the machine's fault: the same files would not cause them on another one."""
_PACKAGE = re.escape(str(Path(diglot.__file__).parent) + os.sep)
_IN_DIGLOT = re.compile(rf'^  File "{_PACKAGE}([^"\n]+)", line (\d+), in (.+)$', re.MULTILINE)
_MOST_CHARACTERS = 300


def describe_failure(
    root: Path, cache: Path, key: Key, used: Iterable[Dependency], error: Exception
) -> Diagnostic | None:
    """The diagnostic for an unexpected exception of a task; None if the exception ends the build."""
    if os.environ.get(DEBUG_VARIABLE) not in (None, "", "0") or _ends_the_build(error):
        return None
    name = type(error).__name__
    said = " ".join(str(error).split())[:_MOST_CHARACTERS]
    text = "".join(traceback.format_exception(error))
    kept = _keep(cache, key, text)
    path = _worked_on(root, key, used)
    return Diagnostic(
        rule="internal-error",
        message=f"diglot itself failed{' at this file' if path else ''}: {name}{f': {said}' if said else ''}",
        location=Location(path=path) if path else None,
        detail=f"while making {_named(key)}{_place(text)}",
        fix=f"please report it{_with(kept, root)}; until it is fixed, undo your last change.",
    )


def _ends_the_build(error: Exception) -> bool:
    if isinstance(error, EndOfBuild | ObjectMissing | sqlite3.Error):
        return True
    return isinstance(error, OSError) and error.errno in _MACHINE


def _named(key: Key) -> str:
    return f'the {key.kind} of "{key.name[:_MOST_CHARACTERS]}"' if key.name else f"the {key.kind}"


def _place(text: str) -> str:
    """The innermost line of diglot's code in a traceback. Of chained exceptions, the first counts."""
    first = re.split(r"\n\n(?:The above exception|During handling)", text)[0]
    found = _IN_DIGLOT.findall(first) or _IN_DIGLOT.findall(text)
    if not found:
        return ""
    file, line, function = found[-1]
    return f", in {file.replace(os.sep, '/')}, line {line} ({function})"


def _worked_on(root: Path, key: Key, used: Iterable[Dependency]) -> str | None:
    """The file a task worked on: the first one it read itself, else the half or script it is named after."""
    files = [one.key.name for one in used if one.key.kind == "file" and not one.key.name.startswith("/")]
    there = [name for name in files if (root / name).is_file()]
    if there:
        return there[0]
    article, _, language = key.name.partition(":")
    languages = [one for one in LANGUAGES if language in (one, "")] or LANGUAGES
    with suppress(OSError):
        paths = Folders(str(root)).find(f"{CONTENT}/**")
        post = Pairing(paths, section_of(article), LANGUAGES[0]).posts().articles.get(article)
        for path in (post.half(one) for one in languages) if post else ():
            if path is not None:
                return path
    figure = key.name.partition("?")[0].partition("@")[0]
    with suppress(OSError, ValueError):
        if figure.isidentifier() and (root / f"figures/{figure}.py").is_file():
            return f"figures/{figure}.py"
    return None


def _keep(cache: Path, key: Key, text: str) -> Path | None:
    """Save a traceback, and return its path; None if it cannot be saved."""
    path = cache / FOLDER / f"{key.kind}-{digest_of(str(key).encode())[:8]}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{key}\n\n{text}", "utf-8", errors="backslashreplace")
    except OSError:
        return None
    return path


def _with(kept: Path | None, root: Path) -> str:
    if kept is None:
        return ""
    shown = kept.relative_to(root) if kept.is_relative_to(root) else kept
    return f" with the traceback in {shown.as_posix()}"
