"""How sure calibrated answers are: intervals that hold the truth nine times in ten, and what they rest on.

find_spread("product", load_catalogue()["h100-sxm"]).bracket(2.1e-3)   # value, low, high and basis

`data/spreads.yaml` has how far answers were off what others measured, by subject and maker of chips.
`benchmarks/fit_spreads.py` writes it: the ratio within which nine in ten measurements lie, each source with
the same weight, mixed with what is usual where there are few. An interval is that ratio either way. On a chip
that was not measured itself it is wider, and for one unlike any other much wider.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, cast, get_args

import numpy as np

from diglot.hardware.chips.calibration import CalibrationError, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip, load_catalogue
from diglot.hardware.chips.replay import ReplayedOperator, load_replay
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, Table, TableError, open_table
from diglot.hardware.dtypes import DTYPES, DType, bytes_per_element
from diglot.hardware.sizes import Real, check_amount, check_choice, check_rate, to_plain_float

SPREADS_PATH = FOLDER / "spreads.yaml"
SCHEMA = "spreads/1"

Subject = Literal[
    "product",
    "copy",
    "attention",
    "experts",
    "collective",
    "served dense",
    "served experts",
    "served cost",
    "trained dense",
    "trained experts",
]
SUBJECTS: tuple[Subject, ...] = get_args(Subject)
"""Single kernels and collectives; services and training steps of models without and with routed experts; and
what others paid for a token of a service, whose chips are rarely as full as a plan has them."""
Basis = Literal["measured here", "near", "far", "bound"]
BASES: tuple[Basis, ...] = get_args(Basis)
"""On this chip; on another of its family, in another format, or of another size; on none like it. A bound is
no estimate: nothing is quicker."""
WIDENINGS = {"measured here": 1.0, "near": 1.25, "far": 2.0}
"""Powers of a ratio by basis. With chips left out, 91% of their measurements are inside at 1, 95% at 1.25."""
EXTENT_RATIO = 2.0
"""Kernels up to so many times longer, or shorter, than any that was measured are still like them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """A value, or an array of them, with its 90% interval."""

    value: Real
    low: Real
    high: Real
    basis: Basis

    def __post_init__(self) -> None:
        for name in ("value", "low"):
            check_amount(name, getattr(self, name))
        if np.any(np.asarray(self.low) > self.value) or np.any(np.asarray(self.value) > self.high):
            raise ValueError(f"value must be between low and high, not {self.value!r}")
        check_choice("basis", self.basis, BASES)

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.3g} to {self.high:.3g}, {self.basis})"

    def over(self, other: "Estimate") -> "Estimate":
        """The ratio of this to another, with errors taken to be independent: squares of logarithms add."""
        value = np.asarray(self.value) / other.value
        down = np.hypot(
            np.log(np.asarray(self.value) / self.low), np.log(np.asarray(other.high) / other.value)
        )
        up = np.hypot(np.log(np.asarray(self.high) / self.value), np.log(np.asarray(other.value) / other.low))
        return Estimate(
            value=to_plain_float(value),
            low=to_plain_float(value * np.exp(-down)),
            high=to_plain_float(value * np.exp(up)),
            basis=max(self.basis, other.basis, key=BASES.index),
        )


