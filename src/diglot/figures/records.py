"""Records that go into a figure worker and come out of it."""

from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.figures.chip_marks import ChipMark
from diglot.languages import Bilingual, Language

Size = Literal["narrow", "column", "wide", "slide"]
ObservedKind = Literal["file", "listing", "entry", "env", "row", "packages"]
Between = Literal["nearest", "linear", "monotone"]
DomainKind = Literal["choice", "range", "switch"]
DIGEST_LENGTH = 8
"""Number of hex digits of a data digest that readers see."""
PAGE_SIZES: tuple[Size, ...] = ("narrow", "column", "wide")


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """Width and height that a slide of a deck has for a drawing, in pixels of the drawing."""

    width: int
    height: int


class CellCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code cell of an article, as it runs."""

    source: str
    alt: str = ""
    """What its pictures show, as its author says; empty to make it of their titles."""
    may_fail: bool = False
    """Whether an exception is part of what it shows."""
    is_hidden: bool = False
    """Whether readers see nothing of what it shows."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A figure script, from a file of its own or from a fence in an article."""

    figure_id: str
    """An identifier (`[a-z][a-z0-9_]*`): the stem of its file, or the word after `{figure-script}`."""
    path: str
    """The file that contains it, relative to the project: a `.py` file, or an article for a fence."""
    first_line: int = 1
    """Line number in that file at which its code begins."""
    source: str | None = None
    """The code of a fence. None for a `.py` file, which the worker opens itself."""
    of_extension: bool = False
    """Whether it is an extension of the site, and makes no figure."""
    cells: tuple[CellCode, ...] = ()
    """The code cells of an article, which `source` has one after the other; lines count from its first."""


class ExtensionCall(msgspec.Struct, frozen=True, kw_only=True):
    """What to run of an extension."""

    kind: Literal["declare", "output", "check", "directive", "role", "filter", "command"]
    function: str = ""
    argument: bytes = b""
    """A `Site`, `Text` or `AskedCommand` of `diglot.extending`, or several `Block`, `Phrase` or `Applied`, as
    msgpack."""


ArgumentKind = Literal["str", "int", "float", "bool"]


class DeclaredArgument(msgspec.Struct, frozen=True, kw_only=True):
    """An argument of a command: a flag if it has a default or is a `bool`, which is False by default."""

    name: str
    kind: ArgumentKind
    default: str | int | float | None = None


class DeclaredCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command of an extension."""

    function: str
    about: str
    """The first line of its docstring."""
    detail: str
    """All of its docstring."""
    arguments: tuple[DeclaredArgument, ...]


class DeclaredExtension(msgspec.Struct, frozen=True, kw_only=True):
    """The names of an extension's functions, and what a command line has to know of its commands."""

    outputs: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    commands: tuple[DeclaredCommand, ...] = ()


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a worker read or asked about: a dependency of its result."""

    kind: ObservedKind
    name: str
    """A path, relative to the project if inside, otherwise absolute: of a file's content (`file`), a folder's
    names (`listing`), or the kind, permissions and link target of what is there (`entry`). Or the name of a
    variable (`env`), or of a dataset's row (`row`, from `diglot.figures.scripts.datasets.row_name`). Empty
    for the folders of installed packages (`packages`)."""
    digest: str
    """Digest when the worker looked, computed as in the engine; `absent` if there was nothing."""


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """A number that readers choose."""

    name: str
    label: Bilingual
    values: tuple[int, ...]
    """Those for which answers are computed, ascending, as whole numbers of the last digit."""
    digits: int = 0
    """Decimals."""


class FormAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A number that is computed for each shape."""

    name: str
    label: Bilingual
    unit: str
    digits: int
    chip: ChipMark | None
    between: Between
    """What is shown between the computed values."""


class FormPreset(msgspec.Struct, frozen=True, kw_only=True):
    """A shape with a name."""

    label: Bilingual
    values: tuple[int, ...]


class FormTable(msgspec.Struct, frozen=True, kw_only=True):
    """A form for readers, with the table of its answers."""

    fields: tuple[FormField, ...]
    answers: tuple[FormAnswer, ...]
    presets: tuple[FormPreset, ...]
    first: tuple[float, ...]
    """The answers to the first preset."""
    file: bytes
    """JSON: for each answer the values at all shapes, the last field varying fastest, as whole numbers of the
    last digit, each but the first as the difference from the one before."""
    digest: str
    """Digest of the file, part of its name."""


