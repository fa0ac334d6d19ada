"""Power of chips: against load, under a cap, with the building around them; ranges where no more is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip, load_catalogue
from diglot.hardware.dtypes import DType
from diglot.hardware.sizes import Real, check_amount, check_overhead, check_rate, check_share, to_plain_float

Basis = Literal["measured", "design", "estimated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerCurve:
    """Power against load: idle + (busy - idle) x load^r.

    A smaller r is less proportional: much of the power is drawn at little load already.
    """

    idle_w: float
    busy_w: float
    load_exponent: float = 1.0
    """r, above zero: 1 where power grows with load in a straight line."""

    def __post_init__(self) -> None:
        for name in ("busy_w", "load_exponent"):
            check_rate(name, getattr(self, name))
        if check_amount("idle_w", self.idle_w) >= self.busy_w:
            raise ValueError(f"idle_w must be from 0 to below busy_w, not {self.idle_w!r}")

    def find_power_w(self, load_fraction: Real) -> Real:
        """Power at a load from 0 to 1, or at an array of them. Raises ValueError for another load."""
        load = _check_load(load_fraction)
        return to_plain_float(self.idle_w + (self.busy_w - self.idle_w) * np.power(load, self.load_exponent))

    def find_energy_ratio(self, load_fraction: Real) -> Real:
        """Ratio of the energy of a unit of work at this load to that at full load.

        Raises ValueError for no load.
        """
        load = check_rate("load_fraction", load_fraction)
        return to_plain_float(self.find_power_w(load) / self.busy_w / load)


def fit_power_curve(*, idle_w: float, busy_w: float, load_fraction: float, power_w: float) -> PowerCurve:
    """The curve through idle and full load and one point between them.

    Raises ValueError for a load outside (0, 1), or a power that is not above `idle_w` and below `busy_w`.
    """
    check_share("load_fraction", load_fraction, zero=False, one=False)
    check_rate("busy_w", busy_w)
    if not check_amount("idle_w", idle_w) < check_rate("power_w", power_w) < busy_w:
        raise ValueError(f"power_w must be above idle_w and below busy_w, not {power_w!r}")
    share = (power_w - idle_w) / (busy_w - idle_w)
    return PowerCurve(
        idle_w=idle_w, busy_w=busy_w, load_exponent=float(np.log(share) / np.log(load_fraction))
    )


def find_power_curve(chip: Chip | str) -> PowerCurve:
    """The curve of a chip of which power was measured idle, at a tenth of its load, and busy.

    Raises MissingFigureError for all others: only TPU v1 has these in the catalogue.
    Source: N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017,
    table 2 and section 6: at 10% load the TPU draws 88% of its power at full load.
    """
    chip = find_chip(chip)
    return fit_power_curve(
        idle_w=chip.quantity("power.idle").value,
        busy_w=chip.quantity("power.busy").value,
        load_fraction=0.1,
        power_w=chip.quantity("power.tenth_load").value,
    )


def find_capped_speed_ratio(
    cap_w: Real, *, idle_w: float, busy_w: float, frequency_exponent: float = 3.0
) -> Real:
    """Ratio of the speed of arithmetic under a power cap to that without: at most 1. Memory keeps its pace.

    Beyond idle, power goes with f x V^2, and V nearly with f, so with the third power of the clock; with
    `frequency_exponent` 1 the voltage stays. Which holds of a chip is an assumption. Raises ValueError for a
    cap that idling already exceeds.
    """
    cap = np.asarray(check_rate("cap_w", cap_w))
    check_rate("frequency_exponent", frequency_exponent)
    curve = PowerCurve(idle_w=idle_w, busy_w=busy_w, load_exponent=frequency_exponent)
    if np.any(cap <= curve.idle_w):
        raise ValueError(f"cap_w must be above idle_w, {idle_w!r}, not {cap_w!r}")
    share = (np.minimum(cap, busy_w) - idle_w) / (busy_w - idle_w)
    return to_plain_float(np.power(share, 1 / frequency_exponent))


def find_facility_power_w(
    power_w: Real, *, chips_count: Real = 1, host_w_per_chip: float = 0.0, pue_ratio: float = 1.0
) -> Real:
    """Power that a building draws for chips of `power_w` each and their hosts, in W.

    `pue_ratio` is the building's power over that of its computers (power usage effectiveness), at least 1:
    Google reports 1.1 for its own, surveys 1.57 on average. Raises ValueError for one below 1.
    Source: CNBC, 2022-04-13, on Google's figures and the Uptime Institute's survey of 2021.
    """
    pue = check_overhead("pue_ratio", pue_ratio)
    hosts = check_amount("host_w_per_chip", host_w_per_chip)
    return (check_rate("power_w", power_w) + hosts) * check_rate("chips_count", chips_count) * pue


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRange:
    """Power of a chip at work, between two figures that sources or stated assumptions give."""

    low_w: float
    high_w: float
    basis: Basis
    """`measured`: mean and maximum; `design`: what it is cooled for, twice; `estimated`: by assumptions."""
    assumption: str
    """What the range depends on, in a sentence."""

    def over(self, other: "PowerRange") -> tuple[float, float]:
        """The least and the largest ratio of this power to another."""
        return self.low_w / other.high_w, self.high_w / other.low_w


def find_power_range(chip: Chip | str) -> PowerRange:
    """What is known of a chip's power: measured, else its design power, else an estimate.

    For TPU v5e to v7 Google publishes no power, only performance per watt: v7 nearly 30 times TPU v2 and
    twice v6e, v6e 1.67 times v5e, and v7 3.7 times less carbon per FLOP than v5p at 5 times its rate. Which
    formats of v7 are meant is not said. Raises MissingFigureError for a chip without any of these.
    Sources: Google, "Ironwood: The first Google TPU for the age of inference", 2025-04-09; Google Cloud,
    "Introducing Trillium", 2024-05-14; Google Cloud, "Ironwood TPUs deliver 3.7x carbon efficiency gains",
    2026; N. Jouppi et al., "TPU v4", arXiv:2304.01433.
    """
    chip = find_chip(chip)
    if chip.has("power.mean"):
        low, high = chip.quantity("power.mean").value, chip.quantity("power.max").value
        return PowerRange(low_w=low, high_w=high, basis="measured", assumption="mean and maximum as measured")
    if chip.has("tdp"):
        said = "the power that the chip is designed for"
        return PowerRange(low_w=chip.tdp_w, high_w=chip.tdp_w, basis="design", assumption=said)
    if chip.id not in _ESTIMATES:
        raise MissingFigureError(f"{chip.short_name} has no power, and nothing to estimate it from")
    low, high, said = _ESTIMATES[chip.id]()
    return PowerRange(low_w=low, high_w=high, basis="estimated", assumption=said)


_Estimate = tuple[float, float, str]
_NEARLY = 0.9
"""What "nearly 30" may round up from."""


def _estimate_v7() -> _Estimate:
    said = "nearly 30 times the FLOP/s per watt of TPU v2 at its design power, in bf16 or in fp8"
    low, high = (_find_power_w("tpu-v7", dtype, 30.0) for dtype in _BF16_AND_FP8)
    return low, high / _NEARLY, said


def _estimate_v6e() -> _Estimate:
    low = _find_power_w("tpu-v6e", "bf16", 30.0 / 2)
    return low, low / _NEARLY, "half the FLOP/s per watt of TPU v7"


def _estimate_v5e() -> _Estimate:
    low = _find_power_w("tpu-v5e", "bf16", 30.0 / 2 / 1.67)
    return low, low / _NEARLY, "the FLOP/s per watt of TPU v6e over 1.67"


def _estimate_v5p() -> _Estimate:
    catalogue = load_catalogue()
    v4, v5p = catalogue["tpu-v4"], catalogue["tpu-v5p"]
    faster = v5p.peak_flops_per_s("bf16") / v4.peak_flops_per_s("bf16")
    said = "from the FLOP/s per watt of TPU v4 at its mean power to 3.7 times less than those of v7"
    return v4.quantity("power.mean").value * faster, _estimate_v7()[1] * 3.7 / 5, said


def _find_power_w(chip_id: str, dtype: DType, times_v2: float) -> float:
    """Power of a chip with that many times the peak per watt of TPU v2 at its design power."""
    catalogue = load_catalogue()
    v2, chip = catalogue["tpu-v2"], catalogue[chip_id]
    return v2.tdp_w * chip.peak_flops_per_s(dtype) / v2.peak_flops_per_s("bf16") / times_v2


_BF16_AND_FP8: tuple[DType, DType] = ("bf16", "fp8")
_ESTIMATES: Mapping[str, Callable[[], _Estimate]] = MappingProxyType(
    {"tpu-v5e": _estimate_v5e, "tpu-v5p": _estimate_v5p, "tpu-v6e": _estimate_v6e, "tpu-v7": _estimate_v7}
)


def _check_load(load_fraction: Real) -> Real:
    load = check_amount("load_fraction", load_fraction)
    if np.any(np.asarray(load) > 1):
        raise ValueError(f"load_fraction must be from 0 to 1, not {load_fraction!r}")
    return load