def bound_time(time_s: Real) -> Estimate:
    """An ideal time: nothing is quicker, and nobody says how much slower."""
    high = to_plain_float(np.full_like(np.asarray(time_s, dtype=np.float64), np.inf))
    return Estimate(value=time_s, low=time_s, high=high, basis="bound")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The ratio of a 90% interval to its value, either way."""

    ratio: float
    basis: Basis

    def __post_init__(self) -> None:
        if check_rate("ratio", self.ratio) < 1:
            raise ValueError(f"ratio must be at least 1, not {self.ratio!r}")
        check_choice("basis", self.basis, BASES)

    def as_near(self) -> "Spread":
        """The same for what was measured only nearby: unlike in size, format or way."""
        if self.basis != "measured here":
            return self
        return Spread(ratio=self.ratio ** WIDENINGS["near"], basis="near")

    def bracket(self, value: Real, *, least: Real = 0.0, most: Real = np.inf) -> Estimate:
        """The interval of a time, or of a rate, which is off as much.

        A time is never below its bound, `least`, and a rate never above its own, `most`.
        """
        low = np.minimum(np.maximum(check_amount("value", value) / self.ratio, least), value)
        high = np.maximum(np.minimum(value * self.ratio, most), value)
        return Estimate(value=value, low=to_plain_float(low), high=to_plain_float(high), basis=self.basis)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadFit:
    """What measurements of one subject on chips of one maker say."""

    subject: Subject
    maker: str
    """`tpu`, or the vendor of GPUs in small letters."""
    ratio: float
    chips: tuple[str, ...]
    """Ids of the chips that were measured."""
    rows_count: int
    sources_count: int
    least_time_s: float = 0.0
    most_time_s: float = np.inf
    """The shortest and the longest kernel or collective that was measured; of whole systems, any."""

    def covers(self, time_s: Real) -> bool:
        """Whether a time, or every time of an array, is about as long as those that were measured."""
        times = np.asarray(time_s)
        low, high = self.least_time_s / EXTENT_RATIO, self.most_time_s * EXTENT_RATIO
        return bool(np.all((times >= low) & (times <= high)))


def load_spreads() -> tuple[SpreadFit, ...]:
    """The fits of `data/spreads.yaml`, read at every call; the same text is parsed once."""
    return _parse_once(read_text(SPREADS_PATH))


def find_spread(
    subject: Subject,
    chip: Chip | str,
    dtype: DType | None = None,
    *,
    time_s: "Real | None" = None,
    is_like_measured: bool = True,
) -> Spread:
    """How sure calibrated answers of a subject are on a chip.

    Kernels whose format was not measured on the chip are near at best: those that take the factors of
    another. So are those whose `time_s` is far below or above all that were measured. A chip that is not in
    the catalogue has no measurements, whatever it is like: it is far from all. So is what is not like
    anything measured on any chip, such as a model with recurrent layers.
    Raises ValueError for an unknown subject or format, and UnknownChipError.
    """
    check_choice("subject", subject, SUBJECTS)
    check_choice("dtype", dtype or "bf16", DTYPES)
    if time_s is not None:
        check_amount("time_s", time_s)
    chip, fits = find_chip(chip), load_spreads()
    for fit in fits:
        if is_like_measured and (fit.subject, fit.maker) == (subject, name_maker(chip)):
            basis = _find_basis(chip, fit)
            is_measured = _is_measured(chip, subject, dtype) and (time_s is None or fit.covers(time_s))
            if basis == "measured here" and not is_measured:
                basis = "near"
            if basis != "far":
                return Spread(ratio=fit.ratio ** WIDENINGS[basis], basis=basis)
    like = [fit.ratio for fit in fits if fit.subject == subject] or [fit.ratio for fit in fits]
    return Spread(ratio=max(like) ** WIDENINGS["far"], basis="far")


def name_maker(chip: Chip) -> str:
    """Whose chips are measured together."""
    return "tpu" if chip.kind == "tpu" else chip.vendor.lower()


def _find_basis(chip: Chip, fit: SpreadFit) -> Basis:
    if chip.id not in load_catalogue():
        return "far"
    if chip.id in fit.chips:
        return "measured here"
    calibration = load_calibration()
    family = calibration.family_of(chip)
    like = [calibration.family_of(measured) for measured in fit.chips]
    return "near" if family is not None and family in like else "far"


REPLAYED: Mapping[Subject, tuple[ReplayedOperator, ...]] = MappingProxyType(
    {
        "product": ("gemm",),
        "attention": ("context attention", "decode attention"),
        "experts": ("experts",),
    }
)
"""Subject → the replayed kernels whose formats were measured."""


def _is_measured(chip: Chip, subject: Subject, dtype: DType | None) -> bool:
    """Whether kernels of this format, or of as many bits, were measured on the chip."""
    if dtype is None or subject not in REPLAYED:
        return True
    size = bytes_per_element(dtype)
    if chip.kind == "tpu":  # products in 16 bits
        return size == bytes_per_element("bf16")
    return any(
        fit.chip == chip.id and fit.operator in REPLAYED[subject] and bytes_per_element(fit.dtype) == size
        for fit in load_replay().fits
    )


def parse_spreads(text: str, *, path: str = "spreads.yaml") -> tuple[SpreadFit, ...]:
    """The fits that `text` describes. Raises CalibrationError with every problem found."""
    problems = Problems()
    try:
        top = open_table(read_located_yaml(text), "")
        top.check_keys(("schema", "fits"))
        top.text("schema", among=(SCHEMA,))
        fits = problems.attempt_each(_read_fit, list(top.tables("fits")))
    except LocatedYamlError as error:
        raise CalibrationError(f"{path}:{error.line}: {error.problem}") from error
    except TableError as error:
        raise CalibrationError(f"{path}:{error}") from error
    if problems.found:
        raise CalibrationError("\n".join(f"{path}:{problem}" for problem in problems.found))
    return tuple(fits)


@lru_cache(maxsize=1)
def _parse_once(text: str) -> tuple[SpreadFit, ...]:
    return parse_spreads(text, path=SPREADS_PATH.name)


def _read_fit(table: Table) -> SpreadFit:
    table.check_keys(("subject", "maker", "ratio", "chips", "rows", "sources", "least_time_s", "most_time_s"))
    return SpreadFit(
        subject=cast(Subject, table.text("subject", among=SUBJECTS)),
        maker=table.text("maker"),
        ratio=table.amount("ratio"),
        chips=tuple(str(item.value) for item in table.items("chips")),
        rows_count=int(table.number("rows")),
        sources_count=int(table.number("sources")),
        least_time_s=table.number("least_time_s") if "least_time_s" in table.members else 0.0,
        most_time_s=table.number("most_time_s") if "most_time_s" in table.members else np.inf,
    )
