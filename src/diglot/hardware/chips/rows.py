"""The catalogue as rows, for programs that record which rows a script used and must notice their changes.

Reads are reported as audit events in diglot's protocol for datasets ("Libraries that read data" in
docs/figures.md), which needs no import from diglot. Without a listener the events have no effect.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.data import FOLDER

CATALOGUE_PATH = FOLDER / "accelerators.yaml"


@contextmanager
def reading(dataset: str) -> Iterator[None]:
    """Mark the reading of the files behind rows. After an exception the files themselves are dependencies."""
    sys.audit("diglot.dataset.begin", dataset)
    yield
    sys.audit("diglot.dataset.end", dataset)


def telling(dataset: str, catalogue: Catalogue) -> Callable[[str], None]:
    """A function that reports the use of a row of that catalogue, each row once."""
    told: set[str] = set()

    def tell(row: str) -> None:
        if row not in told:
            told.add(row)
            files = find_files(catalogue, row)
            sys.audit("diglot.dataset.row", dataset, row, digest_row(catalogue, row), files)

    return tell


def list_rows(catalogue: Catalogue) -> tuple[str, ...]:
    """Names of all rows."""
    chips = (f"chip:{chip.id}" for chip in catalogue.chips)
    sources = (f"source:{id_}" for id_ in catalogue.sources)
    return ("valid", "names", "chips", "sources", "places", *chips, *sources)


def digest_row(catalogue: Catalogue, row: str) -> str:
    """Digest of a row and its files, which figures quote as a source; empty for a row that does not exist."""
    text = _describe_row(catalogue, row)
    return sha256(f"{text}\n{find_files(catalogue, row)}".encode()).hexdigest() if text else ""


def find_files(catalogue: Catalogue, row: str) -> tuple[str, ...]:
    """The files that contain a row; for a row about all chips, all files that describe anything."""
    what, _, id_ = row.partition(":")
    match what:
        case "valid":
            return ()
        case "chip" | "source":
            place = catalogue.places.get(id_ if what == "chip" else f"sources.{id_}")
            places = [] if place is None else [place]
        case _:
            places = [*catalogue.places.values()]
    files = {place.rpartition(":")[0] for place in places}
    return tuple(sorted(str(CATALOGUE_PATH) if file == CATALOGUE_PATH.name else file for file in files))


def _describe_row(catalogue: Catalogue, row: str) -> str:
    what, _, id_ = row.partition(":")
    match what:
        case "valid":
            return "it could be read"
        case "names":
            return repr([(chip.names, chip.kind) for chip in catalogue.chips])
        case "chip":
            return repr(catalogue[id_]) if id_ in catalogue else ""
        case "source":
            return repr(catalogue.sources[id_]) if id_ in catalogue.sources else ""
        case "chips":
            return repr(catalogue.chips)
        case "sources":
            return repr(dict(catalogue.sources))
        case _:
            return repr(dict(catalogue.places))
