"""Requests to worker processes and their answers: plain values, sent as msgpack."""

from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic, Refusal
from diglot.figures.palette import Theme
from diglot.figures.records import ExtensionCall, Observed, Room, Script
from diglot.figures.scripts.input_requests import InputRequest, Points
from diglot.languages import NO_TEXT, Bilingual, Language
from diglot.spelling.settings import Spelling

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")
PNG_DPI = 192
"""Resolution of PNG files if nothing else is asked for."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The kind of files to export a figure to."""

    theme: Theme
    formats: tuple[Format, ...]
    """A file is made for each."""
    size: str = "slide"
    """`narrow`, `column`, `wide`, `16:9` or `slide` (1280 × 720), `4:3`, `half`, `square`, `poster`, another
    ratio, or `WIDTHxHEIGHT` in CSS pixels."""
    dpi: int = PNG_DPI
    """Resolution of a PNG file: at 96 a CSS pixel becomes one pixel, at 192 it becomes 2 × 2."""
    text: float = 1.0
    """Size of text and lines, in their usual size."""
    background: str = ""
    """A colour as `#rrggbb`, `page` for that of the theme's pages, or empty for none."""
    titled: bool = False
    """Whether the figure's message, or else its title, is above the drawing."""
    credit: Bilingual = NO_TEXT
    """A line below the drawing."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a call, and the offset of its clock."""

    timeout_s: float
    memory_mb: int
    """Millions of bytes of address space, in addition to what its process used at the start."""
    ahead_s: int = 0
    """Seconds by which its clock is ahead; 0 except where `diglot check` makes figures a second time."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a worker. It reads the rows of `dataset` if that is given, otherwise runs an extension if
    `extension` is given, otherwise computes `points` if given, otherwise runs `compute` if there is no
    `data`, otherwise exports files if `sheet` is given, otherwise draws."""

    script: Script
    figure_id: str
    parameters: tuple[tuple[str, str], ...]
    """Parameters as the author wrote them, not yet checked."""
    data: bytes | None = None
    """Canonical JSON of the result of `compute`."""
    data_digest: str = ""
    message: Bilingual = NO_TEXT
    """The figure's message with its values."""
    provenance: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()
    """Languages to draw in. Drawing in both at once costs little more than in one."""
    sheet: Sheet | None = None
    spelling: Spelling | None = None
    """Write the Chinese texts of exported files in traditional characters."""
    room: Room | None = None
    """Draw for a slide of a deck, with this room, instead of for all sizes of pages."""
    dataset: str = ""
    """`module:function` of the dataset whose rows to read; empty for other calls."""
    extension: ExtensionCall | None = None
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
    """Empty if the call failed, computed points, or ended with an input request. What was drawn is msgpack of
    a mapping from each language to a `DrawnFigure`, or to the files in the order of the sheet's formats."""
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


WORKER_FAILED = 70
"""The code with which a process exits that could not do its job, for a reason that is not the script's."""
CONNECTION_CLOSED = 71
"""The same, where the script has closed a file of diglot's, through which the answer would go."""


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


class ExecutorTrouble(Refusal):
    """An executor is not available, or the connection to it was lost."""
