"""Timers for the operators of a step: at the roofline, in whole tiles, or calibrated by measured kernels.

`ideal` is a lower bound. `tiled` adds the overhead of the matrix units: whole output tiles in whole waves on
a GPU, whole arrays and their fill on a TPU. `calibrated` also applies the shares of both roofs that measured
kernels of the chip's family reach (`calibration`).
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
"""Operator without measurements on such chips → the most similar operator, whose factors it takes."""


class OperatorTimer(Protocol):
    """Gives the time of an operator."""

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Time in one layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineTimer:
    """Roofline times: no tiles, no launches, arithmetic and traffic perfectly overlapped."""

    roofline: Roofline

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Time in one layer: the longer of arithmetic and traffic."""
        return OperatorTime(
            compute_time_s=self.roofline.compute_time_s(operator.kernel),
            memory_time_s=self.roofline.memory_time_s(operator.kernel),
            launch_time_s=0.0,
            time_s=self.roofline.time_s(operator.kernel),
            factors=IDEAL,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTimer:
    """Times on a chip of the catalogue, in tiles, and with fitted factors if `calibrated`.

    Traffic is the operator's: every operand moves once. Products of experts and attention are not tiled. On a
    calibrated TPU nothing is tiled, since its factors were fitted to the plain roofline. There, products get
    the bandwidth factor of copies, since no measured product of a TPU was memory-bound.
    """

    chip: Chip
    dtype: DType
    """Format in which the matrix units compute."""
    calibrated: bool = False
    with_launches: bool = False
    """Whether each kernel of each layer has a launch overhead, as when a framework launches them one by one.

    False by default, because serving engines replay a whole step as one graph.
    """

    def __post_init__(self) -> None:
        check_choice("dtype", self.dtype, DTYPES)

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Time in one layer. Raises MissingCalibrationError where no similar operator was measured."""
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
        """Factors of an operator, otherwise of its substitute (`INSTEAD`)."""
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
    """The timer for `timing`. Raises ValueError if it is unknown, and for launches unless calibrated."""
    check_choice("timing", timing, TIMINGS)
    if with_launches and timing != "calibrated":
        raise ValueError(f"with_launches needs calibrated timing: {timing} times have no launches")
    if timing == "ideal":
        return RooflineTimer(roofline=chip.roofline(dtype))
    return ChipTimer(chip=chip, dtype=dtype, calibrated=timing == "calibrated", with_launches=with_launches)
