"""Interprets the outcome of a call, from its answer and its process's exit status, and makes diagnostics."""

import re
from pathlib import Path

from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of
from diglot.figures.jobs import Answer, Called, ExitStatus, Job
from diglot.figures.records import Observed, Script
from diglot.figures.scripts.failures import FigureFailed

_FAULT_LINE = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+) in ')


def answer_of(called: Called) -> Answer | None:
    """The answer of a worker that exited normally; None if it crashed or was stopped."""
    return called.answer if called.exit_status.code == 0 else None


def crash_of(
    job: Job, exit_status: ExitStatus, root: Path, *, timeout_s: float, memory_mb: int
) -> FigureFailed:
    """The failure for a worker that ended without an answer."""
    name = job.figure_id
    doing = "a point of `sweep`" if job.points is not None else "compute" if job.data is None else "draw"
    if exit_status.timed_out:
        rule, fix = "figure-timeout", "look for an endless loop, or raise figure_timeout_s in site/site.yaml."
        message = f'figure "{name}": {doing} did not finish within {timeout_s:g} s and was stopped'
    elif exit_status.code < 0:
        rule = "figure-crash"
        fix = (
            f"compiled code crashed, or memory ran out: a figure may use {memory_mb:,} MB "
            "(figure_memory_mb in site/site.yaml)."
        )
        message = f'figure "{name}": the process was killed by signal {-exit_status.code} during {doing}'
    else:
        rule, fix = "figure-crash", "return from `compute` and `draw` instead of exiting the process."
        message = f'figure "{name}": the process ended during {doing} with status {exit_status.code}'
    line, source = _running_line(job, exit_status.printed, root)
    found = Diagnostic(
        rule=rule,
        message=message,
        location=Location(path=job.script.path, line=line),
        source_line=source,
        detail=_shortened(exit_status.printed) or None,
        fix=fix,
    )
    by_machine = exit_status.timed_out or exit_status.code < 0
    return FigureFailed([found], _script_itself(job.script, root), retry=by_machine)


def fork_server_lost(job: Job, said: str) -> FigureFailed:
    """The failure of a call whose fork server ended."""
    message, _, detail = said.partition(": ")
    found = Diagnostic(
        rule="figure-crash",
        message=f'figure "{job.figure_id}": {message}',
        location=Location(path=job.script.path),
        detail=_shortened(detail) or None,
        fix="memory ran out, or matplotlib cannot be loaded; build again.",
    )
    return FigureFailed([found], retry=True)


def _running_line(job: Job, printed: str, root: Path) -> tuple[int | None, str | None]:
    """Number and content of the script's innermost line in faulthandler's output, or (None, None)."""
    own = root / job.script.path
    for place in _FAULT_LINE.finditer(printed):
        if root / place["path"] == own:
            line = int(place["line"])
            try:
                return line, own.read_text("utf-8").splitlines()[line - 1]
            except (OSError, UnicodeDecodeError, IndexError):
                return line, None
    return None, None


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
            message=f'figure "{job.figure_id}": the script printed something, which is not shown anywhere',
            severity="warning",
            location=Location(path=job.script.path),
            detail=_shortened(printed),
        ),
    )


def _shortened(printed: str) -> str:
    lines = printed.strip().splitlines()
    return "\n".join(lines if len(lines) <= 20 else [*lines[:10], "…", *lines[-9:]])
