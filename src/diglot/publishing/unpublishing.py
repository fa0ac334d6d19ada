"""Removing what was published, and listing it."""

from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.output_paths import MARK, folders_of
from diglot.publishing.folder_state import published_among
from diglot.publishing.output_index import OutputIndex, read_output_index, scan
from diglot.publishing.output_mark import read_mark
from diglot.publishing.placing import Placing
from diglot.publishing.putting import recover


class Unpublished(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an output folder."""

    whole: bool
    """Whether the folder itself is gone."""
    foreign_files: tuple[str, ...]
    """Files that stay in it because diglot did not make them."""


def unpublish(output: Path, *, output_index: Path | None = None) -> Unpublished | None:
    """Remove what diglot published; None if the folder has no mark. Foreign files and a `.git` stay.

    `output_index` knows what an older diglot published, whose marks name no files.
    """
    if not recover(output):
        return None
    index = OutputIndex() if output_index is None else read_output_index(output_index)
    files = scan(output).files.keys()
    published = published_among(files, read_mark(output), index)
    placing = Placing(output)
    for path in sorted(published):
        placing.remove(path)
    placing.remove_folders(folders_of(published))
    foreign = tuple(sorted(files - published))
    if not foreign:
        (output / MARK).unlink()  # last, so that an interrupted removal can begin again
    with suppress(OSError):  # a repository or a foreign file is in it
        output.rmdir()
    return Unpublished(whole=not output.exists(), foreign_files=foreign)


def published_files(output: Path) -> frozenset[str]:
    """The paths of all published files in an output folder."""
    return frozenset(published_among(scan(output).files.keys(), read_mark(output), OutputIndex()))
