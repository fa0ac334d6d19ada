"""What is asked of a worker process, and what it answers: plain values, sent as msgpack."""

from dataclasses import dataclass
from typing import Literal

from diglot.diagnostics import Diagnostic
from diglot.figures.palette import Theme
from diglot.figures.records import Observed, Script
from diglot.languages import Language

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What kind of file is made of a figure."""

    theme: Theme
    format: Format
    size: str
    """`narrow`, `column`, `wide`, `slide` (1280 × 720), or `WIDTHxHEIGHT` in CSS pixels."""
    dpi: int
    """Of a PNG: 96 makes one pixel of a CSS pixel, 192 makes two by two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One call: `compute` where there is no data yet, else `draw`, or a file where a sheet is named."""

    script: Script
    figure_id: str
    parameters: tuple[tuple[str, str], ...]
    """As asked for, not yet checked."""
    data: bytes | None = None
    """Canonical JSON of what `compute` returned."""
    data_digest: str = ""
    provenance: tuple[str, ...] = ()
    language: Language | None = None
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a call."""

    result: bytes
    """Empty where it failed."""
    failed: bool
    diagnostics: tuple[Diagnostic, ...]
    """The errors of a failure, and warnings."""
    observed: tuple[Observed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a worker process ended, told by the process that started it."""

    status: int
    """As `os.waitstatus_to_exitcode` has it: negative is a signal."""
    timed_out: bool
    printed: str
    """What was written to its standard output and error, cut to the first and last kilobytes."""
