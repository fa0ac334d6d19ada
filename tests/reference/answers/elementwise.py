"""Kernels that make one output from each input."""

from math import prod

from diglot.hardware import Kernel, count_elementwise, count_softmax
from tests.reference.answers.common import (
    Answers,
    AnswerTable,
    Inputs,
    KernelTimes,
    TimesTable,
    read_rates,
)
from tests.reference.answers.spellings import fold

OPERANDS = dict.fromkeys(("add", "sub", "mul", "multiply", "div", "maximum", "swiglu", "geglu"), 2)
"""Operations that read two arrays; any other reads one at least, which keeps an ideal a bound."""
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
        operator="softmax" if _read_op(inputs) in OVER_ROWS else "elementwise",
        compute_time_s=0.0,
        memory_time_s=kernel.memory_bytes / _read_bandwidth(inputs),
        work={"rate": elements, "traffic": kernel.memory_bytes},
    )


def _read_bandwidth(inputs: Inputs) -> float:
    return read_rates({"peak_flops_per_s": 1.0, **inputs})[1]  # the arithmetic of such kernels never binds


def _count(inputs: Inputs) -> tuple[Kernel, int]:
    dtype, op = inputs.get("dtype", "bf16"), _read_op(inputs)
    rows, columns = _read_sizes(inputs)
    if op == "softmax":
        return count_softmax(rows, columns, dtype=dtype), rows * columns
    return count_elementwise(rows * columns, inputs=OPERANDS.get(op, 1), dtype=dtype), rows * columns


def _read_op(inputs: Inputs) -> str:
    return fold(inputs.get("op", "add"))


def _read_sizes(inputs: Inputs) -> tuple[int, int]:
    """Rows and columns; a single row where only a number of elements is told."""
    for rows, columns in (("rows", "cols"), ("M", "N"), ("B", "D")):
        if {rows, columns} <= inputs.keys():
            return inputs[rows], inputs[columns]
    shape = inputs.get("shape")
    if isinstance(shape, list):
        return prod(shape[:-1]), shape[-1]
    return 1, next((inputs[name] for name in ("n", "elements", "input_elements") if name in inputs), 1)


ANSWERS: AnswerTable = (({"dtype"}, answer_elementwise), ({"chip"}, answer_elementwise))
CALIBRATED: TimesTable = (
    ({"chip", "rows", "cols"}, time_elementwise),
    ({"chip", "M", "N"}, time_elementwise),
    ({"chip", "shape"}, time_elementwise),
    ({"chip", "n"}, time_elementwise),
)
