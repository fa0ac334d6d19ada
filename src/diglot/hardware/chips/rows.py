"""The catalogue as rows, for programs that record which rows a script used and must notice their changes.

Reads are reported as audit events in diglot's protocol for datasets ("Libraries that read data" in
docs/figures.md), which needs no import from diglot. Without a listener the events have no effect.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256

from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.row import Row, RowKind, Use
from diglot.hardware.data import FOLDER

CATALOGUE_PATH = FOLDER / "accelerators.yaml"


@contextmanager
def reading(dataset: str) -> Iterator[None]:
    """Mark the reading of the files behind rows. After an exception the files themselves are dependencies."""
    sys.audit("diglot.dataset.begin", dataset)
    yield
    sys.audit("diglot.dataset.end", dataset)


def telling(dataset: str, catalogue: Catalogue) -> Use:
    """A function that reports the use of a row of that catalogue, each row once."""
    told: set[Row] = set()

    def tell(row: Row) -> None:
        if row not in told:
            told.add(row)
            files = find_files(catalogue, row)
            sys.audit("diglot.dataset.row", dataset, row.name, digest_row(catalogue, row), files)

    return tell


def list_rows(catalogue: Catalogue) -> Iterator[Row]:
    """All rows."""
    for kind in _OF_ALL:
        yield Row(kind)
    for chip in (*catalogue.chips, *catalogue.provisional):
        for kind in _OF_A_CHIP:
            yield Row(kind, chip.id)
        for field in chip.quantities.fields:
            yield Row("quantity", chip.id, field)
    for id_ in catalogue.sources:
        yield Row("source", id_)


_OF_ALL: tuple[RowKind, ...] = ("valid", "names", "sources", "places")
_OF_A_CHIP: tuple[RowKind, ...] = ("chip", "fields", "quantities", "prices", "conflicts")
_FIGURES = ("quantities", "prices", "conflicts")
"""What of a chip's record is a row of its own."""


def digest_row(catalogue: Catalogue, row: Row) -> str:
    """Digest of a row and its files, which figures quote as a source; empty for a row that does not exist."""
    text = _describe_row(catalogue, row)
    return sha256(f"{text}\n{find_files(catalogue, row)}".encode()).hexdigest() if text else ""


def find_files(catalogue: Catalogue, row: Row) -> tuple[str, ...]:
    """The files that contain a row; for a row about all chips, all files that describe anything."""
    if row.kind == "valid":
        return ()
    if row.id:
        place = catalogue.places.get(f"sources.{row.id}" if row.kind == "source" else row.id)
        places = [] if place is None else [place]
    else:
        places = [*catalogue.places.values()]
    files = {place.rpartition(":")[0] for place in places}
    return tuple(sorted(str(CATALOGUE_PATH) if file == CATALOGUE_PATH.name else file for file in files))


def _describe_row(catalogue: Catalogue, row: Row) -> str:
    match row.kind:
        case "valid":
            return "it could be read"
        case "names":
            chips = (*catalogue.chips, *catalogue.provisional)
            return repr(([(chip.names, chip.kind) for chip in chips], catalogue.watched))
        case "source":
            return repr(catalogue.sources[row.id]) if row.id in catalogue.sources else ""
        case "sources":
            return repr(dict(catalogue.sources))
        case "places":
            return repr(dict(catalogue.places))
        case _:
            return _describe_chip(catalogue[row.id], row) if row.id in catalogue else ""


def _describe_chip(chip: Chip, row: Row) -> str:
    match row.kind:
        case "chip":
            return repr([getattr(chip, one.name) for one in fields(chip) if one.name not in _FIGURES])
        case "fields":
            return repr(chip.quantities.fields)
        case "quantity":
            return repr(chip.quantity(row.field)) if chip.has(row.field) else ""
        case _:
            return repr(getattr(chip, row.kind))
