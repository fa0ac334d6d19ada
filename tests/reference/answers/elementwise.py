"""Kernels that make one output from each input."""

from diglot.hardware.kernels import count_elementwise, count_softmax
from tests.reference.answers.common import Answers, AnswerTable, Inputs, make_roofline, read_rates

OPERANDS = {"add": 2, "softmax": 1, "gelu": 1, "relu": 1, "silu": 1, "layernorm": 1, "rmsnorm": 1}


def answer_elementwise(inputs: Inputs) -> Answers:
    """Softmax, an activation, a norm, or (where no name is given) the sum of two arrays."""
    dtype, operands = inputs["dtype"], OPERANDS[inputs.get("op", "add").lower()]
    elements = inputs["rows"] * inputs["cols"] if "rows" in inputs else inputs.get("n", 1)
    if inputs.get("op") == "softmax":
        kernel = count_softmax(inputs["rows"], inputs["cols"], dtype=dtype)
    else:
        kernel = count_elementwise(elements, inputs=operands, dtype=dtype)
    answers = {"intensity": kernel.intensity_flops_per_byte}
    if "chip" in inputs:
        time_s = make_roofline(*read_rates(inputs)).time_s(kernel)
        answers |= {"time": time_s, "rate": elements / time_s, "traffic": kernel.memory_bytes / time_s}
    return answers


ANSWERS: AnswerTable = (({"dtype"}, answer_elementwise),)
