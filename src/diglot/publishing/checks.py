"""Checks before anything is touched, and what is said of files that diglot did not make."""

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.output_paths import ASIDE, KEPT, PathFault, check_path, folders_of
from diglot.publishing.folder_state import FolderState

_MOST_NAMED = 5
"""A message names at most this many foreign files."""


def check_paths(paths: Iterable[str]) -> None:
    """Raise DiagnosticError for an invalid path. Usually it was reported where it was read."""
    for path in paths:
        try:
            check_path(path)
        except PathFault as fault:
            message, fix = f'"/{path}" cannot be published: it {fault}', "rename what is published there."
            raise DiagnosticError(Diagnostic(rule="output-path", message=message, fix=fix)) from None


def check_unused(output: Path) -> None:
    """Raise DiagnosticError if an unmarked output folder is a file, or holds more than a repository."""
    if not os.path.lexists(output):
        return
    said = f'the output folder "{output}" is a file'
    if output.is_dir():
        if all(child.name == KEPT for child in output.iterdir()):
            return
        said = f'the output folder "{output}" contains files that diglot did not make'
    fix = "choose another folder with --output, or empty this one."
    raise DiagnosticError(Diagnostic(rule="output-foreign", message=said, fix=fix))


def check_places(output: Path, state: FolderState, written: Sequence[str]) -> None:
    """Make sure that every file can be put into its place, and that no foreign file is in the way.

    Raises DiagnosticError, or OSError. A remembered folder is not looked at.
    """
    if state.scanned is None or not written:
        return
    folders, as_folders = folders_of(written), {f"{path}/" for path in written}
    in_the_way = [
        path
        for path in state.foreign
        if (f"{path}/" in folders and not os.path.islink(f"{output}/{path}"))
        or not as_folders.isdisjoint(folders_of((path,)))
    ]
    mark, published = state.mark, state.index.files
    # An older diglot marked only the folder: what is at the address of a page was made by diglot.
    if mark is None or mark.is_listing:
        in_the_way += [
            path
            for path in written
            if path in state.files
            and path not in published
            and not (mark is not None and mark.names(path))
            and not os.path.islink(f"{output}/{path}")
        ]
    if in_the_way:
        raise DiagnosticError(*(_in_the_way(output, path) for path in sorted(in_the_way)[:_MOST_NAMED]))
    for folder in sorted({"", *folders, *folders_of(state.obsolete)} & state.folders()):
        if not os.access(f"{output}/{folder}", os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), f"{output}/{folder}")
    longest_part, longest = os.pathconf(output, "PC_NAME_MAX"), os.pathconf(output, "PC_PATH_MAX")
    room = longest - len(os.fsencode(output)) - len(ASIDE) - 20  # a slash, a number
    for path in written:
        if len(path) > min(longest_part, room) // 4:  # a character takes up to four bytes
            encoded = os.fsencode(path)
            if len(encoded) > room or max(map(len, encoded.split(b"/"))) > longest_part:
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path)


def _in_the_way(output: Path, path: str) -> Diagnostic:
    said = f'the output folder "{output}" contains "{path}", which diglot did not make, where a page belongs'
    fix = "move it away; put files of your own into site/static/."
    return Diagnostic(rule="output-in-the-way", message=said, fix=fix)


def foreign_files_warning(output: Path, files: Sequence[str]) -> Diagnostic | None:
    """A warning that names files in the output folder that are not diglot's, None if there are none."""
    if not files:
        return None
    more = f", and {len(files) - _MOST_NAMED:,} more" if len(files) > _MOST_NAMED else ""
    named = f"{', '.join(files[:_MOST_NAMED])}{more}"
    message = f'the output folder "{output}" contains files that diglot did not make: {named}'
    fix = "they stay there; move them to site/static/ if they belong to the site, otherwise delete them."
    return Diagnostic(rule="output-strangers", severity="warning", message=message, fix=fix)


@contextmanager
def unwritable_reported(output: Path) -> Iterator[None]:
    """Turn an OSError into a DiagnosticError that says why the output folder cannot be written."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        is_begun = os.path.lexists(f"{output}/{ASIDE}")
        left = "; the next build restores the previous site" if is_begun else ""
        message = f'the output folder "{output}" cannot be written: {error.strerror or error}{where}{left}'
        fix = "check its permissions and the free space on its disk, then build again."
        raise DiagnosticError(Diagnostic(rule="output-unwritable", message=message, fix=fix)) from error
