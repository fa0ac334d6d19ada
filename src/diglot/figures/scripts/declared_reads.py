"""Declares what a script reads, for libraries whose reading nobody can watch."""

import os
import sys
from collections.abc import Iterator

READS_EVENT = "diglot.figures.reads"
"""Audit event of a declaration."""


def reads(*paths: "str | os.PathLike[str]") -> None:
    """Make files dependencies of the figure.

    Each is a path, a folder with all that is in it, or a pattern such as `content/data/*.csv`, relative to
    the project. Without one, this says that the libraries of a script read no file on their own. Raises
    FileNotFoundError for a path at which there is nothing.
    """
    sys.audit(READS_EVENT)
    for path in paths:
        for file in _files_at(os.fspath(path)):
            with open(file, "rb"):
                pass  # opening it is enough to be seen


def _files_at(path: str) -> Iterator[str]:
    import glob  # noqa: PLC0415  (few scripts need it)

    if glob.has_magic(path) and not os.path.lexists(path):
        for found in sorted(glob.glob(path, recursive=True)):
            yield from _files_at(found) if os.path.isfile(found) else ()
    elif os.path.isdir(path):
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in names)
    else:
        yield path
