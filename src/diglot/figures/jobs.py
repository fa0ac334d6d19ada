"""Requests to worker processes and their answers: plain values, sent as msgpack."""

from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.figures.palette import Theme
from diglot.figures.records import Observed, Room, Script
from diglot.figures.scripts.input_requests import InputRequest, Points
from diglot.languages import Bilingual, Language

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The kind of file to export a figure to."""

    theme: Theme
    format: Format
    size: str
    """`narrow`, `column`, `wide`, `slide` (1280 × 720), a ratio (`16:9`), or `WIDTHxHEIGHT` in CSS pixels."""
    dpi: int
    """Resolution of a PNG file: at 96 a CSS pixel becomes one pixel, at 192 it becomes 2 × 2."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a call, and the offset of its clock."""

    timeout_s: float
    memory_mb: int
    """Millions of bytes of address space, in addition to what its process used at the start."""
    ahead_s: int = 0
    """Seconds by which its clock is ahead; 0 except where `diglot check` makes figures a second time."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a worker. It reads the rows of `dataset` if that is given, otherwise computes `points` if
    given, otherwise runs `compute` if there is no `data`, otherwise exports a file if `sheet` is given,
    otherwise draws."""

    script: Script
    figure_id: str
    parameters: tuple[tuple[str, str], ...]
    """Parameters as the author wrote them, not yet checked."""
    data: bytes | None = None
    """Canonical JSON of the result of `compute`."""
    data_digest: str = ""
    message: Bilingual = Bilingual("", "")
    """The figure's message with its values."""
    provenance: tuple[str, ...] = ()
    language: Language | None = None
    sheet: Sheet | None = None
    room: Room | None = None
    """Draw for a slide of a deck, with this room, and for a phone, instead of for all sizes of pages."""
    dataset: str = ""
    """`module:function` of the dataset whose rows to read; empty for other calls."""
    points: Points | None = None
    patience_s: float = 1.0
    """Seconds after which no more points are begun, or 8 times the loading time if that is longer."""
    most_s: float = 7.5
    """Upper bound of that time, in seconds, so that the last point can finish within the time limit."""
    swept: tuple[tuple[str, tuple[bytes, ...]], ...] = ()
    """Finished sweeps that `compute` had requested: the digest of each, and its points' results as JSON."""
    variables: tuple[tuple[str, str | None], ...] | None = None
    """Environment variables that calls requested so far; None on the building machine, where workers use its
    own environment."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a call, as its worker reports it."""

    result: bytes
    """Empty if the call failed, computed points, or ended with an input request."""
    failed: bool
    diagnostics: tuple[Diagnostic, ...]
    """The errors, if it failed, and the warnings."""
    observed: tuple[Observed, ...]
    wrote: tuple[str, ...] = ()
    """Paths where it wrote something that may outlive it, in the form of `Observed.name`."""
    points: tuple[bytes, ...] = ()
    """Results of the first of the requested points, up to the first failure or the end of its time."""
    input_request: InputRequest | None = None
    """The input that it lacked."""


class ExitStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker process ended, as reported by the fork server."""

    code: int
    """In the form of `os.waitstatus_to_exitcode`: a negative number is a signal."""
    timed_out: bool
    printed: str
    """Its standard output and error, cut to the first and last kilobytes."""
    at_point: int = 0
    """Index of the point that it began last."""


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """The complete outcome of a call, on any executor."""

    answer: Answer | None
    """None if the worker ended without an answer."""
    exit_status: ExitStatus
    took_s: float = 0.0
    """Running time in seconds, without the time the call waited for its turn."""


class ExecutorTrouble(Exception):
    """An executor is not available, or the connection to it was lost. `fix` says what may help."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message, fix)
        self.message, self.fix = message, fix
