"""Refuses scripts whose libraries read what this system does not show, unless they say what that is."""

import ast
import glob
import json
import linecache
import os
import re
from collections.abc import Iterable
from pathlib import Path

from diglot.diagnostics import Diagnostic, Location
from diglot.figures.jobs import Job
from diglot.figures.observation.hidden_readers import HiddenReader
from diglot.figures.records import Script

_MOST_NAMED = 4
_LONGEST_PATH = 1000


def hidden_reads(job: Job, readers: Iterable[HiddenReader], root: Path) -> list[Diagnostic]:
    """An error for each library that is known to read files, and a warning for each that may do so."""
    found = []
    for reader in readers:
        call = ", ".join(json.dumps(path, ensure_ascii=False) for path in _paths_in(job.script, root))
        path, line = (reader.path, reader.line) if reader.path is not None else (job.script.path, None)
        verb = "reads" if reader.is_known else "may read"
        found.append(
            Diagnostic(
                rule="figure-hidden-reads",
                message=f'figure "{job.figure_id}": "{reader.package}" {verb} files on its own, '
                "and this system does not let diglot see which",
                severity="error" if reader.is_known else "warning",
                location=Location(path=path, line=line),
                source_line=_line(root, path, line),
                fix=f"write `from diglot.figures import reads`, and call `reads({call})` first in `compute`"
                f"{'' if call else ', with the paths of what it reads, if anything'}.",
            )
        )
    return found


def _line(root: Path, path: str, line: int | None) -> str | None:
    return (linecache.getline(str(root / path), line).rstrip("\n") or None) if line else None


def _paths_in(script: Script, root: Path) -> list[str]:
    """The texts in a script that are paths of files or folders, or patterns of such."""
    try:
        source = script.source if script.source is not None else (root / script.path).read_text("utf-8")
        code = ast.parse(source)
    except (OSError, ValueError, SyntaxError):
        return []
    constants = [node.value for node in ast.walk(code) if isinstance(node, ast.Constant)]
    texts = [value for value in constants if isinstance(value, str)]
    # A query has paths between quotation marks: select a from 'content/data/c.csv'
    paths = dict.fromkeys(path for text in texts for path in re.split("['\"]", text))
    return [path for path in paths if _is_there(path, root)][:_MOST_NAMED]


def _is_there(path: str, root: Path) -> bool:
    if "/" not in path or len(path) > _LONGEST_PATH or not path.isprintable():
        return False
    return os.path.exists(root / path) or (glob.has_magic(path) and bool(glob.glob(path, root_dir=root)))
