"""What a case gives, what an answer returns, and how rates and shapes are read from inputs by name."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.roofline import Roofline

Inputs: TypeAlias = Mapping[str, Any]
Answers: TypeAlias = dict[str, float]
"""Name of an expected value → ours, in base units; shares as fractions."""
AnswerTable: TypeAlias = tuple[tuple[set[str], Callable[[Inputs], Answers]], ...]
"""Inputs that must be there, and who answers; the first that fits does."""

UNBOUNDED_BYTES_PER_S = 1e30


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
    if "peak_tflops_per_device" in inputs:  # a chip of two devices
        peak, bandwidth = inputs["peak_tflops_per_device"] * 1e12, inputs["hbm_gbs_per_device"] * 1e9
    chips = load_catalogue()
    if peak is None:
        peak = chips[inputs["chip"]].peak_flops_per_s(inputs["dtype"])
    if bandwidth is None:
        bandwidth = chips[inputs["chip"]].memory_bandwidth_bytes_per_s
    return peak, bandwidth


def read_product(op: str) -> tuple[int, int, int]:
    """(m, k, n) of `int8[B,4096] x int8[4096,16384]`; a letter for m is as good as 1."""
    match = re.fullmatch(r"\w+\[(\w+),\s*(\d+)\] x \w+\[(\d+),\s*(\d+)\]", op)
    if match is None or match[2] != match[3]:
        raise LookupError(f"not a product: {op}")
    return int(match[1]) if match[1].isdigit() else 1, int(match[2]), int(match[4])
