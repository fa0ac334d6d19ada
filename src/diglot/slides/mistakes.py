"""Why a deck cannot be read or written, as diagnostics."""

from pathlib import Path

from diglot.diagnostics import Diagnostic, DiagnosticError


def damaged(path: Path, why: str) -> DiagnosticError:
    """A file that is not what its name says, or only a part of it."""
    return wrong(
        "slides-damaged",
        f'"{path}" is damaged: {why}',
        "open it in the program that made it, which may repair it, and save it again; or take an older copy.",
    )


def encrypted(path: Path) -> DiagnosticError:
    """A file that only a password opens."""
    return wrong(
        "slides-encrypted",
        f'"{path}" is protected by a password',
        "save a copy without the password, and check that.",
    )


def wrong_format(path: Path, what: str, fix: str) -> DiagnosticError:
    """A kind of file that diglot does not read."""
    return wrong("slides-format", f'"{path}" {what}', fix)


def too_large(path: Path, what: str) -> DiagnosticError:
    """A file that would take too much memory."""
    return wrong(
        "slides-too-large",
        f'"{path}" {what}',
        "if it is a deck of your own, split it, or make its pictures smaller.",
    )


def locked(path: Path, lock: str) -> DiagnosticError:
    """A file that another program has open."""
    return wrong(
        "slides-open",
        f'"{path}" is open in another program: there is a file {lock} next to it',
        "close it there, then update it; if no program has it open, delete that file.",
    )


def read_only(path: Path) -> DiagnosticError:
    """A file that may not be written."""
    return wrong(
        "slides-read-only",
        f'"{path}" is read-only',
        "allow writing to it, or update a copy.",
    )


def changed_meanwhile(path: Path) -> DiagnosticError:
    """A file that another program wrote while it was updated."""
    return wrong(
        "slides-open",
        f'"{path}" was changed by another program while it was updated',
        "nothing was written; run the command again.",
    )


def missing(path: Path) -> DiagnosticError:
    """A path at which there is nothing."""
    return wrong("slides-missing", f'there is no file or folder "{path}"', "correct the path.")


def wrong(rule: str, message: str, fix: str) -> DiagnosticError:
    """The error of a rule, which is about a file that was named on the command line."""
    return DiagnosticError(Diagnostic(rule=rule, message=message, fix=fix))
