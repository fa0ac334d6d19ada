"""Parses the command line, runs the command and returns an exit code."""

import atexit
import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from diglot.cli.command import EXIT_INTERRUPTED, EXIT_SITE_ERRORS, EXIT_USAGE, Run
from diglot.cli.parsing import parse_arguments
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError, Refusal, differ_little, nearest


def run() -> NoReturn:
    """Run the command of this process, then end the process.

    The process ends without freeing memory, which would take a tenth of an edit's time. The garbage collector
    is off, because a build makes next to no reference cycles: 1,200 objects of a million.
    """
    gc.disable()
    try:
        code = main()
    except Exception as error:
        if _wants_tracebacks():
            raise
        code = _failed(error)
    except KeyboardInterrupt:  # once more, while the first one was reported
        code = EXIT_INTERRUPTED
    run_exit_functions = getattr(atexit, "_run_exitfuncs", None)  # no public function runs them early
    if run_exit_functions is None:
        sys.exit(code)
    run_exit_functions()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # Python reports the error
    os._exit(code)


def _wants_tracebacks() -> bool:
    return os.environ.get("DIGLOT_DEBUG") not in (None, "", "0") or not {"-v", "--verbose"}.isdisjoint(
        sys.argv
    )


_VARIABLES = (
    *("DIGLOT_BASE_URL", "DIGLOT_DEBUG", "DIGLOT_EDITOR", "DIGLOT_PLAIN", "DIGLOT_PROGRESS"),
    *("DIGLOT_SHARED_CACHE", "DIGLOT_SHARED_CACHE_KEY"),
    "SOURCE_DATE_EPOCH",
)
"""The variables of the environment that diglot reads and that no other program defines."""
_OURS = "DIGLOT_"
_OTHER_VARIABLES = re.compile(r"DIGLOT_(?:TEST|HOSTILE|LONG|AXE|BENCHMARKS|TRUTH|OWN|FIXED)")
"""Those of its tests, and of processes that it starts."""


def _check_variables(terminal: Terminal, *, strict: bool) -> None:
    """Warn of variables that diglot does not read, although their names show that it should."""
    for name in sorted(os.environ.keys() - {*_VARIABLES}):
        wanted = name.upper()
        is_named_so = wanted.startswith(_OURS) and _OTHER_VARIABLES.match(name) is None
        meant = next((one for one in _VARIABLES if wanted == one or differ_little(wanted, one)), None)
        if meant is None and is_named_so:
            words = {one.removeprefix(_OURS): one for one in _VARIABLES}
            meant = words.get(nearest(wanted.removeprefix(_OURS), words) or "")
        elif meant is None:
            continue
        message = f"nothing reads the environment variable {name}"
        fix = f"diglot reads {', '.join(_VARIABLES[:-1])}; a variable of your own needs another name."
        if meant is not None:
            fix = f"set {meant} instead, or unset it."
        if strict:
            raise Refusal(message, fix)
        terminal.say(f"warning: {message}\n  fix: {fix}")


def _failed(error: Exception) -> int:
    """Print that diglot itself failed, outside of any task."""
    said = " ".join(str(error).split())
    Terminal(quiet=False, verbose=False, strict=False).failure(
        f"diglot itself failed: {type(error).__name__}{f': {said}' if said else ''}",
        "please report it with the output of -v.",
    )
    return EXIT_SITE_ERRORS


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:  # interrupted while arguments are parsed
        return EXIT_INTERRUPTED
    terminal = Terminal(quiet=arguments.quiet, verbose=arguments.verbose, strict=arguments.strict)
    try:
        _check_variables(terminal, strict=arguments.strict)
        module, _, function = arguments.run.partition(":")
        run: Run = getattr(import_module(module), function)
        return run(arguments, terminal)
    except KeyboardInterrupt:
        terminal.say("interrupted; finished work is kept")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of our output has exited, as in `diglot … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_SITE_ERRORS
    except DiagnosticError as error:
        # Reports know the builder, which `--help` does not load.
        from diglot.cli.reports import as_json, diagnostics_report  # noqa: PLC0415  (only such errors need it)

        if arguments.json:
            terminal.result(as_json(diagnostics_report(error.diagnostics, failed=True)))
        else:
            terminal.diagnostics(error.diagnostics)
        return EXIT_USAGE
    except Refusal as refusal:
        terminal.failure(refusal.message, refusal.fix)
        return EXIT_USAGE
    except OSError as error:
        if arguments.verbose:
            raise
        terminal.failure(*_explained(error))
        return EXIT_USAGE
    finally:
        terminal.close()


def _explained(error: OSError) -> tuple[str, str]:
    """What the system refused, and what to do about it."""
    name = error.filename or "a file"
    match error:
        case FileNotFoundError():
            return f"there is no file {name}", "correct its name, or the folder that it is in."
        case IsADirectoryError():
            return f"{name} is a folder", "write the name of a file."
        case NotADirectoryError():
            return f"{name} is below a file, which holds nothing", "correct the name."
        case FileExistsError():
            return f"{name} is there already", "delete it, or choose another name."
    where = f": {error.filename}" if error.filename else ""
    return (
        f"{error.strerror or error}{where}",
        "check permissions and disk space; -v shows where it happened.",
    )
