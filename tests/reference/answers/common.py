"""What a case gives, what an answer returns, and how rates and shapes are read from inputs by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from diglot.hardware.calibration import Factors, Operator
from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.roofline import Roofline

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

UNBOUNDED_BYTES_PER_S = 1e30
"""Bandwidth of a memory that never binds."""


def make_roofline(peak_flops_per_s: float, memory_bandwidth_bytes_per_s: float) -> Roofline:
    """A roofline of two rates."""
    return Roofline(
        peak_flops_per_s=peak_flops_per_s, memory_bandwidth_bytes_per_s=memory_bandwidth_bytes_per_s
    )


def read_rates(inputs: Inputs) -> tuple[float, float]:
    """Peak and bandwidth as the case states them, else those of the chip in the catalogue."""
    peaks = ("peak_flops_per_s", "peak_ops_per_s", "peak_flops", "peak")
    peak = next((inputs[key] for key in peaks if key in inputs), None)
    bandwidths = ("hbm_bytes_per_s", "bandwidth", "link_bytes_per_s")
    bandwidth = next((inputs[key] for key in bandwidths if key in inputs), None)
    if "peak_tflops" in inputs:
        peak = inputs["peak_tflops"] * 1e12
    if "peak_gbs" in inputs:
        bandwidth = inputs["peak_gbs"] * 1e9
    if "peak_tflops_per_device" in inputs:  # a chip of two devices
        peak, bandwidth = inputs["peak_tflops_per_device"] * 1e12, inputs["hbm_gbs_per_device"] * 1e9
    chips = load_catalogue()
    if peak is None:
        peak = chips[inputs["chip"]].peak_flops_per_s(inputs["dtype"])
    if bandwidth is None and inputs["chip"] not in chips:  # a peak alone is still a bound
        bandwidth = UNBOUNDED_BYTES_PER_S
    if bandwidth is None:
        bandwidth = chips[inputs["chip"]].memory_bandwidth_bytes_per_s
    return peak, bandwidth


def read_product(op: str) -> tuple[int, int, int]:
    """(m, k, n) of `int8[B,4096] x int8[4096,16384]`; a letter for m is as good as 1."""
    match = re.fullmatch(r"\w+\[(\w+),\s*(\d+)\] x \w+\[(\d+),\s*(\d+)\]", op)
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
    return int(elements * bytes_per_element(match[1]))  # type: ignore[arg-type]