class Domain(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one parameter of `compute`, and what readers call them."""

    name: str
    kind: DomainKind
    """From its annotation: `Literal`, `Range`, or `bool`."""
    default: str
    values: tuple[str, ...] = ()
    """Its values as authors write them; empty for a range."""
    range: tuple[int | float, int | float, int | float] | None = None
    """Start, stop and step of a range, because hundreds of frames of a figure keep its domains."""
    label: Bilingual | None = None
    """What readers call it; None for its name."""
    value_labels: tuple[tuple[str, Bilingual], ...] = ()
    """Some of its values, with what readers call them."""


class ComputedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a figure, which charts, prose, tables and slides all share."""

    data: bytes
    """Canonical JSON of the result of `compute`: arrays as nested lists, keys in the script's order."""
    digest: str
    """Short hex digest of `data`, shown as provenance."""
    parameters: tuple[tuple[str, str], ...]
    """All parameters with their values as text, including defaults."""
    drawable: bool
    """False for a script without `draw`."""
    sizes: tuple[Size, ...]
    """The page sizes for which it is drawn."""
    provenance: tuple[str, ...]
    """Data files that `compute` read, relative to the project or the package (`diglot/hardware/data/…`)."""
    variables: tuple[str, ...] = ()
    """Environment variables that `compute` read."""
    domains: tuple[Domain, ...] = ()
    """What each parameter can be, in the order of the script."""
    message: Bilingual = Bilingual("", "")
    """The one sentence that the figure shows, with its values; empty if the script gives none."""
    rows: tuple[str, ...] = ()
    """Names of the datasets' rows that it used, as `diglot.figures.scripts.datasets.row_name` gives them."""
    form: FormTable | None = None
    """What readers can ask for; None for a script without `FORM`."""
    shown: tuple[tuple["CellPiece", ...], ...] = ()
    """What each code cell of an article shows; empty for a script."""
    refusals: tuple[Diagnostic, ...] = ()
    """Why there are no numbers: parameters that the script does not have. They have no location, which is
    that of the request."""


class TableFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What readers may choose the rows of a grouped table by, besides its groups."""

    name: str
    choices: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    """Which of them each row is filed under."""


class RowRanges(msgspec.Struct, frozen=True, kw_only=True):
    """Ranges that a row of a table compares, on one scale: percent of its width; ends outside are open."""

    claimed: tuple[float, float]
    found: tuple[float, float]
    likely: tuple[float, float]
    """The interval of what was found, or the same again."""
    is_open: bool
    """Whether nobody can tell on which side of the claim the finding is."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a figure's numbers."""

    columns: tuple[str, ...]
    """One heading per column, with its unit, if any, after a line break: `Peak\\nTFLOP/s`."""
    rows: tuple[tuple[str, ...], ...]
    """Cells as text, with numbers formatted for reading."""
    raw: tuple[tuple[str, ...], ...]
    """The same cells unrounded, for the CSV file."""
    numeric: tuple[bool, ...]
    """Whether each column contains numbers, which are aligned right."""
    chips: tuple[ChipMark | None, ...]
    """For each row, the chip whose mark is shown next to it, or None."""
    kind_column: int | None = None
    """The column by which its rows are grouped, from 0; None for a plain table."""
    kinds: tuple[str, ...] = ()
    """What that column says, each once, in the order of the groups."""
    filters: tuple[TableFilter, ...] = ()
    links: tuple[str, ...] = ()
    """For each row the address in the site to which its last cell leads, or nothing."""
    ranges: tuple[RowRanges | None, ...] = ()


class CellPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of what a code cell shows."""

    kind: Literal["text", "error", "table", "picture", "html", "stored"]
    text: str = ""
    """Plain text; of a picture its element, and of HTML what is shown where HTML is not allowed. `stored`
    says that what follows was not computed by the build."""
    html: str = ""
    table: Table | None = None


class CellRun(msgspec.Struct, frozen=True, kw_only=True):
    """What the cells of an article came to, in one language or in both."""

    data: bytes
    """Canonical JSON of the values that they assigned, by name."""
    shown: tuple[tuple[CellPiece, ...], ...]
    """What each cell shows."""


class CellRuns(msgspec.Struct, frozen=True, kw_only=True):
    """What the cells of an article came to."""

    runs: tuple[CellRun, ...]
    """One for both languages, or one for each where the code calls `t`."""
    provenance: tuple[str, ...]
    """Data files that they read."""
    rows: tuple[str, ...] = ()
    """Names of the datasets' rows that they used."""


class DrawnFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in one language, ready for a page."""

    title: str
    message: str = ""
    """The one sentence that the figure shows; empty if the script gives none."""
    alt: str
    """Text from `describe`: one or two sentences with the main numbers."""
    svgs: tuple[tuple[Size, str], ...]
    """Inline SVG for each page size: colours as CSS variables, ids prefixed by figure, size and language."""
    table: Table | None
    csv: str
    """The table's raw cells as CSV; empty if there is no table."""
    provenance: tuple[str, ...]
    """Data files that `compute` read, relative to the project or the package (`diglot/hardware/data/…`)."""


class WorkerReport(msgspec.Struct, frozen=True, kw_only=True):
    """A result with the dependencies that the worker observed."""

    result: bytes
    """msgpack of a `ComputedFigure`, JSON of a dataset's rows, or what was drawn: msgpack of a mapping from
    each language to a `DrawnFigure` or to exported files."""
    observed: tuple[Observed, ...]
    """In the order of first observation."""
    warnings: tuple[Diagnostic, ...] = ()
    """Mistakes that did not prevent a result, such as overlapping labels or printed output."""
    wrote: tuple[str, ...] = ()
    """Paths where the script wrote something that may outlive it, in the form of `Observed.name`."""
    took_s: float = 0.0
    """Running time in seconds, without the time the call waited for its turn."""

    def drawn(self, language: Language) -> DrawnFigure:
        """The figure in one language, of a call that drew for pages."""
        return msgspec.msgpack.decode(self.result, type=dict[Language, DrawnFigure])[language]

    def files(self, language: Language) -> tuple[bytes, ...]:
        """The files in one language, of a call that exported them, in the order of the formats."""
        return msgspec.msgpack.decode(self.result, type=dict[Language, tuple[bytes, ...]])[language]
