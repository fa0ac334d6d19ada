"""Interprets the outcome of a call, from its answer and its process's exit status, and makes diagnostics."""

import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of
from diglot.figures.jobs import CONNECTION_CLOSED, WORKER_FAILED, Answer, Called, ExitStatus, Job, Limits
from diglot.figures.records import Observed, Script
from diglot.figures.scripts.failures import FigureFailed, path_of_author

_FAULT = "Fatal Python error: "
"""What faulthandler's report of a process that is stopped or crashes begins with."""
_FAULT_LINE = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+) in (?P<function>.+)')


def answer_of(called: Called) -> Answer | None:
    """The answer of a worker that exited normally; None if it crashed or was stopped."""
    return called.answer if called.exit_status.code == 0 else None


def crash_of(job: Job, exit_status: ExitStatus, root: Path, limits: Limits) -> FigureFailed:
    """The failure for a worker that ended without an answer."""
    name = job.figure_id
    doing = "a point of `sweep`" if job.points is not None else "compute" if job.data is None else "draw"
    if job.extension is not None:
        doing = job.extension.function or "loading"
    elif job.script.cells:
        doing = "a code cell"
    frames, printed = _read_faults(exit_status.printed, root)
    if exit_status.timed_out:
        rule = "figure-timeout"
        fix = (
            f"look for an endless loop in this line or around it, or raise `figure_timeout_s` "
            f"(now {limits.timeout_s:g}) in site/site.yaml."
        )
        message = f'figure "{name}": {doing} did not finish within {limits.timeout_s:g} s and was stopped'
    elif exit_status.code < 0:
        rule = "figure-crash"
        fix = _way_out_of(-exit_status.code, limits)
        message = f'figure "{name}": the process was killed by signal {-exit_status.code} during {doing}'
    elif exit_status.code == CONNECTION_CLOSED:
        rule, fix = (
            "figure-crash",
            "close only files that the script has opened, and not with `os.closerange`.",
        )
        message = f'figure "{name}": the script closed files of the process in which it ran, during {doing}'
    elif exit_status.code == WORKER_FAILED:
        rule, fix = "figure-crash", "report this with the lines above, if the script did not exit with 70."
        message = f'figure "{name}": diglot could not send the result of {doing}'
    else:
        rule, fix = "figure-crash", "return from `compute` and `draw` instead of exiting the process."
        if job.script.cells:
            fix = "do not end the process: all code cells of the article run in it."
        message = f'figure "{name}": the process ended during {doing} with status {exit_status.code}'
    place = frames[-1] if frames else None
    found = Diagnostic(
        rule=rule,
        message=message,
        location=Location(path=place.path, line=place.line) if place else Location(path=job.script.path),
        source_line=place.source if place else None,
        detail="\n".join((*_way_there(frames), *filter(None, [_shortened(printed)]))) or None,
        fix=fix,
    )
    by_machine = exit_status.timed_out or exit_status.code < 0
    return FigureFailed([found], _script_itself(job.script, root), retry=by_machine)


_CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)


def _way_out_of(number: int, limits: Limits) -> str:
    """What to do about a signal that ended a process."""
    memory = f"a figure may use {limits.memory_mb:,} MB (figure_memory_mb in site/site.yaml)."
    if number == signal.SIGKILL:
        return f"compute less at a time if the machine ran out of memory: {memory}"
    if number in _CRASHES:
        return (
            f"compiled code crashed: correct what this line gives to it, or compute less at a time: {memory}"
        )
    return "set no alarms and send no signals in a script."


def fork_server_lost(job: Job, said: str) -> FigureFailed:
    """The failure of a call whose fork server ended."""
    message, _, detail = said.partition(": ")
    found = Diagnostic(
        rule="figure-crash",
        message=f'figure "{job.figure_id}": {message}',
        location=Location(path=job.script.path),
        detail=_shortened(detail) or None,
        fix="build again; if it ends again, look for the reason above, and whether memory runs out.",
    )
    return FigureFailed([found], retry=True)


class _Frame(NamedTuple):
    path: str
    """Relative to the project's root."""
    line: int
    function: str
    source: str | None


def _read_faults(printed: str, root: Path) -> tuple[list[_Frame], str]:
    """The author's frames in what faulthandler printed, outermost first, and what else was printed."""
    said, _, fault = printed.partition(_FAULT)
    frames = [
        _Frame(path, line, place["function"], _source_line(root / path, line))
        for place in _FAULT_LINE.finditer(fault)
        if (path := path_of_author(place["path"], root)) is not None and (line := int(place["line"]))
    ]
    return frames[::-1], said if fault else printed


def _way_there(frames: Sequence[_Frame]) -> Iterator[str]:
    if len(frames) > 1:
        for frame in frames:
            yield f"{frame.path}:{frame.line} in {frame.function}"
            if frame.source is not None:
                yield f"    {frame.source.strip()}"


def _source_line(path: Path, line: int) -> str | None:
    try:
        return path.read_text("utf-8").splitlines()[line - 1]
    except (OSError, UnicodeDecodeError, IndexError):
        return None


def _script_itself(script: Script, root: Path) -> tuple[Observed, ...]:
    """The script file as a dependency, because a crashed worker reports none. Empty for a fence."""
    try:
        content = (root / script.path).read_bytes()
    except OSError:
        return ()
    own = Observed(kind="file", name=script.path, digest=digest_of(content))
    return (own,) if script.source is None else ()


def printed_warning(job: Job, printed: str) -> tuple[Diagnostic, ...]:
    """A warning if a script printed something."""
    if not printed.strip():
        return ()
    return (
        Diagnostic(
            rule="figure-printed",
            message=f'figure "{job.figure_id}": the script printed something, which only the build shows',
            severity="warning",
            location=Location(path=job.script.path),
            detail=_shortened(printed),
            fix="delete the `print` when you have seen what it shows.",
        ),
    )


def _shortened(printed: str) -> str:
    lines = printed.strip().splitlines()
    return "\n".join(lines if len(lines) <= 20 else [*lines[:10], "…", *lines[-9:]])
