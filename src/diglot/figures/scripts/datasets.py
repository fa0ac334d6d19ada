"""Data that a library reads for a script, told by audit events: a figure depends on rows and not on files.

A library that reads large files, of which a script uses little, says so by `sys.audit`, and imports nothing
for it. It is described for authors of libraries in docs/figures.md, "Libraries that read data". A dataset is
named by the function that gives the digests of all its rows, `module:function`, so that a later build can ask
what they are by then; a row is named as the library likes.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from diglot.digests import digest_of
from diglot.figures.records import Script

BEGIN = "diglot.dataset.begin"
"""The event before files of a dataset are read, with the dataset: its rows stand for them."""
END = "diglot.dataset.end"
"""The event once all has been read without a mistake, with the dataset."""
ROW = "diglot.dataset.row"
"""The event of the use of a row: dataset, row, digest, and the files that the row is in, for readers."""

READER = Script(figure_id="dataset", path="figures/dataset")
"""Stands for a script where rows are read: modules in figures/ may hold the function, too."""


def row_name(dataset: str, row: str) -> str:
    """What a row is called among all that scripts depend on: `numbers.reading:digest_rows#one`.

    Raises ValueError where nobody could ask for the row later: the function is not there.
    """
    module, _, function = dataset.partition(":")
    if not hasattr(sys.modules.get(module), function):
        raise ValueError(f'a dataset is named "module:function", and there is no such function: "{dataset}"')
    return f"{dataset}#{row}"


def split_row(name: str) -> tuple[str, str]:
    """Dataset and row of a name."""
    dataset, _, row = name.partition("#")
    return dataset, row


def row_value(digest: str) -> str:
    """What is kept of a row: short, whatever its library takes for a digest; empty where there is no row."""
    return digest_of(digest.encode()) if digest else ""


def row_digest(digest: str) -> str:
    """The digest of a row, as the engine takes it of that value."""
    return digest_of(row_value(digest).encode())


def read_rows(dataset: str) -> dict[str, str]:
    """What is kept of each row of a dataset, as it is now. Raises what the library does."""
    module, _, function = dataset.partition(":")
    digests: Callable[[], Mapping[str, str]] = getattr(import_module(module), function)
    return {row: row_value(digest) for row, digest in digests().items()}
