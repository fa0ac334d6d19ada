"""What goes into a figure worker and what comes out."""

from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.figures.chip_marks import ChipMark

Size = Literal["narrow", "column", "wide", "slide"]
ObservedKind = Literal["file", "listing", "entry", "env", "row"]
PAGE_SIZES: tuple[Size, ...] = ("narrow", "column", "wide")


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A figure script, wherever it stands."""

    figure_id: str
    """An identifier (`[a-z][a-z0-9_]*`): the stem of its file, or the word behind `{figure-script}`."""
    path: str
    """The file it stands in, relative to the project: a `.py` file, or an article for a fence."""
    first_line: int = 1
    """Where its code begins in that file."""
    source: str | None = None
    """The code of a fence; None for a file, which the worker opens itself."""


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """Something a worker looked at: a dependency of what it made."""

    kind: ObservedKind
    name: str
    """file: a path, relative to the project where it lies inside, else absolute; listing: a folder likewise;
    entry: a path likewise, of which only matters what stands there; env: a variable; row: of a
    dataset that a library reads, as `diglot.figures.scripts.datasets.row_name` has it."""
    digest: str
    """As the worker saw it, taken as the engine takes it; `absent` where there was nothing."""


class ComputedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a figure: what charts, prose, tables and slides all read."""

    data: bytes
    """Canonical JSON of what `compute` returned: arrays as nested lists, keys in the script's order."""
    digest: str
    """Short hex digest of `data`, shown as provenance."""
    parameters: tuple[tuple[str, str], ...]
    """All of them, defaults filled in, as text."""
    drawable: bool
    """False for a script that only computes."""
    sizes: tuple[Size, ...]
    """The page sizes it is drawn for."""
    provenance: tuple[str, ...]
    """Data files read by `compute`, relative to the project or to the package (`diglot/hardware/data/…`)."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers behind a picture, as people read them."""

    columns: tuple[str, ...]
    """Headings, one a column, with the unit behind a line break where there is one: `Peak\\nTFLOP/s`."""
    rows: tuple[tuple[str, ...], ...]
    """Cells as text, numbers formatted for reading."""
    raw: tuple[tuple[str, ...], ...]
    """The same cells unrounded, for the CSV."""
    numeric: tuple[bool, ...]
    """Which columns hold numbers (they are set right)."""
    chips: tuple[ChipMark | None, ...]
    """Per row, the look of the chip it speaks of, where its mark is to be shown; else None."""


class DrawnFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in one language, ready to be put on a page."""

    title: str
    alt: str
    """What `describe` returned: one or two sentences with the computed numbers in them."""
    svgs: tuple[tuple[Size, str], ...]
    """Inline SVG per page size, colours as CSS variables, ids prefixed by figure, size and language."""
    table: Table | None
    csv: str
    """The table's raw cells; empty where there is no table."""
    provenance: tuple[str, ...]
    """Data files read by `compute`, relative to the project or to the package (`diglot/hardware/data/…`)."""


class WorkerReport(msgspec.Struct, frozen=True, kw_only=True):
    """A result together with what the worker looked at to make it."""

    result: bytes
    """msgpack of the `ComputedFigure` or `DrawnFigure`, or the bytes of an exported file."""
    observed: tuple[Observed, ...]
    """In the order it was first seen."""
    warnings: tuple[Diagnostic, ...] = ()
    """What the author should know and what did not stop the work: labels that collide, printed output …"""
    wrote: tuple[str, ...] = ()
    """Where the script wrote something that may outlive it, named as what is observed."""
    took_s: float = 0.0
    """How long the worker was at it, without the time the call waited for its turn."""
