"""Datasets that libraries read for scripts, so that a figure depends on rows instead of whole files.

A library that reads large files, of which a script uses little, reports the rows with `sys.audit`, and needs
no import for that; see "Libraries that read data" in docs/figures.md. A dataset is named `module:function`
after the function that returns the digests of all its rows, which a later build calls to find out whether
they have changed. The library chooses the names of rows.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from diglot.digests import digest_of
from diglot.figures.records import Script

BEGIN = "diglot.dataset.begin"
"""Audit event before a dataset is read. Argument: the dataset. Its files do not become dependencies."""
END = "diglot.dataset.end"
"""Audit event after a dataset was read without an error. Argument: the dataset."""
ROW = "diglot.dataset.row"
"""Audit event when a row is used. Arguments: dataset, row, digest, and the row's files, for provenance."""

READER = Script(figure_id="dataset", path="figures/dataset")
"""Stand-in script for calls that read rows. Its path makes modules in figures/ importable."""


def row_name(dataset: str, row: str) -> str:
    """The name of a row as a dependency: `numbers.reading:digest_rows#one`.

    Raises ValueError if the dataset's function does not exist, because later builds could not read the row.
    """
    module, _, function = dataset.partition(":")
    if not hasattr(sys.modules.get(module), function):
        raise ValueError(f'a dataset is named "module:function", and there is no such function: "{dataset}"')
    return f"{dataset}#{row}"


def split_row(name: str) -> tuple[str, str]:
    """Dataset and row from the result of `row_name`."""
    dataset, _, row = name.partition("#")
    return dataset, row


def row_value(digest: str) -> str:
    """The stored value of a row: a short digest of the library's own digest, or empty if there is no row."""
    return digest_of(digest.encode()) if digest else ""


def row_digest(digest: str) -> str:
    """The digest of a row's stored value, computed as in the engine."""
    return digest_of(row_value(digest).encode())


def read_rows(dataset: str) -> dict[str, str]:
    """The current stored value of each row of a dataset. Raises whatever the library raises."""
    module, _, function = dataset.partition(":")
    digests: Callable[[], Mapping[str, str]] = getattr(import_module(module), function)
    return {row: row_value(digest) for row, digest in digests().items()}
