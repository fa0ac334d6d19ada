"""What a case gives, what an answer returns, and how rates and shapes are read from inputs by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from diglot.hardware import Chip, DType, Factors, Roofline, bytes_per_element
from diglot.hardware.chips.calibration import Operator
from tests.reference.catalogue import load_catalogue

Inputs: TypeAlias = Mapping[str, Any]
Answers: TypeAlias = dict[str, float]
"""Name of an expected value → ours, in base units; shares as fractions."""
AnswerTable: TypeAlias = tuple[tuple[set[str], Callable[[Inputs], Answers]], ...]
"""Inputs that must be there, and who answers; the first that fits does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTimes:
    """Ideal times of one measured kernel, from which calibration makes a prediction."""

    chip: str
    """Id as the case has it, which the catalogue need not know."""
    operator: Operator
    compute_time_s: float
    memory_time_s: float
    work: Mapping[str, float]
    """Name of a rate that was measured → what, divided by the time, gives it. A time needs no entry."""
    latency_time_s: float = 0.0
    """Of the links, on top of what the factors make of the ideal times."""

    def predict(self, factors: Factors) -> Answers:
        """Times and rates under some factors."""
        kernel_s = factors.time_s(compute_time_s=self.compute_time_s, memory_time_s=self.memory_time_s)
        time_s = float(kernel_s) + self.latency_time_s
        return {"time": time_s, **{name: amount / time_s for name, amount in self.work.items()}}

    def invert(self, name: str, value: float) -> float:
        """The time that a measured time or rate, in base units, stands for."""
        return value if name == "time" else self.work[name] / value


TimesTable: TypeAlias = tuple[tuple[set[str], Callable[[Inputs], KernelTimes]], ...]
"""The same for calibrated predictions of measured kernels."""

WIDTHS: Mapping[float, DType] = {0.5: "int4", 0.75: "fp6", 1: "int8", 2: "bf16", 4: "fp32", 8: "fp64"}
"""Bytes of an element → a format that takes as many."""
UNBOUNDED_BYTES_PER_S = 1e30
"""Bandwidth of a memory that never binds."""


def make_roofline(peak_flops_per_s: float, memory_bandwidth_bytes_per_s: float) -> Roofline:
    """A roofline of two rates."""
    return Roofline(
        peak_flops_per_s=peak_flops_per_s, memory_bandwidth_bytes_per_s=memory_bandwidth_bytes_per_s
    )


def read_rates(inputs: Inputs) -> tuple[float, float]:
    """Peak and bandwidth as the case states them, else those of the chip in the catalogue.

    A peak alone is still a bound, and where no format is named it is the one of 16 bits.
    """
    peak = inputs.get("peak_flops_per_s")
    bandwidth = inputs.get("hbm_bytes_per_s", inputs.get("link_bytes_per_s"))
    chips = load_catalogue()
    if peak is None:
        peak = find_peak_flops_per_s(chips[inputs["chip"]], inputs.get("dtype", "bf16"))
    if bandwidth is None:
        chip = chips.get(inputs.get("chip", ""))
        bandwidth = UNBOUNDED_BYTES_PER_S if chip is None else chip.memory_bandwidth_bytes_per_s
    return peak, bandwidth


def find_peak_flops_per_s(chip: Chip, dtype: DType) -> float:
    """The peak that bounds products of a format: its own, else that of what stands in for it.

    Numbers can be widened, so the fastest format of at least as many bits stands in; for those wider than any
    (fp32 on a TPU, in several passes) the widest there is.
    """
    if dtype in chip.dtypes:
        return chip.peak_flops_per_s(dtype)
    width = min(bytes_per_element(dtype), max(map(bytes_per_element, chip.dtypes)))
    return max(chip.peak_flops_per_s(other) for other in chip.dtypes if bytes_per_element(other) >= width)


def read_width(inputs: Inputs, *names: str) -> DType:
    """A format by its name or by the bytes of an element; 16 bits where none of the names is given."""
    for name in names:
        if name in inputs:
            given = inputs[name]
            return given if isinstance(given, str) else WIDTHS[float(given)]
    return "bf16"


def read_product(op: str) -> tuple[int, int, int]:
    """(m, k, n) of `int8[B,4096] x int8[4096,16384]`; a letter for m is as good as 1."""
    match = re.fullmatch(r"\w+\[(\w+),\s*(\d+)\]\s*[x×@]\s*\w+\[(\d+),\s*(\d+)\]", op)
    if match is None or match[2] != match[3]:
        raise LookupError(f"not a product: {op}")
    return int(match[1]) if match[1].isdigit() else 1, int(match[2]), int(match[4])


def read_array_bytes(text: str) -> int:
    """Bytes of `bf16[2048,8192]`; raises LookupError for what is no array."""
    match = re.fullmatch(r"(\w+)\[([\d,\s]+)\]", text.strip())
    if match is None:
        raise LookupError(f"not an array: {text}")
    elements = 1
    for side in match[2].split(","):
        elements *= int(side)
    return int(elements * bytes_per_element(match[1]))
