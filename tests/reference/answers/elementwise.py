"""Kernels that make one output from each input."""

from diglot.hardware.kernels import Kernel, count_elementwise, count_softmax
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    read_rates,
)

OPERANDS = {"add": 2, "softmax": 1, "gelu": 1, "relu": 1, "silu": 1, "layernorm": 1, "rmsnorm": 1}
OVER_ROWS = ("softmax", "layernorm", "rmsnorm")
"""Operations that reduce a row before they write it, as softmax does."""


def answer_elementwise(inputs: Inputs) -> Answers:
    """Softmax, an activation, a norm, or (where no name is given) the sum of two arrays."""
    kernel, elements = _count(inputs)
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if "chip" in inputs:
        time_s = kernel.memory_bytes / _read_bandwidth(inputs)
        answers |= {"time": time_s, "rate": elements / time_s, "traffic": kernel.memory_bytes / time_s}
    return answers


def time_elementwise(inputs: Inputs) -> KernelTimes:
    """Traffic alone: the arithmetic of such kernels hides behind it."""
    kernel, elements = _count(inputs)
    return KernelTimes(
        chip=inputs["chip"],
        operator="softmax" if inputs.get("op", "").lower() in OVER_ROWS else "elementwise",
        compute_time_s=0.0,
        memory_time_s=kernel.memory_bytes / _read_bandwidth(inputs),
        work={"rate": elements, "traffic": kernel.memory_bytes},
    )


def _read_bandwidth(inputs: Inputs) -> float:
    return read_rates({"peak": 1.0, **inputs})[1]  # the arithmetic of such kernels never binds


def _count(inputs: Inputs) -> tuple[Kernel, int]:
    dtype, op = inputs["dtype"], inputs.get("op", "add").lower()
    elements = inputs["rows"] * inputs["cols"] if "rows" in inputs else inputs.get("n", 1)
    if op == "softmax":
        return count_softmax(inputs["rows"], inputs["cols"], dtype=dtype), elements
    return count_elementwise(elements, inputs=OPERANDS[op], dtype=dtype), elements


ANSWERS: AnswerTable = (({"dtype"}, answer_elementwise),)
CALIBRATED: TimesTable = (
    ({"chip", "dtype", "rows", "cols"}, time_elementwise),
    ({"chip", "dtype", "n"}, time_elementwise),
)
