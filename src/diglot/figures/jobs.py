"""What is asked of a worker process, and what it answers: plain values, sent as msgpack."""

from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.figures.palette import Theme
from diglot.figures.records import Observed, Script
from diglot.figures.scripts.input_requests import InputRequest, Points
from diglot.languages import Language

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of file is made of a figure."""

    theme: Theme
    format: Format
    size: str
    """`narrow`, `column`, `wide`, `slide` (1280 × 720), or `WIDTHxHEIGHT` in CSS pixels."""
    dpi: int
    """Of a PNG: 96 makes one pixel of a CSS pixel, 192 makes two by two."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a call may take."""

    timeout_s: float
    memory_mb: int
    """In millions of bytes, beyond what its process began with."""
    ahead_s: int = 0
    """How far its clock is ahead of the right time: none is, but where figures are tried."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One call: rows of a dataset, else points of a sweep, else `compute` where there is no data yet, else
    `draw`, or a file where a sheet is named."""

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
    dataset: str = ""
    """`module:function`, where rows are asked for."""
    points: Points | None = None
    patience_s: float = 1.0
    """Points are begun for this long at least, or eight times as long as loading their code took."""
    most_s: float = 7.5
    """Points are begun for no longer than this, so that the last of them has time to finish."""
    swept: tuple[tuple[str, tuple[bytes, ...]], ...] = ()
    """Sweeps that `compute` asked for before: their digests, and the result of each point as JSON."""
    variables: tuple[tuple[str, str | None], ...] | None = None
    """Variables of the environment that were asked for; None where the worker's own are the right ones."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a call."""

    result: bytes
    """Empty where it failed, or asks for an input."""
    failed: bool
    diagnostics: tuple[Diagnostic, ...]
    """The errors of a failure, and warnings."""
    observed: tuple[Observed, ...]
    wrote: tuple[str, ...] = ()
    """Where it wrote something that may outlive it, named as what is observed."""
    points: tuple[bytes, ...] = ()
    """Results of the first points of those asked for: as many as there was time for, or none failed."""
    input_request: InputRequest | None = None
    """What it could not go on without."""


class ExitStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker process ended, told by the process that started it."""

    code: int
    """As `os.waitstatus_to_exitcode` has it: negative is a signal."""
    timed_out: bool
    printed: str
    """What was written to its standard output and error, cut to the first and last kilobytes."""
    at_point: int = 0
    """Which of the points it had begun last, from 0."""


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to say of a call, wherever it ran."""

    answer: Answer | None
    """None where the worker could not speak for itself any more."""
    exit_status: ExitStatus
    took_s: float = 0.0
    """From when it had its turn."""


class ExecutorTrouble(Exception):
    """An executor cannot be had, or was lost; `fix` says what may help."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message, fix)
        self.message, self.fix = message, fix
