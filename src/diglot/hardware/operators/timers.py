"""How long the operators of a step take: at their roofs, in whole tiles, or as measured kernels do.

`ideal` is a lower bound. `tiled` counts what the matrix units do beside the product: whole output tiles in
whole waves on a GPU, whole arrays and their filling on a TPU. `calibrated` adds the shares of both roofs that
measured kernels of the chip's family reach (`calibration`).
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

import numpy as np

from diglot.hardware.arrays.tpu_gemm import estimate_tpu_gemm
from diglot.hardware.chips.calibration import IDEAL, Factors, MissingCalibrationError, load_calibration
from diglot.hardware.chips.calibration import Operator as MeasuredOperator
from diglot.hardware.chips.chip import Chip
from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.operators.operator_time import OperatorTime, find_processor_count, time_gemm
from diglot.hardware.operators.transformer import Operator
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, check_choice, to_plain_float

Timing = Literal["ideal", "tiled", "calibrated"]
TIMINGS: tuple[Timing, ...] = get_args(Timing)

INSTEAD: dict[MeasuredOperator, MeasuredOperator] = {
    "attention": "gemm",
    "softmax": "elementwise",
    "elementwise": "copy",
}
"""Whose factors an operator takes where none of its kind was measured on such chips: the nearest in work."""


class OperatorTimer(Protocol):
    """Knows how long an operator takes."""

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Of one layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineTimer:
    """At the roofs: nothing lost to tiles or launches, arithmetic and traffic perfectly overlapped."""

    roofline: Roofline

    def time_operator(self, operator: Operator) -> OperatorTime:
        """The longer of its arithmetic and its traffic."""
        return OperatorTime(
            compute_time_s=self.roofline.compute_time_s(operator.kernel),
            memory_time_s=self.roofline.memory_time_s(operator.kernel),
            launch_time_s=0.0,
            time_s=self.roofline.time_s(operator.kernel),
            factors=IDEAL,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTimer:
    """On a chip of the catalogue, in tiles, and with factors where `calibrated`.

    Traffic is what the operator counts, every operand moved once. Products of experts and attention have no
    tiles here. A calibrated TPU has none at all: its factors were fitted to the bare roofline. What its
    products read comes at the bandwidth of its copies: no measured product of a TPU was bound by memory.
    """

    chip: Chip
    dtype: DType
    """That the matrix units compute in."""
    calibrated: bool = False
    with_launches: bool = False
    """Whether each kernel of each layer has a launch of its own, as when a framework calls them one by one.

    Engines replay a whole step as one graph, hence the default.
    """

    def __post_init__(self) -> None:
        check_choice("dtype", self.dtype, DTYPES)

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Of one layer. Raises MissingCalibrationError where nothing like it was measured."""
        roofline = self.chip.roofline(self.dtype)
        compute_time_s = self._find_compute_time_s(operator, roofline)
        memory_time_s = roofline.memory_time_s(operator.kernel)
        factors = self.find_factors(operator.measured_as) if self.calibrated else IDEAL
        return OperatorTime(
            compute_time_s=compute_time_s,
            memory_time_s=memory_time_s,
            launch_time_s=factors.launch_s,
            time_s=factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s),
            factors=factors,
        )

    def find_factors(self, measured: MeasuredOperator) -> Factors:
        """Those of an operator, else of the one that stands in for it (`INSTEAD`)."""
        try:
            factors = load_calibration().find(self.chip, measured)
        except MissingCalibrationError:
            if measured not in INSTEAD:
                raise
            return self.find_factors(INSTEAD[measured])
        if measured == "gemm" and self.chip.kind == "tpu":
            copies = load_calibration().find(self.chip, "copy")
            factors = replace(factors, bandwidth_fraction=copies.bandwidth_fraction)
        return factors if self.with_launches else replace(factors, launch_s=0.0)

    def _find_compute_time_s(self, operator: Operator, roofline: Roofline) -> Real:
        least_s = roofline.compute_time_s(operator.kernel)
        if operator.product is None:
            return least_s
        if self.chip.kind == "tpu":
            if self.calibrated:
                return least_s
            return estimate_tpu_gemm(*operator.product, chip=self.chip, dtype=self.dtype).array_time_s
        if find_processor_count(self.chip) is None:
            return least_s
        mode: Literal["ideal", "calibrated"] = "calibrated" if self.calibrated else "ideal"
        tiled_s = time_gemm(self.chip, *operator.product, dtype=self.dtype, mode=mode).compute_time_s
        return to_plain_float(np.maximum(least_s, tiled_s))


def choose_timer(chip: Chip, dtype: DType, timing: Timing, *, with_launches: bool = False) -> OperatorTimer:
    """The timer that a word stands for. Raises ValueError for another word, and for launches not timed."""
    check_choice("timing", timing, TIMINGS)
    if with_launches and timing != "calibrated":
        raise ValueError(f"with_launches needs calibrated timing: {timing} times have no launches")
    if timing == "ideal":
        return RooflineTimer(roofline=chip.roofline(dtype))
    return ChipTimer(chip=chip, dtype=dtype, calibrated=timing == "calibrated", with_launches=with_launches)
