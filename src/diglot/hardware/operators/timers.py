"""Timers for the operators of a step: at the roofline, in whole tiles, or calibrated by measured kernels.

`ideal` is a lower bound. `tiled` adds the overhead of the matrix units: whole output tiles in whole waves on
a GPU, whole arrays and their fill on a TPU. `calibrated` takes the times of measured kernels of the chip, its
family or its kind (`operator_time`, `layer_time`).

A step, a service or a training is calibrated if every part of it is that anybody measured: its operators,
collectives, and what steps take beyond both. Spreads (`chips.spreads`) were fitted to such answers, and hold
for no others. What nobody measured alone, a message to the next stage or a cache on its way to other chips,
takes its ideal time in them.
"""

from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np

from diglot.hardware.arrays.tpu_gemm import estimate_tpu_gemm
from diglot.hardware.chips.calibration import IDEAL
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.operators.layer_time import time_attention_kernel, time_expert_rows
from diglot.hardware.operators.operator_time import (
    Mode,
    OperatorTime,
    find_factors,
    find_processor_count,
    time_gemm,
)
from diglot.hardware.operators.transformer import Operator
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, check_choice, to_float, to_plain_float

Timing = Literal["ideal", "tiled", "calibrated"]
TIMINGS: tuple[Timing, ...] = get_args(Timing)


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

    Traffic is the operator's: every operand moves once. Attention is not tiled, nor are experts unless
    calibrated, nor is anything on a calibrated TPU, since its factors were fitted to the plain roofline.
    """

    chip: Chip
    dtype: DType
    """Format in which the matrix units compute."""
    calibrated: bool = False

    def __post_init__(self) -> None:
        check_choice("dtype", self.dtype, DTYPES)

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Time in one layer. Raises MissingCalibrationError where no similar operator was measured."""
        roofline = self.chip.roofline(self.dtype)
        mode: Mode = "calibrated" if self.calibrated else "ideal"
        if self.calibrated and operator.attention is not None:
            return time_attention_kernel(
                self.chip,
                operator.kernel,
                operator.attention,
                dtype=self.dtype,
                kv_dtype=operator.kv_dtype,
                mode=mode,
                form=operator.attention_form,
                is_backward=operator.is_backward,
            )
        if self.calibrated and operator.experts is not None:
            return time_expert_rows(
                self.chip,
                operator.experts.layer,
                operator.experts.rows_count,
                kernel=operator.kernel,
                dtype=self.dtype,
                weights_dtype=operator.experts.weights,
            )
        compute_time_s = self._find_compute_time_s(operator, roofline, mode)
        memory_time_s = roofline.memory_time_s(operator.kernel)
        factors = find_factors(self.chip, operator.measured_as, mode, dtype=self.dtype)
        depth: Any = 0.0 if operator.product is None else to_float(operator.product[1])
        return OperatorTime(
            compute_time_s=compute_time_s,
            memory_time_s=memory_time_s,
            launch_time_s=factors.launch_s,
            time_s=factors.time_s(
                compute_time_s=compute_time_s, memory_time_s=memory_time_s, depth_elements=depth
            ),
            factors=factors,
        )

    def _find_compute_time_s(self, operator: Operator, roofline: Roofline, mode: Mode) -> Real:
        least_s = roofline.compute_time_s(operator.kernel)
        if operator.product is None:
            return least_s
        if self.chip.kind == "tpu":
            if self.calibrated:
                return least_s
            return estimate_tpu_gemm(*operator.product, chip=self.chip, dtype=self.dtype).array_time_s
        if find_processor_count(self.chip) is None:
            return least_s
        tiled_s = time_gemm(self.chip, *operator.product, dtype=self.dtype, mode=mode).compute_time_s
        return to_plain_float(np.maximum(least_s, tiled_s))


def choose_timer(chip: Chip | str, dtype: DType, timing: Timing) -> OperatorTimer:
    """The timer for `timing`, with launches as in a replayed graph. Raises ValueError if it is unknown."""
    chip = find_chip(chip)
    check_choice("timing", timing, TIMINGS)
    if timing == "ideal":
        return RooflineTimer(roofline=chip.roofline(dtype))
    return ChipTimer(chip=chip, dtype=dtype, calibrated=timing == "calibrated")
