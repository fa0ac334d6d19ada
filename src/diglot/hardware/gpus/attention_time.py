"""Time of fused attention on NVIDIA GPUs: matrix products, exponentials and traffic.

The exponential of every score runs on special function units, which are far slower than the matrix units:
with a head dimension of 128 it takes half as long as both products. A kernel that overlaps them takes the
longer of the two times, one that does not takes their sum.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.calibration import Factors
from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip, load_catalogue
from diglot.hardware.dtypes import DType
from diglot.hardware.kernels.attention import AttentionShape, count_flash_attention
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import Real, to_plain_float

EXPONENTIALS_PER_CYCLE = 16
"""Per SM, for compute capability 7.0 to 10.0. NVIDIA, "CUDA C++ Programming Guide", arithmetic throughput."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionTimes:
    """Least times of the parts of a forward pass, or of an array of them."""

    kernel: Kernel
    """FLOPs of the products, and traffic."""
    product_time_s: Real
    """Q K^T and P V at the peak of the matrix units."""
    exponential_time_s: Real
    """One exponential per score."""
    memory_time_s: Real
    """Q, K and V read and the output written at full bandwidth."""

    @property
    def time_s(self) -> Real:
        """Lower bound: the longest of the three, fully overlapped."""
        return to_plain_float(
            np.maximum(np.maximum(self.product_time_s, self.exponential_time_s), self.memory_time_s)
        )

    @property
    def serial_compute_time_s(self) -> Real:
        """Products and exponentials without overlap."""
        return self.product_time_s + self.exponential_time_s

    def calibrated_time_s(self, factors: Factors) -> Real:
        """Time that libraries take: launch, and arithmetic and traffic at the shares of the peaks they reach.

        `factors` are those of the operator `attention` (`calibration`), fitted to FlashAttention-3 without
        overlap of products and exponentials. Rates of heads of 64, which none was fitted to, are predicted
        within 8% (docs/measurements.md); serving engines' own kernels are slower (`layer_time`).
        """
        return factors.time_s(compute_time_s=self.serial_compute_time_s, memory_time_s=self.memory_time_s)


def estimate_attention(shape: AttentionShape, chip: Chip | str, *, dtype: DType = "bf16") -> AttentionTimes:
    """Least times of the parts of a fused forward pass on an NVIDIA GPU.

    Raises ValueError for chips whose rate of exponentials is not known, and MissingFigureError where the
    catalogue has no such peak.
    Source: J. Shah et al., "FlashAttention-3", arXiv:2407.08608 (an H100 does 3.9 T exponentials per second,
    against 989 TFLOP/s).
    """
    chip = find_chip(chip)
    exponentials_per_s = count_exponentials_per_s(chip)
    if exponentials_per_s is None:
        raise ValueError(f"the rate of exponentials of {chip.short_name} is not known")
    kernel, roofline = count_flash_attention(shape, dtype=dtype), chip.roofline(dtype)
    return AttentionTimes(
        kernel=kernel,
        product_time_s=roofline.compute_time_s(kernel),
        exponential_time_s=shape.scores_elements / exponentials_per_s,
        memory_time_s=roofline.memory_time_s(kernel),
    )


def count_exponentials_per_s(chip: Chip) -> float | None:
    """Exponentials per second of a chip, as printed or else of all SMs; None where nothing tells them.

    Where its sources give neither, those of another chip of its architecture tell, by SMs or else by peaks:
    without exponentials a GPU would be quicker than its twin of which more is known.
    """
    own = _find_rate(chip)
    if own is not None or chip.vendor != "NVIDIA":
        return own
    for like in load_catalogue().of_kind("gpu"):
        if like.architecture == chip.architecture and (rate := _find_rate(like)) is not None:
            with suppress(MissingFigureError):
                return rate * chip.processor_count / like.processor_count
            with suppress(MissingFigureError):
                return rate * chip.peak_flops_per_s("bf16") / like.peak_flops_per_s("bf16")
    return None


def _find_rate(chip: Chip) -> float | None:
    if chip.has("exponentials"):
        return chip.quantity("exponentials").value
    if chip.vendor == "NVIDIA":
        with suppress(MissingFigureError):
            return EXPONENTIALS_PER_CYCLE * chip.processor_count * chip.clock_hz
    return None
