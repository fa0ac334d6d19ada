"""What has the name of a file and is none: links that lead nowhere or in a circle, pipes and the like."""

import errno
import os
import stat
from typing import NamedTuple

from diglot.diagnostics import Diagnostic, Location


class Unreadable(NamedTuple):
    """What nothing can read, and why."""

    path: str
    """Relative to the project's root."""
    why: str


def find_unreadable(root: str, path: str) -> Unreadable | None:
    """What is at a path if it is a link that leads nowhere or in a circle, or not a regular file; else None.

    A link to a folder is a circle if the folder contains it.
    """
    place = os.path.join(root, path)
    try:
        target = f'is a link to "{os.readlink(place)}"'
    except OSError:
        target = ""
    try:
        mode = os.stat(place).st_mode
    except OSError as error:
        if not target:
            return None
        if error.errno == errno.ELOOP:
            return Unreadable(path, f"{target}, which leads back to it")
        return Unreadable(path, f"{target}, which is not there") if error.errno == errno.ENOENT else None
    if stat.S_ISREG(mode):
        return None
    if not stat.S_ISDIR(mode):
        return Unreadable(
            path, f"{target}, which is not a regular file" if target else "is not a regular file"
        )
    above = os.path.realpath(os.path.dirname(place))
    if target and f"{above}/".startswith(f"{os.path.realpath(place)}/"):
        return Unreadable(path, f"{target}, a folder that contains it")
    return None


def diagnose_unreadable(found: Unreadable) -> Diagnostic:
    """The error about it, the same wherever the file is missed."""
    message = f'nothing can read "{found.path.rpartition("/")[2]}": it {found.why}'
    fix = f"{'correct the link' if 'link' in found.why else 'put a file in its place'}, or delete it."
    return Diagnostic(rule="file-name", message=message, location=Location(path=found.path), fix=fix)
